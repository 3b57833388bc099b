"""Parse docs/api-changelog.md into dated, categorised entries.

The file is strict, so that a page and a feed can be made of it: `## 2026-11-20` or `## Unreleased`, under it `### Added`, under
that a list. Whether an entry is missing is not known here (`api/breaking`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from bonafide.docs_site.doc_pages import read_doc

FILE = "api-changelog.md"
UNRELEASED = "Unreleased"
_HEADING = re.compile(r"(#{2,3}) (.+)")


class ChangeCategory(StrEnum):
    """What kind of change it is. Only `Breaking` can make a working client fail."""

    BREAKING = "Breaking"
    ADDED = "Added"
    CHANGED = "Changed"
    DEPRECATED = "Deprecated"
    FIXED = "Fixed"


@dataclass(frozen=True, slots=True)
class ChangelogEntry:
    """One entry of the changelog, in the order of the file: newest first. `day` is None for what is announced and not released."""

    day: date | None
    category: ChangeCategory
    text: str


def read_changelog() -> list[ChangelogEntry]:
    """The changes, announced ones first. Raises `ConfigurationError` when the installation lacks the file."""
    return list(parse_changelog(read_doc(FILE)))


def parse_changelog(text: str) -> Iterator[ChangelogEntry]:
    """The changes in a changelog's text, which begins at the first heading. Raises `ValueError` for what is not one."""
    day: date | None = None
    category: ChangeCategory | None = None
    has_begun = False
    for block in _split_blocks(text):
        heading = _HEADING.fullmatch(block)
        if heading is not None and heading[1] == "##":
            day, category, has_begun = _parse_day(heading[2]), None, True
        elif heading is not None:
            category = ChangeCategory(heading[2])
        elif has_begun:
            if category is None or not block.startswith("- "):
                raise ValueError(f"not an entry under a date and a category: {block[:60]!r}")
            yield ChangelogEntry(day, category, block.removeprefix("- "))


def _parse_day(heading: str) -> date | None:
    return None if heading == UNRELEASED else date.fromisoformat(heading)


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
