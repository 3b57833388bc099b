import asyncio
from datetime import datetime, timedelta
from typing import Unpack
from uuid import UUID, uuid4

import pytest
from sqlalchemy.exc import IntegrityError

from bonafide.model.accounts.organizations import ApiKey, Scope, World
from bonafide.store.database.engine import Store
from bonafide.store.tenants import api_keys
from tests.support.store.rows import MINUTE, NOW, SECOND, KeyChanges, new_key

pytestmark = pytest.mark.anyio


async def _insert(store: Store, organization_id: UUID, **changes: Unpack[KeyChanges]) -> api_keys.NewApiKey:
    key = new_key(**changes)
    async with store.write() as connection:
        await api_keys.insert_key(connection, organization_id, key)
    return key


async def _read(store: Store, key_id: UUID) -> ApiKey:
    async with store.read() as connection:
        key = await api_keys.get_by_id(connection, key_id)
    assert key is not None
    return key


async def test_a_key_is_found_by_its_digest_with_its_organization(store: Store, north: UUID) -> None:
    new = await _insert(store, north, lifetime=timedelta(days=30))
    async with store.read() as connection:
        found = await api_keys.get_by_digest(connection, new.digest)
        assert await api_keys.get_by_digest(connection, "0" * 64) is None
    # A statement of its own, whose row another code converts.
    assert await api_keys.get_by_digest(store, new.digest) == found
    assert await api_keys.get_by_digest(store, "0" * 64) is None
    assert found == ApiKey(
        id=new.id,
        organization_id=north,
        organization="north",
        world=World.LIVE,
        label="Intégration",
        owner="owner@north.example",
        prefix="bf_live_abcd",
        last4="wxyz",
        scopes=(Scope.SEARCH_READ, Scope.SEARCH_WRITE),
        rate_limit=60,
        lenient=False,
        created_at=NOW,
        last_used_at=None,
        expires_at=NOW + timedelta(days=30),
        revoked_at=None,
    )


async def test_no_two_keys_have_one_digest(store: Store, north: UUID, south: UUID) -> None:
    key = await _insert(store, north)
    with pytest.raises(IntegrityError):
        await _insert(store, south, digest=key.digest)


async def test_keys_are_listed_oldest_first_revoked_ones_too(store: Store, north: UUID) -> None:
    second, first = await _insert(store, north, created_at=NOW + SECOND), await _insert(store, north)
    async with store.write() as connection:
        assert await api_keys.revoke(connection, north, first.id, NOW)
        assert [key.id for key in await api_keys.list_keys(connection, north)] == [first.id, second.id]


async def test_a_key_is_revoked_once(store: Store, north: UUID) -> None:
    key = await _insert(store, north)
    async with store.write() as connection:
        assert await api_keys.revoke(connection, north, key.id, NOW)
        assert not await api_keys.revoke(connection, north, key.id, NOW + MINUTE)
        assert not await api_keys.revoke(connection, north, uuid4(), NOW)
    assert (await _read(store, key.id)).revoked_at == NOW


async def test_a_lifetime_is_set_from_now(store: Store, north: UUID) -> None:
    key = await _insert(store, north)
    async with store.write() as connection:
        assert await api_keys.get_lifetime(connection, north, key.id) is None
        assert await api_keys.set_lifetime(connection, north, key.id, NOW + MINUTE, timedelta(days=2))
        assert await api_keys.get_lifetime(connection, north, key.id) == timedelta(days=2)
    assert (await _read(store, key.id)).expires_at == NOW + MINUTE + timedelta(days=2)


@pytest.mark.parametrize(("lifetime", "expected"), [(None, NOW + MINUTE), (SECOND, NOW + SECOND), (2 * MINUTE, NOW + MINUTE)])
async def test_an_expiry_is_only_ever_brought_forward(
    store: Store, north: UUID, lifetime: timedelta | None, expected: datetime
) -> None:
    key = await _insert(store, north, lifetime=lifetime)
    async with store.write() as connection:
        brought_forward = await api_keys.expire_by(connection, north, key.id, NOW + MINUTE)
    assert brought_forward == (lifetime != SECOND)
    assert (await _read(store, key.id)).expires_at == expected


async def test_a_rate_limit_is_set(store: Store, north: UUID) -> None:
    key = await _insert(store, north)
    async with store.write() as connection:
        assert await api_keys.set_rate_limit(connection, north, key.id, 600)
    assert (await _read(store, key.id)).rate_limit == 600


async def test_a_key_is_made_lenient_and_strict_again(store: Store, north: UUID) -> None:
    key = new_key()
    async with store.write() as connection:
        await api_keys.insert_key(connection, north, key)
        for lenient in (True, False):
            assert await api_keys.set_lenient(connection, north, key.id, lenient=lenient)
            changed = await api_keys.get(connection, north, key.id)
            assert changed is not None
            assert changed.lenient is lenient


async def test_a_use_is_noted_at_most_once_a_minute(store: Store, north: UUID) -> None:
    key = await _insert(store, north)
    async with store.write() as connection:
        noted = [
            await api_keys.touch(connection, north, key.id, NOW + after) for after in (0 * SECOND, 59 * SECOND, MINUTE, 61 * SECOND)
        ]
    assert noted == [True, False, True, False]
    assert (await _read(store, key.id)).last_used_at == NOW + MINUTE


async def test_of_many_uses_at_once_one_is_noted(store: Store, north: UUID) -> None:
    key = await _insert(store, north)

    async def touch() -> bool:
        async with store.write() as connection:
            return await api_keys.touch(connection, north, key.id, NOW)

    assert sum(await asyncio.gather(*(touch() for _ in range(8)))) == 1


async def test_south_can_not_touch_what_is_north_s(store: Store, north: UUID, south: UUID) -> None:
    key = await _insert(store, north)
    before = await _read(store, key.id)
    async with store.write() as connection:
        assert await api_keys.list_keys(connection, south) == []
        assert await api_keys.get_lifetime(connection, south, key.id) is None
        assert not await api_keys.revoke(connection, south, key.id, NOW)
        assert not await api_keys.set_lifetime(connection, south, key.id, NOW, MINUTE)
        assert not await api_keys.expire_by(connection, south, key.id, NOW)
        assert not await api_keys.set_rate_limit(connection, south, key.id, 1)
        assert not await api_keys.set_lenient(connection, south, key.id, lenient=True)
        assert not await api_keys.touch(connection, south, key.id, NOW)
    assert await _read(store, key.id) == before
