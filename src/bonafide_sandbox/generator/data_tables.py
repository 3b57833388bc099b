"""Read word lists and tables from the package's `data` folder."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonafide.package_data import read_yaml

WordArray = NDArray[np.object_]
"""Strings as Python objects, so that whole columns can be selected and joined at once."""


def read_table(name: str) -> Any:
    """Return the parsed content of `data/<name>.yml`. Raises `FileNotFoundError` if the table does not exist."""
    return read_yaml(__package__, "data", f"{name}.yml")


def to_word_array(entries: Any) -> WordArray:
    """Convert a list, the keys of a mapping, or comma-separated text to a column of words."""
    listed = [word.strip() for word in entries.split(",")] if isinstance(entries, str) else list(entries)
    return np.array(listed, dtype=object)
