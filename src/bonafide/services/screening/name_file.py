"""Read a file of names to screen: CSV with a `name` column, or one name a line.

A row that can't be read is returned as an `InvalidNameRow` with its line and the reason. `ScreeningRequest` validates the values.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO

from pydantic import ValidationError

from bonafide.matching.text.countries import parse_country_code, parse_country_codes
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.services.records.csv_lines import CsvLine, CsvLineReader, CsvRowError, split_line

MAX_ROW_LINES = 20
"""A quote that is still open after so many lines is one that was never closed."""
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
            problem = error.errors()[0]
            place = str(problem["loc"][0]) if problem["loc"] else "query"
            column = "name" if place == "query" else place
            raise ValueError(f"{column}: {problem['msg'].removeprefix('Value error, ')}") from None


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


@dataclass(frozen=True, slots=True)
class NameFile:
    """A file that is being read: its rows, to be taken once, and the columns that are there and not read."""

    rows: Iterator[NameFileRow]
    unread: tuple[str, ...] = ()


def read_names(stream: BinaryIO) -> NameFile:
    """Read a file of names; at most a few lines of it are in memory at a time."""
    lines = CsvLineReader(stream, MAX_ROW_LINES, needs_utf8=True)
    first = lines.next()
    if first is None:
        return NameFile(iter(()))
    for delimiter in _DELIMITERS:
        header = [] if first.problem is not None else split_line(first.text, delimiter)
        columns = [_COLUMNS.get(_SIGNS.sub("", cell).casefold()) for cell in header]
        if "query" in columns:
            _check_columns(header, columns)
            unread = tuple(cell for cell, column in zip(header, columns, strict=True) if column is None)
            return NameFile(_read_rows(lines, partial(_read_table_row, lines, columns, delimiter)), unread)
    lines.put_back([first])
    return NameFile(_read_rows(lines, _read_name))


def _check_columns(header: Sequence[str], columns: Sequence[str | None]) -> None:
    known = [column for column in columns if column is not None]
    twice = next((cell for cell, column in zip(header, columns, strict=True) if known.count(str(column)) > 1), None)
    if twice is not None:
        raise ValueError(f"line 1: there are several columns like '{twice}'")


def _read_rows(lines: CsvLineReader, read: Callable[[CsvLine], NameFileRow]) -> Iterator[NameFileRow]:
    while (line := lines.next()) is not None:
        if line.problem is not None:
            yield _build_invalid_row(line, line.problem)
        elif line.text.strip():
            yield read(line)


def _read_name(line: CsvLine) -> NameRow:
    return NameRow(line.number, line.text.strip())


def _read_table_row(lines: CsvLineReader, columns: Sequence[str | None], delimiter: str, first: CsvLine) -> NameFileRow:
    try:
        cells = lines.read_cells(first, delimiter)
    except CsvRowError as error:
        return _build_invalid_row(first, str(error))
    if len(cells) != len(columns):
        return _build_invalid_row(first, f"{len(cells)} cells, where the header has {len(columns)} columns")
    texts = (cell.replace("\r\n", "\n").strip() for cell in cells)
    said = {column: text for column, text in zip(columns, texts, strict=True) if column is not None}
    name = said.pop("query")
    return NameRow(first.number, name, said) if name else _build_invalid_row(first, "name: is empty")


def _build_invalid_row(line: CsvLine, reason: str) -> InvalidNameRow:
    shown = line.text.rstrip("\r\n").encode(errors="surrogateescape").decode(errors="replace")
    return InvalidNameRow(line.number, shown, reason)
