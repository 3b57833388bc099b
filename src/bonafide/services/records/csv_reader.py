"""Read a CSV file of business records row by row.

A row that can't be read is told with its line, its columns and the reasons, and the rows after it are read all the same. What a
cell means stands in `record_columns`; which record a row changes is the business of `record_import`.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import BinaryIO

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.services.records.business_records import RecordEdit
from bonafide.services.records.csv_columns import KNOWN, WRITABLE, RecordRowError, parse_edit

MAX_LINE_BYTES = 100_000
MAX_LINES_OF_A_ROW = 1000
"""A quoted cell may hold line breaks; a quote that is still open after so many lines is one that nobody closed."""
MAX_SHOWN_CHARACTERS = 60
"""Of a cell or a column's name that is repeated in a message."""
DELIMITERS = (",", ";")
_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
_OPEN_QUOTE = "unexpected end of data"
"""What the csv module says of a quote that is not closed."""
_LABELS = ("name", "externalId", "registrationNumber", "id")
"""The columns by which a person knows a row, the best first."""


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A row that is a record: the line where it begins, what a person knows it by, its cells, and what it asks for."""

    line: int
    label: str
    cells: Sequence[str]
    edit: RecordEdit


@dataclass(frozen=True, slots=True)
class InvalidRecordRow:
    """A row that is none, and why; a problem of the whole row has no path. What can't be taken apart is one cell."""

    line: int
    label: str
    cells: Sequence[str]
    problems: tuple[FieldProblem, ...]


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file whose header was read: its columns, in their order, and the rows, which can be gone through once."""

    columns: Sequence[str]
    rows: Iterator[RecordRow | InvalidRecordRow]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with its end, or why there is none."""

    number: int
    text: str
    problem: str | None = None


def read_records(stream: BinaryIO, *, clear_empty: bool = False) -> RecordFile:
    """A file of records; at most one of its rows is in memory at a time.

    Raises `ValidationFailed` for a file without a usable header, with a sentence for each column that is not known.
    """
    lines = _LineReader(stream)
    columns, delimiter = _read_header(lines)
    return RecordFile(columns, _read_rows(lines, columns, delimiter, clear_empty=clear_empty))


# -------------------------------------------------------------------------------------------------------------- header


def _read_header(lines: "_LineReader") -> tuple[list[str], str]:
    first = lines.next()
    if first is None or not first.text.strip():
        raise ValidationFailed("The file has no header: its first line must name the columns.")
    if first.problem is not None:
        raise ValidationFailed(f"The header can't be read: {first.problem}.")
    readings = [([cell.strip() for cell in _split_line(first.text, delimiter)], delimiter) for delimiter in DELIMITERS]
    columns, delimiter = max(readings, key=lambda reading: sum(cell in KNOWN for cell in reading[0]))
    problems = list(_find_header_problems(columns))
    if problems:
        raise ValidationFailed("The header of the file can't be used.", details=problems)
    if not set(columns) & set(WRITABLE):
        raise ValidationFailed("The header names no column that changes a record.")
    return columns, delimiter


def _split_line(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return []


def _find_header_problems(columns: Sequence[str]) -> Iterator[FieldProblem]:
    for place, column in enumerate(columns, 1):
        shown = column[:MAX_SHOWN_CHARACTERS].encode(errors="replace").decode()
        if column == "":
            yield FieldProblem(f"column {place}", "has no name")
        elif column not in KNOWN:
            yield FieldProblem(shown, f"is no column of a business record{_find_nearest_column(shown)}")
        elif column in columns[: place - 1]:
            yield FieldProblem(shown, "is there twice")


def _find_nearest_column(column: str) -> str:
    by_letters = {"".join(filter(str.isalnum, name)).casefold(): name for name in KNOWN}
    found = get_close_matches("".join(filter(str.isalnum, column)).casefold(), by_letters, n=1)
    return f"; did you mean '{by_letters[found[0]]}'?" if found else ""


# ---------------------------------------------------------------------------------------------------------------- rows


def _read_rows(
    lines: "_LineReader", columns: Sequence[str], delimiter: str, *, clear_empty: bool
) -> Iterator[RecordRow | InvalidRecordRow]:
    while (first := lines.next()) is not None:
        if first.problem is not None:
            yield _build_invalid_row(first, first.problem)
            continue
        cells = _read_cells(lines, first, delimiter)
        if isinstance(cells, InvalidRecordRow):
            yield cells
        elif any(cell.strip() for cell in cells):
            yield _parse_row(first, columns, cells, clear_empty=clear_empty)


def _read_cells(lines: "_LineReader", first: _Line, delimiter: str) -> list[str] | InvalidRecordRow:
    """The cells of the row that begins with this line; when it is no row, the lines after the first are there to be read again."""
    taken: list[_Line] = []

    def texts() -> Iterator[str]:
        yield first.text
        while len(taken) < MAX_LINES_OF_A_ROW and (line := lines.next()) is not None:
            taken.append(line)
            if line.problem is not None:
                return
            yield line.text

    try:
        return next(csv.reader(texts(), delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        lines.put_back(taken)
        return _build_invalid_row(first, "a quote is not closed" if str(error) == _OPEN_QUOTE else f"not CSV: {error}")


def _parse_row(first: _Line, columns: Sequence[str], cells: Sequence[str], *, clear_empty: bool) -> RecordRow | InvalidRecordRow:
    if len(cells) != len(columns):
        return _build_invalid_row(first, f"{len(cells)} cells, where the header has {len(columns)} columns", cells)
    said = dict(zip(columns, cells, strict=True))
    label = next((said[name] for name in _LABELS if said.get(name, "").strip()), "")
    shown = label[:MAX_SHOWN_CHARACTERS].encode(errors="replace").decode()
    try:
        return RecordRow(first.number, shown, cells, parse_edit(said, clear_empty=clear_empty))
    except RecordRowError as refusal:
        return InvalidRecordRow(first.number, shown, cells, refusal.problems)


def _build_invalid_row(line: _Line, reason: str, cells: Sequence[str] | None = None) -> InvalidRecordRow:
    text = line.text.strip()
    shown = text[:MAX_SHOWN_CHARACTERS].encode(errors="replace").decode()
    return InvalidRecordRow(line.number, shown, cells if cells is not None else [text], (FieldProblem("", reason),))


class _LineReader:
    """The lines of a stream, from which some may be put back."""

    def __init__(self, stream: BinaryIO) -> None:
        self._fresh = _read_lines(stream)
        self._again: list[_Line] = []

    def next(self) -> _Line | None:
        """The next line; None at the end."""
        return self._again.pop() if self._again else next(self._fresh, None)

    def put_back(self, lines: Iterable[_Line]) -> None:
        """These come next."""
        self._again += reversed(list(lines))


def _read_lines(stream: BinaryIO) -> Iterator[_Line]:
    """Lines with their ends as they are: inside quotes they belong to a cell."""
    number = 0
    while raw := stream.readline(MAX_LINE_BYTES):
        number += 1
        # Bytes that are no UTF-8 become lone surrogates, which no cell may have: the row is told, not the file.
        text = raw.decode(errors="surrogateescape")
        text = text.removeprefix(_BYTE_ORDER_MARK) if number == 1 else text
        if raw.endswith(b"\n") or len(raw) < MAX_LINE_BYTES:
            yield _Line(number, text)
            continue
        while not raw.endswith(b"\n") and len(raw) == MAX_LINE_BYTES:
            raw = stream.readline(MAX_LINE_BYTES)
        yield _Line(number, text[:MAX_SHOWN_CHARACTERS], f"longer than {MAX_LINE_BYTES:,} bytes")
