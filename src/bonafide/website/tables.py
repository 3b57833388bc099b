"""The package's own tables, in `data/`. What a table means is the business of the module that asks for it."""

from functools import cache
from importlib import resources
from typing import Any

import yaml

# The compiled loader reads the same in a tenth of the time.
_YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def read_website_table(name: str) -> Any:
    """What a file of YAML holds, or of JSON, which is YAML too. Raises `FileNotFoundError` for one that is not shipped."""
    text = resources.files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    return yaml.load(text, Loader=_YAML)  # noqa: S506 - CSafeLoader is the safe loader, compiled


PAGE_TERMS: dict[str, Any] = read_website_table("wording.yml")
"""Each of its lists is described in the file."""
