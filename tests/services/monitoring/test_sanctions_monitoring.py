"""Monitored records against sanctions lists that change: what is found, once, and at which cost."""

import pytest

from bonafide.model.accounts.account_settings import SettingsChange
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.monitoring.evaluations import EvaluationOutcome, MonitoringStatus
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings
from bonafide.services.monitoring.scheduling import run_monitoring, schedule_monitoring
from bonafide.services.monitoring.status import read_organization_overview, read_record_monitoring
from bonafide.services.screening.history import create_screening, list_screenings
from bonafide.store.records.screenings import ScreeningFilter
from tests.support.services.monitoring import SUPPORT, changed, describe, evaluate, hit_events, monitored
from tests.support.services.runtimes import clock_of, principal_of
from tests.support.services.sanctions_lists import NAME, PERSON, SEMA, UN, dismissed, load, load_lists, party

pytestmark = pytest.mark.anyio
FOUND, CHANGED, CLEARED = "screening.hit_found", "screening.hit_changed", "screening.hit_cleared"
NOBODY = party("Qwxz Vbnm Society", "0")


@pytest.fixture
async def principal(empty_runtime: Runtime) -> Principal:
    load_lists(empty_runtime, {})
    return await principal_of(empty_runtime, "north")


async def count_screenings(runtime: Runtime, principal: Principal) -> int:
    page = await list_screenings(runtime, principal.organization_id, ScreeningFilter(), 100)
    return len(page.screenings)


async def test_a_record_is_screened_when_it_begins_to_be_monitored(empty_runtime: Runtime, principal: Principal) -> None:
    load(empty_runtime, SEMA, party())
    record = await monitored(empty_runtime, principal, NAME)
    before = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    assert (before.status, before.is_queued) == (MonitoringStatus.NEVER_EVALUATED, True)
    await evaluate(empty_runtime)
    assert describe(await hit_events(empty_runtime, principal, record.id)) == [(FOUND, "1")]
    after = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    assert (after.status, after.is_queued) == (MonitoringStatus.CURRENT, False)


async def test_a_record_that_is_not_monitored_is_left_alone(empty_runtime: Runtime, principal: Principal) -> None:
    load(empty_runtime, SEMA, party())
    record = await monitored(empty_runtime, principal, NAME, isMonitored=False)
    await evaluate(empty_runtime)
    assert await hit_events(empty_runtime, principal) == []
    found = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    assert (found.status, found.evaluations) == (MonitoringStatus.OFF, ())


async def test_new_changed_and_gone_listings_are_reported_once(empty_runtime: Runtime, principal: Principal) -> None:
    record = await monitored(empty_runtime, principal, NAME)
    await evaluate(empty_runtime)
    for parties in ([NOBODY, party()], [NOBODY, party(remarks="Amended.")], [NOBODY]):
        load(empty_runtime, SEMA, *parties)
        await evaluate(empty_runtime)
        await evaluate(empty_runtime)
    assert describe(await hit_events(empty_runtime, principal, record.id)) == [(FOUND, "1"), (CHANGED, "1"), (CLEARED, "1")]


async def test_only_the_records_that_changes_concern_are_screened(empty_runtime: Runtime, principal: Principal) -> None:
    for name in (NAME, "Quiet Harbour Bakery Inc.", "Umbra Lantern Works Ltd."):
        await monitored(empty_runtime, principal, name)
    await evaluate(empty_runtime)
    before = await count_screenings(empty_runtime, principal)
    load(empty_runtime, SEMA, NOBODY, party())
    await evaluate(empty_runtime)
    assert await count_screenings(empty_runtime, principal) == before + 1


async def test_an_evaluation_without_a_change_costs_no_row_and_is_shown(empty_runtime: Runtime, principal: Principal) -> None:
    record = await monitored(empty_runtime, principal, "Quiet Harbour Bakery Inc.")
    await evaluate(empty_runtime)
    first = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    load(empty_runtime, SEMA, NOBODY, party())
    await evaluate(empty_runtime)
    second = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    (old,) = (one for one in first.evaluations if one.source == SEMA)
    (new,) = (one for one in second.evaluations if one.source == SEMA)
    assert (old.outcome, new.outcome) == (EvaluationOutcome.NO_CHANGE, EvaluationOutcome.NO_CHANGE)
    assert old.evaluated_at is not None
    assert new.evaluated_at is not None
    assert new.evaluated_at > old.evaluated_at
    others = [{one.source: one for one in answer.evaluations if one.source != SEMA} for answer in (first, second)]
    assert others[0] == others[1]


async def test_people_are_watched_unless_they_are_excluded(empty_runtime: Runtime, principal: Principal) -> None:
    people = [{"name": PERSON}, {"name": "Odalys Fennimore", "isMonitored": False}]
    record = await monitored(empty_runtime, principal, "Quiet Harbour Bakery Inc.", people=people)
    await evaluate(empty_runtime)
    load(empty_runtime, UN, NOBODY, party(PERSON, "7", entity_type="person"), party("Odalys Fennimore", "8", entity_type="person"))
    await evaluate(empty_runtime)
    assert describe(await hit_events(empty_runtime, principal, record.id)) == [(FOUND, "7")]


async def test_a_change_of_the_record_is_evaluated_against_all_lists(empty_runtime: Runtime, principal: Principal) -> None:
    load(empty_runtime, SEMA, NOBODY, party())
    record = await monitored(empty_runtime, principal, "Quiet Harbour Bakery Inc.")
    await evaluate(empty_runtime)
    assert await hit_events(empty_runtime, principal) == []
    await changed(empty_runtime, principal, record, name=NAME)
    await evaluate(empty_runtime)
    assert describe(await hit_events(empty_runtime, principal, record.id)) == [(FOUND, "1")]
    screened = await count_screenings(empty_runtime, principal)
    await changed(empty_runtime, principal, record, notes="A word about this customer.")
    await evaluate(empty_runtime)
    assert await count_screenings(empty_runtime, principal) == screened


async def test_a_hit_that_a_person_has_found_already_is_not_reported_again(empty_runtime: Runtime, principal: Principal) -> None:
    record = await monitored(empty_runtime, principal, NAME)
    await evaluate(empty_runtime)
    load(empty_runtime, SEMA, NOBODY, party())
    clock_of(empty_runtime).advance(minutes=1)
    await create_screening(empty_runtime, principal, ScreeningRequest(query=NAME, business_id=record.id))
    narrow = ScreeningRequest(query="Somebody Else", business_id=record.id, sources=[UN])
    await create_screening(empty_runtime, principal, narrow)
    await evaluate(empty_runtime)
    assert describe(await hit_events(empty_runtime, principal, record.id)) == [(FOUND, "1")]


async def test_a_dismissed_hit_stays_dismissed_until_the_listing_changes(empty_runtime: Runtime, principal: Principal) -> None:
    load(empty_runtime, SEMA, NOBODY, party())
    record = await monitored(empty_runtime, principal, NAME)
    await evaluate(empty_runtime)
    await dismissed(empty_runtime, principal)
    load(empty_runtime, SEMA, NOBODY, party(), party("Umbra Lantern Works", "2"))
    await evaluate(empty_runtime)
    load(empty_runtime, SEMA, NOBODY, party(date_of_birth=None, countries=("IR",)))
    await evaluate(empty_runtime)
    found = describe(await hit_events(empty_runtime, principal, record.id))
    assert found[0] == (FOUND, "1")
    assert len(found) == 2


async def test_organizations_and_worlds_are_apart(empty_runtime: Runtime, principal: Principal) -> None:
    south, real = await principal_of(empty_runtime, "south"), await principal_of(empty_runtime, "north", World.LIVE)
    for one in (principal, south, real):
        await monitored(empty_runtime, one, NAME)
    await evaluate(empty_runtime)
    load(empty_runtime, SEMA, NOBODY, party())
    await evaluate(empty_runtime)
    assert describe(await hit_events(empty_runtime, principal)) == [(FOUND, "1")]
    assert describe(await hit_events(empty_runtime, south)) == [(FOUND, "1")]
    assert await hit_events(empty_runtime, real) == []


async def test_monitoring_ends_with_the_switch_and_with_the_settings(empty_runtime: Runtime, principal: Principal) -> None:
    first = await monitored(empty_runtime, principal, NAME)
    second = await monitored(empty_runtime, principal, NAME, externalId="second")
    await evaluate(empty_runtime)
    await changed(empty_runtime, principal, first, isMonitored=False)
    off = SettingsChange.model_validate({"monitoring": {"kinds": {"sanctions": False}}})
    await change_settings(empty_runtime, principal.organization_id, off, SUPPORT)
    load(empty_runtime, SEMA, NOBODY, party())
    await evaluate(empty_runtime)
    assert await hit_events(empty_runtime, principal) == []
    await changed(empty_runtime, principal, second, monitoring={"kinds": {"sanctions": True}})
    await evaluate(empty_runtime)
    assert [event.business.id for event in await hit_events(empty_runtime, principal) if event.business] == [second.id]


async def test_a_list_that_is_loaded_for_the_first_time_is_a_change(empty_runtime: Runtime) -> None:
    principal = await principal_of(empty_runtime, "north")
    record = await monitored(empty_runtime, principal, NAME)
    await evaluate(empty_runtime)
    load(empty_runtime, SEMA, NOBODY, party())
    await evaluate(empty_runtime)
    assert describe(await hit_events(empty_runtime, principal, record.id)) == [(FOUND, "1")]


async def test_everything_due_can_be_done_without_a_worker(empty_runtime: Runtime, principal: Principal) -> None:
    await monitored(empty_runtime, principal, NAME)
    done = await run_monitoring(empty_runtime, World.SANDBOX)
    assert (done.records, done.events, done.failed) == (1, 0, 0)
    clock_of(empty_runtime).advance(minutes=1)
    load(empty_runtime, SEMA, NOBODY, party())
    done = await run_monitoring(empty_runtime, World.SANDBOX)
    assert (done.records, done.events, done.failed) == (1, 1, 0)
    overview = await read_organization_overview(empty_runtime, principal.organization_id, principal.world)
    assert overview.counts.current == 1
    assert overview.queued == 0
    assert all(not source.is_evaluating for source in overview.sources)


async def test_the_overview_says_what_is_yet_to_be_done(empty_runtime: Runtime, principal: Principal) -> None:
    await monitored(empty_runtime, principal, NAME)
    overview = await read_organization_overview(empty_runtime, principal.organization_id, principal.world)
    assert overview.counts.never_evaluated == 1
    assert overview.queued == 1
    assert overview.oldest_evaluation_at is None
    await evaluate(empty_runtime)
    load(empty_runtime, SEMA, NOBODY, party())
    clock_of(empty_runtime).advance(minutes=1)
    await schedule_monitoring(empty_runtime)
    overview = await read_organization_overview(empty_runtime, principal.organization_id, principal.world)
    assert [source.source for source in overview.sources if source.is_evaluating] == [SEMA]
