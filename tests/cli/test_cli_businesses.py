"""`bonafide businesses import`."""

import json
from pathlib import Path

import pytest
from cli_samples import Command

ACME = {"externalId": "crm-1", "name": "Acme Ltd.", "jurisdiction": "ON", "registrationNumber": "1000017"}


@pytest.fixture
def north(bonafide: Command) -> str:
    bonafide("keys", "create", "--organization", "North")
    return "North"


def written(tmp_path: Path, *records: dict[str, object] | str) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in records), encoding="utf-8")
    return path


def test_each_line_is_a_record_and_a_second_time_changes_nothing(bonafide: Command, north: str, tmp_path: Path) -> None:
    path = written(tmp_path, ACME, *({"externalId": f"crm-{n}", "name": f"Business {n}"} for n in range(2, 252)))
    first = bonafide("businesses", "import", path, "--organization", north, "--json").json()
    assert first == {"created": 251, "changed": 0, "unchanged": 0, "refused": 0, "refusals": []}
    again = bonafide("businesses", "import", path, "--organization", north)
    assert again.out.strip() == "0 created, 0 changed, 251 unchanged, 0 refused"
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
    assert "another externalId" in reasons[3]
    assert reasons[4] == "name: Input should be a valid string"
    assert "Invalid JSON" in reasons[5]


def test_a_line_without_end_is_refused_and_the_next_is_read(bonafide: Command, north: str, tmp_path: Path) -> None:
    path = written(tmp_path, {"name": "x" * (3 * 1024 * 1024)}, ACME)
    body = json.loads(bonafide("businesses", "import", path, "--organization", north, "--json").out)
    assert (body["created"], [row["line"] for row in body["refusals"]]) == (1, [1])


def test_an_unknown_organization_is_a_sentence(bonafide: Command, tmp_path: Path) -> None:
    found = bonafide("businesses", "import", written(tmp_path, ACME), "--organization", "Nobody")
    assert (found.status, "there is no live organization named 'Nobody'" in found.said) == (1, True)
