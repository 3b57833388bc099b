"""Idempotency keys: the first request reserves its key, the others wait for its response or repeat it.

A reservation expires by itself, so that a process that dies does not block the key. The transaction of the request's effect either
completes the key with the response, or binds it to what the transaction stores (`resource_id`). From then on nobody can run the
request again: a completed key is replayed, and a bound one whose reservation has expired is taken over, to continue the work.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import ColumnElement, Row, and_, case, delete, literal, select, update
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
    """A response to repeat, with its own headers.

    A response with a `model` is a document: its body is in English, and `messages` has what its other languages need
    (`StoredDocument`). Without one, the body is repeated as it is. `file` names the stored file that the document describes.
    """

    status: int
    headers: dict[str, str]
    body: bytes
    model: str | None = None
    messages: str | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True)
class ReservedKey:
    """The first request: run it, then call `complete` or `release`. `token` identifies this reservation.

    `resource_id` is what an interrupted attempt of the same request was bound to: continue from it.
    """

    attempt: IdempotentRequest
    token: UUID
    resource_id: UUID | None = None


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
    connection: AsyncConnection, organization_id: UUID, attempt: IdempotentRequest, now: datetime, until: datetime
) -> ReservationResult:
    """Reserve the key until then, or return the state of its reservation. Of concurrent requests, one gets it."""
    token = uuid4()
    claim = {
        "endpoint": attempt.endpoint,
        "body_sha256": attempt.body_sha256,
        "token": token,
        "expires_at": until,
        "reserved_until": until,
        "resource_id": None,
        **dict.fromkeys(("status", "headers", "body", "model", "messages", "file")),
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
    # The row exists, and the failed reservation has locked it.
    row = (await connection.execute(select(idempotency_keys).where(_is_for_request(organization_id, attempt)))).one()
    if (row.endpoint, row.body_sha256) != (attempt.endpoint, attempt.body_sha256):
        return ReusedKey()
    if row.status is not None:
        return ReplayedResponse(_to_response(row))
    if row.resource_id is None or row.reserved_until > now:
        return RequestInProgress()
    taken_over = update(idempotency_keys).where(_is_for_request(organization_id, attempt))
    await connection.execute(taken_over.values(token=token, reserved_until=until))
    return ReservedKey(attempt, token, row.resource_id)


def _to_response(row: Row[tuple[object, ...]]) -> StoredResponse:
    return StoredResponse(row.status, json.loads(row.headers), row.body, row.model, row.messages, row.file)


async def complete(
    connection: AsyncConnection, organization_id: UUID, reserved: ReservedKey, answer: StoredResponse, expires_at: datetime
) -> bool:
    """Store the response until `expires_at`; False when the reservation had expired and another request has the key."""
    kept = (
        update(idempotency_keys)
        .where(_is_held(organization_id, reserved))
        .values(
            status=answer.status,
            headers=json.dumps(answer.headers),
            body=answer.body,
            model=answer.model,
            messages=answer.messages,
            file=answer.file,
            expires_at=expires_at,
        )
    )
    return (await connection.execute(kept)).rowcount == 1


async def bind(
    connection: AsyncConnection, organization_id: UUID, reserved: ReservedKey, resource_id: UUID, expires_at: datetime
) -> bool:
    """Bind the key until `expires_at` to what the transaction stores; False when another request has the key."""
    bound = update(idempotency_keys).where(_is_held(organization_id, reserved))
    return (await connection.execute(bound.values(resource_id=resource_id, expires_at=expires_at))).rowcount == 1


async def renew(connection: AsyncConnection, organization_id: UUID, reserved: ReservedKey, until: datetime) -> bool:
    """Extend the reservation while the request runs; False when it was lost or completed."""
    unanswered = and_(_is_held(organization_id, reserved), idempotency_keys.c.status.is_(None))
    # The row of a bound key outlasts its reservation.
    column = idempotency_keys.c.expires_at
    expires_at = case((idempotency_keys.c.resource_id.is_(None), literal(until, column.type)), else_=column)
    renewed = update(idempotency_keys).where(unanswered).values(reserved_until=until, expires_at=expires_at)
    return (await connection.execute(renewed)).rowcount == 1


async def release(connection: AsyncConnection, organization_id: UUID, reserved: ReservedKey, now: datetime) -> bool:
    """Release the key without a response (after an internal failure), so that the request can be retried.

    A key that is bound stays bound, and one that is completed stays as it is; False then.
    """
    unbound = and_(idempotency_keys.c.resource_id.is_(None), idempotency_keys.c.status.is_(None))
    released = await connection.execute(delete(idempotency_keys).where(_is_held(organization_id, reserved), unbound))
    if released.rowcount == 1:
        return True
    await connection.execute(update(idempotency_keys).where(_is_held(organization_id, reserved)).values(reserved_until=now))
    return False


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
