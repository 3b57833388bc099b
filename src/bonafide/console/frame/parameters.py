"""Parse parameters of an address: ids, choices, offsets, small numbers."""

from enum import StrEnum
from typing import TypeVar
from uuid import UUID

from fastapi import Request

E = TypeVar("E", bound=StrEnum)
MAX_OFFSET = 2**31 - 1


def parse_uuid(text: str) -> UUID | None:
    """The id; None where the text is none."""
    try:
        return UUID(text)
    except ValueError:
        return None


def parse_choice(kind: type[E], text: str) -> E | None:
    """The member of that value; None where there is none."""
    return kind(text) if text in {member.value for member in kind} else None


def parse_number(text: str, max_digits: int) -> int | None:
    """The number in plain decimal digits; None where the text is no such number, or longer than `max_digits`."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= max_digits else None


def parse_offset(request: Request) -> int:
    """How many items the page skips (`?offset=`), at most `MAX_OFFSET`."""
    return min(parse_number(request.query_params.get("offset", ""), len(str(MAX_OFFSET))) or 0, MAX_OFFSET)
