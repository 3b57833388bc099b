"""Erasures on request, the IDs of what they have erased, and the rows that still refer to these IDs."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, LargeBinary, ScalarSelect, Table, and_, delete, insert, literal, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import build_insert, from_row, to_columns
from bonafide.store.database.schema.retention_tables import erased_subjects, erasures
from bonafide.store.database.tables import events, idempotency_keys
from bonafide.store.retention.legal_holds import is_held


@dataclass(frozen=True, slots=True)
class Erasure:
    """An erasure. `erased_at` is when what there was at the time of the request had been erased."""

    id: UUID
    requested_at: datetime
    requested_by: str
    erased_at: datetime | None = None
    finished_at: datetime | None = None
    events_position: int = 0
    """The number of the last event that was compared with everything the erasure has deleted so far."""
    business_id: UUID | None = None
    """The record of an erased check, until the erasure has finished."""


@dataclass(frozen=True, slots=True)
class EventReference:
    """An event as text, with its business."""

    sequence: int
    id: UUID
    business_id: UUID | None
    document: str


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The stored response of a request with an idempotency key, and what the key is bound to."""

    key_id: UUID
    idempotency_key: str
    body: bytes | None
    resource_id: UUID | None


async def add(connection: AsyncConnection, organization_id: UUID, erasure: Erasure) -> None:
    """Store a new erasure."""
    await connection.execute(insert(erasures).values(organization_id=organization_id, **to_columns(erasure)))


async def get(connection: AsyncConnection, organization_id: UUID, erasure_id: UUID) -> Erasure | None:
    """An erasure; None if the organization has no such erasure."""
    mine = select(erasures).where(erasures.c.organization_id == organization_id, erasures.c.id == erasure_id)
    return from_row(Erasure, (await connection.execute(mine)).one_or_none())


async def list_unfinished(connection: AsyncConnection) -> list[tuple[UUID, UUID]]:
    """The organizations and IDs of all erasures that have not finished."""
    unfinished = select(erasures.c.organization_id, erasures.c.id).where(erasures.c.finished_at.is_(None))
    return [(row.organization_id, row.id) for row in await connection.execute(unfinished)]


async def mark_erased(connection: AsyncConnection, organization_id: UUID, erasure_id: UUID, at: datetime) -> bool:
    """Record that what there was has been erased; False if that was recorded before."""
    mine = _has_id(organization_id, erasure_id), erasures.c.erased_at.is_(None)
    return (await connection.execute(update(erasures).where(*mine).values(erased_at=at))).rowcount == 1


async def finish(connection: AsyncConnection, organization_id: UUID, erasure_id: UUID, at: datetime) -> None:
    """Record that an erasure has finished, and delete the IDs of what it has erased."""
    subjects = erased_subjects.c.organization_id == organization_id, erased_subjects.c.erasure_id == erasure_id
    await connection.execute(delete(erased_subjects).where(*subjects))
    mine = _has_id(organization_id, erasure_id)
    await connection.execute(update(erasures).where(mine).values(finished_at=at, business_id=None))


def _has_id(organization_id: UUID, erasure_id: UUID) -> ColumnElement[bool]:
    return and_(erasures.c.organization_id == organization_id, erasures.c.id == erasure_id)


# ------------------------------------------------------------------------------------------------------------ subjects


async def add_subjects(
    connection: AsyncConnection, organization_id: UUID, erasure_id: UUID, subjects: Collection[UUID], position: int = 0
) -> None:
    """Record the IDs of rows that the erasure deletes, in the same transaction.

    Events after `position` may be about them, and are compared again.
    """
    if not subjects:
        return
    rows = [{"organization_id": organization_id, "erasure_id": erasure_id, "subject": one} for one in subjects]
    await connection.execute(build_insert(connection, erased_subjects).on_conflict_do_nothing(), rows)
    mine = _has_id(organization_id, erasure_id), erasures.c.events_position > position
    await connection.execute(update(erasures).where(*mine).values(events_position=position))


async def set_position(connection: AsyncConnection, organization_id: UUID, erasure_id: UUID, position: int) -> None:
    """Record up to which event everything has been compared with what the erasure has deleted."""
    await connection.execute(update(erasures).where(_has_id(organization_id, erasure_id)).values(events_position=position))


async def list_subjects(connection: AsyncConnection, organization_id: UUID, erasure_id: UUID) -> set[UUID]:
    """The IDs of what the erasure has deleted so far."""
    return set((await connection.execute(_build_subjects(organization_id, erasure_id))).scalars())


def _build_subjects(organization_id: UUID, erasure_id: UUID) -> Any:
    return select(erased_subjects.c.subject).where(
        erased_subjects.c.organization_id == organization_id, erased_subjects.c.erasure_id == erasure_id
    )


# ------------------------------------------------------------------------------------------------------------ what refers to them


async def list_checks(connection: AsyncConnection, organization_id: UUID, erasure_id: UUID, table: Table, limit: int) -> list[UUID]:
    """The IDs of rows of a table whose business record the erasure has deleted."""
    erased: ScalarSelect[Any] = _build_subjects(organization_id, erasure_id).scalar_subquery()
    mine = select(table.c.id).where(table.c.organization_id == organization_id, table.c.business_id.in_(erased)).limit(limit)
    return list((await connection.execute(mine)).scalars())


async def list_requests(connection: AsyncConnection, organization_id: UUID, table: Table, ids: Collection[UUID]) -> list[str]:
    """The requests of checks, as JSON."""
    mine = select(table.c.request).where(table.c.organization_id == organization_id, table.c.id.in_(ids))
    return list((await connection.execute(mine)).scalars())


async def list_events_of_business(
    connection: AsyncConnection, organization_id: UUID, erasure_id: UUID, limit: int
) -> list[tuple[int, UUID]]:
    """The numbers and IDs of events whose business record the erasure has deleted."""
    erased: ScalarSelect[Any] = _build_subjects(organization_id, erasure_id).scalar_subquery()
    mine = (
        select(events.c.sequence, events.c.id)
        .where(events.c.organization_id == organization_id, events.c.business_id.in_(erased))
        .limit(limit)
    )
    return [(row.sequence, row.id) for row in await connection.execute(mine)]


async def list_event_texts(connection: AsyncConnection, organization_id: UUID, position: int, limit: int) -> list[EventReference]:
    """The events after the one of this number, oldest first. Those of records that are held are left out."""
    columns = [events.c[name] for name in EventReference.__slots__]
    mine = events.c.organization_id == organization_id, ~is_held(events.c.organization_id, events.c.business_id)
    following = select(*columns).where(*mine, events.c.sequence > position)
    return [EventReference(*row) for row in await connection.execute(following.order_by(events.c.sequence).limit(limit))]


async def list_subjects_of_cases(
    connection: AsyncConnection, organization_id: UUID, table: Table, after: UUID | None, limit: int
) -> list[tuple[UUID, str]]:
    """The IDs and subjects of cases without a business record, in the order of their IDs, after one of them."""
    mine = [table.c.organization_id == organization_id, table.c.business_id.is_(None)]
    if after is not None:
        mine.append(table.c.id > after)
    found = await connection.execute(select(table.c.id, table.c.subject).where(*mine).order_by(table.c.id).limit(limit))
    return [(row.id, row.subject) for row in found]


async def list_answers(
    connection: AsyncConnection, organization_id: UUID, after: tuple[UUID, str] | None, limit: int
) -> list[StoredAnswer]:
    """Stored responses of the organization, in the order of their keys, after one of them."""
    keys = idempotency_keys.c
    conditions = [keys.organization_id == organization_id]
    if after is not None:
        position = tuple_(literal(after[0], keys.key_id.type), literal(after[1], keys.idempotency_key.type))
        conditions.append(tuple_(keys.key_id, keys.idempotency_key) > position)
    columns = [keys[name] for name in StoredAnswer.__slots__]
    listed = select(*columns).where(*conditions).order_by(keys.key_id, keys.idempotency_key).limit(limit)
    return [StoredAnswer(*row) for row in await connection.execute(listed)]


async def replace_answer(
    connection: AsyncConnection, organization_id: UUID, answer: StoredAnswer, status: int, body: bytes
) -> None:
    """Replace a stored response, so that the request is neither repeated nor answered with what was erased."""
    keys = idempotency_keys.c
    mine = (
        keys.organization_id == organization_id,
        keys.key_id == answer.key_id,
        keys.idempotency_key == answer.idempotency_key,
    )
    values = {
        "status": status,
        "headers": '{"Content-Type": "application/json"}',
        "body": literal(body, LargeBinary()),
    }
    empty = dict.fromkeys(("model", "messages", "file"))
    await connection.execute(update(idempotency_keys).where(*mine).values(**values, **empty))
