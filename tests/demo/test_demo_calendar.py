"""Days pass in a running demo: another process moves it, and its searches and its register show the new day without a restart."""

import json
from pathlib import Path

import httpx2
import pytest

from tests.support.servers.service_processes import FirstRun, client, demo, run, wait_until

pytestmark = pytest.mark.slow

BAKERY, TWIN = "Sandbox Bakery Inc.", "Sandbox Twin Holdings Inc."


def ontario(caller: httpx2.Client, name: str) -> dict[str, object]:
    """The business of this name in Ontario's register."""
    answer = caller.post("/search", json={"name": name, "jurisdictions": ["ON"]}).raise_for_status().json()
    found: dict[str, object] = answer["businesses"][0]
    return found


def has_status(caller: httpx2.Client, name: str, status: str) -> bool:
    return ontario(caller, name)["status"] == status


def test_a_running_demo_uses_the_day_to_which_another_process_advances(first_run: FirstRun, data_dir: Path) -> None:
    with demo(data_dir) as service, client(service, first_run.key) as caller:
        assert has_status(caller, TWIN, "Active")
        moved = run("sandbox", "advance", "--days", "3", "--json", "--data-dir", data_dir)
        assert (moved.status, moved.err) == (0, "")
        wait_until(lambda: has_status(caller, TWIN, "Dissolved"))
        assert "Anselme Rivebrune" in str(ontario(caller, BAKERY)["people"])
    changes = json.loads(moved.out)["changes"]
    assert {"source": "on", "entryId": "1000025", "field": "statusCode", "from": "active", "to": "dissolved"} in changes
    with demo(data_dir) as service, client(service, first_run.key) as caller:
        assert has_status(caller, TWIN, "Dissolved")
        assert run("sandbox", "reset", "--data-dir", data_dir).out.startswith("The sandbox is at day 0.\n")
        wait_until(lambda: has_status(caller, TWIN, "Active"))
