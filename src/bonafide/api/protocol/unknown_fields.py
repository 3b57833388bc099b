"""Name the unknown fields of a body in a `Warning` header, for API keys that ignore them instead of refusing the request.

RFC 9111 made the header obsolete, but clients still read it; 299 is the code of a lasting warning that belongs to no cache.
"""

import json
import re
from collections.abc import Sequence

from pydantic import ValidationError

WARNING = "Warning"
MAX_NAMED = 10
"""The most fields that one header names: a body may have thousands of unknown ones."""
MAX_NAME_CHARACTERS = 60
"""The part of a field's name that the header repeats."""
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_NO_AGENT = "-"
"""In the place of the name of the server that adds the warning."""


def list_unknown_fields(error: ValidationError) -> list[str]:
    """The JSON paths (RFC 9535) of the fields that the model does not have, in the order of the body, each once."""
    refused = error.errors(include_url=False, include_input=False, include_context=False)
    return list(dict.fromkeys(_format_path(details["loc"]) for details in refused if details["type"] == "extra_forbidden"))


def format_warning(paths: Sequence[str]) -> str:
    """The value of the header that names these fields, in printable ASCII."""
    named = ", ".join(paths[:MAX_NAMED])
    more = f" and {len(paths) - MAX_NAMED} more" if len(paths) > MAX_NAMED else ""
    text = f"Unknown field{'s' if len(paths) > 1 else ''} ignored: {named}{more}"
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'299 {_NO_AGENT} "{quoted}"'


def _format_path(places: Sequence[int | str]) -> str:
    return "$" + "".join(f"[{place}]" if isinstance(place, int) else _format_name(place) for place in places)


def _format_name(name: str) -> str:
    shown = name[:MAX_NAME_CHARACTERS]
    dots = "..." if len(name) > MAX_NAME_CHARACTERS else ""
    if _PLAIN_NAME.fullmatch(shown) is not None:
        return f".{shown}{dots}"
    # JSON's escapes leave printable ASCII alone; a path in single quotes does not escape double ones.
    escaped = json.dumps(shown)[1:-1].replace('\\"', '"').replace("'", "\\'").replace("\x7f", "\\u007f")
    return f"['{escaped}{dots}']"
