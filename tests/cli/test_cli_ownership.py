"""`bonafide ownership import` and `export`."""

import json
from pathlib import Path

import pytest

from tests.support.cli_commands import Command

SHEET = "owner,ownerKind,share\r\nJane Doe,person,60%\r\nJoe Doe,person,{share}\r\n"


@pytest.fixture
def business(bonafide: Command, tmp_path: Path) -> str:
    """The ID of a record of North."""
    bonafide("keys", "create", "--organization", "North")
    records = tmp_path / "records.jsonl"
    records.write_text('{"externalId": "crm-1", "name": "Acme Ltd."}', encoding="utf-8")
    bonafide("businesses", "import", records, "--organization", "North")
    header, row = bonafide("businesses", "export", "--organization", "North").out.splitlines()
    return dict(zip(header.split(","), row.split(","), strict=False))["id"]


def test_a_sheet_is_imported_and_exported_in_each_format(bonafide: Command, business: str, tmp_path: Path) -> None:
    sheet = tmp_path / "owners.csv"
    sheet.write_text(SHEET.format(share="40%"), encoding="utf-8")
    scope = ("--organization", "North")
    done = bonafide("ownership", "import", sheet, "--business", business, *scope, "--as-of", "2026-11-01", "--json")
    assert done.json() == {"parties": 3, "interests": 2}
    answer = json.loads(bonafide("ownership", "export", business, *scope).out)
    assert [owner["party"] for owner in answer["beneficialOwners"]] == ["Jane Doe", "Joe Doe"]
    statements = tmp_path / "statements.json"
    assert bonafide("ownership", "export", business, statements, *scope, "--format", "bods").status == 0
    assert bonafide("ownership", "import", statements, "--business", business, *scope).out.strip() == "3 parties, 2 interests"
    again = json.loads(bonafide("ownership", "export", business, *scope).out)
    assert again["interests"] == answer["interests"]
    table = tmp_path / "ownership.parquet"
    bonafide("ownership", "export", business, table, *scope, "--format", "parquet")
    assert table.read_bytes().startswith(b"PAR1")


def test_a_problem_names_line_and_column_and_nothing_changes(bonafide: Command, business: str, tmp_path: Path) -> None:
    sheet = tmp_path / "owners.csv"
    sheet.write_text(SHEET.format(share="0.4"), encoding="utf-8")
    found = bonafide("ownership", "import", sheet, "--business", business, "--organization", "North", "--as-of", "2026-11-01")
    assert (found.status, "lines.3.share" in found.said) == (1, True)
    assert json.loads(bonafide("ownership", "export", business, "--organization", "North").out)["statements"] == []


def test_problems_are_listed_in_the_order_of_the_file(bonafide: Command, business: str, tmp_path: Path) -> None:
    sheet = tmp_path / "owners.csv"
    sheet.write_text("owner,ownerKind,share\r\nJane,person,0.4\r\nJoe,human,0.4\r\n", encoding="utf-8")
    found = bonafide("ownership", "import", sheet, "--business", business, "--organization", "North", "--as-of", "2026-11-01")
    places = [found.said.index(path) for path in ("lines.2.share", "lines.3.share", "lines.3.ownerKind")]
    assert (found.status, places) == (1, sorted(places))
    assert found.said.count("lines.2.share") == 1


def test_a_day_that_is_none_is_refused(bonafide: Command, business: str, tmp_path: Path) -> None:
    found = bonafide(
        "ownership", "import", tmp_path / "x.csv", "--business", business, "--organization", "North", "--as-of", "today"
    )
    assert found.status == 2
