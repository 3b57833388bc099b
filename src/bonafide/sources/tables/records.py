"""Read the files of a source as records: rows with values by field."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import (
    DelimitedDialect,
    TableRow,
    normalize_cells,
    normalize_lines,
    parse_date,
    read_csv,
)
from bonafide.sources.formats.xls_workbook import is_xls, read_xls
from bonafide.sources.formats.xlsx_workbook import is_xlsx, read_xlsx
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.table_metadata import TableFormat, TableMetadata

_ISO_LIKE_FORMATS = ("%Y-%m-%d", "%Y/%m/%d")
_DAY_CHARACTERS = 10


@dataclass(slots=True)
class TableRecord:
    """One row: its values by field. A field whose column is blank, or that its layout lacks, is None or absent."""

    resource: Resource
    layout: str
    values: dict[str, Any]
    table: TableMetadata
    required: tuple[tuple[str, str], ...]
    """The fields that must not be blank, with the names of their columns in errors."""

    def text(self, field: str) -> str | None:
        """The value of a field as one line of text. Raises `ValueError` for anything else, which occurs in JSON only."""
        value = self.values.get(field)
        if value is not None and not isinstance(value, str):
            raise ValueError(Message("{column} is not text", column=field))
        return value.replace("\n", " ") if value is not None else None

    def day(self, field: str) -> date | None:
        """The value of a field as a day. Raises `ValueError`."""
        text = self.text(field)
        return parse_day(text, self.table.date_formats) if text is not None else None


class RowSkipped(Exception):
    """The row is skipped. `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def read_rows(resource: Resource, context: ParseContext, table: TableMetadata) -> Iterator[tuple[str, TableRow]]:
    """Rows with the name of their layout, from a workbook if the source has them, or from CSV. Raises `ParseFailed`."""
    if TableFormat.XLS in table.formats and is_xls(resource):
        return read_xls(resource, context, sheet=table.sheet or "")
    if TableFormat.XLSX in table.formats and is_xlsx(resource):
        return read_xlsx(resource, context)
    has_lines = table.list_separator == "\n"
    dialect = DelimitedDialect(table.delimiter, cells=normalize_lines if has_lines else normalize_cells)
    return read_csv(resource, context, encoding=table.encoding, dialect=dialect)


class LayoutReader:
    """Reads the rows of one layout. The columns and rules of each field are determined once."""

    def __init__(self, layout: str, table: TableMetadata) -> None:
        columns = table.get_columns(layout)
        single = {field: column for field, column in columns.items() if isinstance(column, str)}
        self._layout, self._table = layout, table
        self._fields, self._columns = list(single), list(single.values())
        self._several = [(field, column) for field, column in columns.items() if not isinstance(column, str)]
        self._constants = {field: value for field, value in table.defaults.items() if field not in columns}
        self._fallbacks: list[tuple[str, Any]] = [(field, value) for field, value in table.defaults.items() if field in columns]
        self._is_blank = re.compile(table.blank).fullmatch if table.blank is not None else None
        self._blank_in = [field for field in columns if not table.blank_in or field in table.blank_in]
        labels = {field: column if isinstance(column, str) else " and ".join(column) for field, column in columns.items()}
        self._required = tuple((field, labels[field]) for field in (*table.required, "legal_name") if field in columns)

    def read_row(self, resource: Resource, row: TableRow) -> TableRecord:
        """The row as a record. Raises `RowSkipped` for one that a rule skips."""
        cells, table = row.cells, self._table
        values: dict[str, Any] = self._constants | dict(zip(self._fields, map(cells.__getitem__, self._columns), strict=True))
        for field, columns in self._several:
            values[field] = [cell for column in columns if (cell := cells[column]) is not None] or None
        if self._is_blank is not None:
            for field in self._blank_in:
                values[field] = _drop_blank(values[field], self._is_blank)
        for rule in table.skip:
            value = values[rule.field]
            first = value[0] if isinstance(value, list) else value
            if first in rule.values if rule.values else first is None:
                raise RowSkipped(rule.reason)
        for field, words in table.words.items():
            values[field] = words.get(values[field], values[field])
        for field, default in self._fallbacks:
            if values[field] is None:
                values[field] = default
        return TableRecord(resource, self._layout, values, table, self._required)


def _drop_blank(value: Any, is_blank: Callable[[str], object]) -> Any:
    if isinstance(value, list):
        return [item for item in value if not is_blank(item)] or None
    return None if isinstance(value, str) and is_blank(value) else value


def parse_day(text: str, formats: Sequence[str]) -> date:
    """The day by the first format that fits. A format of ten digits and separators also parses the day of an instant."""
    for pattern in formats:
        try:
            if pattern in _ISO_LIKE_FORMATS:
                # `strptime` takes ten times as long.
                return date.fromisoformat(text[:_DAY_CHARACTERS].replace(pattern[2], "-"))
            found = parse_date(text, pattern)
        except ValueError:
            continue
        if found is not None:
            return found
    raise ValueError(Message("'{text}' is not a date", text=text))
