"""Hundreds of monitored records while days pass in the sandbox: a real receiver gets the expected events, and only them.

The service, the worker and the command that lets a day pass are processes of their own, as their users run them.
"""

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.support.monitoring.event_feed import read_feed
from tests.support.monitoring.expected_events import ExpectedEvent, is_monitored, list_expected_events, read_entries
from tests.support.monitoring.portfolio import PortfolioRecord, create_portfolio, list_changed_records
from tests.support.sampling import WHOLE
from tests.support.servers.service_processes import SIZE, Service, client, command, run, server, wait_until
from tests.support.waiting import TIMEOUT_S
from tests.support.webhooks.verifying_receiver import VerifyingReceiver, verifying_receiver

pytestmark = pytest.mark.slow

RECORDS = 1000 if WHOLE else 300
"""With 1,000, all businesses of the registers that are loaded; with fewer, still all that change."""
STEPS = (1, 1, 2) if WHOLE else (1, 3)
"""Days that pass at once."""
TYPES = {
    *("registry.status_changed", "registry.people_changed", "registry.name_changed", "registry.address_changed"),
    *("licence.changed", "licence.granted", "screening.hit_found", "screening.hit_changed", "screening.hit_cleared"),
}
"""What the first days have."""
CALLERS = 4
ENVIRONMENT = {"BONAFIDE_RENEW": "off", "BONAFIDE_ALLOW_PRIVATE_TARGETS": "127.0.0.1"}


@dataclass(frozen=True)
class Portfolio:
    """The records of an organization, and a receiver of its events."""

    data_dir: Path
    worker: Service
    caller: httpx2.Client
    records: list[PortfolioRecord]
    receiver: VerifyingReceiver

    def is_evaluated(self, sources: set[str], since: datetime) -> bool:
        """Whether all records are evaluated against loads that these sources have got since then."""
        assert self.worker.process.poll() is None, self.worker.written()
        overview = self._get("/monitoring")
        states = {one["source"]: one for one in overview["sources"]}
        return overview["queued"] == 0 and all(
            not states[source]["isEvaluating"] and _parse(states[source]["evaluatedAt"]) > since
            for source in sources & states.keys()
        )

    def let_pass(self, days: int) -> list[dict[str, Any]]:
        """Let days pass, and wait until all records are evaluated; returns what the days have changed."""
        began = datetime.now(UTC)
        moved = run("sandbox", "advance", "--days", str(days), "--json", "--data-dir", self.data_dir)
        assert (moved.status, moved.err) == (0, "")
        changes: list[dict[str, Any]] = json.loads(moved.out)["changes"]
        sources = {change["source"] for change in changes}
        wait_until(lambda: self.is_evaluated(sources, began), TIMEOUT_S)
        return changes

    def wait_for_delivery(self, feed: list[dict[str, Any]]) -> None:
        """Wait until the receiver has these events; each is the same there."""
        sent = {event["id"]: event for event in feed}
        wait_until(lambda: self.receiver.events.keys() >= sent.keys(), TIMEOUT_S)
        assert {message_id: self.receiver.events[message_id] for message_id in sent} == sent

    def _get(self, path: str, **query: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self.caller.get(path, params=query).raise_for_status().json()
        return answer


def _parse(instant: str | None) -> datetime:
    return datetime.fromisoformat(instant) if instant is not None else datetime.min.replace(tzinfo=UTC)


@pytest.fixture
def portfolio(data_dir: Path) -> Iterator[Portfolio]:
    """Monitored records, evaluated once, and an endpoint for all later events."""
    words = ("keys", "create", "--organization", "Portfolio", "--test", "--rate-limit", "1000000", "--json")
    key = json.loads(run(*words, "--data-dir", data_dir).out)["key"]
    records = create_portfolio(int(SIZE), sum(STEPS), RECORDS)
    with ExitStack() as stack:
        worker = stack.enter_context(command("worker", "--data-dir", data_dir, **ENVIRONMENT))
        service = stack.enter_context(server("serve", "--data-dir", data_dir, **ENVIRONMENT))
        caller = stack.enter_context(client(service, key))
        with ThreadPoolExecutor(CALLERS) as callers:
            for answer in callers.map(lambda record: caller.post("/businesses", json=record.to_request()), records):
                assert answer.status_code == 201, answer.text
        receiver = stack.enter_context(verifying_receiver())
        opened = Portfolio(data_dir, worker, caller, records, receiver)
        wait_until(lambda: opened.is_evaluated({"on", "gleif", "un-sanctions-consolidated"}, _parse(None)), TIMEOUT_S)
        endpoint = caller.post("/webhook-endpoints", json={"url": receiver.url}).raise_for_status().json()
        receiver.secret = endpoint["secret"]
        yield opened


def test_the_expected_events_of_each_day_and_only_they_are_delivered(portfolio: Portfolio) -> None:
    known, day = len(read_feed(portfolio.caller)), 0
    expected, delivered = Counter[ExpectedEvent](), set[str]()
    before = read_entries(portfolio.data_dir)
    for days in STEPS:
        changes = portfolio.let_pass(days)
        feed = read_feed(portfolio.caller)[known:]
        portfolio.wait_for_delivery(feed)
        after = read_entries(portfolio.data_dir)
        of_the_day = list_expected_events(changes, before, after, portfolio.records)
        assert Counter(ExpectedEvent.read(event) for event in feed if is_monitored(event)) == of_the_day
        shown, changed = list_changed_records(int(SIZE), day, day + days)
        assert shown <= {event.external_id for event in of_the_day if event.type.startswith("registry.")} <= changed
        expected += of_the_day
        before, known, day = after, known + len(feed), day + days
        delivered |= {event["id"] for event in feed}
    assert portfolio.receiver.events.keys() == delivered
    assert portfolio.receiver.refused == []
    assert {event.type for event in expected} >= TYPES
