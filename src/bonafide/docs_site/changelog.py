"""Parse docs/api-changelog.md into dated, categorised entries, and build RSS items from them.

The file has a strict form: `## 2026-11-20` or `## Unreleased`, under it `### Added`, under that a list.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from enum import StrEnum
from hashlib import sha256

from bonafide.api.description.deprecations import Deprecation
from bonafide.docs_site.doc_pages import read_doc
from bonafide.errors import ConfigurationError

FILE = "api-changelog.md"
UNRELEASED = "Unreleased"
_HEADLINE_CHARACTERS = 80
_HEADING = re.compile(r"(#{2,3}) (.+)")
_METHODS = "GET|POST|PUT|PATCH|DELETE"
_DEPRECATION = re.compile(
    rf"`(?P<method>{_METHODS}) (?P<path>/v1/[^\s`]+)(?: (?P<parameter>[^\s`]+))?`: deprecated (?P<deprecated>\d{{4}}-\d\d-\d\d)"
    r"(?:, sunset (?P<sunset>\d{4}-\d\d-\d\d))?"
)
_OPERATION = re.compile(rf"`((?:{_METHODS}) /v1/[^`]+)`")


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


def read_deprecations() -> tuple[Deprecation, ...]:
    """The deprecations that the changelog of this installation announces; none if the installation lacks the file."""
    try:
        return tuple(list_deprecations(read_changelog()))
    except ConfigurationError:
        return ()


def list_deprecations(entries: Iterable[ChangelogEntry]) -> list[Deprecation]:
    """The operations and parameters that entries of the category Deprecated announce, released or not.

    They have the form `` `GET /v1/example`: deprecated 2026-12-01, sunset 2027-06-01 ``; a parameter follows the path.
    """
    return [
        Deprecation(
            method=found["method"],
            path=found["path"],
            parameter=found["parameter"],
            deprecated_on=date.fromisoformat(found["deprecated"]),
            sunset_on=date.fromisoformat(found["sunset"]) if found["sunset"] is not None else None,
        )
        for entry in entries
        if entry.category is ChangeCategory.DEPRECATED
        for found in _DEPRECATION.finditer(entry.text)
    ]


def list_named_operations(entry: ChangelogEntry) -> tuple[str, ...]:
    """The operations and parameters that an entry names, such as `POST /v1/search name`, each once."""
    return tuple(dict.fromkeys(_OPERATION.findall(entry.text)))


def compute_entry_id(entry: ChangelogEntry) -> str:
    """Identifies an entry; it changes only with the entry itself."""
    return sha256(f"{entry.day} {entry.category} {entry.text}".encode()).hexdigest()


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
        # Readers know an entry by this.
        identity=compute_entry_id(change),
        published=format_datetime(datetime.combine(change.day, time(), UTC)) if change.day is not None else None,
        category=change.category,
        description=change.text,
    )
