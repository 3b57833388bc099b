"""Two tenants: `north` owns what a test makes, `south` must see nothing of it."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest

from bonafide.model.accounts.organizations import World
from bonafide.store.database.engine import Store
from bonafide.store.tenants import api_keys, organizations
from tests.support.store.rows import NOW, new_key


@pytest.fixture
async def north(store: Store) -> UUID:
    return await _organization(store, "north")


@pytest.fixture
async def south(store: Store) -> UUID:
    return await _organization(store, "south")


@pytest.fixture
async def north_key(store: Store, north: UUID) -> UUID:
    """An API key of north's."""
    key = new_key()
    async with store.write() as connection:
        await api_keys.insert_key(connection, north, key)
    return key.id


@pytest.fixture
async def sqlite_store(tmp_path: Path) -> AsyncIterator[Store]:
    """A store on SQLite, whose query plans can be read."""
    store = Store.open(f"sqlite+aiosqlite:///{tmp_path / 'bonafide.sqlite3'}")
    await store.migrate()
    yield store
    await store.close()


async def _organization(store: Store, name: str) -> UUID:
    async with store.write() as connection:
        return (await organizations.get_or_create(connection, name, World.LIVE, NOW)).id
