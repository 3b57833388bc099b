"""Load the tables of the package from `data/`. The modules that use a table interpret it."""

from functools import cache
from typing import Any

from bonafide.package_data import read_yaml


@cache
def read_website_table(name: str) -> Any:
    """Load a YAML or JSON file. Raises `FileNotFoundError` if it does not exist."""
    return read_yaml(__package__, "data", name)


PAGE_TERMS: dict[str, Any] = read_website_table("wording.yml")
"""The file describes each of its lists."""
