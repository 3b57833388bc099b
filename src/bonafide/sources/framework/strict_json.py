"""Parse a whole JSON document strictly: NaN, lone surrogates and excessive nesting raise `ValueError`.

Long lists are read by `json_objects`. What a document means is the source's business.
"""

import json
from typing import Any, NoReturn

_HALF_CHARACTER = "\\ud"
"""How the escape of half a character begins, which text in UTF-8 can't have (RFC 8259, section 8.2)."""


def parse_strict_json(content: bytes) -> Any:
    """The document, which is in UTF-8 (RFC 8259, section 8.1).

    Raises `ValueError` for anything else: for NaN, for a number that is too long, for lists within lists without end, for half a
    character.
    """
    text = content.decode("utf-8-sig")
    try:
        document = json.loads(text, parse_constant=_reject_constant)
        if _HALF_CHARACTER in text.lower():
            json.dumps(document, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return document


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
