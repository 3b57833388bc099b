"""Parse docs/api-changelog.md into dated, categorised entries, and build RSS items from them.

The file has a strict form: `## 2026-11-20` or `## Unreleased`, under it `### Added`, under that a list.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from enum import StrEnum
from hashlib import sha256

from bonafide.docs_site.doc_pages import read_doc

FILE = "api-changelog.md"
UNRELEASED = "Unreleased"
_HEADLINE_CHARACTERS = 80
_HEADING = re.compile(r"(#{2,3}) (.+)")


class ChangeCategory(StrEnum):
    """The kind of a change. Only `Breaking` changes can make a working client fail."""

    BREAKING = "Breaking"
    ADDED = "Added"
    CHANGED = "Changed"
    DEPRECATED = "Deprecated"
    FIXED = "Fixed"


@dataclass(frozen=True, slots=True)
class ChangelogEntry:
    """One entry of the changelog, in the order of the file: newest first. `day` is None for an announced change."""

    day: date | None
    category: ChangeCategory
    text: str


def read_changelog() -> list[ChangelogEntry]:
    """The changes, announced ones first. Raises `ConfigurationError` when the installation lacks the file."""
    return list(parse_changelog(read_doc(FILE)))


def parse_changelog(text: str) -> Iterator[ChangelogEntry]:
    """The changes in a changelog's text, which begins at the first heading. Raises `ValueError` for text in another form."""
    day: date | None = None
    category: ChangeCategory | None = None
    has_begun = False
    for block in _split_blocks(text):
        heading = _HEADING.fullmatch(block)
        if heading is not None and heading[1] == "##":
            day, category, has_begun = None if heading[2] == UNRELEASED else date.fromisoformat(heading[2]), None, True
        elif heading is not None:
            category = ChangeCategory(heading[2])
        elif has_begun:
            if category is None or not block.startswith("- "):
                raise ValueError(f"not an entry under a date and a category: {block[:60]!r}")
            yield ChangelogEntry(day, category, block.removeprefix("- "))


def _split_blocks(text: str) -> Iterator[str]:
    """Headings and entries; the lines that continue an entry are indented, and joined to it."""
    block = ""
    for line in text.splitlines():
        if line.startswith("  "):
            block = f"{block} {line.strip()}"
        else:
            if block != "":
                yield block
            block = line.strip()
    if block != "":
        yield block


# ----------------------------------------------------------------------------------------------------------------- RSS


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
    """The entries as items; `address` is that of the page. An announced entry has no date, and is another item once released."""
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
