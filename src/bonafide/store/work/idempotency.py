"""Idempotency keys: the first request reserves its key, the others wait for or repeat its answer.

A reservation expires by itself, so that a process that dies does not block the key.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import ColumnElement, and_, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import build_insert
from bonafide.store.database.tables import idempotency_keys


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A request with an idempotency key: under which API key, to which `endpoint` (`POST /v1/search`), with which body."""

    key_id: UUID
    idempotency_key: str
    endpoint: str
    body_sha256: str


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """An answer to repeat, with those of its headers that belong to it."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class ReservedKey:
    """The request is the first: answer it, then `complete` or `release`. `token` tells this reservation from a later one."""

    attempt: IdempotentRequest
    token: UUID


@dataclass(frozen=True, slots=True)
class ReplayedResponse:
    """The same request was answered before."""

    answer: StoredResponse


@dataclass(frozen=True, slots=True)
class RequestInProgress:
    """The same request is being answered at this moment."""


@dataclass(frozen=True, slots=True)
class ReusedKey:
    """The key was used for another endpoint or another body."""


ReservationResult = ReservedKey | ReplayedResponse | RequestInProgress | ReusedKey


async def reserve(
    connection: AsyncConnection, organization_id: UUID, attempt: IdempotentRequest, now: datetime, expires_at: datetime
) -> ReservationResult:
    """Take the key until `expires_at`, or say what became of whoever has it. Of any number at once, one gets it."""
    token = uuid4()
    claim = {
        "endpoint": attempt.endpoint,
        "body_sha256": attempt.body_sha256,
        "token": token,
        "expires_at": expires_at,
        "status": None,
        "headers": None,
        "body": None,
    }
    taken = await connection.execute(
        build_insert(connection, idempotency_keys)
        .values(organization_id=organization_id, key_id=attempt.key_id, idempotency_key=attempt.idempotency_key, **claim)
        .on_conflict_do_update(
            index_elements=["organization_id", "key_id", "idempotency_key"],
            set_=claim,
            where=idempotency_keys.c.expires_at <= now,
        )
        .returning(idempotency_keys.c.token)
    )
    if taken.one_or_none() is not None:
        return ReservedKey(attempt, token)
    return await _read_existing(connection, organization_id, attempt)


async def _read_existing(
    connection: AsyncConnection, organization_id: UUID, attempt: IdempotentRequest
) -> ReplayedResponse | RequestInProgress | ReusedKey:
    """What the row says that stopped the reservation; that attempt has locked it, so it can't have gone."""
    row = (await connection.execute(select(idempotency_keys).where(_is_for_request(organization_id, attempt)))).one()
    if (row.endpoint, row.body_sha256) != (attempt.endpoint, attempt.body_sha256):
        return ReusedKey()
    if row.status is None:
        return RequestInProgress()
    return ReplayedResponse(StoredResponse(row.status, json.loads(row.headers), row.body))


async def complete(
    connection: AsyncConnection, organization_id: UUID, reserved: ReservedKey, answer: StoredResponse, expires_at: datetime
) -> bool:
    """Keep the answer until `expires_at`; False when the reservation had run out and another has the key."""
    kept = (
        update(idempotency_keys)
        .where(_is_held(organization_id, reserved))
        .values(status=answer.status, headers=json.dumps(answer.headers), body=answer.body, expires_at=expires_at)
    )
    return (await connection.execute(kept)).rowcount == 1


async def renew(connection: AsyncConnection, organization_id: UUID, reserved: ReservedKey, expires_at: datetime) -> bool:
    """Hold the key longer while the request is being answered; False when another has it by now, or it is answered."""
    unanswered = and_(_is_held(organization_id, reserved), idempotency_keys.c.status.is_(None))
    return (await connection.execute(update(idempotency_keys).where(unanswered).values(expires_at=expires_at))).rowcount == 1


async def release(connection: AsyncConnection, organization_id: UUID, reserved: ReservedKey) -> bool:
    """Give the key back unanswered (after a failure of ours), so that the request can be tried again."""
    return (await connection.execute(delete(idempotency_keys).where(_is_held(organization_id, reserved)))).rowcount == 1


async def purge_expired(connection: AsyncConnection, now: datetime) -> int:
    """Delete what has run out, for all organizations at once; returns how many."""
    return (await connection.execute(delete(idempotency_keys).where(idempotency_keys.c.expires_at <= now))).rowcount


def _is_for_request(organization_id: UUID, attempt: IdempotentRequest) -> ColumnElement[bool]:
    return and_(
        idempotency_keys.c.organization_id == organization_id,
        idempotency_keys.c.key_id == attempt.key_id,
        idempotency_keys.c.idempotency_key == attempt.idempotency_key,
    )


def _is_held(organization_id: UUID, reserved: ReservedKey) -> ColumnElement[bool]:
    return and_(_is_for_request(organization_id, reserved.attempt), idempotency_keys.c.token == reserved.token)
