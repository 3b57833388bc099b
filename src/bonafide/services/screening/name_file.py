"""Read a file of names to screen: CSV with a `name` column, or one name a line.

A row that can't be read is a row all the same, with its line and the reason: nothing that was given is lost. What a row says of its
subject is checked by the rules of a screening's request; nothing is screened here.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from pydantic import ValidationError

from bonafide.matching.text.countries import parse_country_code, parse_country_codes
from bonafide.model.screening.requests import ScreeningRequest

MAX_LINE_BYTES = 100_000
MAX_LINES_OF_A_ROW = 20
"""A quoted cell may hold line breaks; a quote that is still open after so many lines is one that nobody closed."""
_COLUMNS = {
    "name": "query",
    "entitytype": "entityType",
    "country": "countries",
    "countries": "countries",
    "dateofbirth": "dateOfBirth",
}
"""The columns that are read, by their names in small letters without spaces and signs."""
_SIGNS = re.compile(r"[\W_]+")
_DELIMITERS = ",;\t"
_OPEN_QUOTE = "unexpected end of data"
"""What the csv module says of a line with a quote that is not closed."""


@dataclass(frozen=True, slots=True)
class NameRow:
    """One row: where it begins, its name as it was given, and its other columns."""

    line: int
    name: str
    facts: dict[str, str] = field(default_factory=dict)

    def request(self) -> ScreeningRequest:
        """The row as a screening's request. Raises `ValueError` that says what is wrong with which column."""
        facts: dict[str, object] = {name: text for name, text in self.facts.items() if text}
        if "entityType" in facts:
            facts["entityType"] = self.facts["entityType"].lower()
        if "countries" in facts:
            facts["countries"] = _parse_countries(self.facts["countries"])
        try:
            return ScreeningRequest.model_validate({"query": self.name, **facts})
        except ValidationError as error:
            raise ValueError(_get_first_problem(error)) from None


@dataclass(frozen=True, slots=True)
class InvalidNameRow:
    """One row that can't be read: where it begins, what can be shown of it, and why."""

    line: int
    name: str
    reason: str


NameFileRow = NameRow | InvalidNameRow


def _parse_countries(text: str) -> tuple[str, ...]:
    """Codes in any case or names of countries, between semicolons where there are several."""
    codes = []
    for part in parse_country_codes(text):
        code = parse_country_code(part) or parse_country_code(part.upper())
        if code is None:
            raise ValueError(f"country: '{part}' is no country")
        codes.append(code)
    return tuple(codes)


def _get_first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = str(problem["loc"][0]) if problem["loc"] else "name"
    return f"{'name' if place == 'query' else place}: {problem['msg'].removeprefix('Value error, ')}"


@dataclass(frozen=True, slots=True)
class NameFile:
    """A file that is being read: its rows, to be taken once, and the columns that are there and not read."""

    rows: Iterator[NameFileRow]
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without its end, or why there is none."""

    number: int
    text: str
    problem: str | None = None


def read_names(stream: BinaryIO) -> NameFile:
    """Read a file of names; at most a few lines of it are in memory at a time."""
    lines = _LineReader(stream)
    first = lines.next()
    if first is None:
        return NameFile(iter(()))
    for delimiter in _DELIMITERS:
        header = [] if first.problem is not None else _split_cells(first.text, delimiter)
        columns = [_COLUMNS.get(_SIGNS.sub("", cell).casefold()) for cell in header]
        if "query" in columns:
            _check_columns(header, columns)
            unread = tuple(cell for cell, column in zip(header, columns, strict=True) if column is None)
            return NameFile(_read_table_rows(lines, columns, delimiter), unread)
    lines.put_back([first])
    return NameFile(_read_name_rows(lines))


def _check_columns(header: Sequence[str], columns: Sequence[str | None]) -> None:
    known = [column for column in columns if column is not None]
    twice = next((cell for cell, column in zip(header, columns, strict=True) if known.count(str(column)) > 1), None)
    if twice is not None:
        raise ValueError(f"line 1: there are several columns like '{twice}'")


def _read_name_rows(lines: "_LineReader") -> Iterator[NameFileRow]:
    while (line := lines.next()) is not None:
        if line.problem is not None:
            yield InvalidNameRow(line.number, line.text, line.problem)
        elif line.text.strip():
            yield NameRow(line.number, line.text.strip())


def _read_table_rows(lines: "_LineReader", columns: Sequence[str | None], delimiter: str) -> Iterator[NameFileRow]:
    while (line := lines.next()) is not None:
        if line.problem is not None:
            yield InvalidNameRow(line.number, line.text, line.problem)
        elif line.text.strip():
            yield _read_table_row(lines, line, columns, delimiter)


def _read_table_row(lines: "_LineReader", first: _Line, columns: Sequence[str | None], delimiter: str) -> NameFileRow:
    taken = [first]
    while True:
        try:
            cells = _split_cells_strictly("\n".join(line.text for line in taken), delimiter)
            break
        except csv.Error as error:
            is_open = str(error) == _OPEN_QUOTE
            following = lines.next() if is_open and len(taken) < MAX_LINES_OF_A_ROW else None
            if following is None or following.problem is not None:
                lines.put_back([*taken[1:], *([following] if following is not None else [])])
                return InvalidNameRow(first.number, first.text, "a quote is not closed" if is_open else f"not CSV: {error}")
            taken.append(following)
    if len(cells) != len(columns):
        return InvalidNameRow(first.number, first.text, f"{len(cells)} cells, where the header has {len(columns)} columns")
    said = {column: cell.strip() for column, cell in zip(columns, cells, strict=True) if column is not None}
    name = said.pop("query")
    return NameRow(first.number, name, said) if name else InvalidNameRow(first.number, first.text, "name: is empty")


def _split_cells(text: str, delimiter: str) -> list[str]:
    try:
        return _split_cells_strictly(text, delimiter)
    except csv.Error:
        return []


def _split_cells_strictly(text: str, delimiter: str) -> list[str]:
    return next(csv.reader([text], delimiter=delimiter, strict=True), [])


class _LineReader:
    """The lines of a stream, from which some may be put back."""

    def __init__(self, stream: BinaryIO) -> None:
        self._fresh = _read_lines(stream)
        self._again: list[_Line] = []

    def next(self) -> _Line | None:
        """The next line; None at the end."""
        return self._again.pop(0) if self._again else next(self._fresh, None)

    def put_back(self, lines: Iterable[_Line]) -> None:
        """These come next."""
        self._again = [*lines, *self._again]


def _read_lines(stream: BinaryIO) -> Iterator[_Line]:
    number = 0
    while raw := stream.readline(MAX_LINE_BYTES):
        number += 1
        whole = raw
        while not raw.endswith(b"\n") and len(raw) == MAX_LINE_BYTES:
            raw = stream.readline(MAX_LINE_BYTES)
        yield _decode_line(number, whole, is_whole=raw is whole)


def _decode_line(number: int, raw: bytes, *, is_whole: bool) -> _Line:
    text = raw.rstrip(b"\r\n").decode(errors="replace")
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}") if number == 1 else text
    if not is_whole:
        return _Line(number, text[:100], f"longer than {MAX_LINE_BYTES:,} bytes")
    try:
        raw.decode()
    except UnicodeDecodeError:
        return _Line(number, text, "not UTF-8")
    return _Line(number, text)
