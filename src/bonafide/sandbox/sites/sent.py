"""A page as it is sent. How it came to be is for those who make it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sent:
    """The bytes of a page, and what the server says of them."""

    body: bytes
    media_type: str
    """The whole header: with the charset, or without where the page is to say it."""
