"""Monitoring that is interrupted, runs twice at once or meets a failure: nothing is missed, and nothing is reported twice."""

import asyncio
from contextlib import suppress
from uuid import UUID

import pytest

from bonafide.errors import SourceUnavailable
from bonafide.i18n.message import Message
from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.events.event import EventType
from bonafide.model.monitoring.evaluations import EvaluationOutcome, MonitoringStatus
from bonafide.model.monitoring.policy import MonitoredKinds, MonitoringKind, MonitoringPolicy
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings
from bonafide.services.events.feed import read_events
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.loading.source_conditions import note_load_result
from bonafide.services.monitoring.scheduling import run_monitoring, schedule_monitoring
from bonafide.services.monitoring.status import (
    NOT_RENEWED,
    TOO_OLD,
    read_organization_overview,
    read_record_monitoring,
)
from bonafide.store.monitoring import monitored_records
from bonafide.store.monitoring.monitored_records import MonitoringGap
from bonafide.store.records.events import EventFilter
from tests.support.services.monitoring import SUPPORT, changed, describe, evaluate, hit_events, monitored
from tests.support.services.runtimes import clock_of, principal_of
from tests.support.services.sanctions_lists import NAME, SEMA, UN, load, load_lists, party

pytestmark = pytest.mark.anyio
NOBODY = party("Qwxz Vbnm Society", "0")
FOUND = "screening.hit_found"
RECORDS = 5


@pytest.fixture
async def principal(empty_runtime: Runtime) -> Principal:
    load_lists(empty_runtime, {})
    return await principal_of(empty_runtime, "north")


async def interrupt(runtime: Runtime, turns: int) -> None:
    """Evaluate, and stop after the event loop has turned a number of times, wherever that is."""
    task = asyncio.create_task(run_monitoring(runtime, World.SANDBOX))
    for _ in range(turns):
        await asyncio.sleep(0.001)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@pytest.mark.slow
async def test_an_interrupted_run_is_continued_and_reports_everything_once(empty_runtime: Runtime, principal: Principal) -> None:
    for number in range(RECORDS):
        await monitored(empty_runtime, principal, NAME, externalId=str(number))
    await evaluate(empty_runtime)
    clock_of(empty_runtime).advance(minutes=1)
    load(empty_runtime, SEMA, NOBODY, party())
    for turns in (1, 3, 6, 10, 15, 25, 40):
        await interrupt(empty_runtime, turns)
    await evaluate(empty_runtime)
    found = await hit_events(empty_runtime, principal)
    assert sorted(event.business.external_id or "" for event in found if event.business) == [str(n) for n in range(RECORDS)]
    assert (await read_organization_overview(empty_runtime, principal.organization_id, principal.world)).queued == 0


async def test_several_workers_at_once_report_everything_once(empty_runtime: Runtime, principal: Principal) -> None:
    for number in range(RECORDS):
        await monitored(empty_runtime, principal, NAME, externalId=str(number))
    await evaluate(empty_runtime)
    clock_of(empty_runtime).advance(minutes=1)
    load(empty_runtime, SEMA, NOBODY, party())
    await asyncio.gather(*(run_monitoring(empty_runtime, World.SANDBOX) for _ in range(3)))
    await evaluate(empty_runtime)
    assert len(await hit_events(empty_runtime, principal)) == RECORDS


async def test_a_load_during_a_run_is_evaluated_too(empty_runtime: Runtime, principal: Principal) -> None:
    record = await monitored(empty_runtime, principal, NAME)
    await evaluate(empty_runtime)
    clock_of(empty_runtime).advance(minutes=1)
    load(empty_runtime, SEMA, NOBODY, party())
    await schedule_monitoring(empty_runtime)
    clock_of(empty_runtime).advance(minutes=1)
    load(empty_runtime, SEMA, NOBODY, party(), party(entry_id="2"))
    await evaluate(empty_runtime)
    assert describe(await hit_events(empty_runtime, principal, record.id)) == [(FOUND, "1"), (FOUND, "2")]


async def test_a_record_that_is_created_during_a_run_is_evaluated(empty_runtime: Runtime, principal: Principal) -> None:
    await monitored(empty_runtime, principal, "Quiet Harbour Bakery Inc.")
    await evaluate(empty_runtime)
    clock_of(empty_runtime).advance(minutes=1)
    load(empty_runtime, SEMA, NOBODY, party())
    await schedule_monitoring(empty_runtime)
    record = await monitored(empty_runtime, principal, NAME)
    await evaluate(empty_runtime)
    assert describe(await hit_events(empty_runtime, principal, record.id)) == [(FOUND, "1")]


async def test_a_record_with_a_gap_is_evaluated_with_the_next_load(empty_runtime: Runtime, principal: Principal) -> None:
    record = await monitored(empty_runtime, principal, NAME)
    await evaluate(empty_runtime)
    gap = MonitoringGap(UN, empty_runtime.clock(), Message("The list could not be read."))
    async with empty_runtime.store.write() as connection:
        await monitored_records.replace_gaps(connection, principal.organization_id, record.id, [gap])
    found = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    (own,) = (one for one in found.evaluations if one.source == UN)
    assert (own.outcome, own.reason) == (EvaluationOutcome.NOT_EVALUATED, gap.reason)
    overview = await read_organization_overview(empty_runtime, principal.organization_id, principal.world)
    assert {one.source: one.records_not_evaluated for one in overview.sources}[UN] == 1
    load(empty_runtime, UN, NOBODY)
    await evaluate(empty_runtime)
    found = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    (own,) = (one for one in found.evaluations if one.source == UN)
    assert own.outcome is EvaluationOutcome.NO_CHANGE


async def test_records_are_counted_that_wait_for_a_list_without_data(empty_runtime: Runtime) -> None:
    principal = await principal_of(empty_runtime, "south")
    for number in range(2):
        await monitored(empty_runtime, principal, NAME, externalId=str(number))
    await evaluate(empty_runtime)
    before = await read_organization_overview(empty_runtime, principal.organization_id, principal.world)
    assert {(one.records_not_evaluated, one.reason is None) for one in before.sources} == {(2, False)}
    load_lists(empty_runtime, {})
    await evaluate(empty_runtime)
    after = await read_organization_overview(empty_runtime, principal.organization_id, principal.world)
    assert {(one.records_not_evaluated, one.reason is None) for one in after.sources} == {(0, True)}


async def overdue(runtime: Runtime, principal: Principal) -> list[UUID | None]:
    chosen = EventFilter(frozenset({EventType.MONITORING_EVALUATION_OVERDUE}))
    page = await read_events(runtime, principal.organization_id, chosen, 100)
    return [event.business.id if event.business is not None else None for event in page.events]


async def test_a_verification_that_is_too_old_is_reported_once(empty_runtime: Runtime, principal: Principal) -> None:
    record = await monitored(empty_runtime, principal, NAME, monitoring={"verificationMaxAgeDays": 30})
    other = await monitored(empty_runtime, principal, NAME, externalId="2", monitoring={"kinds": {"verificationAge": False}})
    await evaluate(empty_runtime)
    assert await overdue(empty_runtime, principal) == []
    clock_of(empty_runtime).advance(days=31)
    await evaluate(empty_runtime)
    await evaluate(empty_runtime)
    assert await overdue(empty_runtime, principal) == [record.id]
    found = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    assert found.status is MonitoringStatus.OVERDUE
    (age,) = (one for one in found.evaluations if one.kind is MonitoringKind.VERIFICATION_AGE)
    assert age.outcome is EvaluationOutcome.NOT_EVALUATED
    clock_of(empty_runtime).advance(days=400)
    await evaluate(empty_runtime)
    assert await overdue(empty_runtime, principal) == [record.id]
    assert (await read_record_monitoring(empty_runtime, principal.organization_id, other.id)).status is MonitoringStatus.CURRENT
    await changed(empty_runtime, principal, record, isMonitored=False)
    assert (await read_organization_overview(empty_runtime, principal.organization_id, principal.world)).counts.overdue == 0


async def test_a_record_may_switch_on_what_the_organization_has_switched_off(empty_runtime: Runtime, principal: Principal) -> None:
    off = AccountSettings(monitoring=MonitoringPolicy(kinds=MonitoredKinds(verification_age=False)))
    await change_settings(empty_runtime, principal.organization_id, off, SUPPORT)
    own = await monitored(empty_runtime, principal, NAME, monitoring={"kinds": {"verificationAge": True}})
    await monitored(empty_runtime, principal, NAME, externalId="2", monitoring={"verificationMaxAgeDays": 30})
    await evaluate(empty_runtime)
    clock_of(empty_runtime).advance(days=366)
    await evaluate(empty_runtime)
    assert await overdue(empty_runtime, principal) == [own.id]


async def test_a_record_shows_that_a_source_could_not_be_loaded_again(empty_runtime: Runtime, principal: Principal) -> None:
    load_lists(empty_runtime, {SEMA: [party()]})
    record = await monitored(empty_runtime, principal, NAME)
    await evaluate(empty_runtime)
    source = empty_runtime.sources[SEMA]
    current = get_current_load(empty_runtime, principal.world, source)
    assert current is not None
    async with empty_runtime.store.write() as connection:
        await note_load_result(empty_runtime, connection, principal.world, source, current)
        await note_load_result(empty_runtime, connection, principal.world, source, SourceUnavailable(Message("away")))
    found = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    states = {one.source: (one.outcome, one.reason) for one in found.evaluations}
    assert states[SEMA][1] == NOT_RENEWED
    assert states[SEMA][0] is not EvaluationOutcome.NOT_EVALUATED
    clock_of(empty_runtime).advance(days=400)
    found = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    assert {one.reason for one in found.evaluations if one.source == SEMA} == {TOO_OLD}


async def test_an_evaluation_that_is_not_done_for_a_day_is_reported(empty_runtime: Runtime, principal: Principal) -> None:
    record = await monitored(empty_runtime, principal, NAME)
    clock_of(empty_runtime).advance(days=2)
    await schedule_monitoring(empty_runtime)
    await schedule_monitoring(empty_runtime)
    assert await overdue(empty_runtime, principal) == [record.id]
    await evaluate(empty_runtime)
    found = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    assert found.status is MonitoringStatus.CURRENT
