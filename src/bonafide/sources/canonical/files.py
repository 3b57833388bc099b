"""Read a canonical file (CSV, JSON lines or Parquet) in blocks of rows, with its columns renamed to those of the layout.

A file with unknown columns is refused; an unreadable row is returned as such. Values are not interpreted here. Only one block, and
one batch of a Parquet file, is in memory at a time.
"""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, join_values
from bonafide.sources.canonical.mapping import COLUMN_NAMES, REQUIRED_COLUMNS, CanonicalMapping, find_nearest, to_snake_case
from bonafide.sources.formats.delimited_text import CELL_COUNT, normalize_whitespace, read_lines
from bonafide.sources.formats.file_problems import UNREADABLE_FILE
from bonafide.sources.framework.context import Resource
from bonafide.sources.framework.load_limits import LoadLimits

if TYPE_CHECKING:
    import _csv

MAX_LINE_CHARACTERS = 1_000_000
"""Maximum length of a line of JSON. `delimited_text` limits the cells of a CSV file."""
BATCH_ROWS = 2_000
BLOCK_ROWS = 1_000
MAX_COLUMNS = 1_000
MAX_COLUMN_CHARACTERS = 500
"""Maximum length of the name of a column. The first line of a file of another kind has any length."""
_DELIMITERS = ",;\t"


class CanonicalFormat(StrEnum):
    """The formats of canonical files."""

    CSV = "csv"
    JSON_LINES = "jsonl"
    PARQUET = "parquet"


SUFFIXES = {
    ".csv": CanonicalFormat.CSV,
    ".tsv": CanonicalFormat.CSV,
    ".txt": CanonicalFormat.CSV,
    ".jsonl": CanonicalFormat.JSON_LINES,
    ".ndjson": CanonicalFormat.JSON_LINES,
    ".json": CanonicalFormat.JSON_LINES,
    ".parquet": CanonicalFormat.PARQUET,
    ".pq": CanonicalFormat.PARQUET,
}


@dataclass(frozen=True, slots=True)
class CanonicalRow:
    """One row: its line (or, in Parquet, its number), and its values by canonical column without empty ones."""

    line: int
    values: dict[str, object]


@dataclass(frozen=True, slots=True)
class UnreadableCanonicalRow:
    """One row that could not be read."""

    line: int
    reason: Message


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Consecutive rows: the line of each, and its values in the order of `columns` (None for one that is not read)."""

    columns: Sequence[str | None]
    are_cells: bool
    """Whether the values are the cells of a CSV file, in which white space is not significant."""
    lines: list[int] = field(default_factory=list)
    rows: list[Sequence[object]] = field(default_factory=list)

    def add(self, line: int, values: Sequence[object]) -> None:
        """Append a row."""
        self.lines.append(line)
        self.rows.append(values)

    def get_row(self, place: int) -> CanonicalRow:
        """One row with its values by column."""
        named = ((name, value) for name, value in zip(self.columns, self.rows[place], strict=True) if name is not None)
        if self.are_cells:
            named = ((name, normalize_whitespace(str(value))) for name, value in named)
        return CanonicalRow(self.lines[place], {name: value for name, value in named if value is not None})


CanonicalRows = Iterator[CanonicalRow | UnreadableCanonicalRow]
CanonicalBlocks = Iterator[RowBlock | UnreadableCanonicalRow]
"""The rows of a file in their order: blocks of readable ones, and unreadable ones between them."""


def detect_format(resource: Resource) -> CanonicalFormat:
    """Detect the format by the suffix of the file, or else by its first bytes."""
    known = SUFFIXES.get(resource.path.suffix.lower())
    if known is not None:
        return known
    with resource.path.open("rb") as file:
        start = file.read(64)
    if start.startswith(b"PAR1"):
        return CanonicalFormat.PARQUET
    return CanonicalFormat.JSON_LINES if start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else CanonicalFormat.CSV


def read_csv_header(resource: Resource) -> list[str]:
    """The column names in the first line of a CSV file, whatever its encoding; empty without one."""
    with resource.path.open(encoding="utf-8-sig", errors="replace", newline="") as text:
        line = _read_first_line(text)
    return [column.strip() for column in next(csv.reader([line], delimiter=_detect_delimiter(line)), [])]


def read_blocks(resource: Resource, mapping: CanonicalMapping, limits: LoadLimits) -> CanonicalBlocks:
    """Every row of the file.

    Raises `ParseFailed` when the file as a whole can't be read in the canonical layout, `LoadLimitExceeded` when it is too large.
    """
    if resource.size == 0:
        raise ParseFailed(Message("{file}: the file is empty", file=resource.name))
    match detect_format(resource):
        case CanonicalFormat.CSV:
            return _read_csv(resource, mapping)
        case CanonicalFormat.JSON_LINES:
            return _group_rows(_read_json_lines(resource, mapping))
        case CanonicalFormat.PARQUET:
            return _group_rows(_read_parquet(resource, mapping, limits))


def _group_rows(rows: CanonicalRows) -> CanonicalBlocks:
    block = RowBlock(COLUMN_NAMES, are_cells=False)
    for row in rows:
        if isinstance(row, UnreadableCanonicalRow):
            yield block
            yield row
            block = RowBlock(COLUMN_NAMES, are_cells=False)
            continue
        block.add(row.line, list(map(row.values.get, COLUMN_NAMES)))
        if len(block.rows) == BLOCK_ROWS:
            yield block
            block = RowBlock(COLUMN_NAMES, are_cells=False)
    yield block


# ------------------------------------------------------------------------------------------------------------ columns


def _map_columns(header: list[str], resource: Resource, mapping: CanonicalMapping) -> list[str | None]:
    """The canonical name of each column of the file, None for one that is not read. Raises `ParseFailed`."""
    if len(header) > MAX_COLUMNS or any(len(column) > MAX_COLUMN_CHARACTERS for column in header):
        problem = Message(
            "{file}: the first line is not a header: it has more than {limit:,} columns, or one of more than {length:,} characters",
            file=resource.name,
            limit=MAX_COLUMNS,
            length=MAX_COLUMN_CHARACTERS,
        )
        raise ParseFailed(problem)
    absent = [theirs for theirs in mapping.columns.values() if theirs not in header]
    if absent:
        sentence = Message(
            "{file}: the mapping names a column '{column}', the file has {columns}",
            file=resource.name,
            column=absent[0],
            columns=join_values(header),
        )
        raise ParseFailed(sentence)
    names = [_map_column(theirs, resource, mapping) for theirs in header]
    twice = [name for name in COLUMN_NAMES if names.count(name) > 1]
    missing = [name for name in REQUIRED_COLUMNS if name not in names]
    if twice:
        raise ParseFailed(Message("{file}: two columns are mapped to {column}", file=resource.name, column=twice[0]))
    if missing:
        raise ParseFailed(Message("{file}: the column {column} is missing", file=resource.name, column=missing[0]))
    return names


def _map_column(theirs: str, resource: Resource, mapping: CanonicalMapping) -> str | None:
    if theirs in mapping.ignored:
        return None
    for name, mapped in mapping.columns.items():
        if mapped == theirs:
            return name
    name = to_snake_case(theirs)
    if name in COLUMN_NAMES:
        return name
    sentence = Message(
        "{file}: '{column}' is not a column of the canonical layout; the most similar one is {nearest}. "
        "Map it in a mapping file, or list it there under `ignored`.",
        file=resource.name,
        column=theirs,
        nearest=find_nearest(theirs, COLUMN_NAMES),
    )
    raise ParseFailed(sentence)


# ------------------------------------------------------------------------------------------------------------ text


@contextmanager
def _open_text(resource: Resource, mapping: CanonicalMapping) -> Iterator[io.TextIOBase]:
    with resource.path.open(encoding=mapping.encoding, newline="") as text:
        try:
            yield text
        except UnicodeError as error:
            sentence = Message(
                "{file}: the text is not {encoding}. Excel on Windows often saves cp1252, or utf-16 for “Unicode”. "
                "Set `encoding` in a mapping file.",
                file=resource.name,
                encoding=mapping.encoding,
            )
            raise ParseFailed(sentence) from error


def _read_first_line(text: io.TextIOBase) -> str:
    """The first line that is not blank; empty without one."""
    lines = iter(lambda: text.readline(MAX_LINE_CHARACTERS), "")
    return next((line for line in lines if not line.isspace()), "")


def _detect_delimiter(line: str) -> str:
    return max(_DELIMITERS, key=line.count)


def _read_csv(resource: Resource, mapping: CanonicalMapping) -> CanonicalBlocks:
    with _open_text(resource, mapping) as text:
        delimiter = mapping.delimiter if mapping.delimiter is not None else _detect_delimiter(_read_first_line(text))
        text.seek(0)
        # Strict, so that an unclosed quote is an error and not one long cell.
        reader = csv.reader(read_lines(text, resource), delimiter=delimiter, strict=True)
        try:
            header = next((cells for cells in reader if any(cells)), [])
        except csv.Error as error:
            raise ParseFailed(
                Message("{file}: the header is not valid CSV: {error}", file=resource.name, error=str(error))
            ) from error
        columns = _map_columns([cell.strip() for cell in header], resource, mapping)
        is_complete = False
        while not is_complete:
            block = RowBlock(columns, are_cells=True)
            unreadable = _fill_block(block, reader)
            yield block
            if unreadable is not None:
                yield unreadable
            is_complete = unreadable is None and len(block.rows) < BLOCK_ROWS


def _fill_block(block: RowBlock, reader: "_csv.Reader") -> UnreadableCanonicalRow | None:
    """Fill the block with the next rows, up to an unreadable one, which is returned."""
    width, lines, rows = len(block.columns), block.lines, block.rows
    try:
        for cells in reader:
            if len(cells) != width:
                if any(cells):
                    return UnreadableCanonicalRow(reader.line_num, CELL_COUNT.fill(cells=len(cells), columns=width))
            elif any(cells):
                lines.append(reader.line_num)
                rows.append(cells)
                if len(rows) == BLOCK_ROWS:
                    break
    except csv.Error as error:
        return UnreadableCanonicalRow(reader.line_num, Message("not valid CSV: {error}", error=str(error)))
    return None


# ------------------------------------------------------------------------------------------------------------ JSON lines


def _read_json_lines(resource: Resource, mapping: CanonicalMapping) -> CanonicalRows:
    names: dict[str, str | None] = {}
    """The canonical name of each key of the file."""
    first = True
    with _open_text(resource, mapping) as text:
        for number, line in _read_lines(text):
            if line is not None and line.isspace():
                continue
            try:
                record = _parse_json_row(number, line, names, resource, mapping)
            except ParseFailed:
                # An unknown key in the first object refuses the file; in a later one it rejects the row.
                if first:
                    raise
                record = UnreadableCanonicalRow(number, Message("a key is not a column of the canonical layout"))
            first = False
            yield record


def _read_lines(text: io.TextIOBase) -> Iterator[tuple[int, str | None]]:
    """Each line with its number; None for a line that is too long."""
    number = 0
    while (line := text.readline(MAX_LINE_CHARACTERS)) != "":
        number += 1
        too_long = False
        while len(line) == MAX_LINE_CHARACTERS and not line.endswith(("\n", "\r")):
            too_long = True
            line = text.readline(MAX_LINE_CHARACTERS)
        yield number, None if too_long else line


def _parse_json_row(
    number: int, line: str | None, names: dict[str, str | None], resource: Resource, mapping: CanonicalMapping
) -> CanonicalRow | UnreadableCanonicalRow:
    """Raises `ParseFailed` for a key that the layout does not have."""
    if line is None:
        return UnreadableCanonicalRow(number, Message("the line has more than {limit:,} characters", limit=MAX_LINE_CHARACTERS))
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        # Deeply nested brackets raise a RecursionError, which is not a ValueError.
        return UnreadableCanonicalRow(number, Message("not valid JSON"))
    if not isinstance(found, dict):
        return UnreadableCanonicalRow(number, Message("not a JSON object; each line must be one"))
    values: dict[str, object] = {}
    for key, value in found.items():
        name = names[key] if key in names else names.setdefault(key, _map_column(key, resource, mapping))
        if name in values:
            return UnreadableCanonicalRow(number, Message("two keys are mapped to {column}", column=str(name)))
        if name is not None and value not in (None, ""):
            values[name] = value
    return CanonicalRow(number, values)


# ------------------------------------------------------------------------------------------------------------ Parquet


def _read_parquet(resource: Resource, mapping: CanonicalMapping, limits: LoadLimits) -> CanonicalRows:
    # Arrow takes half a second to import, and few commands read Parquet.
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    number = 0
    try:
        with pq.ParquetFile(resource.path) as file:
            groups = (file.metadata.row_group(index) for index in range(file.num_row_groups))
            limits.check_rows(resource.name, file.metadata.num_rows)
            limits.check_unpacked(resource.name, resource.size, sum(group.total_byte_size for group in groups))
            header = list(file.schema_arrow.names)
            columns = _map_columns(header, resource, mapping)
            read = {theirs: name for theirs, name in zip(header, columns, strict=True) if name is not None}
            for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=list(read)):
                for row in batch.to_pylist():
                    number += 1
                    yield CanonicalRow(number, {read[theirs]: value for theirs, value in row.items() if value not in (None, "")})
    except MemoryError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        # ValueError: text that is not UTF-8. OverflowError: a date that Python does not support.
        raise ParseFailed(UNREADABLE_FILE.fill(file=resource.name, format="Parquet", error=str(error))) from error
