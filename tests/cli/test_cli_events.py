"""`bonafide events`."""

import json
from pathlib import Path

from tests.support.cli_commands import Command


def store_records(bonafide: Command, folder: Path, *names: str) -> None:
    bonafide("keys", "create", "--organization", "North")
    records = folder / "records.jsonl"
    records.write_text("".join(f"{json.dumps({'externalId': name, 'name': f'{name} [Ltd.]'})}\n" for name in names), "utf-8")
    bonafide("businesses", "import", str(records), "--organization", "North")


def test_the_last_events_are_printed_oldest_first(bonafide: Command, tmp_path: Path) -> None:
    store_records(bonafide, tmp_path, "One", "Two", "Three")
    printed = bonafide("events", "tail", "--organization", "North", "--json").out.splitlines()
    assert [json.loads(line)["subject"]["name"] for line in printed] == ["One [Ltd.]", "Two [Ltd.]", "Three [Ltd.]"]
    assert {json.loads(line)["type"] for line in printed} == {"business.created"}
    last = bonafide("events", "tail", "--organization", "North", "-n", "1").out.splitlines()
    assert len(last) == 1
    assert "business.created" in last[0]
    assert "Three [Ltd.]" in last[0]


def test_events_of_other_types_and_organizations_are_left_out(bonafide: Command, tmp_path: Path) -> None:
    store_records(bonafide, tmp_path, "One")
    bonafide("keys", "create", "--organization", "South")
    assert bonafide("events", "tail", "--organization", "North", "--type", "report.ready").out == ""
    assert bonafide("events", "tail", "--organization", "North", "--type", "business.created", "--json").out != ""
    assert bonafide("events", "tail", "--organization", "South").out == ""
