"""The rows of files of four formats are read alike, and what can't be read is named."""

import io
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, time
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bonafide.errors import BatchFileInvalid, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.batches.batch import MAX_COLUMN_CHARACTERS, BatchFormat, BatchKind, BatchMapping
from bonafide.services.batches import row_process
from bonafide.services.batches.column_mapping import list_mapped, map_row, resolve_mapping
from bonafide.services.batches.row_files import MAX_COLUMNS, RawRow, guess_format, open_rows
from bonafide.services.batches.row_process import open_sent_rows
from bonafide.services.lists.spreadsheet import SpreadsheetWriter

ROWS = [{"Company": "Érablière Côté inc.", "No": "17"}, {"Company": 'Sandbox "Bakery", Inc.', "No": "1000017"}]


def _write_csv(path: Path) -> None:
    path.write_bytes('\ufeffCompany;No\r\nÉrablière Côté inc.;17\r\n\r\n"Sandbox ""Bakery"", Inc.";1000017\r\n'.encode())


def _write_json_lines(path: Path) -> None:
    path.write_text('{"Company": "Érablière Côté inc.", "No": 17}\n\n{"Company": "Sandbox \\"Bakery\\", Inc.", "No": 1000017.0}\n')


def _write_workbook(path: Path) -> None:
    writer = SpreadsheetWriter("Rows", UTC)
    rows = [(ROWS[0]["Company"], 17), (None, None), (ROWS[1]["Company"], 1000017)]
    path.write_bytes(writer.begin(("Company", "No")) + writer.write(rows) + writer.finish())


def _write_parquet(path: Path) -> None:
    pq.write_table(pa.table({"Company": [row["Company"] for row in ROWS], "No": [17, 1000017]}), path)


WRITERS: dict[BatchFormat, Callable[[Path], None]] = {
    BatchFormat.CSV: _write_csv,
    BatchFormat.JSONL: _write_json_lines,
    BatchFormat.XLSX: _write_workbook,
    BatchFormat.PARQUET: _write_parquet,
}


@pytest.mark.parametrize("file_format", list(BatchFormat))
def test_every_format_has_the_same_rows(tmp_path: Path, file_format: BatchFormat) -> None:
    path = tmp_path / "rows"
    WRITERS[file_format](path)
    with closing(open_rows(path, file_format)) as found:
        assert found.columns == ("Company", "No")
        assert [dict(row.values) for row in found.rows] == ROWS


def read_text(tmp_path: Path, text: str | bytes, file_format: BatchFormat) -> list[RawRow]:
    path = tmp_path / "rows"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with closing(open_rows(path, file_format)) as found:
        return list(found.rows)


def test_a_row_that_cannot_be_read_does_not_affect_the_others(tmp_path: Path) -> None:
    text = b'name,city\nA,B\nA,B,C\n"A,B\nC,D\n\xff\xfe,x\n' + b"x" * 1001 + b",y\nE,F\n"
    rows = read_text(tmp_path, text, BatchFormat.CSV)
    assert [(row.line, find_problem(row) is None) for row in rows] == [
        *((2, True), (3, False), (4, False), (5, True), (6, False), (7, False), (8, True))
    ]
    text = b'{"name": "A"}\n[1]\n{"name": {"x": 1}}\nnull\n{"name": "\xff"}\n{"name"\n{"name": "B"}\n'
    rows = read_text(tmp_path, text, BatchFormat.JSONL)
    assert [(row.line, find_problem(row) is None) for row in rows] == [
        *((1, True), (2, False), (3, False), (4, False), (5, False), (6, False), (7, True))
    ]
    text = b'{"name": "\\ud83d\\ude00"}\n{"name": "\\ud83d"}\n{"name": "A", "name": "B"}\n{"name": NaN}\n{"name": "\\u0000"}\n'
    rows = read_text(tmp_path, text, BatchFormat.JSONL)
    assert [find_problem(row) is None for row in rows] == [True, False, False, False, True]


def find_problem(row: RawRow) -> Message | None:
    return map_row(1, row, {"name": "name", "city": "city"}).problem


def test_a_cell_that_cannot_be_read_matters_in_the_column_of_a_field_only(tmp_path: Path) -> None:
    text = '{"name": "A", "city": {"x": 1}, "note": "' + "x" * 1001 + '"}\n'
    (row,) = read_text(tmp_path, text, BatchFormat.JSONL)
    assert row.problem is None
    assert map_row(1, row, {"name": "name"}).problem is None
    assert str(map_row(1, row, {"name": "name", "city": "city"}).problem) == "city: is not a text"
    assert "1,000" in str(map_row(1, row, {"name": "note"}).problem)


def test_names_of_columns_are_stripped_and_long_ones_have_no_field(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    long = "name" + "!" * MAX_COLUMN_CHARACTERS
    pq.write_table(pa.table({" Company ": ["A"], long: ["B"]}), path)
    with closing(open_rows(path, BatchFormat.PARQUET)) as found:
        mapping = resolve_mapping(BatchKind.SCREEN, found.columns, BatchMapping())
        assert found.columns == ("Company", "")
        assert [map_row(1, row, list_mapped(mapping)).values for row in found.rows] == [{"name": "A"}]
    (row,) = read_text(tmp_path, '{" Company ": "A"}\n', BatchFormat.JSONL)
    assert dict(row.values) == {"Company": "A"}


def test_a_workbook_that_somebody_sent_is_read_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    _write_workbook(path)
    with closing(open_sent_rows(path, BatchFormat.XLSX, 1)) as found:
        assert found.columns == ("Company", "No")
        assert [dict(row.values) for row in found.rows] == ROWS[:1]
    path.write_bytes(b"PK")
    with pytest.raises(BatchFileInvalid, match="can’t be read as XLSX"):
        open_sent_rows(path, BatchFormat.XLSX, 1)


@pytest.mark.slow
def test_a_small_file_that_needs_much_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_process, "MEMORY_BYTES", 400 * 1024**2)
    path = tmp_path / "rows"
    repeated = pa.DictionaryArray.from_arrays(pa.array([0] * 2000, pa.int32()), pa.array(["A" * 1_000_000]))
    pq.write_table(pa.table({"name": repeated}), path)
    assert path.stat().st_size < 1_000_000
    with closing(open_sent_rows(path, BatchFormat.PARQUET, 10)) as found, pytest.raises(BatchFileInvalid, match="memory"):
        list(found.rows)
    pq.write_table(pa.table({"name": ["A"]}), path)
    with closing(open_sent_rows(path, BatchFormat.PARQUET, 10)) as found:
        assert [row.values["name"] for row in found.rows] == ["A"]


@pytest.mark.parametrize(
    ("text", "file_format"),
    [
        ("", BatchFormat.CSV),
        ("", BatchFormat.JSONL),
        ("name,name\nA,B\n", BatchFormat.CSV),
        (",".join(map(str, range(MAX_COLUMNS + 1))), BatchFormat.CSV),
        ("PK\x03\x04 not a workbook", BatchFormat.XLSX),
        ("PAR1 not a table PAR1", BatchFormat.PARQUET),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, text: str, file_format: BatchFormat) -> None:
    with pytest.raises(BatchFileInvalid):
        read_text(tmp_path, text, file_format)


def test_a_table_that_ends_early_is_refused(tmp_path: Path) -> None:
    content = io.BytesIO()
    pq.write_table(pa.table({"name": ["A" * 100] * 1000}), content, compression="none", use_dictionary=False)
    damaged = bytearray(content.getvalue())
    damaged[100:60_000] = b"\xff" * 59_900
    with pytest.raises(BatchFileInvalid):
        read_text(tmp_path, bytes(damaged), BatchFormat.PARQUET)


def test_values_of_a_table_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    columns = {"a": [1.5], "b": [date(1971, 4, 2)], "c": [True], "d": [["CA", None, "IR"]], "e": pa.array([None], pa.string())}
    columns |= {
        "f": [Decimal("1000017.00")],
        "g": [Decimal("0.50")],
        "h": [float("nan")],
        "i": [b"caf\xc3\xa9"],
        "j": [time(9, 30)],
    }
    columns |= {"k": [b"\xff"], "l": pa.array([1], pa.timestamp("ns")), "m": pa.array([0], pa.timestamp("s"))}
    pq.write_table(pa.table(columns), path)
    with closing(open_rows(path, BatchFormat.PARQUET)) as found:
        (row,) = found.rows
    assert dict(row.values) == {
        "a": "1.5",
        "b": "1971-04-02",
        "c": "true",
        "d": "CA; IR",
        "e": "",
        "f": "1000017",
        "g": "0.50",
        "h": "",
        "i": "café",
        "j": "09:30:00",
        "m": "1970-01-01",
    }
    assert (row.problem, sorted(row.cell_problems)) == (None, ["k", "l"])


def test_columns_are_found_by_their_names() -> None:
    columns = ("Dénomination sociale", "N° client", "Ville", "NEQ", "Register")
    mapping = resolve_mapping(BatchKind.VERIFY, columns, BatchMapping(reference="N° client"))
    assert list_mapped(mapping) == {
        "name": "Dénomination sociale",
        "reference": "N° client",
        "jurisdiction": "Register",
        "registrationNumber": "NEQ",
        "city": "Ville",
    }
    raw = RawRow(7, {"Dénomination sociale": "Côté inc.", "N° client": "", "Ville": "Lévis", "NEQ": "1", "Register": "QC"})
    row = map_row(3, raw, list_mapped(mapping))
    assert (row.row, row.line) == (3, 7)
    assert row.values == {"name": "Côté inc.", "jurisdiction": "QC", "registrationNumber": "1", "city": "Lévis"}


def test_a_column_serves_one_field() -> None:
    assert list_mapped(resolve_mapping(BatchKind.SCREEN, ("name", "country"), BatchMapping())) == {
        "name": "name",
        "countries": "country",
    }
    found = resolve_mapping(BatchKind.SEARCH, ("company", "name"), BatchMapping(reference="name"))
    assert (found.name, found.reference) == ("company", "name")


@pytest.mark.parametrize(
    ("kind", "columns", "mapping", "path"),
    [
        (BatchKind.SCREEN, ("title",), BatchMapping(), "mapping.name"),
        (BatchKind.SCREEN, ("name",), BatchMapping(name="Company"), "mapping.name"),
        (BatchKind.SCREEN, ("name", "city"), BatchMapping(city="city"), "mapping.city"),
        (BatchKind.VERIFY, ("name", "jurisdiction"), BatchMapping(), "mapping.registrationNumber"),
    ],
)
def test_a_mapping_that_does_not_fit_the_file_is_refused(
    kind: BatchKind, columns: tuple[str, ...], mapping: BatchMapping, path: str
) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        resolve_mapping(kind, columns, mapping)
    assert [problem.path for problem in refusal.value.details] == [path]


def test_a_format_is_known_by_the_name_of_the_file() -> None:
    names = ("a.csv", "a.b.XLSX", "a.jsonl", "a.ndjson", "a.parquet", "a.pdf", "a")
    assert [guess_format(name) for name in names] == [
        *(BatchFormat.CSV, BatchFormat.XLSX, BatchFormat.JSONL, BatchFormat.JSONL, BatchFormat.PARQUET, None, None)
    ]
