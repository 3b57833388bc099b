"""The API keys of one organization, as its owners manage them; every change stands in the organization's trail.

A key of another organization is no key here. What the operator may do with all keys is in `accounts`.
"""

from datetime import timedelta
from uuid import UUID

from pydantic import JsonValue

from bonafide.errors import Conflict, NotFound
from bonafide.model.base import format_instant
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.model.accounts.organizations import ApiKey, KeyChange, KeyRequest
from bonafide.runtime import Runtime
from bonafide.services import account_trail, accounts
from bonafide.services.accounts import CreatedKey
from bonafide.store.tenants import api_keys
from bonafide.store.database.engine import Connection

KEY = "apiKey"
"""The field of the trail that says what a key is and may do."""


async def list_keys(runtime: Runtime, organization_id: UUID) -> list[ApiKey]:
    """The organization's keys, the newest first, revoked and expired ones too."""
    async with runtime.store.read() as connection:
        return (await api_keys.list_keys(connection, organization_id))[::-1]


async def read_key(runtime: Runtime, organization_id: UUID, key_id: UUID) -> ApiKey:
    """One of the organization's keys. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        return await _own(connection, organization_id, key_id)


async def create_key(runtime: Runtime, organization_id: UUID, request: KeyRequest, author: Author) -> CreatedKey:
    """A new key of the organization, whatever the request names."""
    async with runtime.store.write() as connection:
        created = await accounts.insert_in(connection, organization_id, request, runtime.clock())
        await _record(runtime, connection, author, None, created.key)
    return created


async def rotate_key(runtime: Runtime, organization_id: UUID, key_id: UUID, overlap: timedelta, author: Author) -> CreatedKey:
    """A new key like the old one, which expires after `overlap`, if not before.

    Raises `NotFound`, and `Conflict` for a key that is revoked or has expired.
    """
    async with runtime.store.write() as connection:
        old = await _own(connection, organization_id, key_id)
        created = await accounts.rotate_in(connection, old, overlap, runtime.clock())
        await _record(runtime, connection, author, None, created.key)
        await _record(runtime, connection, author, old, await _own(connection, organization_id, key_id))
    runtime.store.api_key_cache.forget(key_id)
    return created


async def change_key(runtime: Runtime, organization_id: UUID, key_id: UUID, change: KeyChange, author: Author) -> ApiKey:
    """A new lifetime from now on, a new rate limit, or both. Raises `NotFound`, and `Conflict` for a revoked key."""
    async with runtime.store.write() as connection:
        old = await _own(connection, organization_id, key_id)
        if old.revoked_at is not None:
            raise Conflict("this API key is revoked: nothing can be changed about it")
        changed = await accounts.change_in(connection, old, change, runtime.clock())
        await _record(runtime, connection, author, old, changed)
    runtime.store.api_key_cache.forget(key_id)
    return changed


async def revoke_key(runtime: Runtime, organization_id: UUID, key_id: UUID, author: Author) -> ApiKey:
    """Refuse the key from now on; one that is revoked already stays as it is. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        old = await _own(connection, organization_id, key_id)
        revoked = await accounts.revoke_in(connection, old, runtime.clock())
        await _record(runtime, connection, author, old, revoked)
    runtime.store.api_key_cache.forget(key_id)
    return revoked


async def _own(connection: Connection, organization_id: UUID, key_id: UUID) -> ApiKey:
    key = await api_keys.get(connection, organization_id, key_id)
    if key is None:
        raise NotFound("there is no API key with this id")
    return key


async def _record(runtime: Runtime, connection: Connection, author: Author, old: ApiKey | None, new: ApiKey) -> None:
    before = _for_trail(old) if old is not None else None
    after = _for_trail(new)
    if before != after:
        change = FieldChange(KEY, before, after)
        await account_trail.record(connection, new.organization_id, new.id, author, change, runtime.clock())


def _for_trail(key: ApiKey) -> JsonValue:
    """A key as the trail keeps it: how it is shown, and what it may do until when."""
    return {
        "key": f"{key.prefix}…{key.last4}",
        "label": key.label,
        "scopes": [*key.scopes],
        "rateLimit": key.rate_limit,
        "expiresAt": format_instant(key.expires_at) if key.expires_at is not None else None,
        "revokedAt": format_instant(key.revoked_at) if key.revoked_at is not None else None,
    }
