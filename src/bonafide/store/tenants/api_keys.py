"""API keys: their digests, never the keys themselves, and a cache of those that a process read last.

Revoked and expired keys are returned too, with their dates.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, bindparam, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import ApiKey, Scope
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import to_columns, to_value
from bonafide.store.database.tables import api_keys, organizations

TOUCH_INTERVAL = timedelta(minutes=1)
"""`last_used_at` is at most this much behind, to avoid a write for each request."""
CACHE_TTL = timedelta(seconds=2)
MAX_CACHED_KEYS = 1024
_KNOWN_SCOPES = frozenset(scope.value for scope in Scope)
"""A newer release, which may run beside this one, may have stored others."""
_SELECT_KEYS = select(api_keys, organizations.c.name.label("organization"), organizations.c.world).join_from(
    api_keys, organizations
)
_SELECT_BY_DIGEST = _SELECT_KEYS.where(api_keys.c.digest == bindparam("digest"))


@dataclass(frozen=True, slots=True)
class NewApiKey:
    """A new key: `digest` is the hex SHA-256 of its text, `lifetime` is None when it does not expire."""

    id: UUID
    digest: str
    prefix: str
    last4: str
    label: str | None
    owner: str | None
    scopes: tuple[Scope, ...]
    rate_limit: int
    lifetime: timedelta | None
    created_at: datetime
    lenient: bool = False


async def insert_key(connection: AsyncConnection, organization_id: UUID, key: NewApiKey) -> None:
    """Store a new key."""
    values = {name: value for name, value in to_columns(key).items() if name != "lifetime"}
    values |= {"scopes": " ".join(key.scopes), **_build_expiry(key.created_at, key.lifetime)}
    await connection.execute(insert(api_keys).values(organization_id=organization_id, **values))


async def get_by_digest(database: AsyncConnection | Store, digest: str) -> ApiKey | None:
    """The key of this digest, of any organization: this lookup determines the organization."""
    row = await fetch_row(database, _SELECT_BY_DIGEST, {"digest": digest})
    return _to_api_key(row) if row is not None else None


async def get_by_id(connection: AsyncConnection, key_id: UUID) -> ApiKey | None:
    """The key of this id, of any organization, for the operator."""
    return await _fetch_key(connection, api_keys.c.id == key_id)


async def get(connection: AsyncConnection, organization_id: UUID, key_id: UUID) -> ApiKey | None:
    """The organization's key of this id."""
    return await _fetch_key(connection, _has_id(organization_id, key_id))


async def list_keys(connection: AsyncConnection, organization_id: UUID) -> list[ApiKey]:
    """The organization's keys, oldest first, including revoked and expired ones."""
    mine = _SELECT_KEYS.where(api_keys.c.organization_id == organization_id).order_by(api_keys.c.created_at, api_keys.c.id)
    return [_to_api_key(row) for row in await connection.execute(mine)]


async def get_lifetime(connection: AsyncConnection, organization_id: UUID, key_id: UUID) -> timedelta | None:
    """The key's lifetime, counted from when it was last set; None when it does not expire."""
    chosen = select(api_keys.c.lifetime_s).where(_has_id(organization_id, key_id))
    seconds = (await connection.execute(chosen)).scalar_one_or_none()
    return timedelta(seconds=seconds) if seconds is not None else None


async def revoke(connection: AsyncConnection, organization_id: UUID, key_id: UUID, now: datetime) -> bool:
    """Revoke the key; False when it does not exist or is revoked already."""
    revoked = update(api_keys).where(_has_id(organization_id, key_id), api_keys.c.revoked_at.is_(None)).values(revoked_at=now)
    return (await connection.execute(revoked)).rowcount == 1


async def set_lifetime(
    connection: AsyncConnection, organization_id: UUID, key_id: UUID, now: datetime, lifetime: timedelta
) -> bool:
    """Set the key to expire this long after `now`; False when it does not exist."""
    changed = update(api_keys).where(_has_id(organization_id, key_id)).values(**_build_expiry(now, lifetime))
    return (await connection.execute(changed)).rowcount == 1


async def expire_by(connection: AsyncConnection, organization_id: UUID, key_id: UUID, expires_at: datetime) -> bool:
    """Set the key to expire then at the latest; False when it does not exist or expires sooner."""
    later = or_(api_keys.c.expires_at.is_(None), api_keys.c.expires_at > expires_at)
    shortened = update(api_keys).where(_has_id(organization_id, key_id), later).values(expires_at=expires_at)
    return (await connection.execute(shortened)).rowcount == 1


async def set_rate_limit(connection: AsyncConnection, organization_id: UUID, key_id: UUID, rate_limit: int) -> bool:
    """Set the key's requests per window; False when it does not exist."""
    changed = update(api_keys).where(_has_id(organization_id, key_id)).values(rate_limit=rate_limit)
    return (await connection.execute(changed)).rowcount == 1


async def set_lenient(connection: AsyncConnection, organization_id: UUID, key_id: UUID, *, lenient: bool) -> bool:
    """Set whether unknown fields are ignored with a warning; False when the key does not exist."""
    changed = update(api_keys).where(_has_id(organization_id, key_id)).values(lenient=lenient)
    return (await connection.execute(changed)).rowcount == 1


async def touch(connection: AsyncConnection, organization_id: UUID, key_id: UUID, now: datetime) -> bool:
    """Record a use of the key; False when one was recorded within `TOUCH_INTERVAL`, or the key does not exist."""
    due = or_(api_keys.c.last_used_at.is_(None), api_keys.c.last_used_at <= now - TOUCH_INTERVAL)
    touched = update(api_keys).where(_has_id(organization_id, key_id), due).values(last_used_at=now)
    return (await connection.execute(touched)).rowcount == 1


def _has_id(organization_id: UUID, key_id: UUID) -> ColumnElement[bool]:
    return and_(api_keys.c.organization_id == organization_id, api_keys.c.id == key_id)


def _build_expiry(start: datetime, lifetime: timedelta | None) -> dict[str, Any]:
    if lifetime is None:
        return {"lifetime_s": None, "expires_at": None}
    return {"lifetime_s": int(lifetime.total_seconds()), "expires_at": start + lifetime}


async def _fetch_key(connection: AsyncConnection, condition: ColumnElement[bool]) -> ApiKey | None:
    row = (await connection.execute(_SELECT_KEYS.where(condition))).one_or_none()
    return _to_api_key(row) if row is not None else None


def _to_api_key(row: Row[Any]) -> ApiKey:
    return to_value(ApiKey, row, scopes=tuple(Scope(word) for word in row.scopes.split() if word in _KNOWN_SCOPES))


class ApiKeyCache:
    """A cache of the most recently read keys, by digest."""

    def __init__(self) -> None:
        self._keys: OrderedDict[str, tuple[datetime, ApiKey]] = OrderedDict()

    def find(self, digest: str, now: datetime) -> ApiKey | None:
        """The cached key, unless it was read too long ago (or in the future: clocks are set back)."""
        read_at, key = self._keys.get(digest, (None, None))
        if read_at is None or not timedelta(0) <= now - read_at < CACHE_TTL:
            return None
        return key

    def peek(self, digest: str) -> ApiKey | None:
        """The key as it was last read, however long ago; never to authenticate with."""
        _, key = self._keys.get(digest, (None, None))
        return key

    def remember(self, digest: str, key: ApiKey, now: datetime) -> None:
        """Cache the key as it was read at `now`; the oldest one is evicted."""
        self._keys[digest] = (now, key)
        self._keys.move_to_end(digest)
        if len(self._keys) > MAX_CACHED_KEYS:
            self._keys.popitem(last=False)

    def forget(self, key_id: UUID) -> None:
        """Remove a changed key from the cache."""
        for digest in [digest for digest, (_, key) in self._keys.items() if key.id == key_id]:
            del self._keys[digest]
