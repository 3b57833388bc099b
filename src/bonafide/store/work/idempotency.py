"""Idempotency keys: the first request reserves its key, the others wait for its response or repeat it.

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
    """A request with an idempotency key: its API key, `endpoint` (`POST /v1/search`) and body."""

    key_id: UUID
    idempotency_key: str
    endpoint: str
    body_sha256: str


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A response to repeat, with its own headers."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class ReservedKey:
    """The first request: run it, then call `complete` or `release`. `token` identifies this reservation."""

    attempt: IdempotentRequest
    token: UUID


@dataclass(frozen=True, slots=True)
class ReplayedResponse:
    """The same request was completed before."""

    answer: StoredResponse


@dataclass(frozen=True, slots=True)
class RequestInProgress:
    """The same request is running."""


@dataclass(frozen=True, slots=True)
class ReusedKey:
    """The key was used for another endpoint or another body."""


ReservationResult = ReservedKey | ReplayedResponse | RequestInProgress | ReusedKey


async def reserve(
    connection: AsyncConnection, organization_id: UUID, attempt: IdempotentRequest, now: datetime, expires_at: datetime
) -> ReservationResult:
    """Reserve the key until `expires_at`, or return the state of its reservation. Of concurrent requests, one gets it."""
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
    """Read the existing row; the failed reservation has locked it, so it exists."""
    row = (await connection.execute(select(idempotency_keys).where(_is_for_request(organization_id, attempt)))).one()
    if (row.endpoint, row.body_sha256) != (attempt.endpoint, attempt.body_sha256):
        return ReusedKey()
    if row.status is None:
        return RequestInProgress()
    return ReplayedResponse(StoredResponse(row.status, json.loads(row.headers), row.body))


async def complete(
    connection: AsyncConnection, organization_id: UUID, reserved: ReservedKey, answer: StoredResponse, expires_at: datetime
) -> bool:
    """Store the response until `expires_at`; False when the reservation had expired and another request has the key."""
    kept = (
        update(idempotency_keys)
        .where(_is_held(organization_id, reserved))
        .values(status=answer.status, headers=json.dumps(answer.headers), body=answer.body, expires_at=expires_at)
    )
    return (await connection.execute(kept)).rowcount == 1


async def renew(connection: AsyncConnection, organization_id: UUID, reserved: ReservedKey, expires_at: datetime) -> bool:
    """Extend the reservation while the request runs; False when it was lost or completed."""
    unanswered = and_(_is_held(organization_id, reserved), idempotency_keys.c.status.is_(None))
    return (await connection.execute(update(idempotency_keys).where(unanswered).values(expires_at=expires_at))).rowcount == 1


async def release(connection: AsyncConnection, organization_id: UUID, reserved: ReservedKey) -> bool:
    """Release the key without a response (after an internal failure), so that the request can be retried."""
    return (await connection.execute(delete(idempotency_keys).where(_is_held(organization_id, reserved)))).rowcount == 1


async def purge_expired(connection: AsyncConnection, now: datetime) -> int:
    """Delete expired keys of all organizations; returns how many."""
    return (await connection.execute(delete(idempotency_keys).where(idempotency_keys.c.expires_at <= now))).rowcount


def _is_for_request(organization_id: UUID, attempt: IdempotentRequest) -> ColumnElement[bool]:
    return and_(
        idempotency_keys.c.organization_id == organization_id,
        idempotency_keys.c.key_id == attempt.key_id,
        idempotency_keys.c.idempotency_key == attempt.idempotency_key,
    )


def _is_held(organization_id: UUID, reserved: ReservedKey) -> ColumnElement[bool]:
    return and_(_is_for_request(organization_id, reserved.attempt), idempotency_keys.c.token == reserved.token)
