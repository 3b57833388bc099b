"""The package's own tables, in `data/`. What a table means is the business of the module that asks for it."""

from functools import cache
from typing import Any

from bonafide.package_data import read_yaml


@cache
def read_website_table(name: str) -> Any:
    """What a file of YAML holds, or of JSON, which is YAML too. Raises `FileNotFoundError` for one that is not shipped."""
    return read_yaml(__package__, "data", name)


PAGE_TERMS: dict[str, Any] = read_website_table("wording.yml")
"""Each of its lists is described in the file."""
