"""Manage the API keys of one organization; every change is recorded in its audit log.

Keys of other organizations are not found. `api_access` has the operator's functions.
"""

from datetime import timedelta
from uuid import UUID

from pydantic import JsonValue

from bonafide.errors import Conflict, NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import ApiKey, KeyChange, KeyRequest
from bonafide.model.base import format_instant
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.accounts.api_access import CreatedApiKey
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import api_keys, audit_log

KEY = "apiKey"
"""The field of the audit log for a key and its rights."""


async def list_keys(runtime: Runtime, organization_id: UUID) -> list[ApiKey]:
    """The organization's keys, newest first, including revoked and expired ones."""
    async with runtime.store.read() as connection:
        return (await api_keys.list_keys(connection, organization_id))[::-1]


async def read_key(runtime: Runtime, organization_id: UUID, key_id: UUID) -> ApiKey:
    """One of the organization's keys. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        return await _get_own_key(connection, organization_id, key_id)


async def create_key(runtime: Runtime, organization_id: UUID, request: KeyRequest, author: Author) -> CreatedApiKey:
    """Create a key of the organization; the organization of the request is ignored."""
    async with runtime.store.write() as connection:
        created = await api_access.insert_key(connection, organization_id, request, runtime.clock())
        await _record_change(runtime, connection, author, None, created.key)
    return created


async def rotate_key(runtime: Runtime, organization_id: UUID, key_id: UUID, overlap: timedelta, author: Author) -> CreatedApiKey:
    """Create a key like the old one, which expires after `overlap` or earlier.

    Raises `NotFound`, and `Conflict` for a revoked or expired key.
    """
    async with runtime.store.write() as connection:
        old = await _get_own_key(connection, organization_id, key_id)
        created = await api_access.replace_key(connection, old, overlap, runtime.clock())
        await _record_change(runtime, connection, author, None, created.key)
        await _record_change(runtime, connection, author, old, await _get_own_key(connection, organization_id, key_id))
    runtime.api_key_cache.forget(key_id)
    return created


async def change_key(runtime: Runtime, organization_id: UUID, key_id: UUID, change: KeyChange, author: Author) -> ApiKey:
    """Change what `change` has; a lifetime counts from now. Raises `NotFound`, and `Conflict` for a revoked key."""
    async with runtime.store.write() as connection:
        old = await _get_own_key(connection, organization_id, key_id)
        if old.revoked_at is not None:
            raise Conflict(Message("This API key is revoked and can’t be changed."))
        changed = await api_access.update_key(connection, old, change, runtime.clock())
        await _record_change(runtime, connection, author, old, changed)
    runtime.api_key_cache.forget(key_id)
    return changed


async def revoke_key(runtime: Runtime, organization_id: UUID, key_id: UUID, author: Author) -> ApiKey:
    """Revoke the key; a revoked one is unchanged. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        old = await _get_own_key(connection, organization_id, key_id)
        revoked = await api_access.mark_key_revoked(connection, old, runtime.clock())
        await _record_change(runtime, connection, author, old, revoked)
    runtime.api_key_cache.forget(key_id)
    return revoked


async def _get_own_key(connection: Connection, organization_id: UUID, key_id: UUID) -> ApiKey:
    key = await api_keys.get(connection, organization_id, key_id)
    if key is None:
        raise NotFound(Message("We couldn’t find that API key."))
    return key


async def _record_change(runtime: Runtime, connection: Connection, author: Author, old: ApiKey | None, new: ApiKey) -> None:
    before = _to_audit_value(old) if old is not None else None
    after = _to_audit_value(new)
    if before != after:
        change = FieldChange(KEY, before, after)
        await audit_log.record_field_change(connection, new.organization_id, new.id, author, change, runtime.clock())


def _to_audit_value(key: ApiKey) -> JsonValue:
    """A key as the audit log stores it: its visible parts, rights and expiry."""
    return {
        "key": f"{key.prefix}…{key.last4}",
        "label": key.label,
        "scopes": [*key.scopes],
        "rateLimit": key.rate_limit,
        "lenient": key.lenient,
        "expiresAt": format_instant(key.expires_at) if key.expires_at is not None else None,
        "revokedAt": format_instant(key.revoked_at) if key.revoked_at is not None else None,
    }
