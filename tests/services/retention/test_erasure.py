"""An erased business leaves nothing but the fact that something was erased, wherever the process is killed."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import insert, select, update

from bonafide.errors import Conflict, NotFound
from bonafide.model.accounts.organizations import Principal
from bonafide.model.events.event import EventSubject, EventSubjectKind, EventType
from bonafide.model.events.event_examples import EVENT_EXAMPLES
from bonafide.model.packs.pack import PackRequest
from bonafide.runtime import Runtime
from bonafide.services.cases.reading import read_case
from bonafide.services.events.recording import record_events
from bonafide.services.packs.requests import list_packs
from bonafide.services.records.audit_check import AuditAnchor, verify_audit_log
from bonafide.services.records.business_records import find_record
from bonafide.services.retention.erasing import run_erasure
from bonafide.services.retention.erasure_requests import ErasableCheck, erase_business, erase_check
from bonafide.services.screening.history import read_screening
from bonafide.services.search.execution import read_search
from bonafide.services.verification.lifecycle import read_verification
from bonafide.store.database.tables import audit_entries, extracts, searches
from bonafide.store.retention import erasures
from tests.support.services.business_records import sent
from tests.support.services.cases import ANN, follow
from tests.support.services.events import list_events
from tests.support.services.packs import ask_for_pack
from tests.support.services.retention import OTHER, OTHER_NUMBER, REASON, WORD, erase, fill, find_traces, finish_erasure, set_policy
from tests.support.services.runtimes import clock_of
from tests.support.store.interrupted_store import InterruptedStore, Killed

pytestmark = pytest.mark.anyio


async def test_nothing_of_an_erased_business_is_left(runtime: Runtime, north: Principal, organization: UUID) -> None:
    business = await fill(runtime, north, WORD)
    other = await fill(runtime, north, OTHER, OTHER_NUMBER)
    before = await verify_audit_log(runtime, organization)
    known = await find_traces(runtime, organization, OTHER)
    accepted = await erase_business(runtime, organization, business.id, REASON, ANN)
    with pytest.raises(NotFound):
        await find_record(runtime, organization, business_id=business.id)
    await finish_erasure(runtime, organization, accepted)
    ids = [str(one) for one in (business.id, business.search_id, business.verification_id, business.screening_id, business.case_id)]
    assert await find_traces(runtime, organization, WORD, *ids, *(UUID(one).hex for one in ids)) == {}
    for read in (
        read_search(runtime, organization, business.search_id),
        read_verification(runtime, organization, business.verification_id),
        read_screening(runtime, organization, business.screening_id),
        read_case(runtime, organization, business.case_id),
    ):
        with pytest.raises(NotFound):
            await read
    after = await verify_audit_log(runtime, organization, AuditAnchor(before.entries, before.hash))
    assert after.is_whole
    assert after.erased > 0
    (event,) = [event for event in await list_events(runtime, organization) if event.type is EventType.DATA_ERASED]
    assert (event.subject.id, event.business) == (accepted.erasure_id, None)
    left = await find_traces(runtime, organization, OTHER)
    assert {table: len(rows) for table, rows in left.items()} == {table: len(rows) for table, rows in known.items()}
    assert (await read_case(runtime, organization, other.case_id)).notes


async def test_what_a_check_stores_during_the_erasure_is_erased_by_the_second_pass(
    runtime: Runtime, north: Principal, organization: UUID
) -> None:
    business = await fill(runtime, north, WORD)
    accepted = await erase_business(runtime, organization, business.id, REASON, ANN)
    assert await run_erasure(runtime, organization, accepted.erasure_id) is not None
    await runtime.files.put(organization, f"pdf/{business.search_id}/{business.id}/{WORD.lower()}.pdf", b"%PDF", "application/pdf")
    await finish_erasure(runtime, organization, accepted)
    assert await find_traces(runtime, organization, WORD) == {}
    async with runtime.store.read() as connection:
        assert await erasures.list_unfinished(connection) == []
        assert await erasures.list_subjects(connection, organization, accepted.erasure_id) == set()


async def test_a_legal_hold_refuses_erasures_and_defers_those_under_way(
    runtime: Runtime, north: Principal, organization: UUID
) -> None:
    business = await fill(runtime, north, WORD)
    await set_policy(runtime, organization, hold=True)
    with pytest.raises(Conflict):
        await erase_business(runtime, organization, business.id, REASON, ANN)
    await set_policy(runtime, organization)
    accepted = await erase_business(runtime, organization, business.id, REASON, ANN)
    await set_policy(runtime, organization, hold=True)
    again_at = await run_erasure(runtime, organization, accepted.erasure_id)
    assert again_at is not None
    assert "searches" in await find_traces(runtime, organization, WORD)
    clock_of(runtime).now = again_at
    await set_policy(runtime, organization)
    await finish_erasure(runtime, organization, accepted)
    assert await find_traces(runtime, organization, WORD) == {}


async def test_a_single_check_is_erased_by_its_id(runtime: Runtime, north: Principal, organization: UUID) -> None:
    business = await fill(runtime, north, WORD)
    check = (ErasableCheck.SEARCH, business.search_id)
    accepted = await erase_check(runtime, organization, check, REASON, ANN)
    await finish_erasure(runtime, organization, accepted)
    with pytest.raises(NotFound):
        await read_search(runtime, organization, business.search_id)
    traces = await find_traces(runtime, organization, str(business.search_id), business.search_id.hex)
    # The record names its latest search.
    assert set(traces) <= {"businesses", "audit_entries"}
    assert (await find_record(runtime, organization, business_id=business.id)).name == f"{WORD} Inc."
    with pytest.raises(NotFound):
        await erase_check(runtime, organization, check, REASON, ANN)


async def test_the_packs_that_may_contain_an_erased_check_are_erased(
    runtime: Runtime, north: Principal, organization: UUID
) -> None:
    business = await fill(runtime, north, WORD)
    checked_at = runtime.clock()
    clock_of(runtime).advance(days=10)
    now = runtime.clock()
    other = await ask_for_pack(runtime, north, PackRequest(business_id=(await sent(runtime, organization, name=OTHER)).id))
    earlier = await ask_for_pack(
        runtime, north, PackRequest(from_=checked_at - timedelta(days=5), to=checked_at - timedelta(seconds=1))
    )
    later = await ask_for_pack(runtime, north, PackRequest(from_=checked_at + timedelta(seconds=1), to=now))
    async with runtime.store.read() as connection:
        mine = select(extracts.c.id).where(extracts.c.organization_id == organization)
        report = (await connection.execute(mine)).scalars().first()
    assert report is not None
    for check in ((ErasableCheck.REPORT, report), (ErasableCheck.SEARCH, business.search_id)):
        await ask_for_pack(runtime, north, PackRequest(business_id=business.id))
        await ask_for_pack(runtime, north, PackRequest(from_=checked_at - timedelta(days=1), to=now))
        await finish_erasure(runtime, organization, await erase_check(runtime, organization, check, REASON, ANN))
        assert {pack.id for pack in (await list_packs(runtime, organization, None, 10)).packs} == {other, earlier, later}


async def test_the_packs_of_all_times_of_an_erased_business_are_erased(
    runtime: Runtime, north: Principal, organization: UUID
) -> None:
    begun = runtime.clock()
    business = await fill(runtime, north, WORD)
    clock_of(runtime).advance(days=10)
    await sent(runtime, organization, externalId=WORD, city="Guelph")
    changed_at = runtime.clock()
    clock_of(runtime).advance(days=10)
    before, _, after = [
        await ask_for_pack(runtime, north, PackRequest(from_=since, to=since + timedelta(days=2)))
        for since in (begun - timedelta(days=5), changed_at - timedelta(days=1), changed_at + timedelta(days=1))
    ]
    await erase(runtime, organization, business)
    assert {pack.id for pack in (await list_packs(runtime, organization, None, 10)).packs} == {before, after}


async def test_the_events_are_read_once_and_again_when_more_has_been_erased(
    runtime: Runtime, north: Principal, organization: UUID
) -> None:
    business = await fill(runtime, north, WORD)
    late = uuid4()
    example = EVENT_EXAMPLES[EventType.SEARCH_COMPLETED]
    event = replace(example, subject=EventSubject(kind=EventSubjectKind.SEARCH, id=late), business=None, resource=None)
    async with runtime.store.write() as connection:
        await record_events(connection, organization, [event], runtime.clock())
        mine = searches.c.organization_id == organization, searches.c.id == business.search_id
        row = (await connection.execute(select(searches).where(*mine))).one()._asdict()
    accepted = await erase_business(runtime, organization, business.id, REASON, ANN)
    again_at = await run_erasure(runtime, organization, accepted.erasure_id)
    assert again_at is not None
    about, announced = (await list_events(runtime, organization))[-2:]
    assert (about.subject.id, announced.type) == (late, EventType.DATA_ERASED)
    async with runtime.store.write() as connection:
        read = await erasures.get(connection, organization, accepted.erasure_id)
        assert read is not None
        assert read.events_position == about.sequence
        # A search that was under way stores its result only now.
        await connection.execute(insert(searches).values(**{**row, "id": late}))
    clock_of(runtime).now = again_at
    await finish_erasure(runtime, organization, accepted)
    assert late not in {event.subject.id for event in await list_events(runtime, organization)}
    async with runtime.store.read() as connection:
        finished = await erasures.get(connection, organization, accepted.erasure_id)
    assert finished is not None
    assert (finished.events_position, finished.business_id) == (announced.sequence, None)


@pytest.mark.parametrize("change", [{"erased": True, "old": "null", "new": "null"}, {"hash": "f" * 64}])
async def test_an_erasure_that_the_log_does_not_list_is_detected(
    runtime: Runtime, north: Principal, organization: UUID, change: dict[str, object]
) -> None:
    business = await fill(runtime, north, WORD)
    await fill(runtime, north, OTHER, OTHER_NUMBER)
    await erase(runtime, organization, business)
    assert (await verify_audit_log(runtime, organization)).is_whole
    async with runtime.store.write() as connection:
        chosen = audit_entries.c.field == "case.noted" if "erased" in change else audit_entries.c.erased.is_(True)
        mine = (audit_entries.c.organization_id == organization, chosen)
        await connection.execute(update(audit_entries).where(*mine, audit_entries.c.erased.is_("hash" in change)).values(**change))
    assert not (await verify_audit_log(runtime, organization)).is_whole


@pytest.mark.slow
async def test_a_killed_erasure_is_continued(runtime: Runtime, north: Principal, organization: UUID, database_url: str) -> None:
    """The process ends after each of its commits in turn, and what it has begun is finished by the next one."""
    store = InterruptedStore.on(database_url)
    interrupted, kills = replace(runtime, store=store), 0
    business = await fill(runtime, north, WORD)
    accepted = await erase_business(runtime, organization, business.id, REASON, ANN)
    while True:
        store.kill_after(kills)
        try:
            again_at = await run_erasure(interrupted, organization, accepted.erasure_id)
        except Killed:
            kills += 1
            continue
        if again_at is None:
            break
        clock_of(runtime).now = again_at
        store.kill_after(10**6)
    await store.close()
    await finish_erasure(runtime, organization, accepted)
    await follow(runtime)
    assert kills > 3
    assert await find_traces(runtime, organization, WORD) == {}
    assert (await verify_audit_log(runtime, organization)).is_whole
    events = [event.type for event in await list_events(runtime, organization)]
    assert events.count(EventType.DATA_ERASED) == 1
