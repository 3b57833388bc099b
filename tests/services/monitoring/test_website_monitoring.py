"""Monitored records whose websites change, read over HTTP."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bonafide.model.accounts.organizations import Principal
from bonafide.model.events.event import Event, EventSeverity, EventType
from bonafide.model.monitoring.evaluations import Evaluation, EvaluationOutcome
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.monitoring.query_planning import WEBSITE_SOURCE
from bonafide.services.monitoring.status import read_record_monitoring
from bonafide.services.monitoring.website_comparison import GONE_AFTER, OFFLINE
from bonafide.services.monitoring.website_queries import OFFLINE_SITES
from bonafide.store.monitoring import queries
from bonafide.store.monitoring.queries import MonitoredQuery
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from tests.support.loaded_sandbox import SANDBOX_SIZE
from tests.support.services.events import list_events
from tests.support.services.monitoring import changed, evaluate, monitored
from tests.support.services.runtimes import clock_of, principal_of
from tests.support.services.sanctions_lists import load_lists
from tests.support.website.changing_site import ChangingSite, changing_site, read_due_websites, reading_from

pytestmark = pytest.mark.anyio
NAME = "Quiet Harbour Bakery Limited"
OTHER = "Umbra Lantern Works Ltd."
WATCHED = {"kinds": {"website": True}}


@pytest.fixture
async def with_site(empty_runtime: Runtime) -> AsyncIterator[tuple[Runtime, ChangingSite]]:
    load_lists(empty_runtime, {})
    async with changing_site(empty_runtime) as served:
        yield served


@pytest.fixture
def runtime(with_site: tuple[Runtime, ChangingSite]) -> Runtime:
    return with_site[0]


@pytest.fixture
def site(with_site: tuple[Runtime, ChangingSite]) -> ChangingSite:
    return with_site[1]


@pytest.fixture
async def north(runtime: Runtime) -> Principal:
    return await principal_of(runtime, "north")


async def watched(runtime: Runtime, north: Principal, site: ChangingSite, **fields: Any) -> BusinessRecord:
    """A monitored record whose website has been read once."""
    record = await monitored(runtime, north, NAME, **{"website": site.address, "monitoring": WATCHED, **fields})
    await read_due(runtime)
    return record


async def read_due(runtime: Runtime, days: float = 0) -> int:
    """Evaluate what is queued and read every website that is due, some days later; returns how many were read."""
    clock_of(runtime).advance(days=days)
    await evaluate(runtime)
    return await read_due_websites(runtime, lambda: clock_of(runtime).advance(seconds=60))


async def website_events(runtime: Runtime, north: Principal) -> list[Event]:
    return [event for event in await list_events(runtime, north.organization_id) if event.type is EventType.WEBSITE_CHANGED]


async def kinds(runtime: Runtime, north: Principal) -> list[Any]:
    """What changed, by event."""
    return [event.data["kinds"] for event in await website_events(runtime, north)]


async def evaluation_of(runtime: Runtime, north: Principal, record: BusinessRecord) -> Evaluation:
    answer = await read_record_monitoring(runtime, north.organization_id, record.id)
    (found,) = [one for one in answer.evaluations if one.kind is MonitoringKind.WEBSITE]
    return found


async def planned(runtime: Runtime, north: Principal, record: BusinessRecord) -> list[MonitoredQuery]:
    async with runtime.store.read() as connection:
        return await queries.list_of_record(connection, north.organization_id, record.id)


async def test_no_website_is_read_unless_it_is_switched_on(runtime: Runtime, north: Principal, site: ChangingSite) -> None:
    record = await monitored(runtime, north, NAME, website=site.address)
    assert await read_due(runtime) == 0
    assert (await planned(runtime, north, record), site.requests) == ([], 0)
    await changed(runtime, north, record, monitoring=WATCHED)
    assert (await read_due(runtime), site.requests) == (1, 1)
    await changed(runtime, north, record, monitoring={"kinds": {"website": False}})
    await read_due(runtime, days=40)
    assert (await planned(runtime, north, record), site.requests) == ([], 1)


async def test_the_first_reading_is_a_beginning_and_a_changed_name_is_reported_once(
    runtime: Runtime, north: Principal, site: ChangingSite
) -> None:
    record = await watched(runtime, north, site)
    first = await evaluation_of(runtime, north, record)
    assert (first.outcome, first.reason, first.source) == (EvaluationOutcome.NO_CHANGE, None, WEBSITE_SOURCE)
    site.text = "Now with a new oven."
    assert await read_due(runtime, days=30) == 1
    assert await website_events(runtime, north) == []
    site.name = OTHER
    assert [await read_due(runtime, days=days) for days in (29, 1, 30)] == [0, 1, 1]
    (event,) = await website_events(runtime, north)
    assert event.severity is EventSeverity.MEDIUM
    assert [(change.field, change.from_, change.to) for change in event.changes] == [("legalName", NAME, OTHER)]
    assert (event.data["isNameOfRecord"], event.subject.name) == (False, site.host)
    assert event.business is not None
    assert event.business.id == record.id
    assert event.alert is not None


async def test_another_domain_other_numbers_and_a_new_registration_are_one_event(
    runtime: Runtime, north: Principal, site: ChangingSite
) -> None:
    await watched(runtime, north, site)
    site.moved_to, site.number, site.created_on = "lantern.sandbox.example", "990000010 RT0001", "2026-09-01"
    await read_due(runtime, days=30)
    await read_due(runtime, days=30)
    (event,) = await website_events(runtime, north)
    assert event.data["kinds"] == ["owner_changed", "moved", "numbers_changed"]
    assert event.severity is EventSeverity.HIGH
    assert [change.to for change in event.changes[:2]] == ["2026-09-01", "lantern.sandbox.example"]


async def test_a_site_is_gone_after_failures_on_several_days_and_back_later(
    runtime: Runtime, north: Principal, site: ChangingSite
) -> None:
    record = await watched(runtime, north, site)
    site.status = 503
    for number in range(1, GONE_AFTER + 1):
        assert await kinds(runtime, north) == []
        # The first failure is found after the interval of the policy; then the site is read daily.
        assert await read_due(runtime, days=30 if number == 1 else 1.01) == 1
        found = await evaluation_of(runtime, north, record)
        assert found.outcome is EvaluationOutcome.NOT_EVALUATED
        assert found.reason is not None
    assert await kinds(runtime, north) == [["gone"]]
    assert await read_due(runtime, days=2) == 0
    site.status = 200
    assert await read_due(runtime, days=30) == 1
    assert await kinds(runtime, north) == [["gone"], ["back"]]
    assert (await evaluation_of(runtime, north, record)).outcome is EvaluationOutcome.CHANGED


async def test_no_site_is_gone_while_the_service_is_offline(runtime: Runtime, north: Principal, site: ChangingSite) -> None:
    first, *others = [
        await watched(runtime, north, site, website=f"https://harbour{number}.sandbox.example")
        for number in range(OFFLINE_SITES + 1)
    ]
    site.status = 503
    for days in (30.0, *[1.01] * GONE_AFTER):
        assert await read_due(runtime, days=days) == OFFLINE_SITES + 1
    assert await kinds(runtime, north) == []
    assert (await evaluation_of(runtime, north, first)).reason == OFFLINE
    await changed(runtime, north, others[0], website=site.address)
    site.failing = {f"harbour{number}.sandbox.example" for number in range(OFFLINE_SITES + 1)}
    site.status = 200
    for _ in range(GONE_AFTER):
        await read_due(runtime, days=1.01)
    assert await kinds(runtime, north) == [["gone"]] * OFFLINE_SITES


async def test_a_private_address_is_never_requested_and_is_a_gap(runtime: Runtime, north: Principal, site: ChangingSite) -> None:
    record = await watched(runtime, north, site, website="http://127.0.0.1/")
    found = await evaluation_of(runtime, north, record)
    assert found.outcome is EvaluationOutcome.NOT_EVALUATED
    assert found.reason is not None
    assert "127.0.0.1" in found.reason
    assert (site.requests, await website_events(runtime, north)) == (0, [])


async def test_without_live_lookups_the_site_is_a_gap_and_is_read_later(
    runtime: Runtime, north: Principal, site: ChangingSite
) -> None:
    settings = runtime.settings.model_copy(update={"ask_live": False})
    record = await watched(replace(runtime, settings=settings), north, site)
    found = await evaluation_of(runtime, north, record)
    assert (found.outcome, site.requests) == (EvaluationOutcome.NOT_EVALUATED, 0)
    assert await read_due(runtime, days=2) == 1
    assert (await evaluation_of(runtime, north, record)).outcome is EvaluationOutcome.NO_CHANGE


async def test_another_website_of_the_record_begins_anew(runtime: Runtime, north: Principal, site: ChangingSite) -> None:
    record = await watched(runtime, north, site)
    await changed(runtime, north, record, website="https://lantern.sandbox.example")
    site.name = OTHER
    assert await read_due(runtime) == 1
    (query,) = await planned(runtime, north, record)
    assert query.target == "https://lantern.sandbox.example"
    assert await website_events(runtime, north) == []


@pytest.mark.slow
async def test_sites_of_the_sandbox_change_with_its_days(empty_runtime: Runtime, live_world: Path) -> None:
    load_lists(empty_runtime, {})
    north = await principal_of(empty_runtime, "north")
    for name in ("bakery", "cannabis", "boulangerie"):
        await monitored(empty_runtime, north, name, website=f"https://{name}.sandbox.example", monitoring=WATCHED)
    for day, waits in ((0, [0]), (3, [30, 1.01, 1.01])):
        directory = BusinessDirectory(live_world, DEFAULT_SEED, SANDBOX_SIZE, day)
        async with reading_from(empty_runtime, create_sandbox_app(live_world, {}, None, directory)) as runtime:
            for days in waits:
                await read_due(runtime, days=days)
    found = {event.subject.name: event for event in await website_events(empty_runtime, north)}
    assert found.keys() == {"cannabis.sandbox.example", "boulangerie.sandbox.example"}
    sold, gone = found["cannabis.sandbox.example"], found["boulangerie.sandbox.example"]
    assert sold.data["kinds"] == ["owner_changed", "name_changed", "numbers_changed"]
    assert ("legalName", "Sandbox Plumbing Ltd.") in [(change.field, change.to) for change in sold.changes]
    assert (gone.data["kinds"], gone.severity) == (["gone"], EventSeverity.HIGH)


async def test_the_interval_of_the_record_applies(runtime: Runtime, north: Principal, site: ChangingSite) -> None:
    record = await watched(runtime, north, site, monitoring={**WATCHED, "websiteIntervalDays": 7})
    (query,) = await planned(runtime, north, record)
    assert query.queried_at is not None
    assert query.due_at - query.queried_at == timedelta(days=7)
