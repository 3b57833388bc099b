"""The sandbox's word lists and tables, read from the package's data folder. What a table means is its reader's business."""

from importlib import resources
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

# The compiled loader reads the same in a tenth of the time.
_YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Words = NDArray[np.object_]
"""Strings as Python objects: selected and joined a whole column at a time."""


def read_table(name: str) -> Any:
    """The parsed content of `data/<name>.yml`. Raises `FileNotFoundError` for a table that is not shipped."""
    text = resources.files(__package__).joinpath("data", f"{name}.yml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=_YAML)  # noqa: S506 - a safe loader


def words(entries: Any) -> Words:
    """A column of words from a list, from the keys of a mapping, or from text that separates them by commas."""
    listed = [word.strip() for word in entries.split(",")] if isinstance(entries, str) else list(entries)
    return np.array(listed, dtype=object)
