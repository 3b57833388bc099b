"""The items of an examiner's pack: a row of `items.csv` for each of them, and those that the PDF prints.

The number of printed items is limited, so that the memory that a pack takes does not grow with it.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import IO

from bonafide.errors import PackTooLarge
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.model.base import format_instant
from bonafide.pdf.print_packs import PrintedPackItem, PrintedPackSection
from bonafide.pdf.render import load_labels
from bonafide.services.packs.requests import describe_excess
from bonafide.services.records.csv_format import escape_formula, format_csv

MAX_DETAILED = 500
"""The number of items up to which each has a section of its own in the PDF: Typst needs 0.4 MB for a section."""
MAX_PRINTED = 2000
"""The number of items that the PDF lists. Typst needs 45 kB for a line."""
_COLUMNS = ("section", "when", "who", "what", "outcome", "file")
"""The columns of `items.csv`, by their labels."""
SYSTEM = "system:"
"""The beginning of the names of parts of the service that did something by themselves."""
_DELIMITERS = {Language.ENGLISH: ",", Language.FRENCH: ";"}
"""The delimiters that spreadsheets expect in each language."""


@dataclass(slots=True)
class _Section:
    """The number of items of a section, and those that are printed."""

    title: str
    count: int = 0
    items: list[PrintedPackItem] = field(default_factory=list)


class PackItemList:
    """The items so far. Blocking: use it in a thread."""

    def __init__(self, file: IO[bytes], language: Language, max_items: int) -> None:
        """`file` is empty and gets the rows; a pack has up to `max_items`."""
        self.count = 0
        """The number of items."""
        self.is_detailed = True
        """Whether each item has a section of its own in the PDF."""
        self._file = file
        self._language = language
        self._max_items = max_items
        self._labels = json.loads(load_labels(language))
        self._sections: dict[str, _Section] = {}
        self._write([[self._labels[f"pack.{column}"] for column in _COLUMNS]], is_marked=True)

    def add(self, title: str, items: Sequence[PrintedPackItem]) -> None:
        """Add items of the section with this name, with their details while there are few. Raises `PackTooLarge`."""
        self.count += len(items)
        if self.count > self._max_items:
            raise PackTooLarge(describe_excess(self._max_items))
        self._write([self._build_row(title, item) for item in items])
        if self.count > MAX_DETAILED and self.is_detailed:
            self.is_detailed = False
            for section in self._sections.values():
                section.items = [_shorten(item) for item in section.items]
        found = self._sections.setdefault(title, _Section(f"packSection.{title}"))
        found.count += len(items)
        found.items += items if self.is_detailed else [_shorten(item) for item in items]
        if self.count > MAX_PRINTED:
            limit = compute_section_limit([section.count for section in self._sections.values()], MAX_PRINTED)
            for section in self._sections.values():
                del section.items[limit:]

    def _build_row(self, title: str, item: PrintedPackItem) -> list[str]:
        cells = (
            self._labels[f"packSection.{title}"],
            format_instant(item.at),
            self._labels["pack.system"] if item.by is None or item.by.startswith(SYSTEM) else item.by,
            translate(item.title, self._language),
            self._labels[item.outcome] if item.outcome is not None else "",
            item.files[0].name if item.files else "",
        )
        return [escape_formula(cell) for cell in cells]

    def _write(self, rows: Sequence[Sequence[str]], *, is_marked: bool = False) -> None:
        self._file.write(format_csv(rows, _DELIMITERS[self._language], is_marked=is_marked))

    def build_sections(self) -> list[PrintedPackSection]:
        """The sections as they are printed."""
        return [PrintedPackSection(title=one.title, count=one.count, items=tuple(one.items)) for one in self._sections.values()]


def compute_section_limit(counts: Collection[int], total: int) -> int:
    """The number of items up to which each section is printed, so that all sections together have up to `total`.

    Sections with few items are printed whole, and leave more to the others.
    """
    left = total
    for place, count in enumerate(sorted(counts)):
        share = left // (len(counts) - place)
        if count > share:
            return share
        left -= count
    return total


def _shorten(item: PrintedPackItem) -> PrintedPackItem:
    """The item without its details, and with the first of its files."""
    if not item.details and len(item.files) <= 1:
        return item
    return item.model_copy(update={"details": (), "files": item.files[:1]})
