"""Examiner's packs: one row each.

A pack is built under the ID of its attempt. A change by an attempt names that ID, so that one whose lease ran out can't change what
the next one does.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, func, insert, literal, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.i18n.message import Message
from bonafide.model.packs.pack import PackStatus
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import from_row, to_columns, to_value
from bonafide.store.database.schema.pack_tables import WITH_FILES, packs
from bonafide.store.retention.legal_holds import is_held

UNFINISHED = (PackStatus.QUEUED, PackStatus.BUILDING)
"""The states of packs that are still to be made."""
_PURGE_DUE = select(packs.c.id).where(WITH_FILES, packs.c.purge_at <= bindparam("now")).limit(1)


@dataclass(frozen=True, slots=True)
class StoredPack:
    """A pack; `document` is the JSON of its `PackContent`."""

    id: UUID
    business_id: UUID | None
    from_at: datetime | None
    to_at: datetime | None
    status: PackStatus
    requested_at: datetime
    requested_by: str
    ready_at: datetime | None
    expires_at: datetime | None
    build_id: UUID | None
    purge_at: datetime | None
    problem: Message | None
    document: str


@dataclass(frozen=True, slots=True)
class FinishedPack:
    """What is stored when a pack is ready."""

    ready_at: datetime
    expires_at: datetime
    document: str


@dataclass(frozen=True, slots=True)
class PackPosition:
    """The position of a pack in the list by age."""

    requested_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class PackWithFiles:
    """A pack of any organization whose files are to be deleted."""

    organization_id: UUID
    id: UUID
    is_held: bool
    """Whether its business record is held."""


_COLUMNS = [packs.c[name] for name in StoredPack.__slots__]


async def add(connection: AsyncConnection, organization_id: UUID, pack: StoredPack) -> None:
    """Store a new pack."""
    await connection.execute(insert(packs).values(organization_id=organization_id, **to_columns(pack)))


async def get(connection: AsyncConnection, organization_id: UUID, pack_id: UUID) -> StoredPack | None:
    """A pack; None if the organization has no such pack."""
    mine = select(*_COLUMNS).where(_has_id(organization_id, pack_id))
    return from_row(StoredPack, (await connection.execute(mine)).one_or_none())


async def list_older(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID | None, place: PackPosition, limit: int
) -> list[StoredPack]:
    """The newest packs that are older than this position, newest first: of one business record, or all of the organization."""
    age = tuple_(packs.c.requested_at, packs.c.id)
    value = tuple_(literal(place.requested_at, packs.c.requested_at.type), literal(place.id, packs.c.id.type))
    conditions = [packs.c.organization_id == organization_id, age < value]
    if business_id is not None:
        conditions.append(packs.c.business_id == business_id)
    newest_first = (packs.c.requested_at.desc(), packs.c.id.desc())
    listed = select(*_COLUMNS).where(*conditions).order_by(*newest_first).limit(limit)
    return [to_value(StoredPack, row) for row in await connection.execute(listed)]


async def count_unfinished(connection: AsyncConnection, organization_id: UUID) -> int:
    """The number of packs of the organization that are still to be made."""
    mine = packs.c.organization_id == organization_id, packs.c.status.in_(UNFINISHED)
    return (await connection.execute(select(func.count()).select_from(packs).where(*mine))).scalar_one()


async def begin(connection: AsyncConnection, organization_id: UUID, pack_id: UUID, build_id: UUID) -> bool:
    """Begin an attempt under this ID; False if the pack is finished."""
    unfinished = packs.c.status.in_(UNFINISHED)
    begun = update(packs).where(_has_id(organization_id, pack_id), unfinished)
    return (await connection.execute(begun.values(status=PackStatus.BUILDING, build_id=build_id))).rowcount == 1


async def is_current(connection: AsyncConnection, organization_id: UUID, pack_id: UUID, build_id: UUID) -> bool:
    """Whether no later attempt has begun, and the pack is unfinished."""
    found = select(packs.c.id).where(_is_attempt(organization_id, pack_id, build_id))
    return (await connection.execute(found)).one_or_none() is not None


async def finish(connection: AsyncConnection, organization_id: UUID, pack_id: UUID, build_id: UUID, finished: FinishedPack) -> bool:
    """Offer the files of this attempt; False if another attempt has begun, or the pack is finished."""
    changed = await connection.execute(
        update(packs)
        .where(_is_attempt(organization_id, pack_id, build_id))
        .values(
            status=PackStatus.READY,
            ready_at=finished.ready_at,
            expires_at=finished.expires_at,
            purge_at=finished.expires_at,
            document=finished.document,
        )
    )
    return changed.rowcount == 1


async def fail(connection: AsyncConnection, organization_id: UUID, pack_id: UUID, problem: Message) -> bool:
    """Fail a pack; False if it is finished."""
    failed = update(packs).where(_has_id(organization_id, pack_id), packs.c.status.in_(UNFINISHED))
    return (await connection.execute(failed.values(status=PackStatus.FAILED, problem=problem))).rowcount == 1


async def is_any_purge_due(store: Store, now: datetime) -> bool:
    """Whether the files of any pack are to be deleted; a cheap read."""
    return await fetch_row(store, _PURGE_DUE, {"now": now}) is not None


async def list_due(connection: AsyncConnection, now: datetime, limit: int) -> list[PackWithFiles]:
    """The packs of all organizations whose files are to be deleted, those that are due longest first."""
    held = is_held(packs.c.organization_id, packs.c.business_id).label("is_held")
    due = select(packs.c.organization_id, packs.c.id, held).where(WITH_FILES, packs.c.purge_at <= now)
    found = await connection.execute(due.order_by(packs.c.purge_at).limit(limit))
    return [to_value(PackWithFiles, row) for row in found]


async def expire(connection: AsyncConnection, organization_id: UUID, pack_id: UUID) -> bool:
    """Withdraw a pack; False if it is not ready."""
    ready = update(packs).where(_has_id(organization_id, pack_id), packs.c.status == PackStatus.READY)
    return (await connection.execute(ready.values(status=PackStatus.EXPIRED, purge_at=None))).rowcount == 1


async def postpone(connection: AsyncConnection, organization_id: UUID, pack_id: UUID, until: datetime) -> None:
    """Keep the files of a ready pack until then."""
    ready = update(packs).where(_has_id(organization_id, pack_id), packs.c.status == PackStatus.READY)
    await connection.execute(ready.values(purge_at=until, expires_at=until))


def _has_id(organization_id: UUID, pack_id: UUID) -> ColumnElement[bool]:
    return and_(packs.c.organization_id == organization_id, packs.c.id == pack_id)


def _is_attempt(organization_id: UUID, pack_id: UUID, build_id: UUID) -> ColumnElement[bool]:
    mine = _has_id(organization_id, pack_id)
    return and_(mine, packs.c.build_id == build_id, packs.c.status == PackStatus.BUILDING)
