"""The changelog as a reader of feeds wants it: one item for each entry, known by its text.

What is announced has no date yet; once it is released it is another item, so that nobody misses it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from email.utils import format_datetime
from hashlib import sha256

from bonafide.pages.changelog import UNRELEASED, Change

_HEADLINE_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Item:
    """One item of RSS 2.0."""

    title: str
    link: str
    identity: str
    published: str | None
    category: str
    description: str


def items(changes: Sequence[Change], address: str) -> list[Item]:
    """The entries as items; `address` is that of the page."""
    return [_item(change, address) for change in changes]


def anchor(change: Change) -> str:
    """The anchor of its section on the page."""
    return UNRELEASED.lower() if change.day is None else change.day.isoformat()


def _item(change: Change, address: str) -> Item:
    headline = change.text.replace("`", "").partition(": ")[0][:_HEADLINE_CHARACTERS]
    return Item(
        title=f"{change.category}: {headline}" if change.day is not None else f"Announced, {change.category}: {headline}",
        link=f"{address}#{anchor(change)}",
        # Readers know an entry by this; it changes only with the entry itself.
        identity=sha256(f"{change.day} {change.category} {change.text}".encode()).hexdigest(),
        published=format_datetime(datetime.combine(change.day, time(), UTC)) if change.day is not None else None,
        category=change.category,
        description=change.text,
    )
