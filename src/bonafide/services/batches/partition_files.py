"""The files of a batch: what was sent, in parts, and the rows and results of each partition as Apache Parquet.

The results of an attempt have a name of their own, so that two attempts can't mix.
"""

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any
from uuid import UUID

from pydantic.alias_generators import to_camel

from bonafide.i18n.message import decode_message, encode_message
from bonafide.model.batches.batch import BatchCoverage
from bonafide.model.batches.rows import BatchInputRow, BatchResultRow

BATCHES = "batches"
PART_BYTES = 8 * 1024**2
BINARY = "application/octet-stream"
PARQUET_TYPE = "application/vnd.apache.parquet"
_COMPRESSION = "zstd"
_COVERAGE = b"coverage"
"""The key of the coverage in the metadata of results."""
_to_wire_name = cache(to_camel)


def build_batch_folder(batch_id: UUID) -> str:
    """The folder of all files of a batch, with a slash at the end."""
    return f"{BATCHES}/{batch_id}/"


def build_upload_name(batch_id: UUID, number: int) -> str:
    """The name of a part of what was sent, numbered from 0."""
    return f"{BATCHES}/{batch_id}/upload-{number}.part"


def build_rows_name(batch_id: UUID, number: int) -> str:
    """The name of the rows of a partition."""
    return f"{BATCHES}/{batch_id}/rows-{number}.parquet"


def build_results_name(batch_id: UUID, number: int, attempt: UUID) -> str:
    """The name of the results of a partition."""
    return f"{BATCHES}/{batch_id}/results-{number}-{attempt}.parquet"


@cache
def get_result_schema() -> Any:
    """The schema of results, which is that of the Parquet file that people download."""
    import pyarrow as pa  # noqa: PLC0415 - takes a quarter of a second, and few processes have batches

    text, texts = pa.string(), pa.list_(pa.string())
    match = pa.struct([
        ("score", pa.float64()), ("name", text), ("matchedName", text), ("source", text), ("entryId", text),
        ("entityType", text), ("jurisdiction", text), ("registrationNumber", text), ("status", text), ("asOf", text),
        ("reasons", texts),
    ])  # fmt: skip
    check = pa.struct([
        ("field", text), ("status", text), ("score", pa.float64()), ("provided", text), ("registry", text), ("reason", text),
    ])  # fmt: skip
    return pa.schema([
        ("row", pa.int64()), ("line", pa.int64()), ("reference", text), ("name", text), ("status", text),
        ("score", pa.float64()), ("totalMatches", pa.int32()), ("matches", pa.list_(match)), ("checks", pa.list_(check)),
        ("checked", pa.int32()), ("notChecked", texts), ("warnings", texts), ("error", text),
    ])  # fmt: skip


def to_record(row: BatchResultRow) -> dict[str, Any]:
    """A result as its JSON and Parquet have it."""
    record = {_to_wire_name(name): value for name, value in asdict(row).items()}
    record["matches"] = [{_to_wire_name(name): value for name, value in match.items()} for match in record["matches"]]
    return record


def write_rows(rows: Sequence[BatchInputRow]) -> bytes:
    """The rows of a partition as Parquet."""
    import pyarrow as pa  # noqa: PLC0415

    problems = [encode_message(row.problem) if row.problem is not None else None for row in rows]
    columns = {
        "row": pa.array([row.row for row in rows], pa.int64()),
        "line": pa.array([row.line for row in rows], pa.int64()),
        "values": pa.array([json.dumps(row.values, ensure_ascii=False) for row in rows], pa.string()),
        "problem": pa.array(problems, pa.string()),
    }
    return _write_table(pa.table(columns))


def read_rows(content: bytes) -> list[BatchInputRow]:
    """The rows of a partition."""
    return [
        BatchInputRow(
            record["row"],
            record["line"],
            json.loads(record["values"]),
            decode_message(record["problem"]) if record["problem"] is not None else None,
        )
        for record in read_records(content)
    ]


def write_results(rows: Sequence[BatchResultRow], coverage: Sequence[BatchCoverage] = ()) -> bytes:
    """The results of a partition as Parquet, whose metadata has the coverage."""
    import pyarrow as pa  # noqa: PLC0415

    table = pa.Table.from_pylist([to_record(row) for row in rows], schema=get_result_schema())
    return _write_table(add_coverage(table, coverage))


def add_coverage(table: Any, coverage: Sequence[BatchCoverage]) -> Any:
    """The table with the coverage in its metadata, as JSON."""
    return table.replace_schema_metadata(build_coverage_metadata(coverage))


def build_coverage_metadata(coverage: Sequence[BatchCoverage]) -> dict[bytes, bytes]:
    """The coverage as the metadata of a table."""
    return {_COVERAGE: json.dumps([json.loads(one.to_json()) for one in coverage]).encode()}


def read_coverage(table: Any) -> tuple[BatchCoverage, ...]:
    """The coverage of the results of a partition."""
    return tuple(BatchCoverage.model_validate(one) for one in json.loads(table.schema.metadata[_COVERAGE]))


def read_table(content: bytes) -> Any:
    """The table of a Parquet file."""
    import pyarrow.parquet as pq  # noqa: PLC0415

    return pq.read_table(io.BytesIO(content))


def read_records(content: bytes) -> list[dict[str, Any]]:
    """The rows of a Parquet file."""
    records: list[dict[str, Any]] = read_table(content).to_pylist()
    return records


def split_rows(rows: Iterator[BatchInputRow], size: int) -> Iterator[list[BatchInputRow]]:
    """Rows in partitions of this size; the last one may be smaller."""
    partition: list[BatchInputRow] = []
    for row in rows:
        partition.append(row)
        if len(partition) == size:
            yield partition
            partition = []
    if partition:
        yield partition


def _write_table(table: Any) -> bytes:
    import pyarrow.parquet as pq  # noqa: PLC0415

    written = io.BytesIO()
    pq.write_table(table, written, compression=_COMPRESSION)
    return written.getvalue()
