"""Read the people, entities and ships listed in the schedules of Canadian regulations (XML of Justice Canada).

The lists that departments publish are made from these schedules, which are the law. Schedules of goods and services are passed
over; what an item's text says is read in `regulation_text`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, get_line, read_elements
from bonafide.sources.framework.context import Resource

_NAMESPACE = "{http://justice.gc.ca/lims}"
_PARTIES = re.compile(
    r"(?:persons?|individuals?|entit(?:y|ies)|foreign nationals|politically exposed foreign persons)\b.*", re.IGNORECASE
)
"""What a schedule of parties is headed; one without a heading lists parties too, unless it is a table."""
_SHIPS = "ships"
_LABEL = re.compile(r"\d+(?:\.\d+)*")
_SCHEDULE = re.compile(r"SCHEDULE\s*")
_REGULATION = "Regulation"


@dataclass(frozen=True, slots=True)
class ScheduleItem:
    """One party of a schedule: where it stands, and its text; of a ship the cells of its row instead.

    `schedule` is written as the department's list does (`1, Part 2`), `heading` is what the part or schedule is called.
    """

    line: int
    schedule: str | None
    label: str | None
    heading: str | None
    text: str
    cells: tuple[str, ...]
    in_force: str | None


@dataclass(frozen=True, slots=True)
class CanadianRegulation:
    """A regulation and its listed parties, without those that are repealed."""

    number: str
    title: str
    amended: date | None
    items: tuple[ScheduleItem, ...]


def is_regulation(resource: Resource) -> bool:
    """Whether the file is a regulation of Justice Canada's and not a department's list."""
    with resource.path.open("rb") as file:
        return b"<Regulation" in file.read(1_000)


def read_regulation(resource: Resource) -> CanadianRegulation:
    """The regulation in the file. Raises `ParseFailed` when there is none in it."""
    for root in read_elements(resource, _REGULATION):
        number, title = (
            normalize_whitespace(root.findtext(".//InstrumentNumber")),
            normalize_whitespace(root.findtext(".//LongTitle")),
        )
        if number is None or title is None:
            break
        return CanadianRegulation(number, title, _read_amendment_date(root, resource), tuple(_read_items(root)))
    raise ParseFailed(f"{resource.name}: there is no regulation in it")


def _read_amendment_date(root: Element, resource: Resource) -> date | None:
    stated = root.get(f"{_NAMESPACE}lastAmendedDate")
    try:
        return date.fromisoformat(stated) if stated is not None else None
    except ValueError as error:
        raise ParseFailed(f"{resource.name}: {stated!r} is no day on which it was amended") from error


def _read_items(root: Element) -> Iterator[ScheduleItem]:
    for schedule in root.iter("Schedule"):
        name = normalize_whitespace(_SCHEDULE.sub("", normalize_whitespace(schedule.findtext("ScheduleFormHeading/Label")) or ""))
        title = normalize_whitespace(schedule.findtext("ScheduleFormHeading/TitleText"))
        yield from _read_lists(schedule, name, title)
        for table in schedule.iter("table"):
            if (normalize_whitespace(table.findtext("title")) or "").casefold() == _SHIPS:
                yield from _parse_ship_rows(table, name)
    # A regulation without schedules has its list among its sections.
    for element in root.iterfind("Body/Section/List/Item"):
        yield from _parse_item(element, None, None)


def _read_lists(schedule: Element, name: str | None, title: str | None) -> Iterator[ScheduleItem]:
    """The items of a schedule's own lists, in their parts; notes below a list are none."""
    part, heading = None, title
    for child in schedule:
        if child.tag == "Heading":
            part, heading = normalize_whitespace(child.findtext("Label")), normalize_whitespace(child.findtext("TitleText"))
        elif child.tag in {"List", "Provision"} and (heading is None or _PARTIES.fullmatch(heading) is not None):
            place = ", ".join(text for text in (name, part.title() if part is not None else None) if text is not None) or None
            for element in child.iterfind("Item") if child.tag == "List" else [child]:
                yield from _parse_item(element, place, heading)


def _parse_item(element: Element, schedule: str | None, heading: str | None) -> Iterator[ScheduleItem]:
    label, text = normalize_whitespace(element.findtext("Label")), element.find("Text")
    # An item that holds a list is a heading, such as "Notes".
    if text is None or element.find("List") is not None or element.find(".//Repealed") is not None:
        return
    if label is not None and _LABEL.fullmatch(label) is None:
        return
    written = _collapse_text(text)
    if written is not None:
        yield ScheduleItem(get_line(element), schedule, label, heading, written, (), element.get(f"{_NAMESPACE}inforce-start-date"))


def _parse_ship_rows(table: Element, schedule: str | None) -> Iterator[ScheduleItem]:
    """The ships of a table: item, IMO number, name, type, year."""
    for row in table.iterfind(".//tbody/row"):
        cells = tuple(_collapse_text(cell) or "" for cell in row.iterfind("entry"))
        if row.find(".//Repealed") is None and len(cells) > 2 and cells[2]:  # noqa: PLR2004 - the name is the third
            yield ScheduleItem(get_line(row), schedule, cells[0], _SHIPS, cells[2], cells, None)


def _collapse_text(element: Element) -> str | None:
    return normalize_whitespace("".join(str(text) for text in element.itertext()))
