"""The changelog as RSS items.

What is announced has no date yet; once it is released it is another item, so that nobody misses it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from email.utils import format_datetime
from hashlib import sha256

from bonafide.docs_site.changelog import UNRELEASED, ChangelogEntry

_HEADLINE_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One item of RSS 2.0."""

    title: str
    link: str
    identity: str
    published: str | None
    category: str
    description: str


def build_feed_items(changes: Sequence[ChangelogEntry], address: str) -> list[FeedItem]:
    """The entries as items; `address` is that of the page."""
    return [_build_item(change, address) for change in changes]


def build_section_anchor(change: ChangelogEntry) -> str:
    """The anchor of its section on the page."""
    return UNRELEASED.lower() if change.day is None else change.day.isoformat()


def _build_item(change: ChangelogEntry, address: str) -> FeedItem:
    headline = change.text.replace("`", "").partition(": ")[0][:_HEADLINE_CHARACTERS]
    return FeedItem(
        title=f"{change.category}: {headline}" if change.day is not None else f"Announced, {change.category}: {headline}",
        link=f"{address}#{build_section_anchor(change)}",
        # Readers know an entry by this; it changes only with the entry itself.
        identity=sha256(f"{change.day} {change.category} {change.text}".encode()).hexdigest(),
        published=format_datetime(datetime.combine(change.day, time(), UTC)) if change.day is not None else None,
        category=change.category,
        description=change.text,
    )
