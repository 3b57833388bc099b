"""The columns of exported tables are those of the documents that are stored."""

import io
import json
from typing import Any

import pyarrow.parquet as pq
import pytest

from bonafide.services.exports.table_columns import COLUMNS, DOCUMENT, ExportedTable
from bonafide.services.exports.table_files import ExportedTableFormat, TableFileWriter
from tests.support.paths import ROOT

MAX_EMPTY = 3
"""Columns whose value is null in an example."""
EXAMPLES = ROOT / "src" / "bonafide" / "api" / "examples"


@pytest.mark.parametrize(
    ("table", "example"),
    [
        (ExportedTable.SEARCHES, "search_result"),
        (ExportedTable.VERIFICATIONS, "verify_response"),
        (ExportedTable.SCREENINGS, "screening"),
        (ExportedTable.BUSINESSES, "business"),
        (ExportedTable.EVENTS, "event"),
    ],
)
def test_every_column_has_the_value_of_a_document(table: ExportedTable, example: str) -> None:
    document = json.loads((EXAMPLES / f"{example}.json").read_text(encoding="utf-8"))
    document = document["business"] if table is ExportedTable.BUSINESSES else document
    record: dict[str, Any] = {column.name: column.read(document) for column in COLUMNS[table]}
    empty = [column.path for column in COLUMNS[table] if record[column.name] is None]
    assert all(has_path(document, path) for path in empty)
    assert len(empty) <= MAX_EMPTY
    written = io.BytesIO()
    writer = TableFileWriter(written, table, ExportedTableFormat.PARQUET)
    writer.write([{**record, DOCUMENT: json.dumps(document)}])
    writer.finish()
    assert pq.read_table(written).to_pylist() == [{**record, DOCUMENT: json.dumps(document)}]


def has_path(document: Any, path: str) -> bool:
    """Whether a document has this field, which may be null."""
    *parents, name = path.split(".")
    for parent in parents:
        document = document[parent]
    return name in document
