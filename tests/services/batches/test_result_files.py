"""Results are the same in every format, and no cell is a formula."""

import csv
import io
import json
from typing import Any

import pyarrow.parquet as pq
import pytest
from python_calamine import CalamineWorkbook

from bonafide.model.batches.batch import BatchCoverage, BatchFormat
from bonafide.model.batches.rows import BatchCheck, BatchMatch, BatchResultRow, BatchRowStatus
from bonafide.services.batches.partition_files import read_table, write_results
from bonafide.services.batches.result_files import COLUMNS, create_writer

MATCH = BatchMatch(
    0.93, "@Sandbox Bakery Inc.", None, "on", "1", "Corporation", "ON", "1000017", "Active", "2026-11-20", ["Name: equal"]
)
CHECK = BatchCheck("legalName", "matched", 1.0, "=A", "=A", "equal")
ROWS = [
    BatchResultRow(1, 2, '=HYPERLINK("x")', "+Sandbox", BatchRowStatus.MATCH, 0.93, 1, [MATCH], [CHECK], 2, ["bc"], ["-x"]),
    BatchResultRow(2, 3, None, "", BatchRowStatus.ERROR, error="name: is required"),
]


COVERAGE = BatchCoverage(source="on", checked=2, not_checked=0, as_of="2026-11-20", reason=None)


def write(file_format: BatchFormat) -> bytes:
    writer = create_writer(file_format)
    pieces = [writer.begin(), *(writer.write(read_table(write_results([row]))) for row in ROWS), writer.finish([COVERAGE])]
    return b"".join(pieces)


def test_lines_and_tables_have_everything() -> None:
    lines: list[dict[str, Any]] = [json.loads(line) for line in write(BatchFormat.JSONL).splitlines()]
    file = pq.ParquetFile(io.BytesIO(write(BatchFormat.PARQUET)))
    assert lines == file.read().to_pylist()
    assert [BatchCoverage.model_validate(one) for one in json.loads(file.metadata.metadata[b"coverage"])] == [COVERAGE]
    assert (lines[0]["reference"], lines[0]["matches"][0]["registrationNumber"]) == ('=HYPERLINK("x")', "1000017")
    assert lines[0]["checks"][0]["registry"] == "=A"
    assert (lines[1]["status"], lines[1]["matches"], lines[1]["error"]) == ("error", [], "name: is required")


def test_spreadsheets_have_the_best_match_of_a_row_and_no_formula() -> None:
    text = write(BatchFormat.CSV).decode("utf-8-sig")
    cells = list(csv.reader(io.StringIO(text)))
    workbook = CalamineWorkbook.from_filelike(io.BytesIO(write(BatchFormat.XLSX)))
    sheet = workbook.get_sheet_by_index(0).to_python()
    assert cells[0] == sheet[0] == list(COLUMNS)
    first = dict(zip(COLUMNS, cells[1], strict=True))
    assert (first["name"], first["matchName"], first["reference"]) == ("'+Sandbox", "'@Sandbox Bakery Inc.", '\'=HYPERLINK("x")')
    assert first["checks"] == "legalName matched 1.00: equal"
    # A spreadsheet stores texts as texts, so they stay as they are.
    assert dict(zip(COLUMNS, sheet[1], strict=True))["name"] == "+Sandbox"
    assert len(cells) == len(sheet) == 3


@pytest.mark.parametrize("file_format", list(BatchFormat))
def test_a_batch_without_results_is_a_valid_file(file_format: BatchFormat) -> None:
    writer = create_writer(file_format)
    content = writer.begin() + writer.finish([])
    if file_format is BatchFormat.PARQUET:
        assert pq.read_table(io.BytesIO(content)).num_rows == 0
    elif file_format is BatchFormat.XLSX:
        assert len(CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()) == 1
    else:
        assert content.decode("utf-8-sig").count("\n") == (file_format is BatchFormat.CSV)
