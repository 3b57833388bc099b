"""Where a page of a list begins, by its address; what is no number is the beginning."""

from fastapi import Request

MAX_OFFSET = 2**31 - 1
_MAX_DIGITS = 10


def offset_of(request: Request) -> int:
    """How many items the page passes over (`?offset=`)."""
    text = request.query_params.get("offset", "")
    return min(int(text), MAX_OFFSET) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else 0
