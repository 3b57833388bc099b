"""Parse an issue of the Registrar's Periodical: a page with plain text, one notice a line, in sections by event.

Only amalgamations take several lines. Notices are grouped by business elsewhere (`shared.notices`).
"""

import calendar
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.context import ParseContext, Resource, get_reason
from bonafide.sources.registries.ab.issues import PeriodicalIssue
from bonafide.sources.shared.notices.events import Notice, NoticeAddress, NoticeEvent

LAYOUT = "periodical"
FEDERAL = "Federal Corporation"
"""The only entity type that states the home jurisdiction of an extra-provincial corporation."""
_PRE = re.compile(r"<pre[^>]*>(.*)</pre>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]{0,200}>")
_DAY = r"\d{4} [A-Za-z]{3,9} \d{1,2}"
_REGISTRATION = rf"(?P<name>.+) (?P<how>Incorporated|Registered|Continued) (?P<born>{_DAY})"
_NAME_ONLY = re.compile(rf"(?P<name>.*?[^\W\d].*?)(?: (?P<day>{_DAY})\.?)?")
_LINES = {
    NoticeEvent.REGISTERED: re.compile(
        rf"{_REGISTRATION}\.? Registered Address: (?P<address>.*?)\.? No: (?P<number>\d{{8,10}})\.?"
    ),
    NoticeEvent.RENAMED: re.compile(
        rf"{_REGISTRATION}\.? New Name: (?P<new>.+?)\.? Effective Date: (?P<day>{_DAY})\.? No: (?P<number>\d{{8,10}})\.?"
    ),
    NoticeEvent.INTENT: re.compile(rf"(?P<number>\d{{8,10}}) (?P<name>.+) (?P<day>{_DAY})\.?"),
    NoticeEvent.LIABLE: _NAME_ONLY,
    NoticeEvent.STRUCK: _NAME_ONLY,
    NoticeEvent.REVIVED: re.compile(
        rf"{_REGISTRATION}\.? Struck-Off The Alberta Register (?:{_DAY})\.? Revived (?P<day>{_DAY})\.? "
        r"No: (?P<number>\d{8,10})\.?"
    ),
}
_NAME_AND_DATE_PROBLEM = Message("not a line with a name and a date")
_LINE_PROBLEMS = {
    NoticeEvent.REGISTERED: Message("not a valid registration line"),
    NoticeEvent.RENAMED: Message("not a valid name change line"),
    NoticeEvent.INTENT: Message("not a valid line for an intent to dissolve"),
    NoticeEvent.LIABLE: _NAME_AND_DATE_PROBLEM,
    NoticeEvent.STRUCK: _NAME_AND_DATE_PROBLEM,
    NoticeEvent.REVIVED: Message("not a valid revival line"),
}
_MONTHS = {name.upper(): number for number, name in enumerate(calendar.month_abbr)}
"""By the first three letters, since some months are abbreviated with four."""
_A_YEAR = re.compile(r"\d{4}")
"""Every notice has a date; other lines of the page have none."""
_CODE = re.compile(r",? ?([A-Z]\d[A-Z] ?\d[A-Z]\d)$")
_LONGEST_PROVINCE = 3
"""In words."""
_LONGEST_TYPE = 4
"""In words."""
_ABBREVIATED = ("LTD", "INC", "CORP", "CO", "LTEE", "LTÉE", "LIM", "ASSN")
"""A new name that ends in one of them has lost its full stop, which also ends the phrase."""
_NOTICE = "notice is hereby given"
_MERGED = re.compile(rf"were on (?P<day>{_DAY}) amalgamated\b.*", re.IGNORECASE)
_NEW_NUMBER = re.compile(r"No\.?:? ?(?P<number>\d{8,10})\.?")
_OFFICE = "the registered office"

PeriodicalNotice = tuple[int, Notice | Message]
"""A line number, with the notice or the reason why it can't be read."""


def read_issue(resource: Resource, issue: PeriodicalIssue, context: ParseContext) -> Iterator[PeriodicalNotice]:
    """The notices of an issue in the order of the page. Raises `ParseFailed` when it has no known section."""
    sections = _Sections(context)
    reader: _Amalgamations | None = None
    event: NoticeEvent | None = None
    for number, line in enumerate(_extract_text(resource, context).splitlines(), start=1):
        text = " ".join(line.split())
        found = sections.heading(text)
        if found is not None:
            if reader is not None:
                yield from reader.finish()
            event, reader = found, _Amalgamations(issue, context) if found is NoticeEvent.AMALGAMATED else None
        elif event is None or sections.is_skipped(text):
            continue
        elif reader is not None:
            yield from reader.line(number, text)
        else:
            yield number, _parse_notice(event, text, issue, context)
    if event is None:
        raise ParseFailed(Message("{file}: the page has no known section of a Registrar’s Periodical", file=resource.name))
    if reader is not None:
        yield from reader.finish()


def _extract_text(resource: Resource, context: ParseContext) -> str:
    """The text of the issue without the navigation of the page. Pages are UTF-8, those of the first years windows-1252."""
    raw = resource.path.read_bytes()
    try:
        page = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            page = raw.decode("cp1252")
        except UnicodeDecodeError as error:
            sentence = Message("{file}: neither UTF-8 nor windows-1252, see byte {byte}", file=resource.name, byte=error.start)
            raise ParseFailed(sentence) from error
        context.note(Message("{file} is not UTF-8 and was read as windows-1252", file=resource.name))
    found = _PRE.search(page)
    if found is None:
        if "<html" in page[:2000].lower():
            raise ParseFailed(Message("{file}: the page does not contain the text of an issue", file=resource.name))
        return page
    # Line numbers stay those of the file.
    return "\n" * page.count("\n", 0, found.start(1)) + html.unescape(_TAG.sub("", found[1]))


class _Sections:
    """The headings of the sections, and lines that are neither heading nor notice."""

    def __init__(self, context: ParseContext) -> None:
        layout = context.metadata.layouts[LAYOUT]
        self._headings = [(_normalize_line(heading), NoticeEvent(context.metadata.terms[heading])) for heading in layout.columns]
        self._initials = {heading[0].upper() for heading in layout.columns}
        self._ignored = tuple(_normalize_line(text) for text in layout.ignored)

    def heading(self, text: str) -> NoticeEvent | None:
        """The event of the section that begins at the line; None for another line."""
        if text[:1] not in self._initials:
            return None
        plain = _normalize_line(text)
        return next((event for heading, event in self._headings if plain.startswith(heading)), None)

    def is_skipped(self, text: str) -> bool:
        """Whether the line is blank, a rule, an act in brackets below a heading, or one that the metadata ignores."""
        if text.strip("_-= ") == "" or (text.startswith("(") and text.endswith(")")):
            return True
        return _normalize_line(text).startswith(self._ignored) and _A_YEAR.search(text) is None


def _normalize_line(text: str) -> str:
    return text.casefold().replace(" /", "/").replace("/ ", "/")


# ------------------------------------------------------------------------------------------------------------ one line


def _parse_notice(event: NoticeEvent, text: str, issue: PeriodicalIssue, context: ParseContext) -> Notice | Message:
    found = _LINES[event].fullmatch(text)
    if found is None:
        return _LINE_PROBLEMS[event]
    parts = found.groupdict()
    name, entity_type = parts["name"], None
    if "how" in parts:
        name, entity_type = _split_name_and_type(name, context)
    new_name = parts.get("new")
    try:
        born = _parse_day(parts.get("born"))
        day = _parse_day(parts.get("day")) if "day" in parts else born
    except ValueError as error:
        return get_reason(error)
    return Notice(
        event=event,
        day=day if day is not None else issue.day,
        name=name,
        number=parts.get("number"),
        entity_type=entity_type,
        incorporated_on=born if parts.get("how") == "Incorporated" else None,
        new_name=_append_period(new_name) if new_name is not None else None,
        home=Jurisdiction.FED if entity_type == FEDERAL else None,
        place=_parse_address(parts.get("address"), context),
        url=issue.url,
    )


def _split_name_and_type(text: str, context: ParseContext) -> tuple[str, str | None]:
    """Split `ACME LTD. Named Alberta Corporation`: types are in lower case, names in capitals."""
    words = text.split(" ")
    for length in range(min(_LONGEST_TYPE, len(words) - 1), 0, -1):
        kind = " ".join(words[-length:])
        if context.metadata.terms.get(kind) == kind:
            return " ".join(words[:-length]), kind
    for at in range(1, len(words)):
        if words[at].istitle():
            kind = " ".join(words[at:])
            return " ".join(words[:at]), context.term(kind)
    return text, None


def _append_period(name: str) -> str:
    return f"{name}." if name.rpartition(" ")[2] in _ABBREVIATED else name


def _parse_day(text: str | None) -> date | None:
    """`2026 SEPT 03`; None for None. Raises `ValueError` for an invalid date."""
    if text is None:
        return None
    year, month, day = text.split(" ")
    try:
        return date(int(year), _MONTHS[month[:3].upper()], int(day))
    except (KeyError, ValueError):
        raise ValueError(Message("'{text}' is not a date", text=text)) from None


def _parse_address(text: str | None, context: ParseContext) -> NoticeAddress | None:
    """`220-92 SADDLE CRT NE, CALGARY ALBERTA, T3J0K9` in its parts; a text of another form is the street."""
    if text is None or text == "":
        return None
    code = _CODE.search(text)
    street, _, city = text[: code.start() if code is not None else None].rpartition(",")
    words = city.split()
    for length in range(min(_LONGEST_PROVINCE, len(words) - 1), 0, -1):
        province = context.metadata.terms.get(" ".join(words[-length:]))
        if province is not None:
            return NoticeAddress(street.strip() or None, " ".join(words[:-length]), province, code[1] if code is not None else None)
    return NoticeAddress(street=text, country=None)


# ------------------------------------------------------------------------------------------------------------ amalgamations


@dataclass(slots=True)
class _Amalgamations:
    """Parses the section line by line: names, `were on <day> amalgamated`, the new name, its number, its office."""

    issue: PeriodicalIssue
    context: ParseContext
    _started: int | None = None
    _before: list[tuple[int, str]] = field(default_factory=list)
    _day: str | None = None
    _after: list[str] = field(default_factory=list)
    _number: tuple[int, str] | None = None
    _office: list[str] | None = None

    def line(self, number: int, text: str) -> Iterator[PeriodicalNotice]:
        """Process a line. A new notice ends the previous one."""
        merged, numbered = _MERGED.fullmatch(text), _NEW_NUMBER.fullmatch(text)
        if text.casefold().startswith(_NOTICE):
            yield from self.finish()
            self._started = number
        elif self._started is None:
            yield number, Message("not the beginning of an amalgamation notice")
        elif merged is not None and self._day is None:
            self._day = merged["day"]
        elif self._day is None:
            self._before.append((number, text.removesuffix(" and").rstrip(",")))
        elif numbered is not None and self._number is None:
            self._number = (number, numbered["number"])
        elif self._number is None:
            self._after.append(text)
        elif text.casefold().startswith(_OFFICE):
            self._office = []
        elif self._office is not None:
            self._office.append(text.rstrip("."))

    def finish(self) -> Iterator[PeriodicalNotice]:
        """The notices of the block: one for each amalgamating business, and one for the new business."""
        if self._started is not None:
            yield from self._notices(self._started)
        self._started = self._day = self._number = self._office = None
        self._before, self._after = [], []

    def _notices(self, started: int) -> Iterator[PeriodicalNotice]:
        try:
            day = _parse_day(self._day)
        except ValueError as error:
            yield started, get_reason(error)
            return
        if day is None or self._number is None or not self._before or not self._after:
            yield started, Message("incomplete amalgamation notice")
            return
        line, number = self._number
        for at, name in self._before:
            yield at, Notice(NoticeEvent.AMALGAMATED, day, name, successor=number, url=self.issue.url)
        place = _parse_address(", ".join(self._office), self.context) if self._office else None
        yield (
            line,
            Notice(
                NoticeEvent.REGISTERED,
                day,
                " ".join(self._after),
                number=number,
                incorporated_on=day,
                place=place,
                url=self.issue.url,
            ),
        )
