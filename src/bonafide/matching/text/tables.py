"""Load the tables in `matching/data`."""

from typing import Any

from bonafide.package_data import read_text, read_yaml


def read_table(name: str) -> Any:
    """Parse `matching/data/<name>.yml`. Raises `FileNotFoundError` for a table that is not shipped."""
    return read_yaml("bonafide.matching", "data", f"{name}.yml")


def read_word_list(name: str) -> list[list[str]]:
    """The words of each line of `matching/data/<name>.txt`, without comments. Long lists are read faster so than from YAML."""
    lines = read_text("bonafide.matching", "data", f"{name}.txt").splitlines()
    return [line.split() for line in lines if not line.startswith("#")]
