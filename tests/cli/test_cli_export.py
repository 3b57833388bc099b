"""`bonafide export`: what an organization has stored, as a table."""

import csv
import io
import json
from datetime import datetime
from errno import ENOSPC
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from bonafide.services.exports.table_files import TableFileWriter
from tests.support.cli_commands import Command

RECORDS = '{"externalId": "crm-1", "name": "=Acme; Inc.", "isMonitored": true}\n{"externalId": "crm-2", "name": "Côté ltée"}\n'


@pytest.fixture
def filled(bonafide: Command, tmp_path: Path) -> Command:
    path = tmp_path / "records.jsonl"
    path.write_text(RECORDS, encoding="utf-8")
    assert bonafide("keys", "create", "--organization", "North").status == 0
    assert bonafide("businesses", "import", path, "--organization", "North").status == 0
    return bonafide


def test_records_and_events_are_exported_in_every_format(filled: Command, tmp_path: Path) -> None:
    out = tmp_path / "businesses.parquet"
    assert filled("export", "businesses", "--organization", "North", "--out", out).status == 0
    table = pq.read_table(out).to_pylist()
    assert [(row["externalId"], row["name"], row["isMonitored"]) for row in table] == [
        ("crm-1", "=Acme; Inc.", True),
        ("crm-2", "Côté ltée", False),
    ]
    assert isinstance(table[0]["updatedAt"], datetime)
    assert json.loads(table[0]["document"])["id"] == table[0]["id"]
    lines = filled("export", "events", "--organization", "North", "--format", "jsonl").out.splitlines()
    created = [event for event in map(json.loads, lines) if event["type"] == "business.created"]
    assert [event["businessName"] for event in created] == ["=Acme; Inc.", "Côté ltée"]
    assert created[0]["document"]["business"]["externalId"] == "crm-1"
    text = filled("export", "businesses", "--organization", "North", "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))
    assert [row["name"] for row in rows] == ["'=Acme; Inc.", "Côté ltée"]


@pytest.mark.parametrize("table", ["searches", "verifications", "screenings"])
def test_a_table_without_rows_is_a_valid_file(filled: Command, tmp_path: Path, table: str) -> None:
    out = tmp_path / "table.parquet"
    assert filled("export", table, "--organization", "North", "--out", out).status == 0
    found = pq.read_table(out)
    assert (found.num_rows, found.column_names[0], found.column_names[-1]) == (0, "id", "document")


def test_only_what_is_recent_is_exported_and_the_export_is_recorded(filled: Command) -> None:
    later = filled("export", "businesses", "--organization", "North", "--format", "jsonl", "--since", "2999-01-01")
    assert (later.status, later.out) == (0, "")
    assert filled("export", "businesses", "--organization", "South", "--format", "csv").status == 1
    assert filled("export", "businesses", "--organization", "North").status == 2


def test_an_export_that_fails_leaves_the_file_as_it_was(filled: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "businesses.csv"
    out.write_text("earlier")

    def fail(_writer: TableFileWriter, _records: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(TableFileWriter, "write", fail)
        assert filled("export", "businesses", "--organization", "North", "--out", out).status == 1
    assert (out.read_text(), sorted(tmp_path.glob("businesses*"))) == ("earlier", [out])
    assert filled("export", "businesses", "--organization", "North", "--out", out).status == 0
    assert "Acme" in out.read_text()
