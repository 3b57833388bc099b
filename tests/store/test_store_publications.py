"""Publications and leases: of many who set one at once, one succeeds, and no clock decides which publication counts."""

import asyncio
from datetime import timedelta

import pytest

from bonafide.model.accounts.organizations import World
from bonafide.store.database.engine import Store
from bonafide.store.records import source_rows
from bonafide.store.records.source_rows import PublishedGeneration
from bonafide.store.work import shared_state
from tests.support.store.rows import NOW

pytestmark = pytest.mark.anyio
LIVE, KEY = World.LIVE, "qc"
UNTIL = NOW + timedelta(seconds=30)


def publication(sequence: int, by: str = "north") -> PublishedGeneration:
    return PublishedGeneration(sequence, f"{sequence:064}", None, NOW, by)


async def published(store: Store, expected: int | None, new: PublishedGeneration, key: str = KEY) -> bool:
    async with store.write() as connection:
        return await source_rows.publish_generation(connection, LIVE, key, expected, new)


async def test_each_publication_names_the_one_before(store: Store) -> None:
    assert await published(store, None, publication(1))
    assert not await published(store, None, publication(1, "south"))
    assert await published(store, 1, publication(2))
    assert not await published(store, 1, publication(3))
    assert await published(store, None, publication(1), "yt")
    async with store.read() as connection:
        assert await source_rows.get_published(connection, LIVE, KEY) == publication(2)
        assert await source_rows.get_published(connection, World.SANDBOX, KEY) is None
        assert await source_rows.list_published(connection) == {(LIVE, KEY): publication(2), (LIVE, "yt"): publication(1)}


@pytest.mark.parametrize("expected", [None, 1])
async def test_of_many_at_once_one_publishes(store: Store, expected: int | None) -> None:
    if expected is not None:
        assert await published(store, None, publication(1))
    many = [published(store, expected, publication(2, str(number))) for number in range(8)]
    assert sorted(await asyncio.gather(*many)) == [False] * 7 + [True]


async def test_a_lease_is_one_holders_until_it_ends(store: Store) -> None:
    async with store.write() as connection:
        assert await shared_state.acquire_lease(connection, "index", "north", NOW, UNTIL)
        assert not await shared_state.acquire_lease(connection, "index", "south", NOW, UNTIL)
        assert await shared_state.acquire_lease(connection, "other", "south", NOW, UNTIL)
        assert await shared_state.renew_lease(connection, "index", "north", UNTIL + timedelta(seconds=1))
        assert not await shared_state.acquire_lease(connection, "index", "south", UNTIL, UNTIL + timedelta(seconds=60))
        assert await shared_state.acquire_lease(
            connection, "index", "south", UNTIL + timedelta(seconds=1), UNTIL + timedelta(seconds=60)
        )
        assert not await shared_state.renew_lease(connection, "index", "north", UNTIL)
        await shared_state.release_lease(connection, "index", "north")
        assert not await shared_state.acquire_lease(connection, "index", "north", NOW, UNTIL)
        await shared_state.release_lease(connection, "index", "south")
        assert await shared_state.acquire_lease(connection, "index", "north", NOW, UNTIL)


async def test_of_many_at_once_one_has_the_lease(store: Store) -> None:
    async def take(holder: str) -> bool:
        async with store.write() as connection:
            return await shared_state.acquire_lease(connection, "index", holder, NOW, UNTIL)

    assert sorted(await asyncio.gather(*(take(str(number)) for number in range(8)))) == [False] * 7 + [True]
