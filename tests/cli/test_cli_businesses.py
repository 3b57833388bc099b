"""`bonafide businesses import` and `export`."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.cli_commands import Command

ACME = {"externalId": "crm-1", "name": "Acme Ltd.", "jurisdiction": "ON", "registrationNumber": "1000017"}


@pytest.fixture
def north(bonafide: Command) -> str:
    bonafide("keys", "create", "--organization", "North")
    return "North"


def written(tmp_path: Path, *records: Mapping[str, object] | str) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in records), encoding="utf-8")
    return path


@pytest.mark.slow
def test_each_line_is_a_record_and_a_second_time_changes_nothing(bonafide: Command, north: str, tmp_path: Path) -> None:
    path = written(tmp_path, ACME, *({"externalId": f"crm-{n}", "name": f"Business {n}"} for n in range(2, 252)))
    first = bonafide("businesses", "import", path, "--organization", north, "--json").json()
    assert first == {"created": 251, "changed": 0, "unchanged": 0, "refused": 0, "refusals": []}
    again = bonafide("businesses", "import", path, "--organization", north)
    assert again.out.strip() == "0 created, 0 changed, 251 unchanged, 0 rejected"
    assert bonafide("audit", "verify", "--json").json()[0]["whole"]


def test_a_line_that_is_refused_is_told_and_the_others_stand(bonafide: Command, north: str, tmp_path: Path) -> None:
    other = {**ACME, "externalId": "crm-2"}
    path = written(tmp_path, ACME, "", other, '{"name": 5}', "not json", {**ACME, "notes": "Called"})
    found = bonafide("businesses", "import", path, "--organization", north, "--json")
    assert found.status == 1
    body = json.loads(found.out)
    assert {name: body[name] for name in ("created", "changed", "unchanged", "refused")} == {
        "created": 1, "changed": 1, "unchanged": 0, "refused": 3,
    }  # fmt: skip
    reasons = {row["line"]: row["reason"] for row in body["refusals"]}
    assert set(reasons) == {3, 4, 5}
    assert "a different externalId" in reasons[3]
    assert reasons[4] == "name: must be a string"
    assert "Invalid JSON" in reasons[5]


def test_a_line_without_end_is_refused_and_the_next_is_read(bonafide: Command, north: str, tmp_path: Path) -> None:
    path = written(tmp_path, {"name": "x" * (3 * 1024 * 1024)}, ACME)
    body = json.loads(bonafide("businesses", "import", path, "--organization", north, "--json").out)
    assert (body["created"], [row["line"] for row in body["refusals"]]) == (1, [1])


def test_an_unknown_organization_is_a_sentence(bonafide: Command, tmp_path: Path) -> None:
    found = bonafide("businesses", "import", written(tmp_path, ACME), "--organization", "Nobody")
    assert (found.status, "There is no live organization named 'Nobody'" in found.said) == (1, True)


def csv_of(tmp_path: Path, *lines: str, name: str = "records.csv") -> Path:
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in ("externalId,name,city", *lines)), encoding="utf-8")
    return path


def test_a_csv_is_foreseen_brought_in_and_told(bonafide: Command, north: str, tmp_path: Path) -> None:
    path = csv_of(tmp_path, "crm-1,Acme Ltd.,Lévis", "crm-2,...,", "crm-3")
    refused = tmp_path / "refused.csv"
    order = ("businesses", "import", path, "--organization", north)
    dry = bonafide(*order, "--dry-run")
    assert (dry.status, dry.out.strip()) == (1, "1 created, 0 changed, 0 unchanged, 2 rejected")
    done = bonafide(*order, "--refused", refused, "--json")
    body = json.loads(done.out)
    assert (done.status, body["created"], body["refused"]) == (1, 1, 2)
    assert body["refusals"] == [
        {"line": 3, "reason": "name: must have at least one letter or digit"},
        {"line": 4, "reason": "1 cells, but the header has 3 columns"},
    ]
    assert refused.read_text(encoding="utf-8-sig").splitlines()[0] == "refusedBecause,externalId,name,city"
    assert bonafide(*order).out.strip() == "0 created, 0 changed, 1 unchanged, 2 rejected"


def test_an_export_is_read_back_unchanged(bonafide: Command, north: str, tmp_path: Path) -> None:
    bonafide("businesses", "import", written(tmp_path, ACME, {"externalId": "crm-2", "name": "=Birch"}), "--organization", north)
    path = tmp_path / "export.txt"
    exported = bonafide("businesses", "export", path, "--organization", north, "--delimiter", ";", "--bom")
    assert exported.status == 0
    assert path.read_bytes().startswith(b"\xef\xbb\xbfid;externalId;name;")
    assert ";'=Birch;" in path.read_text(encoding="utf-8")
    again = bonafide("businesses", "import", path, "--csv", "--organization", north)
    assert (again.status, again.out.strip()) == (0, "0 created, 0 changed, 2 unchanged, 0 rejected")


def test_an_empty_cell_clears_where_it_is_told_to(bonafide: Command, north: str, tmp_path: Path) -> None:
    bonafide("businesses", "import", csv_of(tmp_path, "crm-1,Acme Ltd.,Lévis"), "--organization", north)
    cleared = csv_of(tmp_path, "crm-1,Acme Ltd.,")
    assert "1 unchanged" in bonafide("businesses", "import", cleared, "--organization", north).out
    assert "1 changed" in bonafide("businesses", "import", cleared, "--clear-empty", "--organization", north).out


@pytest.mark.parametrize("words", [("import", "x.jsonl", "--dry-run"), ("export", "--delimiter", "|")])
def test_what_makes_no_sense_is_wrong_usage(bonafide: Command, words: tuple[str, ...]) -> None:
    assert bonafide("businesses", *words, "--organization", "North").status == 2
