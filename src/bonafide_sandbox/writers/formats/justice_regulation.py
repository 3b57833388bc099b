"""A regulation in Justice Canada's XML: schedules with parts and items, a list in a section, a table of ships.

Like real regulations, it contains repealed items. The writers of the lists supply the parties.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element as Element

from bonafide_sandbox.writers.formats.standalone_list import add_element

NAMESPACE = "http://justice.gc.ca/lims"
AMENDED = "2026-06-12"
REPEALED = "[Repealed, SOR/2025-1, s. 1]"
_SHIP_COLUMNS = ("Item", "IMO number", "Vessel name", "Type", "Build date")


@dataclass(frozen=True, slots=True)
class SchedulePartContent:
    """A part of a schedule: optional label (`PART 1`), heading, and items by label. An item of None is marked as repealed."""

    label: str | None
    heading: str | None
    items: Sequence[tuple[str, str | None]]


def create_regulation(number: str, title: str) -> Element:
    """Create an empty regulation."""
    root = etree.Element("Regulation", nsmap={"lims": NAMESPACE})
    root.set(f"{{{NAMESPACE}}}lastAmendedDate", AMENDED)
    identification = add_element(root, "Identification")
    add_element(identification, "InstrumentNumber", number)
    add_element(identification, "LongTitle", title)
    section = add_element(add_element(root, "Body"), "Section")
    add_element(section, "Label", "1")
    add_element(section, "Text", "The following is made up.")
    return root


def add_sections_list(root: Element, texts: Iterable[str]) -> None:
    """Add an unlabelled list to the first section, as in the Criminal Code's regulation."""
    section = root.find("Body/Section")
    if section is not None:
        items = add_element(section, "List")
        for text in texts:
            _add_item(items, None, text)


def add_schedule(root: Element, label: str, title: str | None, parts: Iterable[SchedulePartContent]) -> None:
    """Add a schedule of parties."""
    schedule = _schedule(root, label, title)
    for part in parts:
        if part.label is not None:
            heading = add_element(schedule, "Heading", level="1")
            add_element(heading, "Label", part.label)
            add_element(heading, "TitleText", part.heading)
        items = add_element(schedule, "List")
        for number, text in part.items:
            _add_item(items, number, text)


def add_ships(root: Element, label: str, rows: Iterable[Sequence[str]]) -> None:
    """Add a schedule with a table of ships: item, number, name, type and year."""
    table = add_element(add_element(_schedule(root, label, None), "TableGroup"), "table")
    add_element(table, "title", "Ships")
    group = add_element(table, "tgroup", cols="5")
    _add_row(add_element(group, "thead"), _SHIP_COLUMNS)
    body = add_element(group, "tbody")
    for row in rows:
        _add_row(body, row)


def _schedule(root: Element, label: str, title: str | None) -> Element:
    schedule = add_element(root, "Schedule")
    heading = add_element(schedule, "ScheduleFormHeading")
    add_element(heading, "Label", label)
    add_element(heading, "OriginatingRef", "(Section 2)")
    if title is not None:
        add_element(heading, "TitleText", title)
    return schedule


def _add_item(items: Element, label: str | None, text: str | None) -> None:
    item = add_element(items, "Item")
    item.set(f"{{{NAMESPACE}}}inforce-start-date", AMENDED)
    if label is not None:
        add_element(item, "Label", label)
    written = add_element(item, "Text", text)
    if text is None:
        add_element(written, "Repealed", REPEALED)


def _add_row(body: Element, cells: Iterable[str]) -> None:
    row = add_element(body, "row")
    for cell in cells:
        add_element(row, "entry", cell)
