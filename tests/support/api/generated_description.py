"""The description of the API as the code has it, generated once in a process."""

from functools import cache
from typing import Any

from bonafide.api.openapi import build_openapi


@cache
def generated_description() -> dict[str, Any]:
    """The whole document. It is shared: read it only."""
    return build_openapi()
