"""The API's changelog, read from the Markdown file that is its only source: dates, categories, entries.

The file is strict, so that a page and a feed can be made of it: `## 2026-11-20`, under it `### Added`, under that a list. It is in
the wheel beside this module, and in a checkout under `docs/`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

from bonafide.errors import ConfigurationError

FILE = "api-changelog.md"
_HEADING = re.compile(r"(#{2,3}) (.+)")


class Category(StrEnum):
    """What kind of change it is. Only `Breaking` can make a working client fail."""

    BREAKING = "Breaking"
    ADDED = "Added"
    CHANGED = "Changed"
    DEPRECATED = "Deprecated"
    FIXED = "Fixed"


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the changelog, in the order of the file: newest first."""

    day: date
    category: Category
    text: str


def changelog() -> list[Change]:
    """The released changes. Raises `ConfigurationError` when the installation lacks the file."""
    return list(parse(_text()))


def parse(text: str) -> Iterator[Change]:
    """The changes in a changelog's text; lines before the first date are its preface. Raises `ValueError` for what is not one."""
    day: date | None = None
    category: Category | None = None
    for block in _blocks(text):
        heading = _HEADING.fullmatch(block)
        if heading is not None and heading[1] == "##":
            day, category = date.fromisoformat(heading[2]), None
        elif heading is not None:
            category = Category(heading[2])
        elif day is not None:
            if category is None or not block.startswith("- "):
                raise ValueError(f"not an entry under a date and a category: {block[:60]!r}")
            yield Change(day, category, block.removeprefix("- "))


def _blocks(text: str) -> Iterator[str]:
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


def _text() -> str:
    packaged = files("bonafide.api").joinpath(FILE)
    checkout = Path(__file__).parents[3] / "docs" / FILE
    if packaged.is_file():
        return packaged.read_text("utf-8")
    if checkout.is_file():
        return checkout.read_text("utf-8")
    raise ConfigurationError(f"{FILE} is missing from this installation")
