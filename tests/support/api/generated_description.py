"""The description of the API, generated from the code once in a process."""

from functools import cache
from typing import Any

from bonafide.api.openapi import build_openapi


@cache
def generated_description() -> dict[str, Any]:
    """The whole document. All tests of a process share it, so do not change it."""
    return build_openapi()
