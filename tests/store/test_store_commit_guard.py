"""A guarded block can't commit a write without what belongs to it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import UUID

import pytest

from bonafide.errors import Conflict
from bonafide.model.accounts.organizations import World
from bonafide.store.database.commit_guard import CommitGuard
from bonafide.store.database.engine import Connection, Store
from bonafide.store.records import searches
from bonafide.store.tenants import organizations
from bonafide.store.work import idempotency
from bonafide.store.work.idempotency import ReplayedResponse, ReservedKey, StoredResponse
from bonafide.store.work.pending_key import PendingKey, bind_key, complete_key, resume_bound
from tests.support.store.rows import MINUTE, NOW, attempt, new_search

pytestmark = pytest.mark.anyio
WITHOUT_KEY = "without completing the key"


async def make(connection: Connection, name: str) -> None:
    await organizations.get_or_create(connection, name, World.LIVE, NOW)


async def write(store: Store, name: str, also: Callable[[Connection], Awaitable[None]]) -> None:
    """A transaction that does more than one thing."""
    async with store.write() as connection:
        await make(connection, name)
        await also(connection)


async def names(store: Store) -> set[str]:
    async with store.read() as connection:
        return {found.name for found in await organizations.list_all(connection)}


async def test_a_write_that_does_not_satisfy_the_guard_is_rolled_back(store: Store) -> None:
    guard = CommitGuard()
    with guard.active(), pytest.raises(RuntimeError, match=WITHOUT_KEY):
        async with store.write() as connection:
            await make(connection, "forgotten")
    assert (await names(store), guard.is_satisfied) == (set(), False)


async def test_once_it_is_satisfied_later_writes_are_free(store: Store) -> None:
    guard = CommitGuard()
    with guard.active():
        async with store.write() as connection:
            await make(connection, "first")
            guard.satisfy(connection)
        async with store.write() as connection:
            await make(connection, "second")
    assert (await names(store), guard.is_satisfied) == ({"first", "second"}, True)


async def test_a_transaction_that_is_rolled_back_does_not_satisfy_it(store: Store) -> None:
    guard = CommitGuard()

    async def satisfy_and_fail(connection: Connection) -> None:
        guard.satisfy(connection)
        raise Conflict

    with guard.active():
        with pytest.raises(Conflict):
            await write(store, "failed", satisfy_and_fail)
        assert not guard.is_satisfied
        with pytest.raises(RuntimeError, match=WITHOUT_KEY):
            async with store.write() as connection:
                await make(connection, "forgotten")


async def test_a_statement_by_itself_is_refused_until_it_is_satisfied(store: Store, north: UUID) -> None:
    guard = CommitGuard()
    with guard.active():
        with pytest.raises(RuntimeError, match=WITHOUT_KEY):
            await searches.insert_loading(store, north, new_search())
        async with store.write() as connection:
            guard.satisfy(connection)
        await searches.insert_loading(store, north, new_search())


async def test_bookkeeping_is_free(store: Store) -> None:
    with CommitGuard().active():
        async with store.write(is_effect=False) as connection:
            await make(connection, "counted")
    assert await names(store) == {"counted"}


async def test_a_task_that_outlives_the_block_is_free(store: Store) -> None:
    ended = asyncio.Event()

    async def write_later() -> None:
        await ended.wait()
        async with store.write() as connection:
            await make(connection, "later")

    with CommitGuard().active():
        task = asyncio.create_task(write_later())
    ended.set()
    await task
    assert await names(store) == {"later"}


# ------------------------------------------------------------------------------------------------------------ pending keys


async def reserved(store: Store, organization_id: UUID, key_id: UUID, minutes: int = 0) -> ReservedKey:
    now = NOW + minutes * MINUTE
    async with store.write() as connection:
        found = await idempotency.reserve(connection, organization_id, attempt(key_id=key_id), now, now + MINUTE)
    assert isinstance(found, ReservedKey)
    return found


def pending(organization_id: UUID, key: ReservedKey) -> PendingKey:
    made = PendingKey(organization_id, key, lambda: NOW + timedelta(days=1))
    made.describe = lambda result: StoredResponse(200, {}, str(result).encode())
    return made


async def test_a_key_is_completed_in_the_transaction_of_the_effect(store: Store, north: UUID, north_key: UUID) -> None:
    key = pending(north, await reserved(store, north, north_key))

    async def complete_and_fail(connection: Connection) -> None:
        await complete_key(connection, "lost")
        raise Conflict

    with key.active():
        with pytest.raises(Conflict):
            await write(store, "failed", complete_and_fail)
        assert not key.is_completed
        async with store.write() as connection:
            await complete_key(connection, "kept")
    assert key.is_completed
    async with store.write() as connection:
        replayed = await idempotency.reserve(connection, north, attempt(key_id=north_key), NOW + MINUTE, NOW + 2 * MINUTE)
    assert replayed == ReplayedResponse(StoredResponse(200, {}, b"kept"))


async def test_without_a_key_there_is_nothing_to_complete(store: Store) -> None:
    async with store.write() as connection:
        await complete_key(connection, "nothing")
        await bind_key(connection, UUID(int=1))
    assert resume_bound() is None


async def test_an_attempt_that_lost_its_key_commits_nothing(store: Store, north: UUID, north_key: UUID) -> None:
    lost = pending(north, await reserved(store, north, north_key))
    await reserved(store, north, north_key, minutes=1)
    with lost.active(), pytest.raises(Conflict):
        await write(store, "twice", lambda connection: complete_key(connection, "twice"))
    assert "twice" not in await names(store)


async def test_a_service_that_does_not_resume_what_it_has_bound_commits_nothing(store: Store, north: UUID, north_key: UUID) -> None:
    first = pending(north, await reserved(store, north, north_key))
    with first.active():
        async with store.write() as connection:
            await bind_key(connection, UUID(int=1))
    second = pending(north, await reserved(store, north, north_key, minutes=1))
    with second.active(), pytest.raises(RuntimeError, match="resume_bound"):
        await write(store, "twice", lambda connection: bind_key(connection, UUID(int=2)))
    assert "twice" not in await names(store)
    third = pending(north, await reserved(store, north, north_key, minutes=2))
    with third.active():
        assert resume_bound() == UUID(int=1)
        async with store.write() as connection:
            await make(connection, "continued")
    assert "continued" in await names(store)


async def test_an_endpoint_that_does_not_describe_its_response_commits_nothing(store: Store, north: UUID, north_key: UUID) -> None:
    key = PendingKey(north, await reserved(store, north, north_key), lambda: NOW + timedelta(days=1))
    with key.active(), pytest.raises(RuntimeError, match="respond_once"):
        async with store.write() as connection:
            await complete_key(connection, "undescribed")
