"""Verifications and fetches in the database: they end once, they are held by one, and another organization sees none of it."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import pytest

from bonafide.i18n.message import Message
from bonafide.model.base import StoredDocument
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import FeedPosition
from bonafide.model.verification.results import ResultStatus, VerificationState
from bonafide.store.database.engine import Store
from bonafide.store.database.tables import JobState
from bonafide.store.records import registry_lookups, verifications
from bonafide.store.records.registry_lookups import RegistrationKey
from bonafide.store.records.verifications import CompletedVerification, NewVerification, StoredVerification
from bonafide.store.work import jobs
from tests.support.store.rows import DOCUMENT, MINUTE, NOW, SECOND, new_job

pytestmark = pytest.mark.anyio
DEADLINE = NOW + 2 * MINUTE
ANSWER, OTHER = (
    CompletedVerification(StoredDocument(DOCUMENT), ResultStatus.INACTIVE),
    CompletedVerification(StoredDocument("{}"), ResultStatus.VERIFIED),
)
KEY = RegistrationKey(Jurisdiction.ON, "1000017")


def new_verification(**changes: Any) -> NewVerification:
    return NewVerification(**{"id": uuid4(), "request": '{"é": 1}', "created_at": NOW, "deadline_at": DEADLINE, **changes})


async def inserted(store: Store, organization_id: UUID, **changes: Any) -> UUID:
    new = new_verification(**changes)
    async with store.write() as connection:
        await verifications.insert_pending(connection, organization_id, new)
    return new.id


async def read(store: Store, organization_id: UUID, verification_id: UUID) -> StoredVerification:
    async with store.read() as connection:
        found = await verifications.get(connection, organization_id, verification_id)
    assert found is not None
    return found


# ------------------------------------------------------------------------------------------------------------ verifications


async def test_a_new_one_is_pending(store: Store, north: UUID) -> None:
    one = await inserted(store, north)
    expected = StoredVerification(north, one, VerificationState.PENDING, '{"é": 1}', NOW, DEADLINE, None, None, None)
    assert await read(store, north, one) == expected
    async with store.read() as connection:
        assert await verifications.get_document(connection, north, one) is None


async def test_it_moves_between_the_states_under_way_and_keeps_the_last_reason(store: Store, north: UUID) -> None:
    one = await inserted(store, north)
    for state, said, kept in (
        (VerificationState.PROCESSING, None, None),
        (VerificationState.WAITING_FOR_REGISTRY, Message("slow"), "slow"),
        (VerificationState.PROCESSING, None, "slow"),
    ):
        async with store.write() as connection:
            assert await verifications.set_state(connection, north, one, state, said)
        row = await read(store, north, one)
        assert (row.state, row.reason) == (state, kept)


async def test_the_document_comes_back_byte_for_byte(store: Store, north: UUID) -> None:
    one = await inserted(store, north)
    async with store.write() as connection:
        assert await verifications.complete(connection, north, one, ANSWER, NOW + SECOND)
        assert await verifications.get_document(connection, north, one) == StoredDocument(DOCUMENT)
    row = await read(store, north, one)
    assert (row.state, row.finished_at, row.reason) == (VerificationState.COMPLETED, NOW + SECOND, None)
    assert row.outcome is ResultStatus.INACTIVE


async def test_it_ends_once(store: Store, north: UUID) -> None:
    completed, failed = await inserted(store, north), await inserted(store, north)
    async with store.write() as connection:
        assert await verifications.complete(connection, north, completed, ANSWER, NOW)
        assert await verifications.fail(connection, north, failed, Message("why"), NOW)
        for one in (completed, failed):
            assert not await verifications.complete(connection, north, one, OTHER, NOW)
            assert not await verifications.fail(connection, north, one, Message("other"), NOW)
            assert not await verifications.set_state(connection, north, one, VerificationState.PROCESSING)
        assert await verifications.get_document(connection, north, completed) == StoredDocument(DOCUMENT)
    assert (await read(store, north, failed)).reason == "why"


async def test_of_eight_at_once_one_ends_it(store: Store, north: UUID) -> None:
    one = await inserted(store, north)

    async def end(number: int) -> bool:
        async with store.write() as connection:
            if number % 2:
                return await verifications.complete(
                    connection, north, one, CompletedVerification(StoredDocument(str(number)), ResultStatus.VERIFIED), NOW
                )
            return await verifications.fail(connection, north, one, Message.untranslated(str(number)), NOW)

    assert sum(await asyncio.gather(*map(end, range(8)))) == 1


async def test_from_its_deadline_on_it_can_only_fail(store: Store, north: UUID) -> None:
    one = await inserted(store, north)
    async with store.write() as connection:
        assert not await verifications.complete(connection, north, one, ANSWER, DEADLINE)
        assert await verifications.list_overdue(connection, DEADLINE - SECOND, 10) == []
        assert [row.id for row in await verifications.list_overdue(connection, DEADLINE, 10)] == [one]
        assert await verifications.fail(connection, north, one, Message("late"), DEADLINE)
        assert await verifications.list_overdue(connection, DEADLINE, 10) == []


async def test_overdue_ones_are_listed_for_all_the_oldest_first(store: Store, north: UUID, south: UUID) -> None:
    second = await inserted(store, north, deadline_at=NOW + SECOND)
    first = await inserted(store, south, deadline_at=NOW)
    await inserted(store, south, deadline_at=NOW + MINUTE)
    async with store.read() as connection:
        late = await verifications.list_overdue(connection, NOW + SECOND, 10)
        assert [(row.organization_id, row.id) for row in late] == [(south, first), (north, second)]
        assert len(await verifications.list_overdue(connection, NOW + SECOND, 1)) == 1


async def test_the_list_is_newest_first_and_does_not_repeat_over_pages(store: Store, north: UUID, south: UUID) -> None:
    # Two for each instant: only the order by id as well keeps the pages apart.
    ids = [await inserted(store, north, created_at=NOW + (number // 2) * SECOND) for number in range(9)]
    await inserted(store, south)
    async with store.read() as connection:
        listed, place = list[verifications.StoredVerification](), None
        while page := await verifications.list_older(connection, north, 2, place=place):
            listed, place = [*listed, *page], FeedPosition(page[-1].created_at, page[-1].id)
    assert sorted(row.id for row in listed) == sorted(ids)
    assert [row.created_at for row in listed] == sorted((row.created_at for row in listed), reverse=True)


async def test_south_sees_and_changes_nothing_of_north_s(store: Store, north: UUID, south: UUID) -> None:
    one = await inserted(store, north)
    async with store.write() as connection:
        assert await verifications.get(connection, south, one) is None
        assert await verifications.list_older(connection, south, 10) == []
        assert not await verifications.set_state(connection, south, one, VerificationState.PROCESSING)
        assert not await verifications.complete(connection, south, one, ANSWER, NOW)
        assert not await verifications.fail(connection, south, one, Message("south's"), NOW)
    assert (await read(store, north, one)).state is VerificationState.PENDING


# ------------------------------------------------------------------------------------------------------------ fetches


async def take(store: Store, organization_id: UUID, holder: UUID, now: Any = NOW) -> bool:
    async with store.write() as connection:
        return await registry_lookups.acquire_lock(connection, organization_id, KEY, holder, now, now + MINUTE)


async def test_a_fetch_is_held_by_one_until_it_expires(store: Store, north: UUID) -> None:
    one, other = uuid4(), uuid4()
    assert await take(store, north, one)
    assert not await take(store, north, other)
    assert not await take(store, north, other, NOW + MINUTE - SECOND)
    assert await take(store, north, other, NOW + MINUTE)
    assert not await take(store, north, one, NOW + MINUTE)


async def test_its_holder_may_take_it_again(store: Store, north: UUID) -> None:
    one = uuid4()
    assert await take(store, north, one)
    assert await take(store, north, one, NOW + 30 * SECOND)
    assert not await take(store, north, uuid4(), NOW + MINUTE)


async def test_of_eight_at_once_one_holds_it(store: Store, north: UUID) -> None:
    assert sum(await asyncio.gather(*(take(store, north, uuid4()) for _ in range(8)))) == 1


async def test_put_off_it_is_nobody_s_until_then_and_the_refusals_are_counted(store: Store, north: UUID) -> None:
    one, now = uuid4(), NOW
    for refusals in (1, 2):
        assert await take(store, north, one, now)
        async with store.write() as connection:
            await registry_lookups.defer_lookup(connection, north, KEY, one, now + MINUTE, "slow down")
            fetch = await registry_lookups.get_lock(connection, north, KEY)
        assert fetch == registry_lookups.RegistryLookupLock(None, now + MINUTE, refusals, None, "slow down")
        assert not await take(store, north, one, now + MINUTE - SECOND)
        now += MINUTE
    assert await take(store, north, uuid4(), now)


async def test_an_ending_stays_for_those_who_wait_and_the_refusals_are_forgotten(store: Store, north: UUID) -> None:
    one, other = uuid4(), uuid4()
    await take(store, north, one)
    async with store.write() as connection:
        await registry_lookups.defer_lookup(connection, north, KEY, one, NOW, "slow down")
    await take(store, north, one)
    async with store.write() as connection:
        await registry_lookups.complete_lookup(connection, north, KEY, one, NOW, "missing")
        assert await registry_lookups.get_lock(connection, north, KEY) == registry_lookups.RegistryLookupLock(
            None, NOW, 0, NOW, "missing"
        )
    assert await take(store, north, other)
    async with store.write() as connection:
        await registry_lookups.release_lock(connection, north, KEY, other, NOW + SECOND)
        assert await registry_lookups.get_lock(connection, north, KEY) == registry_lookups.RegistryLookupLock(
            None, NOW + SECOND, 0, NOW, "missing"
        )


async def test_who_holds_it_no_more_changes_nothing(store: Store, north: UUID) -> None:
    late, current = uuid4(), uuid4()
    await take(store, north, late)
    await take(store, north, current, NOW + MINUTE)
    async with store.write() as connection:
        before = await registry_lookups.get_lock(connection, north, KEY)
        await registry_lookups.defer_lookup(connection, north, KEY, late, NOW, "late")
        await registry_lookups.complete_lookup(connection, north, KEY, late, NOW, "late")
        await registry_lookups.release_lock(connection, north, KEY, late, NOW)
        assert await registry_lookups.get_lock(connection, north, KEY) == before


async def test_each_organization_holds_its_own(store: Store, north: UUID, south: UUID) -> None:
    one, other = uuid4(), uuid4()
    assert await take(store, north, one)
    assert await take(store, south, other)
    async with store.write() as connection:
        await registry_lookups.complete_lookup(connection, south, KEY, one, NOW, "south's")
        fetch = await registry_lookups.get_lock(connection, north, KEY)
        assert fetch is not None
        assert (fetch.holder, fetch.ending) == (one, None)


async def test_what_is_long_over_is_forgotten(store: Store, north: UUID) -> None:
    await take(store, north, uuid4())
    async with store.write() as connection:
        assert await registry_lookups.purge_locks(connection, NOW + MINUTE) == 0
        assert await registry_lookups.purge_locks(connection, NOW + MINUTE + SECOND) == 1
        assert await registry_lookups.get_lock(connection, north, KEY) is None


# ------------------------------------------------------------------------------------------------------------ postponing


async def test_a_postponed_job_is_due_then_and_has_lost_no_attempt(store: Store, north: UUID) -> None:
    async with store.write() as connection:
        await jobs.enqueue(connection, north, new_job(kind="verify"))
        job = await jobs.claim(connection, "first", NOW, MINUTE, ["verify"])
        assert job is not None
        assert await jobs.defer(connection, job, NOW + 5 * SECOND)
        assert not await jobs.defer(connection, job, NOW)
        postponed = await jobs.get(connection, north, job.id)
        assert postponed is not None
        assert (postponed.state, postponed.worker, postponed.attempts) == (JobState.QUEUED, None, 0)
        assert await jobs.claim(connection, "second", NOW + 4 * SECOND, MINUTE, ["verify"]) is None
        again = await jobs.claim(connection, "second", NOW + 5 * SECOND, MINUTE, ["verify"])
    assert again is not None
    assert again.attempts == 1
