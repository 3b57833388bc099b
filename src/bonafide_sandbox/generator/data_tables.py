"""Read the sandbox's word lists and tables from the package's `data` folder."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonafide.package_data import read_yaml

WordArray = NDArray[np.object_]
"""Strings as Python objects: selected and joined a whole column at a time."""


def read_table(name: str) -> Any:
    """The parsed content of `data/<name>.yml`. Raises `FileNotFoundError` for a table that is not shipped."""
    return read_yaml(__package__, "data", f"{name}.yml")


def to_word_array(entries: Any) -> WordArray:
    """A column of words from a list, from the keys of a mapping, or from text that separates them by commas."""
    listed = [word.strip() for word in entries.split(",")] if isinstance(entries, str) else list(entries)
    return np.array(listed, dtype=object)
