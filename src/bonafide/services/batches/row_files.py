"""Read the rows of a file: JSON lines, CSV, a workbook or Apache Parquet, a few rows at a time.

A row that can't be read is returned with the reason and does not affect the others. A file that can't be read at all raises
`BatchFileInvalid`. Blocking: a file is read from the local disk.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from itertools import chain, islice
from math import isinf, isnan
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile

from bonafide.errors import BatchFileInvalid, InvalidJson
from bonafide.i18n.message import Message, plural_message
from bonafide.model.batches.batch import MAX_CELL_CHARACTERS, MAX_COLUMN_CHARACTERS, BatchFormat
from bonafide.services.records.csv_lines import CsvLine, CsvLineReader, CsvRowError, is_utf8, split_line
from bonafide.strict_json import parse_request_json

MAX_ROW_LINES = 20
"""A quotation mark that is still open after so many lines is treated as unclosed."""
MAX_COLUMNS = 500
MAX_LINE_BYTES = 100_000
MAX_UNPACKED_BYTES = 256 * 1024**2
"""Of a workbook without compression, which is in memory as a whole."""
SNIFFED_ROWS = 100
"""Rows of JSON lines whose names are the columns of the file."""
PARQUET_ROWS = 1000
"""Rows that are read from Parquet at a time."""
_DELIMITERS = (",", ";", "\t")
_MIDNIGHT = time()
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_UNREADABLE = Message("The file can’t be read as {format}: {problem}")


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row with the text of each of its columns, its line from 1, and why it or one of its cells can't be read, if it can't."""

    line: int
    values: Mapping[str, str]
    problem: Message | None = None
    cell_problems: Mapping[str, Message] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether the row has neither a text nor a problem."""
        return self.problem is None and not self.cell_problems and not any(self.values.values())


@dataclass(frozen=True, slots=True)
class RowFile:
    """An open file: the names of its columns, and its rows, which can be read once. Empty rows are left out."""

    columns: tuple[str, ...]
    rows: Iterator[RawRow]
    close: Callable[[], None] = lambda: None
    """Closes the file."""


def open_rows(path: Path, file_format: BatchFormat) -> RowFile:
    """Open a file. Raises `BatchFileInvalid`, here or while rows are read."""
    match file_format:
        case BatchFormat.CSV:
            return _open_csv(path)
        case BatchFormat.JSONL:
            return _open_json_lines(path)
        case BatchFormat.XLSX:
            return _open_workbook(path)
        case BatchFormat.PARQUET:
            return _open_parquet(path)


def guess_format(file_name: str) -> BatchFormat | None:
    """The format that the name of a file ends with; None for another ending."""
    ending = file_name.rpartition(".")[2].lower()
    return {"ndjson": BatchFormat.JSONL, "txt": BatchFormat.CSV, "tsv": BatchFormat.CSV, "pq": BatchFormat.PARQUET}.get(
        ending, next((one for one in BatchFormat if one.value == ending), None)
    )


# ------------------------------------------------------------------------------------------------------------ CSV


def _open_csv(path: Path) -> RowFile:
    with ExitStack() as stack:
        lines = CsvLineReader(stack.enter_context(path.open("rb")), MAX_ROW_LINES, needs_utf8=True)
        first = lines.next()
        if first is None:
            raise BatchFileInvalid(Message("The file is empty."))
        if first.problem is not None:
            raise BatchFileInvalid(Message("The first line can’t be read: {problem}", problem=first.problem))
        delimiter = max(_DELIMITERS, key=lambda one: len(split_line(first.text, one)))
        columns = _check_columns(cell.strip() for cell in split_line(first.text.rstrip("\r\n"), delimiter))
        return RowFile(columns, _read_csv(lines, columns, delimiter), stack.pop_all().close)


def _read_csv(lines: CsvLineReader, columns: Sequence[str], delimiter: str) -> Iterator[RawRow]:
    while (line := lines.next()) is not None:
        if line.problem is not None:
            yield RawRow(line.number, {}, line.problem)
        elif line.text.strip():
            row = _read_csv_row(lines, line, columns, delimiter)
            if not row.is_empty:
                yield row


def _read_csv_row(lines: CsvLineReader, first: CsvLine, columns: Sequence[str], delimiter: str) -> RawRow:
    try:
        cells = lines.read_cells(first, delimiter)
    except CsvRowError as error:
        return RawRow(first.number, {}, error.message)
    if len(cells) != len(columns):
        reason = plural_message(
            "{n} cell, but the header has {columns} columns",
            "{n} cells, but the header has {columns} columns",
            len(cells),
            columns=len(columns),
        )
        return RawRow(first.number, {}, reason)
    return _build_row(first.number, zip(columns, cells, strict=True))


# ------------------------------------------------------------------------------------------------------------ JSON lines


def _open_json_lines(path: Path) -> RowFile:
    with ExitStack() as stack:
        rows = _read_json_lines(stack.enter_context(path.open("rb")))
        sniffed = list(islice(rows, SNIFFED_ROWS))
        if not sniffed:
            raise BatchFileInvalid(Message("The file is empty."))
        columns = _check_columns(dict.fromkeys(name for row in sniffed for name in row.values))
        return RowFile(columns, chain(sniffed, rows), stack.pop_all().close)


def _read_json_lines(stream: BinaryIO) -> Iterator[RawRow]:
    number = 0
    while line := stream.readline(MAX_LINE_BYTES):
        number += 1
        if not line.endswith(b"\n") and len(line) == MAX_LINE_BYTES:
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE_BYTES)
            yield RawRow(number, {}, Message("longer than {most:,} bytes", most=MAX_LINE_BYTES))
        elif line.strip():
            yield _parse_json_line(number, line)


def _parse_json_line(number: int, line: bytes) -> RawRow:
    try:
        # "utf-8-sig" reads a byte order mark, which the first line may have.
        value = parse_request_json(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError:
        return RawRow(number, {}, Message("not UTF-8"))
    except InvalidJson:
        return RawRow(number, {}, Message("not JSON, or a name occurs twice"))
    except (ValueError, RecursionError):
        return RawRow(number, {}, Message("not JSON"))
    if not isinstance(value, dict):
        return RawRow(number, {}, Message("not a JSON object"))
    if _ESCAPED_SURROGATE.search(line) is not None and not is_utf8(json.dumps(value, ensure_ascii=False)):
        return RawRow(number, {}, Message("a character is not Unicode"))
    return _build_row(number, ((name.strip(), cell) for name, cell in value.items()))


# ------------------------------------------------------------------------------------------------------------ workbooks


def _open_workbook(path: Path) -> RowFile:
    from python_calamine import CalamineWorkbook  # noqa: PLC0415 - few processes read workbooks

    try:
        with ZipFile(path) as packed:
            unpacked = sum(part.file_size for part in packed.infolist())
    except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BatchFileInvalid(_UNREADABLE.fill(format="XLSX", problem=str(error))) from error
    if unpacked > MAX_UNPACKED_BYTES:
        message = Message("The workbook is larger than {limit} MB without compression. Send CSV or Parquet.")
        raise BatchFileInvalid(message.fill(limit=MAX_UNPACKED_BYTES // 1024**2))
    try:
        sheet = CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0)
    except MemoryError:
        raise
    except Exception as error:  # the library raises many kinds of errors for a damaged workbook
        raise BatchFileInvalid(_UNREADABLE.fill(format="XLSX", problem=str(error))) from error
    rows = enumerate(sheet.iter_rows(), start=sheet.start[0] + 1 if sheet.start is not None else 1)
    header = next(((line, cells) for line, cells in rows if any(cell != "" for cell in cells)), None)
    if header is None:
        raise BatchFileInvalid(Message("The first sheet is empty."))
    names = [_to_text(cell).strip() for cell in header[1]]
    while names and not names[-1]:
        names.pop()
    columns = _check_columns(names)
    # Cells beyond the header have no name.
    built = (_build_row(line, zip(columns, cells, strict=False)) for line, cells in rows)
    return RowFile(columns, (row for row in built if not row.is_empty))


# ------------------------------------------------------------------------------------------------------------ Parquet


def _open_parquet(path: Path) -> RowFile:
    import pyarrow as pa  # noqa: PLC0415 - takes a quarter of a second, and few processes read tables
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        file = pq.ParquetFile(path)
        columns = _check_columns(file.schema_arrow.names)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise BatchFileInvalid(_UNREADABLE.fill(format="Parquet", problem=_first_line(error))) from error
    return RowFile(columns, _read_parquet(file.iter_batches(batch_size=PARQUET_ROWS)), file.close)


def open_table(table: Any) -> RowFile:
    """Open a pyarrow table. Its rows are numbered from 1. Raises `BatchFileInvalid`."""
    return RowFile(_check_columns(table.schema.names), _read_parquet(table.to_batches(max_chunksize=PARQUET_ROWS)))


def _read_parquet(batches: Iterable[Any]) -> Iterator[RawRow]:
    import pyarrow as pa  # noqa: PLC0415

    number = 0
    try:
        for batch in batches:
            names = [name.strip() for name in batch.schema.names]
            for cells in zip(*map(_read_column, batch.columns), strict=True):
                number += 1
                row = _build_row(number, zip(names, cells, strict=True))
                if not row.is_empty:
                    yield row
    except (pa.ArrowException, OSError, ValueError) as error:
        raise BatchFileInvalid(_UNREADABLE.fill(format="Parquet", problem=_first_line(error))) from error


def _read_column(column: Any) -> list[object]:
    """The values of a column. One that Python can't represent, such as an instant with nanoseconds, is itself, and not a text."""
    try:
        values: list[object] = column.to_pylist()
    except ValueError:
        values = list(map(_read_scalar, column))
    return values


def _read_scalar(scalar: Any) -> object:
    try:
        value: object = scalar.as_py()
    except ValueError:
        return scalar
    return value


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]


# ------------------------------------------------------------------------------------------------------------ cells


def _check_columns(names: Iterable[str]) -> tuple[str, ...]:
    """The names of columns; one that is too long for a mapping is empty, as that of a column without a name.

    Raises `BatchFileInvalid` for too many, and for a name that is repeated.
    """
    columns = tuple(name if len(name) <= MAX_COLUMN_CHARACTERS else "" for name in map(str.strip, names))
    if not any(columns):
        raise BatchFileInvalid(Message("The file has no column names."))
    if len(columns) > MAX_COLUMNS:
        raise BatchFileInvalid(Message("The file has more than {limit} columns.", limit=MAX_COLUMNS))
    twice = next((name for name in columns if name and columns.count(name) > 1), None)
    if twice is not None:
        raise BatchFileInvalid(Message("The column “{column}” is repeated.", column=twice))
    return columns


def _build_row(line: int, cells: Iterable[tuple[str, object]]) -> RawRow:
    values: dict[str, str] = {}
    problems: dict[str, Message] = {}
    for name, value in cells:
        try:
            text = _to_text(value).replace("\r\n", "\n").strip()
        except ValueError:
            problems[name] = Message("{column}: is not a text", column=name)
            continue
        if len(text) > MAX_CELL_CHARACTERS:
            problems[name] = Message("{column}: is longer than {limit:,} characters", column=name, limit=MAX_CELL_CHARACTERS)
            text = text[:MAX_CELL_CHARACTERS]
        values[name] = text
    return RawRow(line, values, None, problems)


def _to_text(value: object) -> str:
    """The text of a cell, as a spreadsheet shows it; empty for none. Raises `ValueError` for a value with parts."""
    match value:
        case None:
            text = ""
        case str():
            text = value
        case bool():
            text = "true" if value else "false"
        case float() | Decimal():
            text = _write_number(value)
        case datetime():
            text = str(value.date()) if value.time() == _MIDNIGHT else str(value)
        case int() | date() | time():
            text = str(value)
        case bytes():
            text = value.decode()
        case list() if all(part is None or isinstance(part, str) for part in value):
            text = "; ".join(filter(None, value))
        case _:
            raise ValueError
    return text


def _write_number(value: float | Decimal) -> str:
    if isnan(value):
        return ""  # what some programs write into a column of numbers for an empty cell
    if isinf(value):
        return str(value)
    return str(int(value)) if value == int(value) else f"{value:f}" if isinstance(value, Decimal) else str(value)
