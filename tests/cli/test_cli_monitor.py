"""`bonafide monitor`."""

import json
from pathlib import Path

from tests.support.cli_commands import Command


def store_monitored_record(bonafide: Command, folder: Path) -> None:
    bonafide("keys", "create", "--organization", "North")
    records = folder / "records.jsonl"
    records.write_text(json.dumps({"externalId": "1", "name": "Quiet Harbour Bakery Inc.", "isMonitored": True}), "utf-8")
    bonafide("businesses", "import", str(records), "--organization", "North")


def test_records_are_evaluated_and_counted(bonafide: Command, tmp_path: Path) -> None:
    store_monitored_record(bonafide, tmp_path)
    before = json.loads(bonafide("monitor", "status", "--organization", "North", "--json").out)
    assert (before["counts"]["neverEvaluated"], before["queued"]) == (1, 1)
    done = json.loads(bonafide("monitor", "run", "--json").out)
    assert (done["records"], done["failed"]) == (1, 0)
    after = json.loads(bonafide("monitor", "status", "--organization", "North", "--json").out)
    assert (after["counts"]["current"], after["queued"]) == (1, 0)
    assert json.loads(bonafide("monitor", "run", "--json").out)["records"] == 0


def test_the_status_has_a_line_for_each_source(bonafide: Command, tmp_path: Path) -> None:
    store_monitored_record(bonafide, tmp_path)
    printed = bonafide("monitor", "status", "--organization", "North").out
    assert "1 never evaluated" in printed
    assert "ca-sanctions-autonomous" in printed
    assert "Evaluated records: 1." in bonafide("monitor", "run").out
