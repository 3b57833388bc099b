"""Load the YAML tables in `matching/data`."""

from typing import Any

from bonafide.package_data import read_yaml


def read_table(name: str) -> Any:
    """Parse `matching/data/<name>.yml`. Raises `FileNotFoundError` for a table that is not shipped."""
    return read_yaml("bonafide.matching", "data", f"{name}.yml")
