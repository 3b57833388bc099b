"""Write an exported table as Apache Parquet, CSV or JSON lines, a batch of rows at a time."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import IO, Any

from bonafide.model.base import format_instant
from bonafide.services.exports.table_columns import COLUMNS, DOCUMENT, ColumnType, ExportedTable
from bonafide.services.records.csv_format import escape_formula, format_csv


class ExportedTableFormat(StrEnum):
    """The format of an exported table."""

    PARQUET = "parquet"
    CSV = "csv"
    JSONL = "jsonl"


class TableFileWriter:
    """Writes one table: `write` for each batch of rows, then `finish`."""

    def __init__(self, file: IO[bytes], table: ExportedTable, table_format: ExportedTableFormat) -> None:
        self._file = file
        self._format = table_format
        self._names = [*(column.name for column in COLUMNS[table]), DOCUMENT]
        self._parquet: Any = None
        self.rows = 0
        if table_format is ExportedTableFormat.CSV:
            file.write(format_csv([self._names], ",", is_marked=True))
        elif table_format is ExportedTableFormat.PARQUET:
            import pyarrow.parquet as pq  # noqa: PLC0415 - takes a quarter of a second

            self._schema = _build_schema(table)
            self._parquet = pq.ParquetWriter(file, self._schema, compression="zstd")

    def write(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Write rows."""
        self.rows += len(records)
        if self._format is ExportedTableFormat.CSV:
            rows = ([_write_cell(record[name]) for name in self._names] for record in records)
            self._file.write(format_csv(rows, ","))
        elif self._format is ExportedTableFormat.JSONL:
            self._file.write("".join(map(_write_line, records)).encode())
        elif records:
            import pyarrow as pa  # noqa: PLC0415

            self._parquet.write_table(pa.Table.from_pylist(list(records), schema=self._schema))

    def finish(self) -> None:
        """Write the end of the file."""
        if self._parquet is not None:
            self._parquet.close()


def _build_schema(table: ExportedTable) -> Any:
    import pyarrow as pa  # noqa: PLC0415

    types = {
        ColumnType.TEXT: pa.string(),
        ColumnType.NUMBER: pa.float64(),
        ColumnType.COUNT: pa.int64(),
        ColumnType.FLAG: pa.bool_(),
        ColumnType.INSTANT: pa.timestamp("ms", tz="UTC"),
    }
    return pa.schema([*((column.name, types[column.type]) for column in COLUMNS[table]), (DOCUMENT, pa.string())])


def _write_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return format_instant(value)
    return escape_formula(value) if isinstance(value, str) else str(value)


def _write_line(record: Mapping[str, Any]) -> str:
    """The columns, with the document as JSON rather than as a text of JSON."""
    columns = {name: format_instant(value) if isinstance(value, datetime) else value for name, value in record.items()}
    columns[DOCUMENT] = json.loads(record[DOCUMENT])
    return json.dumps(columns, ensure_ascii=False) + "\n"
