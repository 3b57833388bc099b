"""The examples of the demo: businesses and cases in every state, added once, also if a start is killed on the way."""

import json
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bonafide.runtime import open_runtime
from bonafide.settings import Settings
from bonafide_sandbox.demo import OWNER
from bonafide_sandbox.examples.example_table import load_examples
from bonafide_sandbox.examples.seeding import seed_examples
from tests.support.servers.service_processes import FirstRun, client, demo, wait_until

pytestmark = pytest.mark.anyio
ADDED_WITHIN_S = 240.0
BEGUN = 8
"""Records that are there when the first start is killed: five that the demo stores by itself, and three examples."""
WITH_EXAMPLES = ("--examples",)


def pages_of(caller: httpx2.Client, path: str, name: str) -> list[dict[str, Any]]:
    """Everything that a feed of the API has."""
    found: list[dict[str, Any]] = []
    page: dict[str, Any] = caller.get(path, params={"limit": 100}).raise_for_status().json()
    while page[name]:
        found += page[name]
        page = caller.get(path, params={"limit": 100, "cursor": page["cursor"]["next"]}).raise_for_status().json()
    return found


async def test_the_demo_has_businesses_and_cases_in_every_state(first_run: FirstRun, data_dir: Path) -> None:
    table = load_examples()
    with demo(data_dir, options=WITH_EXAMPLES) as service, client(service, first_run.key) as caller:
        wait_until(lambda: len(caller.get("/businesses").json()["businesses"]) >= BEGUN, ADDED_WITHIN_S)
        service.process.send_signal(signal.SIGKILL)
    with demo(data_dir, options=WITH_EXAMPLES) as service, client(service, first_run.key) as caller:
        last = {"query": table.screenings[-1]}
        wait_until(lambda: caller.get("/sanctions", params=last).json()["screenings"] != [], ADDED_WITHIN_S)
        records = pages_of(caller, "/businesses", "businesses")
        cases = pages_of(caller, "/cases", "cases")
        dismissals = caller.get("/sanctions/dismissals").json()["dismissals"]
        searches = caller.get("/searches").json()["searches"]
        ended = service.stop()
    assert "example.failed" not in ended.err
    expected = Counter(one.external_id for one in table.businesses)
    # Other tests store records of their own in the demo.
    assert Counter(one["externalId"] for one in records if one["externalId"] in expected) == expected
    assert {one["verificationStatus"] for one in records} == {"verified", "discrepancies", "failed", "unverified"}
    assert {one["isArchived"] for one in records} == {True, False}
    assert {one["status"] for one in cases} == {"open", "waiting", "in_second_review", "decided"}
    assert {one["outcome"] for one in cases} >= {"approved", "rejected", None}
    assert {one["assignee"] for one in cases} >= {OWNER, None}
    assert {one["overdue"] for one in cases} == {True, False}
    waiting = {item["kind"] for one in cases for item in one["openItems"]}
    assert waiting >= {"sanctions_hit", "match_selection", "verification_discrepancy", "ownership_discrepancy", "manual_check"}
    assert dismissals
    assert {one["query"] for one in searches} >= set(table.searches)
    async with open_runtime(Settings(data_dir=data_dir)) as runtime:
        assert not await seed_examples(runtime, json.loads(first_run.ready)["baseUrl"], "Demo", OWNER)
