"""Parse a weekly listing of Manitoba's Companies Office: headings by act and filing, then blocks of labelled lines.

A block begins with its file number. The first line without a label is the name; others continue the previous label.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import parse_date
from bonafide.sources.formats.pdf_text import PdfLine, read_lines
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.notices.events import Notice, NoticeAddress, NoticeEvent

LAYOUT = "listing"
NUMBER, NAME, NEW_NAME, OFFICE = "File No.", "Name", "New Name", "Registered Office"
DAYS = ("Date of Incorporation", "Date of Registration", "Date of Amalgamation", "Effective Date", "Date of Filing")
ONE_LINE = frozenset({NUMBER, *DAYS})
"""Labels whose value is always one line."""
BEGINNINGS = frozenset({"Date of Incorporation", "Date of Amalgamation"})
_NUMBER = re.compile(r"\d{5,9}")
_PLACE = re.compile(
    r"(?:(?P<street>.+), )?(?P<city>[^,]+?),? (?P<province>[A-Z]{2}|Manitoba),?(?: (?P<code>[A-Z]\d[A-Z] ?\d[A-Z]\d))?"
)
_UNKNOWN_HEADING = re.compile(r"[A-Z][a-z]+(?: [A-Za-z][a-z]+)*")
"""Words in lower case without numbers and commas; names and addresses are printed otherwise."""
_PAGE = re.compile(r"page \d+( of \d+)?", re.IGNORECASE)

ListingNotice = tuple[int, Notice | Message]


@dataclass(slots=True)
class _FilingBlock:
    """The labelled lines of one filing, and the headings above it."""

    line: int
    event: NoticeEvent | None
    """None under an unknown heading."""
    kind: str | None
    values: dict[str, str] = field(default_factory=dict)
    label: str = NUMBER

    def take(self, labelled: list[tuple[str, str]], text: str) -> None:
        """Add a line. One without a label is the name, or continues the line above."""
        for label, value in labelled:
            self.values[label], self.label = value, label
        if not labelled:
            self.label = NAME if NAME not in self.values and self.label in ONE_LINE else self.label
            self.values[self.label] = f"{self.values.get(self.label, '')} {text}".strip()


def read_listing(resource: Resource, week: date, url: str, context: ParseContext) -> Iterator[ListingNotice]:
    """The filings in the order of the pages. Raises `ParseFailed` for a file without a known heading."""
    headings = _ListingHeadings(context)
    known = False
    for block in _read_blocks(resource, headings):
        known = known or block.event is not None
        yield block.line, _build_notice(block, week, url)
    if not known:
        raise ParseFailed(Message("{file}: the file has no filing under a known heading", file=resource.name))


def _read_blocks(resource: Resource, headings: "_ListingHeadings") -> Iterator[_FilingBlock]:
    """The filings in order, each with its headings."""
    block: _FilingBlock | None = None
    for line in read_lines(resource):
        text = line.text
        is_heading = headings.take(text)
        labelled = [] if is_heading else list(headings.labels(line))
        begins = bool(labelled) and labelled[0][0] == NUMBER
        if block is not None and not labelled and not is_heading and _UNKNOWN_HEADING.fullmatch(text) and NAME in block.values:
            headings.take_unknown(text)
            is_heading = True
        if block is not None and (is_heading or begins):
            yield block
            block = None
        if is_heading or headings.is_skipped(text):
            continue
        if begins:
            block = _FilingBlock(line.number, headings.event, headings.kind)
        if block is not None:
            block.take(labelled, text)
    if block is not None:
        yield block


class _ListingHeadings:
    """The current headings: act and type of filing."""

    def __init__(self, context: ParseContext) -> None:
        layout, terms = context.metadata.layouts[LAYOUT], context.metadata.terms
        events = set(NoticeEvent)
        self._context = context
        self._labels = sorted(layout.columns, key=len, reverse=True)
        self._ignored = tuple(text.casefold() for text in layout.ignored)
        self._filings = {word.casefold(): NoticeEvent(meaning) for word, meaning in terms.items() if meaning in events}
        self._acts = {word.casefold(): meaning for word, meaning in terms.items() if word.startswith("The ")}
        self.event: NoticeEvent | None = None
        self.kind: str | None = None

    def take(self, text: str) -> bool:
        """Apply the line if it is a heading, and return whether it is."""
        word = text.casefold()
        if word in self._acts:
            self.kind = self._acts[word]
            return True
        if word in self._filings:
            self.event = self._filings[word]
            return True
        return False

    def take_unknown(self, text: str) -> None:
        """Count an unknown heading. The filings below it are rejected."""
        self._context.term(text)
        self.event = None

    def is_skipped(self, text: str) -> bool:
        """Whether the line is a page header or footer."""
        return text.casefold().startswith(self._ignored) or _PAGE.fullmatch(text) is not None

    def labels(self, line: PdfLine) -> Iterator[tuple[str, str]]:
        """Label and value of each run that begins with a label; a run without one belongs to the label before it."""
        found: list[tuple[str, list[str]]] = []
        for run in line.runs:
            label = next((label for label in self._labels if run.text.startswith(f"{label}:")), None)
            if label is not None:
                found.append((label, [run.text[len(label) + 1 :]]))
            elif found:
                found[-1][1].append(run.text)
        for label, texts in found:
            yield label, " ".join(" ".join(texts).split())


def _build_notice(block: _FilingBlock, week: date, url: str) -> Notice | Message:
    if block.event is None:
        return Message("the notice is under an unknown heading")
    values = block.values
    number, name = values.get(NUMBER, ""), values.get(NAME, "")
    if _NUMBER.fullmatch(number) is None:
        return Message("{column} is not a number", column=NUMBER)
    if name == "":
        return Message("the notice has no name")
    if block.event is NoticeEvent.RENAMED and NEW_NAME not in values:
        return Message("the name change has no new name")
    label = next((label for label in DAYS if label in values), None)
    try:
        day = parse_date(values[label], "%Y-%m-%d", "%B %d, %Y") if label is not None else None
    except ValueError:
        return Message("{column} is not a date", column=str(label))
    return Notice(
        event=block.event,
        day=day if day is not None else week,
        name=name,
        number=number,
        entity_type=block.kind,
        incorporated_on=day if label in BEGINNINGS else None,
        new_name=values.get(NEW_NAME) if block.event is NoticeEvent.RENAMED else None,
        place=_parse_address(values.get(OFFICE)),
        url=url,
    )


def _parse_address(text: str | None) -> NoticeAddress | None:
    if text is None or text == "":
        return None
    found = _PLACE.fullmatch(text)
    if found is None:
        return NoticeAddress(street=text, country=None, label=OFFICE)
    province = "MB" if found["province"] == "Manitoba" else found["province"]
    return NoticeAddress(found["street"], found["city"], province, found["code"], label=OFFICE)
