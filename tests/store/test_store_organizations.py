import asyncio
from uuid import uuid4

import pytest

from bonafide.model.accounts.organizations import Organization, World
from bonafide.store.database.engine import Store
from bonafide.store.tenants import organizations
from tests.support.store.rows import MINUTE, NOW

pytestmark = pytest.mark.anyio


async def _named(store: Store, name: str, world: World = World.LIVE) -> Organization:
    async with store.write() as connection:
        return await organizations.get_or_create(connection, name, world, NOW)


async def test_an_organization_is_made_once(store: Store) -> None:
    first = await _named(store, "north")
    async with store.write() as connection:
        assert await organizations.get_or_create(connection, "north", World.LIVE, NOW + MINUTE) == first
    assert (first.name, first.world, first.created_at) == ("north", World.LIVE, NOW)


async def test_a_name_is_another_organization_in_each_world(store: Store) -> None:
    assert (await _named(store, "north")).id != (await _named(store, "north", World.SANDBOX)).id


async def test_ten_at_once_make_one(store: Store) -> None:
    assert len({found.id for found in await asyncio.gather(*(_named(store, "north") for _ in range(10)))}) == 1


async def test_names_are_compared_as_they_are_spelt(store: Store) -> None:
    names = ["Côté", "Cote", "COTE", "東京", "a'; DROP TABLE jobs; --", "🍁"]
    assert len({(await _named(store, name)).id for name in names}) == len(names)
    async with store.read() as connection:
        assert {found.name for found in await organizations.list_all(connection)} == set(names)


async def test_they_are_listed_by_name(store: Store) -> None:
    for name in ("south", "east", "north"):
        await _named(store, name)
    async with store.read() as connection:
        assert [found.name for found in await organizations.list_all(connection)] == ["east", "north", "south"]


async def test_an_unknown_id_is_none(store: Store) -> None:
    async with store.read() as connection:
        assert await organizations.get(connection, uuid4()) is None
