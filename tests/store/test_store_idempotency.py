import asyncio
from dataclasses import replace
from datetime import datetime
from uuid import UUID, uuid4

import pytest

from bonafide.store.database.engine import Store
from bonafide.store.tenants import api_keys
from bonafide.store.work import idempotency
from bonafide.store.work.idempotency import (
    IdempotentRequest,
    ReplayedResponse,
    RequestInProgress,
    ReservationResult,
    ReservedKey,
    ReusedKey,
    StoredResponse,
)
from tests.support.store.rows import MINUTE, NOW, SECOND, RequestChanges, attempt, new_key

pytestmark = pytest.mark.anyio

ANSWER = StoredResponse(
    200, {"Content-Type": "application/json", "Location": "/v1/search/é"}, b'{"a": "\x00\xff"}', "SearchResult", "{}", "pdf/1.pdf"
)
LATER = NOW + MINUTE


async def _reserve(store: Store, organization_id: UUID, what: IdempotentRequest, now: datetime = NOW) -> ReservationResult:
    async with store.write() as connection:
        return await idempotency.reserve(connection, organization_id, what, now, now + MINUTE)


async def _reserved(store: Store, organization_id: UUID, what: IdempotentRequest, now: datetime = NOW) -> ReservedKey:
    reservation = await _reserve(store, organization_id, what, now)
    assert isinstance(reservation, ReservedKey)
    return reservation


async def test_the_first_reserves_and_the_second_waits(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    assert isinstance(await _reserve(store, north, what), ReservedKey)
    assert await _reserve(store, north, what) == RequestInProgress()


async def test_of_eight_at_once_one_reserves(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    outcomes = await asyncio.gather(*(_reserve(store, north, what) for _ in range(8)))
    assert sum(isinstance(outcome, ReservedKey) for outcome in outcomes) == 1
    assert outcomes.count(RequestInProgress()) == 7


async def test_of_eight_at_once_one_takes_over_what_ran_out(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    await _reserve(store, north, what)
    outcomes = await asyncio.gather(*(_reserve(store, north, what, LATER) for _ in range(8)))
    assert sum(isinstance(outcome, ReservedKey) for outcome in outcomes) == 1


async def test_an_answer_is_replayed_to_the_byte(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    reserved = await _reserved(store, north, what)
    async with store.write() as connection:
        assert await idempotency.complete(connection, north, reserved, ANSWER, NOW + 60 * MINUTE)
    assert await _reserve(store, north, what, NOW + 59 * MINUTE) == ReplayedResponse(ANSWER)
    assert isinstance(await _reserve(store, north, what, NOW + 60 * MINUTE), ReservedKey)


@pytest.mark.parametrize("other", [{"body_sha256": "b" * 64}, {"endpoint": "POST /v1/sanctions"}])
@pytest.mark.parametrize("answered", [True, False])
async def test_another_request_under_the_same_key_is_different(
    store: Store, north: UUID, north_key: UUID, other: RequestChanges, *, answered: bool
) -> None:
    reserved = await _reserved(store, north, attempt(key_id=north_key))
    if answered:
        async with store.write() as connection:
            await idempotency.complete(connection, north, reserved, ANSWER, LATER)
    assert await _reserve(store, north, attempt(key_id=north_key, **other)) == ReusedKey()


async def test_another_idempotency_key_is_another_request(store: Store, north: UUID, north_key: UUID) -> None:
    await _reserved(store, north, attempt(key_id=north_key))
    await _reserved(store, north, attempt(key_id=north_key, idempotency_key="order-2"))
    await _reserved(store, north, attempt(key_id=north_key, idempotency_key="ORDER-1"))


async def test_a_released_key_can_be_reserved_again(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    reserved = await _reserved(store, north, what)
    async with store.write() as connection:
        assert await idempotency.release(connection, north, reserved, NOW)
    await _reserved(store, north, what)


async def test_whoever_lost_a_reservation_can_neither_complete_nor_release_it(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    lost = await _reserved(store, north, what)
    held = await _reserved(store, north, what, LATER)
    async with store.write() as connection:
        assert not await idempotency.complete(connection, north, lost, ANSWER, LATER + MINUTE)
        assert not await idempotency.release(connection, north, lost, NOW)
        assert await idempotency.complete(connection, north, held, ANSWER, LATER + MINUTE)
    assert await _reserve(store, north, what, LATER) == ReplayedResponse(ANSWER)


async def test_a_reservation_is_renewed_by_who_has_it_until_it_is_answered(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    held = await _reserved(store, north, what)
    async with store.write() as connection:
        assert await idempotency.renew(connection, north, held, LATER + MINUTE)
    assert await _reserve(store, north, what, LATER) == RequestInProgress()
    async with store.write() as connection:
        assert not await idempotency.renew(connection, north, replace(held, token=uuid4()), LATER + MINUTE)
        assert await idempotency.complete(connection, north, held, ANSWER, LATER + MINUTE)
        assert not await idempotency.renew(connection, north, held, LATER)
    assert await _reserve(store, north, what, LATER) == ReplayedResponse(ANSWER)


async def test_what_ran_out_is_purged(store: Store, north: UUID, north_key: UUID) -> None:
    await _reserve(store, north, attempt(key_id=north_key))
    await _reserve(store, north, attempt(key_id=north_key, idempotency_key="order-2"), NOW + SECOND)
    async with store.write() as connection:
        assert await idempotency.purge_expired(connection, LATER) == 1
        assert await idempotency.purge_expired(connection, LATER) == 0
    assert await _reserve(store, north, attempt(key_id=north_key, idempotency_key="order-2")) == RequestInProgress()


async def test_south_s_requests_have_nothing_to_do_with_north_s(store: Store, north: UUID, north_key: UUID, south: UUID) -> None:
    key = new_key()
    async with store.write() as connection:
        await api_keys.insert_key(connection, south, key)
    norths = await _reserved(store, north, attempt(key_id=north_key))
    await _reserved(store, south, attempt(key_id=key.id))
    async with store.write() as connection:
        assert not await idempotency.complete(connection, south, norths, ANSWER, LATER)
        assert not await idempotency.release(connection, south, norths, NOW)
        assert await idempotency.complete(connection, north, norths, ANSWER, LATER)
    assert await _reserve(store, south, attempt(key_id=key.id)) == RequestInProgress()
    assert await _reserve(store, north, attempt(key_id=north_key)) == ReplayedResponse(ANSWER)


DAY = 24 * 60 * MINUTE
RESOURCE = UUID(int=7)


async def _bound(store: Store, organization_id: UUID, what: IdempotentRequest) -> ReservedKey:
    reserved = await _reserved(store, organization_id, what)
    async with store.write() as connection:
        assert await idempotency.bind(connection, organization_id, reserved, RESOURCE, NOW + DAY)
    return reserved


async def test_of_eight_at_once_one_continues_what_a_key_is_bound_to(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    await _bound(store, north, what)
    assert await _reserve(store, north, what, NOW + SECOND) == RequestInProgress()
    outcomes = await asyncio.gather(*(_reserve(store, north, what, LATER) for _ in range(8)))
    assert [outcome.resource_id for outcome in outcomes if isinstance(outcome, ReservedKey)] == [RESOURCE]
    assert outcomes.count(RequestInProgress()) == 7


async def test_a_bound_key_is_not_given_to_another_request(store: Store, north: UUID, north_key: UUID) -> None:
    await _bound(store, north, attempt(key_id=north_key))
    other = attempt(key_id=north_key, body_sha256="b" * 64)
    assert await _reserve(store, north, other, NOW + DAY - SECOND) == ReusedKey()
    taken = await _reserve(store, north, other, NOW + DAY)
    assert isinstance(taken, ReservedKey)
    assert taken.resource_id is None


async def test_a_bound_key_that_is_released_can_be_continued_at_once(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    bound = await _bound(store, north, what)
    async with store.write() as connection:
        assert not await idempotency.release(connection, north, bound, NOW)
    continued = await _reserve(store, north, what)
    assert isinstance(continued, ReservedKey)
    assert continued.resource_id == RESOURCE


async def test_a_completed_key_is_not_released(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    reserved = await _reserved(store, north, what)
    async with store.write() as connection:
        await idempotency.complete(connection, north, reserved, ANSWER, LATER)
        assert not await idempotency.release(connection, north, reserved, NOW)
    assert await _reserve(store, north, what) == ReplayedResponse(ANSWER)


async def test_a_renewed_reservation_of_a_bound_key_leaves_its_end_as_it_is(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    bound = await _bound(store, north, what)
    async with store.write() as connection:
        assert await idempotency.renew(connection, north, bound, LATER + MINUTE)
    assert await _reserve(store, north, what, LATER) == RequestInProgress()
    assert isinstance(await _reserve(store, north, what, LATER + MINUTE), ReservedKey)
    assert await _reserve(store, north, attempt(key_id=north_key, body_sha256="b" * 64), LATER + 2 * MINUTE) == ReusedKey()


async def test_whoever_lost_a_reservation_cannot_bind_it(store: Store, north: UUID, north_key: UUID) -> None:
    what = attempt(key_id=north_key)
    lost = await _reserved(store, north, what)
    await _reserved(store, north, what, LATER)
    async with store.write() as connection:
        assert not await idempotency.bind(connection, north, lost, RESOURCE, LATER + DAY)
