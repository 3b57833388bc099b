"""Write results as JSON lines, CSV, a spreadsheet or Apache Parquet, the rows of a partition at a time.

JSON lines and Parquet have every match of a row, and Parquet has the coverage of the batch. CSV and spreadsheets have one line for
each row, with its best match; no cell of them is a formula.
"""

import io
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any

from typing_extensions import Buffer

from bonafide.model.batches.batch import BatchCoverage, BatchFormat
from bonafide.services.batches.partition_files import PARQUET_TYPE, build_coverage_metadata, get_result_schema
from bonafide.services.lists.spreadsheet import XLSX, Cell, SpreadsheetWriter
from bonafide.services.records.csv_format import escape_formula, format_csv

MEDIA_TYPES: Mapping[BatchFormat, str] = {
    BatchFormat.CSV: "text/csv",
    BatchFormat.XLSX: XLSX,
    BatchFormat.JSONL: "application/x-ndjson",
    BatchFormat.PARQUET: PARQUET_TYPE,
}
COLUMNS = (
    "row", "line", "reference", "name", "status", "score", "totalMatches", "matchName", "matchedName", "source", "entryId",
    "entityType", "jurisdiction", "registrationNumber", "registrationStatus", "asOf", "reasons", "checks", "checked",
    "notChecked", "warnings", "error",
)  # fmt: skip
"""The columns of CSV and of spreadsheets."""
SEPARATOR = "; "
GROUP_ROWS = 20_000
"""Rows of a row group of Parquet."""
_NO_MATCH: Mapping[str, Any] = {}


class BatchResultWriter(ABC):
    """Writes results: `begin`, then `write` for each partition, then `finish`. Each returns the next bytes of the file."""

    slice_rows: int | None = 100
    """How many rows to write at a time where others wait for the thread; None for any number."""

    def begin(self) -> bytes:
        """The beginning of the file."""
        return b""

    @abstractmethod
    def write(self, table: Any) -> bytes:
        """The bytes of the results of a partition, a pyarrow table."""

    def finish(self, _coverage: Sequence[BatchCoverage]) -> bytes:
        """The end of the file. Parquet has the coverage of the batch in its metadata."""
        return b""


def create_writer(file_format: BatchFormat) -> BatchResultWriter:
    """The writer of a format."""
    return _WRITERS[file_format]()


class _JsonLinesWriter(BatchResultWriter):
    def write(self, table: Any) -> bytes:
        return "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in table.to_pylist()).encode()


class _CsvWriter(BatchResultWriter):
    def begin(self) -> bytes:
        return format_csv([COLUMNS], ",", is_marked=True)

    def write(self, table: Any) -> bytes:
        return format_csv(([_write_cell(cell) for cell in cells] for cells in map(_flatten, table.to_pylist())), ",")


class _SpreadsheetResultWriter(BatchResultWriter):
    def __init__(self) -> None:
        self._writer = SpreadsheetWriter("Results", UTC)

    def begin(self) -> bytes:
        return self._writer.begin(COLUMNS)

    def write(self, table: Any) -> bytes:
        return self._writer.write(map(_flatten, table.to_pylist()))

    def finish(self, _coverage: Sequence[BatchCoverage]) -> bytes:
        return self._writer.finish()


class _ParquetResultWriter(BatchResultWriter):
    slice_rows = None

    def __init__(self) -> None:
        import pyarrow.parquet as pq  # noqa: PLC0415 - takes a quarter of a second

        self._buffer = _ByteQueue()
        self._writer = pq.ParquetWriter(self._buffer, get_result_schema(), compression="zstd")
        self._waiting: list[Any] = []

    def write(self, table: Any) -> bytes:
        self._waiting.append(table.replace_schema_metadata(None))
        return self._write_group() if sum(one.num_rows for one in self._waiting) >= GROUP_ROWS else b""

    def finish(self, coverage: Sequence[BatchCoverage]) -> bytes:
        written = self._write_group() if self._waiting else b""
        self._writer.add_key_value_metadata(build_coverage_metadata(coverage))
        self._writer.close()
        return written + self._buffer.take()

    def _write_group(self) -> bytes:
        """Write the tables so far as one row group: readers are slow with many small ones."""
        import pyarrow as pa  # noqa: PLC0415

        self._writer.write_table(pa.concat_tables(self._waiting), row_group_size=GROUP_ROWS * 2)
        self._waiting.clear()
        return self._buffer.take()


_WRITERS: Mapping[BatchFormat, type[BatchResultWriter]] = {
    BatchFormat.JSONL: _JsonLinesWriter,
    BatchFormat.CSV: _CsvWriter,
    BatchFormat.XLSX: _SpreadsheetResultWriter,
    BatchFormat.PARQUET: _ParquetResultWriter,
}


class _ByteQueue(io.RawIOBase):
    """What has been written since the last `take`; `tell` counts all bytes."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        """Whether bytes can be written."""
        return True

    def tell(self) -> int:
        """The number of bytes written so far."""
        return self._size

    def write(self, data: Buffer) -> int:
        """Append bytes."""
        piece = bytes(data)
        self._pieces.append(piece)
        self._size += len(piece)
        return len(piece)

    def take(self) -> bytes:
        """The bytes written since the last call."""
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


def _flatten(record: Mapping[str, Any]) -> Sequence[Cell]:
    """The cells of a result with its best match."""
    best: Mapping[str, Any] = record["matches"][0] if record["matches"] else _NO_MATCH
    return (
        *(record[name] for name in ("row", "line", "reference", "name", "status", "score", "totalMatches")),
        *(best.get(name) for name in ("name", "matchedName", "source", "entryId", "entityType", "jurisdiction")),
        *(best.get(name) for name in ("registrationNumber", "status", "asOf")),
        SEPARATOR.join(best.get("reasons") or ()),
        SEPARATOR.join(_describe_checks(record["checks"])),
        record["checked"],
        *(SEPARATOR.join(record[name]) for name in ("notChecked", "warnings")),
        record["error"],
    )


def _describe_checks(checks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for check in checks:
        score = f" {check['score']:.2f}" if check["score"] is not None else ""
        yield f"{check['field']} {check['status']}{score}: {check['reason']}"


def _write_cell(cell: Cell) -> str:
    if cell is None:
        return ""
    return escape_formula(cell) if isinstance(cell, str) else str(cell)
