"""A page of a site as it was read: the value between reading pages and understanding them.

It holds the text of a document and where it is from; nothing here fetches or parses.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page that was read: HTML as text, decoded as its headers or the document itself say."""

    url: str
    """Its address after redirects."""
    html: str
    retrieved_at: datetime
