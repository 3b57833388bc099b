"""Parse the tables of corporate notices in an issue of the Saskatchewan Gazette, Part I, by the positions of words.

The headings above a table state the act and the event. A row begins where the date column has a date. Notices are grouped by
business elsewhere (`shared.notices`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from bonafide.i18n.message import Message
from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import parse_date
from bonafide.sources.formats.pdf_text import PdfLine, PdfTextRun, read_lines
from bonafide.sources.framework.context import ParseContext, Resource, get_reason
from bonafide.sources.shared.notices.events import Notice, NoticeAddress, NoticeEvent

LAYOUT = "notices"
NAME, DAY, ADDRESS, AMENDMENT, MERGING, HOME, UNUSED = "name", "day", "address", "amendment", "merging", "home", "unused"
COLUMNS = {
    "name": NAME,
    "date": DAY,
    "mailing": ADDRESS,
    "head": ADDRESS,
    "amalgamating": MERGING,
    "amendment": AMENDMENT,
    "jurisdiction": HOME,
    "incorporating": HOME,
}
"""By the first word of a heading. The type of business is not read; neither is the jurisdiction before or after a continuance,
which is not the home jurisdiction."""
MARGIN = 8.0
"""Maximum distance in points between a cell and its heading, to the left."""
INCORPORATED = "certificates of incorporation"
_SHORT_MONTHS = {"jne": "jun", "jly": "jul", "sept": "sep"}
_DAY = re.compile(r"(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2})")
_YEAR = re.compile(r"\((\d{4})\)")
_FIRST_WORD = re.compile(r"(?:Business )?([A-Za-z]+)")
_PAGE_HEAD = re.compile(r"\d{1,4}|.*the saskatchewan gazette.*", re.IGNORECASE)
_NUMBERED = re.compile(r"(\d{6,9}) saskatchewan\b.*", re.IGNORECASE)
_NEW_NAME = re.compile(r".*\bchanged name to (.+?)", re.IGNORECASE)
_PLACE = re.compile(
    r"(?:(?P<street>.+), ?)?(?P<city>[^,\d]+?),? (?P<province>[A-Z]{2})(?:,? (?P<code>[A-Z]\d[A-Z] ?\d[A-Z]\d))?", re.IGNORECASE
)

GazetteNotice = tuple[int, Notice | Message]


@dataclass(frozen=True, slots=True)
class _RowHeadings:
    """The headings above a row."""

    act: str | None
    event: NoticeEvent | None
    year: int
    incorporates: bool


@dataclass(slots=True)
class _GazetteRow:
    """The cells of a row, which may have several lines."""

    line: int
    above: _RowHeadings
    cells: dict[str, list[str]] = field(default_factory=dict)

    def text(self, column: str) -> str:
        """The text of a column."""
        return " ".join(self.cells.get(column, ())).strip()


@dataclass(frozen=True, slots=True)
class _NoticeTable:
    """The left edges of the columns of a table."""

    columns: tuple[tuple[float, str], ...]

    @classmethod
    def of(cls, runs: tuple[PdfTextRun, ...]) -> "_NoticeTable | None":
        """The table that begins with this line of headings, which has a name and a date. None for any other line."""
        words = [(run.x, _FIRST_WORD.match(run.text)) for run in runs]
        columns = tuple((x, COLUMNS.get(word[1].casefold().rstrip("s"), UNUSED)) for x, word in words if word is not None)
        has = {column for _, column in columns}
        return cls(columns) if {NAME, DAY} <= has and ":" in runs[0].text + runs[-1].text else None

    def cells(self, line: PdfLine) -> dict[str, str]:
        """The texts of a line by column."""
        cells: dict[str, list[str]] = {}
        for run in line.runs:
            column = next((name for x, name in reversed(self.columns) if x - MARGIN <= run.x), self.columns[0][1])
            cells.setdefault(column, []).append(run.text)
        return {column: " ".join(texts) for column, texts in cells.items()}


class _HeadingState:
    """The current headings, which apply to the following rows."""

    def __init__(self, issue: date, context: ParseContext) -> None:
        layout, terms = context.metadata.layouts[LAYOUT], context.metadata.terms
        self._context = context
        self._begin, self._end = (tuple(text.casefold() for text in part) for part in (layout.columns, layout.ignored))
        self._acts = {word.casefold(): meaning for word, meaning in terms.items() if word.startswith("The ")}
        self._events = {word.casefold(): NoticeEvent(meaning) for word, meaning in terms.items() if word.isupper()}
        self.inside = self.seen = False
        self.above = _RowHeadings(None, None, issue.year, incorporates=False)
        self.table: _NoticeTable | None = None

    def heading(self, line: PdfLine) -> bool:
        """Apply the line if it is a heading, and return whether it is a heading, a page header or outside the notices."""
        text = line.text.rstrip("_ ")
        plain = text.casefold().replace("certificate of", "certificates of")
        if plain.startswith(self._begin):
            self.inside = self.seen = True
        elif plain.startswith(self._end):
            self.inside = False
        if not self.inside or text == "" or _PAGE_HEAD.fullmatch(text) or plain.startswith(self._begin):
            return True
        return self._year(text) or self._act(plain) or self._section(text, plain) or self._columns(line)

    def _year(self, text: str) -> bool:
        found = _YEAR.fullmatch(text)
        if found is not None:
            self.above = replace(self.above, year=int(found[1]))
        return found is not None

    def _act(self, plain: str) -> bool:
        act = next((meaning for word, meaning in self._acts.items() if plain.startswith(word)), None)
        if act is not None:
            self.above, self.table = replace(self.above, act=act, event=None), None
        return act is not None

    def _section(self, text: str, plain: str) -> bool:
        event = next((event for word, event in self._events.items() if plain.startswith(word)), None)
        if event is None and not (plain.startswith("certificates of ") and text.isupper()):
            return False
        if event is None:
            self._context.term(text.partition("/")[0].strip())
        self.above = replace(self.above, event=event, incorporates=plain.startswith(INCORPORATED))
        self.table = None
        return True

    def _columns(self, line: PdfLine) -> bool:
        table = _NoticeTable.of(line.runs)
        self.table = table or self.table
        return table is not None


def read_issue(resource: Resource, issue: date, url: str | None, context: ParseContext) -> Iterator[GazetteNotice]:
    """The notices in the order of the pages. Adds a note for an issue without corporate notices."""
    state = _HeadingState(issue, context)
    for row in _read_rows(resource, state):
        yield from _build_notices(row, url)
    if not state.seen:
        context.note(Message("{file}: the issue has no corporate notices", file=resource.name))


def _read_rows(resource: Resource, state: _HeadingState) -> Iterator[_GazetteRow]:
    """The rows of all tables. A row continues after a page break and ends at any other heading."""
    row: _GazetteRow | None = None
    for line in read_lines(resource):
        is_heading = state.heading(line)
        cells = state.table.cells(line) if state.table is not None and not is_heading else {}
        begins = _DAY.fullmatch(cells.get(DAY, "")) is not None
        if row is not None and (begins or (is_heading and _PAGE_HEAD.fullmatch(line.text) is None)):
            yield row
            row = None
        if begins:
            row = _GazetteRow(line.number, state.above)
        if row is not None:
            for column, text in cells.items():
                row.cells.setdefault(column, []).append(text)
    if row is not None:
        yield row


def _build_notices(row: _GazetteRow, url: str | None) -> Iterator[GazetteNotice]:
    """The notices of amalgamating businesses in a row, then the notice of the row."""
    above, name = row.above, row.text(NAME)
    if above.event is None or name == "":
        unknown_heading = above.event is None
        yield row.line, Message("the notice is under an unknown heading") if unknown_heading else Message("the notice has no name")
        return
    try:
        day = _parse_day(row.text(DAY), above.year)
    except ValueError as error:
        yield row.line, get_reason(error)
        return
    merging = [part.strip() for part in row.text(MERGING).split(";") if part.strip() != ""]
    renamed = _NEW_NAME.fullmatch(row.text(AMENDMENT)) if above.event is NoticeEvent.CHANGED else None
    notice = Notice(
        event=NoticeEvent.RENAMED if renamed is not None else above.event,
        day=day,
        name=name,
        number=_find_number(name),
        series=above.act,
        entity_type=above.act,
        incorporated_on=day if above.incorporates or merging else None,
        new_name=renamed[1] if renamed is not None else None,
        home=parse_home_jurisdiction(row.text(HOME) or None, Jurisdiction.SK) if above.event is NoticeEvent.REGISTERED else None,
        place=_parse_address(row.text(ADDRESS)),
        url=url,
    )
    ended = replace(notice, event=NoticeEvent.AMALGAMATED, incorporated_on=None, home=None, place=None)
    for gone in merging:
        yield row.line, replace(ended, name=gone, number=_find_number(gone))
    yield row.line, notice


def _find_number(name: str) -> str | None:
    """The number in the name of a numbered company. Notices have no other numbers."""
    numbered = _NUMBERED.fullmatch(name)
    return numbered[1] if numbered is not None else None


def _parse_day(text: str, year: int) -> date:
    """The date of a row. Raises `ValueError` for an invalid one."""
    found = _DAY.fullmatch(text)
    month = found["month"].casefold() if found is not None else ""
    month = _SHORT_MONTHS.get(month, month)[:3]
    day = parse_date(f"{year} {month} {found['day'] if found is not None else ''}", "%Y %b %d")
    if day is None:
        raise ValueError(Message("'{text}' is not a date", text=text))
    return day


def _parse_address(text: str) -> NoticeAddress | None:
    if text == "":
        return None
    found = _PLACE.fullmatch(text)
    if found is None:
        return NoticeAddress(street=text, country=None)
    return NoticeAddress(found["street"], found["city"], found["province"].upper(), found["code"])
