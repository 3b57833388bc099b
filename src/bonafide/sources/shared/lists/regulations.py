"""Read the people, entities and ships listed in the schedules of Canadian regulations (XML of Justice Canada).

The schedules are the law, and the lists that departments publish are derived from them. Schedules of goods and services are
skipped. An item has the name, other names and date of birth in one sentence. Each rule for it was checked against the 25
regulations of July 2026; a text that may be a single name is not split.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, get_line, read_elements
from bonafide.sources.framework.context import Resource
from bonafide.sources.shared.lists.party_fields import strip_quotes

_NAMESPACE = "{http://justice.gc.ca/lims}"
_PARTIES = re.compile(
    r"(?:persons?|individuals?|entit(?:y|ies)|foreign nationals|politically exposed foreign persons)\b.*", re.IGNORECASE
)
"""The heading of a schedule of parties. A schedule without a heading lists parties too, unless it is a table."""
_SHIPS = "ships"
_LABEL = re.compile(r"\d+(?:\.\d+)*")
_SCHEDULE = re.compile(r"SCHEDULE\s*")
_REGULATION = "Regulation"


@dataclass(frozen=True, slots=True)
class ScheduleItem:
    """One party of a schedule: its position and its text, or for a ship the cells of its row.

    `schedule` has the format of the department's list (`1, Part 2`), `heading` is the title of the part or schedule.
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
    """A regulation and its listed parties, without repealed items."""

    number: str
    title: str
    amended: date | None
    items: tuple[ScheduleItem, ...]


def is_regulation(resource: Resource) -> bool:
    """Whether the file is a regulation from Justice Canada and not a department's list."""
    with resource.path.open("rb") as file:
        return b"<Regulation" in file.read(1_000)


def read_regulation(resource: Resource) -> CanadianRegulation:
    """Read the regulation in the file. Raises `ParseFailed` if there is none."""
    for root in read_elements(resource, _REGULATION):
        number, title = (
            normalize_whitespace(root.findtext(".//InstrumentNumber")),
            normalize_whitespace(root.findtext(".//LongTitle")),
        )
        if number is None or title is None:
            break
        return CanadianRegulation(number, title, _read_amendment_date(root, resource), tuple(_read_items(root)))
    raise ParseFailed(Message("{file}: the file contains no regulation", file=resource.name))


def _read_amendment_date(root: Element, resource: Resource) -> date | None:
    text = root.get(f"{_NAMESPACE}lastAmendedDate")
    try:
        return date.fromisoformat(text) if text is not None else None
    except ValueError as error:
        raise ParseFailed(Message("{file}: invalid date “{date}”", file=resource.name, date=str(text))) from error


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
    """Yield the items of a schedule's own lists, in their parts. Notes below a list are not items."""
    part, heading = None, title
    for child in schedule:
        if child.tag == "Heading":
            part, heading = normalize_whitespace(child.findtext("Label")), normalize_whitespace(child.findtext("TitleText"))
        elif child.tag in {"List", "Provision"} and (heading is None or _PARTIES.fullmatch(heading) is not None):
            position = ", ".join(text for text in (name, part.title() if part is not None else None) if text is not None) or None
            for element in child.iterfind("Item") if child.tag == "List" else [child]:
                yield from _parse_item(element, position, heading)


def _parse_item(element: Element, schedule: str | None, heading: str | None) -> Iterator[ScheduleItem]:
    label, text = normalize_whitespace(element.findtext("Label")), element.find("Text")
    # An item that contains a list is a heading, such as "Notes".
    if text is None or element.find("List") is not None or element.find(".//Repealed") is not None:
        return
    if label is not None and _LABEL.fullmatch(label) is None:
        return
    written = _collapse_text(text)
    if written is not None:
        yield ScheduleItem(get_line(element), schedule, label, heading, written, (), element.get(f"{_NAMESPACE}inforce-start-date"))


def _parse_ship_rows(table: Element, schedule: str | None) -> Iterator[ScheduleItem]:
    """Yield the ships of a table: item, IMO number, name, type, year."""
    for row in table.iterfind(".//tbody/row"):
        cells = tuple(_collapse_text(cell) or "" for cell in row.iterfind("entry"))
        if row.find(".//Repealed") is None and len(cells) > 2 and cells[2]:  # noqa: PLR2004 - the name is the third
            yield ScheduleItem(get_line(row), schedule, cells[0], _SHIPS, cells[2], cells, None)


def _collapse_text(element: Element) -> str | None:
    return normalize_whitespace("".join(str(text) for text in element.itertext()))


_KNOWN_AS = re.compile(r"(?P<open>\(\s*|\s)(?:also )?(?P<how>known(?: among other names)? as|formerly)\s*:?\s*", re.IGNORECASE)
_BIRTH = re.compile(r"[,(]\s*(?:born(?: on| in)?|date of birth:)\s*(?P<birth>(?:[a-z]+ )*[^(),]*(?:,\s*\d{4})?)\)?", re.IGNORECASE)
_REMARK = re.compile(r",\s*(?:(?:former|son|daughter|spouse|brother|sister|family member|businessman)\b).*", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+|\s+or\s+(?=[“\"])")
_ET = re.compile(r"\s+et\s+")
_OXFORD = re.compile(r"(?:and|et)\s+")
_ARTICLE = re.compile(r"the\s+")
_SPELLINGS = re.compile(r"(?P<given>.*\s)(?P<one>\w+) or (?P<other>\w+)")
_LEGAL_FORMS = frozenset({"co", "corp", "fsue", "inc", "jsc", "llc", "llp", "ltd", "limited", "ojsc", "pjsc", "plc", "s.a", "gmbh"})
_OPENING = '“"'
_DISTINCTIVE_LETTERS = 4
"""The minimum length of a distinctive word, which the names of two parties seldom share."""


@dataclass(frozen=True, slots=True)
class RegulationParty:
    """The parsed sentence: the name before any bracket with other names, those names, the date of birth and the remaining text.

    An alias is unsure if it may be only a part of a name.
    """

    name: str
    aliases: tuple[str, ...]
    unsure: tuple[str, ...] = ()
    birth: str | None = None
    remark: str | None = None


def parse_party(text: str, *, person: bool = False) -> RegulationParty:
    """Parse the text of an item. For a person, "and" always separates names. Unrecognized text stays in the name."""
    head, tail = text, ""
    aliases: list[str] = []
    unsure: list[str] = []
    while (found := _KNOWN_AS.search(head)) is not None:
        end = _find_closing_bracket(head, found.start()) if found["open"].startswith("(") else len(head)
        names = _split_text(head[found.end() : end])
        sure = names.sure or person or "among" in found["how"].casefold()
        aliases += names.parts if sure else [names.whole]
        unsure += [] if sure or not _are_names(names.parts, head[: found.start()]) else names.parts
        head, tail = head[: found.start()].rstrip(), tail + head[end + 1 :]
    birth, head, tail = _extract_birth(head, tail)
    remark = _REMARK.search(head)
    remainder = " ".join(f"{remark[0] if remark is not None else ''} {tail}".split()).strip(" ,;")
    name = head[: remark.start()] if remark is not None else head
    return RegulationParty(
        " ".join(name.split()).strip(" ,"), tuple(_clean_names(aliases)), tuple(_clean_names(unsure)), birth, remainder or None
    )


def _extract_birth(head: str, tail: str) -> tuple[str | None, str, str]:
    """Return the date of birth in either part, and both parts without it."""
    found = _BIRTH.search(head)
    if found is not None:
        before, after = head[: found.start()].rstrip(), head[found.end() :]
        # ", born on …" is followed by the place and the parents; after a bracket the name may continue.
        return (found["birth"].strip() or None, *((before, after + tail) if found[0].startswith(",") else (before + after, tail)))
    found = _BIRTH.search(tail)
    return (
        (found["birth"].strip() or None, head, tail[: found.start()] + tail[found.end() :])
        if found is not None
        else (None, head, tail)
    )


def _are_names(halves: list[str], name: str) -> bool:
    """Whether both halves of "… and …" can be names; they cannot if the name itself contains "and" ("Supply and Trade")."""
    if any(f"{joint}{halves[-1].split()[0]}".casefold() in name.casefold() for joint in (" and ", " & ")):
        return False
    known = {word.casefold() for word in name.split() if len(word) >= _DISTINCTIVE_LETTERS}
    return all(" " in half or half.isupper() or half.casefold() in known for half in halves)


def _find_closing_bracket(text: str, start: int) -> int:
    """Return the position where the bracket that opens at `start` closes, or the end of the text."""
    depth = 0
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    return len(text)


@dataclass(frozen=True, slots=True)
class _SplitNames:
    """A text that may contain several names: the parts, whether each is certainly a name, and the text as one name."""

    parts: list[str]
    sure: bool
    whole: str


def split_names(text: str) -> list[str]:
    """Split a text that lists several names: `A, B and C`. Commas and "and" inside brackets do not separate names."""
    return list(_clean_names(_split_text(text).parts))


def _split_text(text: str) -> _SplitNames:
    names = list(_split_at_commas(text))
    if not names:
        return _SplitNames([], sure=True, whole=text)
    last = names.pop()
    oxford = _OXFORD.match(last)
    if oxford is not None and names:
        return _SplitNames([*names, last[oxford.end() :]], sure=True, whole=text)
    parts = _split_outside_brackets(_AND, last)
    parts = _split_outside_brackets(_ET, last) if len(parts) == 1 and names else parts
    if len(parts) % 2 == 0:
        # Split in the middle if both halves contain "and" equally often: "Trade and Bank of A and Trade and Bank of B".
        parts = [" and ".join(parts[: len(parts) // 2]), " and ".join(parts[len(parts) // 2 :])]
    elif len(parts) > 1:
        parts = [" and ".join(parts[:-1]), parts[-1]] if names else [last]
    quoted = all(part.strip()[:1] in _OPENING for part in parts)
    return _SplitNames([*names, *parts], sure=bool(names) or len(parts) == 1 or quoted, whole=last)


def _clean_names(names: list[str]) -> Iterator[str]:
    for name in dict.fromkeys(names):
        plain = strip_quotes(_ARTICLE.sub("", name.strip(), count=1) if _ARTICLE.match(name.strip()) is not None else name)
        two = _SPELLINGS.fullmatch(plain)
        if two is not None:
            yield from (f"{two['given']}{two[form]}" for form in ("one", "other"))
        elif plain:
            yield plain


def _split_at_commas(text: str) -> Iterator[str]:
    """Yield the pieces between commas; a legal form is not separated from its name (`Example Co., Ltd.`)."""
    held: str | None = None
    for piece in _split_outside_brackets(re.compile(r"\s*[,;]\s*"), text):
        if held is not None and _AND.split(piece)[0].rstrip(". ").casefold() in _LEGAL_FORMS:
            held = f"{held}, {piece}"
            continue
        if held:
            yield held
        held = piece
    if held:
        yield held


def _split_outside_brackets(separator: re.Pattern[str], text: str) -> list[str]:
    """Split the text at separators outside brackets and quotation marks."""
    pieces, start = [], 0
    for found in separator.finditer(text):
        before = text[: found.start()]
        if before.count("(") == before.count(")") and before.count("“") == before.count("”"):
            pieces.append(text[start : found.start()])
            start = found.end()
    return [*pieces, text[start:]]
