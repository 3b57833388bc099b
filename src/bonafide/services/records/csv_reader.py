"""Read a CSV file of business records row by row.

A row that can't be read is returned with its line, its cells and the reasons, and does not affect the rows after it. `csv_format`
defines the meaning of a cell; `csv_import` finds the record of a row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import BinaryIO

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.services.records.business_records import RecordEdit
from bonafide.services.records.csv_format import KNOWN, WRITABLE, RecordRowError, parse_edit
from bonafide.services.records.csv_lines import CsvLine, CsvLineReader, CsvRowError, split_line

MAX_ROW_LINES = 1000
"""A quote that is open after this many lines counts as unclosed."""
MAX_SHOWN_CHARACTERS = 60
"""The longest part of a cell or a column's name that a message repeats."""
DELIMITERS = (",", ";")
_LABELS = ("name", "externalId", "registrationNumber", "id")
"""The columns by which a person recognizes a row, best first."""


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A valid row: its first line, its label for people, its cells and its edit."""

    line: int
    label: str
    cells: Sequence[str]
    edit: RecordEdit


@dataclass(frozen=True, slots=True)
class InvalidRecordRow:
    """An invalid row and its problems; a problem of the whole row has no path. A row that can't be parsed has one cell."""

    line: int
    label: str
    cells: Sequence[str]
    problems: tuple[FieldProblem, ...]


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file whose header was read: its columns in order, and an iterator over its rows."""

    columns: Sequence[str]
    rows: Iterator[RecordRow | InvalidRecordRow]


def read_records(stream: BinaryIO, *, clear_empty: bool = False) -> RecordFile:
    """A file of records; at most one of its rows is in memory at a time.

    Raises `ValidationFailed` for a file without a usable header, with the problem of each unknown column.
    """
    lines = CsvLineReader(stream, MAX_ROW_LINES, needs_utf8=False)
    columns, delimiter = _read_header(lines)
    return RecordFile(columns, _read_rows(lines, columns, delimiter, clear_empty=clear_empty))


# -------------------------------------------------------------------------------------------------------------- header


def _read_header(lines: CsvLineReader) -> tuple[list[str], str]:
    first = lines.next()
    if first is None or not first.text.strip():
        raise ValidationFailed(Message("The file has no header. Its first line must name the columns."))
    if first.problem is not None:
        raise ValidationFailed(Message("The header can’t be read: {problem}.", problem=first.problem))
    readings = [([cell.strip() for cell in split_line(first.text, delimiter)], delimiter) for delimiter in DELIMITERS]
    columns, delimiter = max(readings, key=lambda reading: sum(cell in KNOWN for cell in reading[0]))
    problems = list(_find_header_problems(columns))
    if problems:
        raise ValidationFailed(Message("The header of the file can’t be used."), details=problems)
    if not set(columns) & set(WRITABLE):
        raise ValidationFailed(Message("The header has no column that changes a record."))
    return columns, delimiter


def _find_header_problems(columns: Sequence[str]) -> Iterator[FieldProblem]:
    for place, column in enumerate(columns, 1):
        shown = column[:MAX_SHOWN_CHARACTERS].encode(errors="replace").decode()
        if column == "":
            yield FieldProblem(Message("column {n}", n=place), Message("has no name"))
        elif column not in KNOWN:
            yield FieldProblem(shown, _describe_unknown_column(shown))
        elif column in columns[: place - 1]:
            yield FieldProblem(shown, Message("is duplicated"))


def _describe_unknown_column(column: str) -> Message:
    by_letters = {"".join(filter(str.isalnum, name)).casefold(): name for name in KNOWN}
    found = get_close_matches("".join(filter(str.isalnum, column)).casefold(), by_letters, n=1)
    if found:
        return Message("is not a column of a business record; did you mean '{column}'?", column=by_letters[found[0]])
    return Message("is not a column of a business record")


# ---------------------------------------------------------------------------------------------------------------- rows


def _read_rows(
    lines: CsvLineReader, columns: Sequence[str], delimiter: str, *, clear_empty: bool
) -> Iterator[RecordRow | InvalidRecordRow]:
    while (first := lines.next()) is not None:
        if first.problem is not None:
            yield _build_invalid_row(first, first.problem)
            continue
        try:
            cells = lines.read_cells(first, delimiter)
        except CsvRowError as error:
            yield _build_invalid_row(first, error.message)
            continue
        if any(cell.strip() for cell in cells):
            yield _parse_row(first, columns, cells, clear_empty=clear_empty)


def _parse_row(first: CsvLine, columns: Sequence[str], cells: Sequence[str], *, clear_empty: bool) -> RecordRow | InvalidRecordRow:
    if len(cells) != len(columns):
        message = Message("{cells} cells, but the header has {columns} columns", cells=len(cells), columns=len(columns))
        return _build_invalid_row(first, message, cells)
    values = dict(zip(columns, cells, strict=True))
    label = next((values[name] for name in _LABELS if values.get(name, "").strip()), "")
    shown = label[:MAX_SHOWN_CHARACTERS].encode(errors="replace").decode()
    try:
        return RecordRow(first.number, shown, cells, parse_edit(values, clear_empty=clear_empty))
    except RecordRowError as refusal:
        return InvalidRecordRow(first.number, shown, cells, refusal.problems)


def _build_invalid_row(line: CsvLine, reason: Message, cells: Sequence[str] | None = None) -> InvalidRecordRow:
    text = line.text.strip()
    shown = text[:MAX_SHOWN_CHARACTERS].encode(errors="replace").decode()
    return InvalidRecordRow(line.number, shown, cells if cells is not None else [text], (FieldProblem("", reason),))
