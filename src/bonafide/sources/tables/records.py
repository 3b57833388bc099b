"""Read the files of a source as records: rows whose values are known by the names of fields."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from bonafide.sources.formats.delimited_text import (
    DelimitedDialect,
    TableRow,
    normalize_lines,
    normalize_whitespace,
    parse_date,
    read_csv,
)
from bonafide.sources.formats.xls_workbook import is_xls, read_xls
from bonafide.sources.formats.xlsx_workbook import is_xlsx, read_xlsx
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.table_metadata import TableFormat, TableMetadata

_TEN_FIGURES = ("%Y-%m-%d", "%Y/%m/%d")
_DAY_CHARACTERS = 10


@dataclass(slots=True)
class TableRecord:
    """One row: its values by field. A field whose column is blank, or that its layout lacks, is None or absent."""

    resource: Resource
    layout: str
    values: dict[str, Any]
    table: TableMetadata

    def text(self, field: str) -> str | None:
        """The value of a field as one line of text. Raises `ValueError` for anything else, which only JSON can have."""
        value = self.values.get(field)
        if value is not None and not isinstance(value, str):
            raise ValueError(f"the {field} is not text")
        return to_line(value) if value is not None else None

    def day(self, field: str) -> date | None:
        """The value of a field as a day. Raises `ValueError`."""
        text = self.text(field)
        return parse_day(text, self.table.date_formats) if text is not None else None


class RowSkipped(Exception):
    """The row is no entry, for the reason that the exception gives."""


def read_rows(resource: Resource, context: ParseContext, table: TableMetadata) -> Iterator[tuple[str, TableRow]]:
    """Rows with the name of their layout, from a workbook where the source has them, else from CSV. Raises `ParseFailed`."""
    if TableFormat.XLS in table.formats and is_xls(resource):
        return read_xls(resource, context, sheet=table.sheet or "")
    if TableFormat.XLSX in table.formats and is_xlsx(resource):
        return read_xlsx(resource, context)
    has_lines = table.list_separator == "\n"
    dialect = DelimitedDialect(table.delimiter, cell=normalize_lines if has_lines else normalize_whitespace)
    return read_csv(resource, context, encoding=table.encoding, dialect=dialect)


@dataclass(frozen=True, slots=True)
class _LayoutPlan:
    """The columns of one layout by what is done with them."""

    constants: dict[str, Any]
    single: list[tuple[str, str]]
    several: list[tuple[str, tuple[str, ...]]]
    fallbacks: list[tuple[str, Any]]
    """Values of blank columns."""
    required: list[tuple[str, str]]
    """Fields with what an error calls their columns."""
    blank_in: list[str]


class RecordMapper:
    """Maps the columns of each layout to fields, as the table's description says."""

    def __init__(self, context: ParseContext, table: TableMetadata) -> None:
        self._table = table
        self._blank = re.compile(table.blank) if table.blank is not None else None
        self._plans = {name: _create_plan(name, table) for name in context.metadata.layouts}

    def map_row(self, resource: Resource, layout: str, row: TableRow) -> TableRecord:
        """The row as a record. Raises `RowSkipped` for one that a rule passes over."""
        cells, plan = row.cells, self._plans[layout]
        values = plan.constants | {field: cells[column] for field, column in plan.single}
        for field, columns in plan.several:
            values[field] = [cell for column in columns if (cell := cells[column]) is not None] or None
        if self._blank is not None:
            for field in plan.blank_in:
                values[field] = self._drop_blank(values[field])
        if self._table.skip:
            self._check_skipped(values)
        for field, words in self._table.words.items():
            values[field] = words.get(values[field], values[field])
        for field, default in plan.fallbacks:
            if values[field] is None:
                values[field] = default
        return TableRecord(resource, layout, values, self._table)

    def check_required(self, record: TableRecord) -> None:
        """Raise `ValueError` that names the column of a required field that is blank."""
        values = record.values
        for field, column in self._plans[record.layout].required:
            if values[field] is None:
                raise ValueError(f"{column} is empty")

    def _check_skipped(self, values: dict[str, Any]) -> None:
        for rule in self._table.skip:
            value = values[rule.field]
            first = value[0] if isinstance(value, list) else value
            if first in rule.values if rule.values else first is None:
                raise RowSkipped(rule.reason)

    def _drop_blank(self, value: Any) -> Any:
        if isinstance(value, list):
            return [item for item in value if not self._is_blank(item)] or None
        return None if isinstance(value, str) and self._is_blank(value) else value

    def _is_blank(self, text: str) -> bool:
        return self._blank is not None and self._blank.fullmatch(text) is not None


def _create_plan(layout: str, table: TableMetadata) -> _LayoutPlan:
    columns = table.get_columns(layout)
    labels = {field: column if isinstance(column, str) else " and ".join(column) for field, column in columns.items()}
    return _LayoutPlan(
        constants={field: value for field, value in table.defaults.items() if field not in columns},
        single=[(field, column) for field, column in columns.items() if isinstance(column, str)],
        several=[(field, column) for field, column in columns.items() if not isinstance(column, str)],
        fallbacks=[(field, value) for field, value in table.defaults.items() if field in columns],
        required=[(field, labels[field]) for field in (*table.required, "legal_name") if field in columns],
        blank_in=[field for field in columns if not table.blank_in or field in table.blank_in],
    )


def to_line(text: str) -> str:
    """The text with blanks for its line breaks."""
    return text.replace("\n", " ") if "\n" in text else text


def parse_day(text: str, formats: Sequence[str]) -> date:
    """The day by the first form that fits; by a form of ten figures also that of an instant. Raises `ValueError`."""
    for pattern in formats:
        try:
            if pattern in _TEN_FIGURES:
                # `strptime` takes ten times as long.
                return date.fromisoformat(text[:_DAY_CHARACTERS].replace(pattern[2], "-"))
            found = parse_date(text, pattern)
        except ValueError:
            continue
        if found is not None:
            return found
    raise ValueError(f"{text!r} is not a date")
