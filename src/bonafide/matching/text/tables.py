"""Load the YAML tables in `matching/data`."""

from importlib import resources
from typing import Any

import yaml

# The compiled loader reads the same in a tenth of the time.
_YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_table(name: str) -> Any:
    """The parsed content of `<name>.yml` beside this module. Raises `FileNotFoundError` for a table that is not shipped."""
    text = resources.files(__package__).joinpath(f"{name}.yml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=_YAML)  # noqa: S506  # CSafeLoader is the safe loader, compiled
