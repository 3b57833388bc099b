"""Monitored records whose register is not loaded and is queried at an interval, through the client of live registers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from starlette.responses import PlainTextResponse

from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import Address, RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.events.event import Event, EventType
from bonafide.model.events.event_data import EvaluationOverdueData
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.monitoring.evaluations import Evaluation, EvaluationOutcome, MonitoredSource, MonitoringStatus
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.monitoring.query_planning import RegisterPlanner, list_queues
from bonafide.services.monitoring.repeated_queries import LEASE, QueryProgress, run_next_query, run_query_loop
from bonafide.services.monitoring.scheduling import schedule_monitoring
from bonafide.services.monitoring.status import read_organization_overview, read_record_monitoring
from bonafide.store.monitoring import queries
from bonafide.store.monitoring.queries import QueryQueue
from tests.support.services.events import list_events
from tests.support.services.live_register import KEY, Register, with_register
from tests.support.services.loading import put
from tests.support.services.monitoring import SANDBOX, changed, evaluate, monitored
from tests.support.services.runtimes import clock_of, principal_of
from tests.support.services.sanctions_lists import load_lists
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
NUMBER, NAME, OTHER = "77001", "Cod & Capelin Ltd.", "Capelin & Cod Ltd."
WEEK = timedelta(days=7)
STEP = timedelta(milliseconds=500)


@pytest.fixture
async def principal(empty_runtime: Runtime) -> Principal:
    load_lists(empty_runtime, {})
    return await principal_of(empty_runtime, "north")


@pytest.fixture
async def live(empty_runtime: Runtime, principal: Principal, register: Register) -> AsyncIterator[Runtime]:
    async with with_register(empty_runtime, register) as runtime:
        yield runtime


def queue_of(runtime: Runtime, world: World = SANDBOX) -> QueryQueue:
    (found,) = (queue for queue in list_queues(runtime, world) if queue.source == KEY)
    return found


async def watched(runtime: Runtime, principal: Principal, number: str = NUMBER, **fields: Any) -> BusinessRecord:
    """A monitored record, evaluated once."""
    record = await monitored(runtime, principal, NAME, jurisdiction="NL", registrationNumber=number, **fields)
    await evaluate(runtime)
    return record


async def send(runtime: Runtime, worker: str = "worker", world: World = SANDBOX) -> QueryProgress:
    """Send what is due."""
    done = QueryProgress()
    while True:
        clock_of(runtime).advance(seconds=STEP.total_seconds())
        step = await run_next_query(runtime, queue_of(runtime, world), worker)
        if step is None:
            return done
        done += step


async def send_a_week_later(runtime: Runtime) -> QueryProgress:
    clock_of(runtime).advance(days=WEEK.days)
    return await send(runtime)


async def wait_for_requests(register: Register, number: int) -> None:
    while len(register.asked) < number:  # noqa: ASYNC110 - the server has no event for it
        await asyncio.sleep(0.01)


async def register_events(runtime: Runtime, principal: Principal) -> list[Event]:
    found = await list_events(runtime, principal.organization_id)
    return [event for event in found if event.type.value.startswith("registry.")]


def types(events: list[Event]) -> list[EventType]:
    return [event.type for event in events]


async def evaluation(runtime: Runtime, principal: Principal, record: BusinessRecord) -> Evaluation:
    found = await read_record_monitoring(runtime, principal.organization_id, record.id)
    (own,) = (one for one in found.evaluations if one.kind is MonitoringKind.REGISTRY)
    return own


async def state_of_register(runtime: Runtime, principal: Principal) -> MonitoredSource:
    (own,) = (
        one
        for one in (await read_organization_overview(runtime, principal.organization_id, principal.world)).sources
        if one.source == KEY
    )
    return own


async def count_queries(runtime: Runtime, principal: Principal, record: BusinessRecord) -> int:
    async with runtime.store.read() as connection:
        return len(await queries.list_of_record(connection, principal.organization_id, record.id))


async def test_the_first_response_is_a_beginning_and_a_change_is_reported_once(
    live: Runtime, principal: Principal, register: Register
) -> None:
    record = await watched(live, principal)
    before = await evaluation(live, principal, record)
    assert (before.outcome, before.evaluated_at) == (EvaluationOutcome.NOT_EVALUATED, None)
    assert before.reason is not None
    assert await send(live) == QueryProgress(queries=1)
    assert (await evaluation(live, principal, record)).outcome is EvaluationOutcome.NO_CHANGE
    register.names = {NUMBER: OTHER}
    assert await send(live) == QueryProgress()
    assert await send_a_week_later(live) == QueryProgress(queries=1, events=1)
    changed_on = clock_of(live)().date()
    assert await send_a_week_later(live) == QueryProgress(queries=1)
    (event,) = await register_events(live, principal)
    assert event.type is EventType.REGISTRY_NAME_CHANGED
    assert [(change.field, change.from_, change.to) for change in event.changes] == [("legalName", NAME, OTHER)]
    assert event.source is not None
    assert event.source.key == KEY
    assert event.source.as_of == changed_on
    assert len(register.asked) == 3


async def test_a_register_that_fails_is_a_gap_until_it_responds(live: Runtime, principal: Principal, register: Register) -> None:
    record = await watched(live, principal)
    await send(live)
    register.broken = PlainTextResponse("", 503)
    clock_of(live).advance(days=WEEK.days)
    assert await send(live) == QueryProgress(failed=1)
    gap = await evaluation(live, principal, record)
    assert gap.outcome is EvaluationOutcome.NOT_EVALUATED
    assert gap.reason is not None
    assert gap.evaluated_at is not None
    found = await state_of_register(live, principal)
    assert found.records_not_evaluated == 1
    assert found.reason is not None
    register.broken, register.names = None, {NUMBER: OTHER}
    assert await send(live) == QueryProgress()
    clock_of(live).advance(minutes=5)
    assert await send(live) == QueryProgress(queries=1, events=1)
    assert types(await register_events(live, principal)) == [EventType.REGISTRY_NAME_CHANGED]
    assert (await evaluation(live, principal, record)).outcome is EvaluationOutcome.CHANGED
    assert (await state_of_register(live, principal)).reason is None


async def test_the_pause_grows_with_each_failure(live: Runtime, principal: Principal, register: Register) -> None:
    await watched(live, principal)
    register.broken = PlainTextResponse("", 503)
    for minutes, is_sent in [(1, True), (4, False), (1, True), (9, False), (1, True), (19, False), (1, True)]:
        clock_of(live).advance(minutes=minutes)
        assert (await run_next_query(live, queue_of(live), "worker") is not None) == is_sent


async def test_an_entry_that_is_gone_is_reported_once(live: Runtime, principal: Principal, register: Register) -> None:
    record = await watched(live, principal)
    await send(live)
    register.names = {}
    assert await send_a_week_later(live) == QueryProgress(queries=1, events=1)
    assert (await evaluation(live, principal, record)).outcome is EvaluationOutcome.CHANGED
    assert await send_a_week_later(live) == QueryProgress(queries=1)
    assert types(await register_events(live, principal)) == [EventType.REGISTRY_ENTRY_GONE]
    assert (await evaluation(live, principal, record)).outcome is EvaluationOutcome.NOT_EVALUATED


async def test_a_number_that_the_register_never_had_is_not_evaluated(live: Runtime, principal: Principal) -> None:
    record = await watched(live, principal, "99999")
    await send(live)
    found = await evaluation(live, principal, record)
    assert found.outcome is EvaluationOutcome.NOT_EVALUATED
    assert found.reason is not None
    assert "99999" in found.reason
    assert await register_events(live, principal) == []


async def test_monitoring_leaves_a_share_of_the_rate_to_others(
    empty_runtime: Runtime, principal: Principal, register: Register
) -> None:
    register.names = {str(number): NAME for number in range(6)}
    for number in register.names:
        await monitored(empty_runtime, principal, NAME, jurisdiction="NL", registrationNumber=number, externalId=number)
    async with with_register(empty_runtime, register, rate_per_minute=60) as runtime:
        await evaluate(runtime)
        sent = []
        for _ in range(20):
            clock_of(runtime).advance(seconds=STEP.total_seconds())
            found = await asyncio.gather(*(run_next_query(runtime, queue_of(runtime), worker) for worker in ("one", "two")))
            sent.append(sum(one is not None for one in found))
    assert sent == [1, 0, 0, 0] * 5
    assert len(register.asked) == 5


async def test_each_request_of_a_query_counts(live: Runtime, principal: Principal) -> None:
    await watched(live, principal)
    queue = replace(queue_of(live), interval=timedelta(seconds=2))
    now = live.clock()
    async with live.store.write() as connection:
        assert await queries.claim(connection, queue, "worker", now, timedelta()) is not None
        await queries.delay_turn(connection, queue, 4 * queue.interval, None)
    async with live.store.read() as connection:
        assert await queries.find_next_turn(connection, queue, now) == now + 5 * queue.interval


async def test_organizations_take_turns(live: Runtime, principal: Principal, register: Register) -> None:
    register.names = {str(number): NAME for number in range(10)}
    for number in list(register.names)[:9]:
        await monitored(live, principal, NAME, jurisdiction="NL", registrationNumber=number, externalId=number)
    await evaluate(live)
    south = await principal_of(live, "south")
    await watched(live, south, "9")
    for _ in range(2):
        clock_of(live).advance(seconds=1)
        assert await run_next_query(live, queue_of(live), "worker") == QueryProgress(queries=1)
    assert any(asked.startswith("/register.example.org/api/numbers/9") for asked in register.asked)
    assert len(register.asked) == 2


async def test_two_workers_report_a_change_once(live: Runtime, principal: Principal, register: Register) -> None:
    register.names = {str(number): NAME for number in range(4)}
    for number in register.names:
        await watched(live, principal, number, externalId=number)
    await send(live)
    register.names = dict.fromkeys(register.names, OTHER)
    clock_of(live).advance(days=WEEK.days)
    await asyncio.gather(*(send(live, worker) for worker in ("one", "two", "three")))
    assert types(await register_events(live, principal)) == [EventType.REGISTRY_NAME_CHANGED] * 4
    assert len(register.asked) == 8


async def test_an_interrupted_query_is_repeated_and_reports_a_change_once(
    live: Runtime, principal: Principal, register: Register
) -> None:
    await watched(live, principal)
    await send(live)
    register.names = {NUMBER: OTHER}
    clock_of(live).advance(days=WEEK.days)
    for turns in (1, 2, 3, 5, 8, 12, 18):
        task = asyncio.create_task(send(live))
        for _ in range(turns):
            await asyncio.sleep(0.001)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        clock_of(live).advance(seconds=LEASE.total_seconds())
    await send(live)
    assert types(await register_events(live, principal)) == [EventType.REGISTRY_NAME_CHANGED]


async def test_an_answer_after_the_lease_is_not_stored(live: Runtime, principal: Principal, register: Register) -> None:
    await watched(live, principal)
    await send(live)
    clock_of(live).advance(days=WEEK.days)
    register.pause_s = 1.0
    slow = asyncio.create_task(run_next_query(live, queue_of(live), "slow"))
    await wait_for_requests(register, 2)
    register.pause_s = 0.0
    clock_of(live).advance(seconds=LEASE.total_seconds())
    register.names = {NUMBER: OTHER}
    assert await send(live) == QueryProgress(queries=1, events=1)
    # Its answer was requested first and arrives last: stored, it would take the change back.
    assert await slow == QueryProgress(queries=1)
    assert types(await register_events(live, principal)) == [EventType.REGISTRY_NAME_CHANGED]
    assert await send_a_week_later(live) == QueryProgress(queries=1)


@pytest.mark.parametrize(
    "change",
    [{"isMonitored": False}, {"monitoring": {"kinds": {"registry": False}}}, {"isArchived": True}, {"registrationNumber": "1"}],
)
async def test_a_record_that_is_not_watched_any_more_is_not_queried(
    live: Runtime, principal: Principal, register: Register, change: dict[str, Any]
) -> None:
    record = await watched(live, principal)
    await send(live)
    await changed(live, principal, record, **change)
    await evaluate(live)
    await send_a_week_later(live)
    assert [one for one in register.asked[1:] if NUMBER in one] == []
    assert await count_queries(live, principal, record) == ("registrationNumber" in change)


def registered(number: str = NUMBER, **said: Any) -> RegistryEntry:
    numbers = (RegistrationNumber(label="Company Number", value=number),)
    known: dict[str, Any] = {"legal_name": NAME.upper(), "addresses": (Address(street="1 Water Street"),)}
    return RegistryEntry(entry_id=number, jurisdiction=Jurisdiction.NL, registration_numbers=numbers, **known | said)


async def test_a_register_that_is_loaded_is_not_queried(live: Runtime, principal: Principal, register: Register) -> None:
    record = await watched(live, principal)
    await send(live)
    put(live, KEY, [registered()], SANDBOX)
    await evaluate(live)
    assert await count_queries(live, principal, record) == 0
    assert (await evaluation(live, principal, record)).outcome is EvaluationOutcome.NO_CHANGE
    assert await send_a_week_later(live) == QueryProgress()
    # Loaded data has an address that live responses lack, and writes the name in capitals: no change of the entry.
    assert await register_events(live, principal) == []
    assert len(register.asked) == 1


async def test_an_entry_that_partial_data_lacks_is_queried(live: Runtime, register: Register) -> None:
    metadata = live.sources[KEY].metadata.model_copy(update={"gaps": Message("Only a part is loaded.")})
    live = replace(live, sources={**live.sources, KEY: replace(live.sources[KEY], metadata=metadata)})
    principal = await principal_of(live, "north", World.LIVE)
    put(live, KEY, [registered("77002")], World.LIVE)
    record = await watched(live, principal)
    await watched(live, principal, "77002", externalId="2")
    assert await send(live, world=World.LIVE) == QueryProgress(queries=1)
    assert (await evaluation(live, principal, record)).outcome is EvaluationOutcome.NO_CHANGE
    put(live, KEY, [registered("77002"), registered()], World.LIVE)
    await evaluate(live)
    assert await count_queries(live, principal, record) == 0
    assert len(register.asked) == 1


async def test_a_change_of_status_between_a_response_and_a_load_is_reported(live: Runtime, principal: Principal) -> None:
    await watched(live, principal)
    await send(live)
    put(live, KEY, [registered(status="Dissolved", status_code=StatusCode.DISSOLVED)], SANDBOX)
    await evaluate(live)
    (event,) = await register_events(live, principal)
    assert (event.type, [change.field for change in event.changes]) == (EventType.REGISTRY_STATUS_CHANGED, ["status"])


async def test_a_query_without_success_for_two_intervals_is_overdue(
    live: Runtime, principal: Principal, register: Register
) -> None:
    record = await watched(live, principal)
    await send(live)
    register.broken = PlainTextResponse("", 503)
    for days in (7, 6):
        clock_of(live).advance(days=days)
        await send(live)
        await schedule_monitoring(live)
    assert (await read_organization_overview(live, principal.organization_id, principal.world)).counts.overdue == 0
    clock_of(live).advance(days=1)
    await send(live)
    await schedule_monitoring(live)
    await schedule_monitoring(live)
    found = await list_events(live, principal.organization_id)
    (event,) = (one for one in found if one.type is EventType.MONITORING_EVALUATION_OVERDUE)
    assert EvaluationOverdueData.model_validate(event.data).kind is MonitoringKind.REGISTRY
    monitoring = await read_record_monitoring(live, principal.organization_id, record.id)
    assert monitoring.status is MonitoringStatus.OVERDUE
    register.broken = None
    clock_of(live).advance(days=1)
    await send(live)
    monitoring = await read_record_monitoring(live, principal.organization_id, record.id)
    assert monitoring.status is MonitoringStatus.CURRENT


async def test_a_register_that_may_not_be_queried_is_a_gap_with_its_reason(
    empty_runtime: Runtime, principal: Principal, register: Register
) -> None:
    async with with_register(empty_runtime, register, is_repeatable=False) as runtime:
        record = await watched(runtime, principal)
        found = await evaluation(runtime, principal, record)
        assert [queue for queue in list_queues(runtime, SANDBOX) if queue.source == KEY] == []
    assert found.outcome is EvaluationOutcome.NOT_EVALUATED
    assert found.reason is not None
    assert "Register of Rocks" in found.reason
    assert register.asked == []


async def test_records_are_planned_again_when_a_register_can_be_queried(live: Runtime, principal: Principal) -> None:
    offline = replace(live, settings=live.settings.model_copy(update={"ask_live": False}))
    record = await watched(offline, principal)
    assert await count_queries(live, principal, record) == 0
    await RegisterPlanner(live).plan(SANDBOX)
    assert await count_queries(live, principal, record) == 1
    assert await send(live) == QueryProgress(queries=1)
    await RegisterPlanner(offline).plan(SANDBOX)
    assert await count_queries(live, principal, record) == 0


async def test_a_worker_sends_what_is_due_and_releases_what_it_has_begun(
    live: Runtime, principal: Principal, register: Register
) -> None:
    record = await watched(live, principal)
    register.pause_s = TIMEOUT_S
    worker = asyncio.create_task(run_query_loop(live, "worker"))
    await wait_for_requests(register, 1)
    worker.cancel()
    with suppress(asyncio.CancelledError):
        await worker
    async with live.store.read() as connection:
        (query,) = await queries.list_of_record(connection, principal.organization_id, record.id)
    assert (query.worker, query.leased_until, query.attempts) == (None, None, 0)
