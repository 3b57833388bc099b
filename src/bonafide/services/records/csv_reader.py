"""Read a CSV file of business records row by row.

A row that can't be read is returned with its line, its columns and the reasons, and the rows after it are read all the same. The
meaning of a cell is defined in `csv_format`; `csv_import` finds the record that a row changes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import BinaryIO

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.services.records.business_records import RecordEdit
from bonafide.services.records.csv_format import KNOWN, WRITABLE, RecordRowError, parse_edit
from bonafide.services.records.csv_lines import CsvLine, CsvLineReader, CsvRowError, split_line

MAX_ROW_LINES = 1000
"""A quote that is still open after so many lines is one that was never closed."""
MAX_SHOWN_CHARACTERS = 60
"""Of a cell or a column's name that is repeated in a message."""
DELIMITERS = (",", ";")
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


def read_records(stream: BinaryIO, *, clear_empty: bool = False) -> RecordFile:
    """A file of records; at most one of its rows is in memory at a time.

    Raises `ValidationFailed` for a file without a usable header, with a sentence for each column that is not known.
    """
    lines = CsvLineReader(stream, MAX_ROW_LINES, needs_utf8=False)
    columns, delimiter = _read_header(lines)
    return RecordFile(columns, _read_rows(lines, columns, delimiter, clear_empty=clear_empty))


# -------------------------------------------------------------------------------------------------------------- header


def _read_header(lines: CsvLineReader) -> tuple[list[str], str]:
    first = lines.next()
    if first is None or not first.text.strip():
        raise ValidationFailed("The file has no header: its first line must name the columns.")
    if first.problem is not None:
        raise ValidationFailed(f"The header can't be read: {first.problem}.")
    readings = [([cell.strip() for cell in split_line(first.text, delimiter)], delimiter) for delimiter in DELIMITERS]
    columns, delimiter = max(readings, key=lambda reading: sum(cell in KNOWN for cell in reading[0]))
    problems = list(_find_header_problems(columns))
    if problems:
        raise ValidationFailed("The header of the file can't be used.", details=problems)
    if not set(columns) & set(WRITABLE):
        raise ValidationFailed("The header names no column that changes a record.")
    return columns, delimiter


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
    lines: CsvLineReader, columns: Sequence[str], delimiter: str, *, clear_empty: bool
) -> Iterator[RecordRow | InvalidRecordRow]:
    while (first := lines.next()) is not None:
        if first.problem is not None:
            yield _build_invalid_row(first, first.problem)
            continue
        try:
            cells = lines.read_cells(first, delimiter)
        except CsvRowError as error:
            yield _build_invalid_row(first, str(error))
            continue
        if any(cell.strip() for cell in cells):
            yield _parse_row(first, columns, cells, clear_empty=clear_empty)


def _parse_row(first: CsvLine, columns: Sequence[str], cells: Sequence[str], *, clear_empty: bool) -> RecordRow | InvalidRecordRow:
    if len(cells) != len(columns):
        return _build_invalid_row(first, f"{len(cells)} cells, where the header has {len(columns)} columns", cells)
    said = dict(zip(columns, cells, strict=True))
    label = next((said[name] for name in _LABELS if said.get(name, "").strip()), "")
    shown = label[:MAX_SHOWN_CHARACTERS].encode(errors="replace").decode()
    try:
        return RecordRow(first.number, shown, cells, parse_edit(said, clear_empty=clear_empty))
    except RecordRowError as refusal:
        return InvalidRecordRow(first.number, shown, cells, refusal.problems)


def _build_invalid_row(line: CsvLine, reason: str, cells: Sequence[str] | None = None) -> InvalidRecordRow:
    text = line.text.strip()
    shown = text[:MAX_SHOWN_CHARACTERS].encode(errors="replace").decode()
    return InvalidRecordRow(line.number, shown, cells if cells is not None else [text], (FieldProblem("", reason),))
