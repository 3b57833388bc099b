"""Batches: one row each. The counts change in the transaction that settles a partition."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, func, insert, literal, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.i18n.message import Message
from bonafide.model.batches.batch import BatchFormat, BatchKind, BatchStatus
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import from_row, to_columns, to_value
from bonafide.store.database.schema.batch_tables import WITH_BATCH_FILES, batches

UNFINISHED = (BatchStatus.QUEUED, BatchStatus.RUNNING, BatchStatus.PAUSED)
"""The states of batches that have not ended."""
_PURGE_DUE = select(batches.c.id).where(WITH_BATCH_FILES, batches.c.purge_at <= bindparam("now")).limit(1)


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """A batch; `document` is the JSON of its `BatchContent`."""

    id: UUID
    kind: BatchKind
    format: BatchFormat
    status: BatchStatus
    created_at: datetime
    created_by: str
    epoch: int
    rows: int | None
    partitions: int | None
    partitions_done: int
    last_enqueued: int | None
    done: int
    failed: int
    started_at: datetime | None
    resumed_at: datetime | None
    finished_at: datetime | None
    purge_at: datetime | None
    problem: Message | None
    document: str


@dataclass(frozen=True, slots=True)
class BatchPosition:
    """The position of a batch in the list by age."""

    created_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """What is stored of a batch when one of its partitions is done."""

    partitions_done: int
    last_enqueued: int | None
    done: int
    failed: int
    document: str


@dataclass(frozen=True, slots=True)
class BatchEnd:
    """How a batch ended, and until when its files are kept."""

    status: BatchStatus
    finished_at: datetime
    purge_at: datetime
    problem: Message | None = None


@dataclass(frozen=True, slots=True)
class BatchWithFiles:
    """A batch of any organization whose files are to be deleted."""

    organization_id: UUID
    id: UUID


_COLUMNS = [batches.c[name] for name in StoredBatch.__slots__]


async def add(connection: AsyncConnection, organization_id: UUID, batch: StoredBatch) -> None:
    """Store a new batch."""
    await connection.execute(insert(batches).values(organization_id=organization_id, **to_columns(batch)))


async def get(connection: AsyncConnection, organization_id: UUID, batch_id: UUID) -> StoredBatch | None:
    """A batch; None if the organization has no such batch."""
    mine = select(*_COLUMNS).where(_has_id(organization_id, batch_id))
    return from_row(StoredBatch, (await connection.execute(mine)).one_or_none())


async def lock(connection: AsyncConnection, organization_id: UUID, batch_id: UUID) -> StoredBatch | None:
    """The same, and nobody else changes the batch until the transaction ends."""
    mine = select(*_COLUMNS).where(_has_id(organization_id, batch_id)).with_for_update()
    return from_row(StoredBatch, (await connection.execute(mine)).one_or_none())


async def list_older(connection: AsyncConnection, organization_id: UUID, place: BatchPosition, limit: int) -> list[StoredBatch]:
    """The newest batches that are older than this position, newest first."""
    age = tuple_(batches.c.created_at, batches.c.id)
    value = tuple_(literal(place.created_at, batches.c.created_at.type), literal(place.id, batches.c.id.type))
    newest_first = (batches.c.created_at.desc(), batches.c.id.desc())
    listed = select(*_COLUMNS).where(batches.c.organization_id == organization_id, age < value).order_by(*newest_first)
    return [to_value(StoredBatch, row) for row in await connection.execute(listed.limit(limit))]


async def count_unfinished(connection: AsyncConnection, organization_id: UUID) -> int:
    """The number of batches of the organization that have not ended."""
    mine = batches.c.organization_id == organization_id, batches.c.status.in_(UNFINISHED)
    return (await connection.execute(select(func.count()).select_from(batches).where(*mine))).scalar_one()


async def find_next(connection: AsyncConnection, organization_id: UUID) -> StoredBatch | None:
    """The oldest batch of the organization that waits to be started; None while another one is running, or none waits."""
    mine = batches.c.organization_id == organization_id
    running = select(batches.c.id).where(mine, batches.c.status == BatchStatus.RUNNING).limit(1)
    if (await connection.execute(running)).one_or_none() is not None:
        return None
    waiting = select(*_COLUMNS).where(mine, batches.c.status == BatchStatus.QUEUED, batches.c.partitions.is_not(None))
    oldest = waiting.order_by(batches.c.created_at, batches.c.id).limit(1).with_for_update()
    return from_row(StoredBatch, (await connection.execute(oldest)).one_or_none())


async def list_undivided(connection: AsyncConnection, organization_id: UUID, limit: int) -> list[UUID]:
    """The oldest batches of the organization whose rows have not been divided into partitions."""
    undivided = batches.c.partitions.is_(None), batches.c.status.in_(UNFINISHED)
    oldest = select(batches.c.id).where(batches.c.organization_id == organization_id, *undivided)
    return list((await connection.execute(oldest.order_by(batches.c.created_at, batches.c.id).limit(limit))).scalars())


async def set_size(connection: AsyncConnection, organization_id: UUID, batch_id: UUID, rows: int, partitions: int) -> bool:
    """Store into how many partitions the rows were divided; False if that is known already, or the batch has ended."""
    undivided = update(batches).where(
        _has_id(organization_id, batch_id), batches.c.partitions.is_(None), batches.c.status.in_(UNFINISHED)
    )
    return (await connection.execute(undivided.values(rows=rows, partitions=partitions))).rowcount == 1


async def start(
    connection: AsyncConnection, organization_id: UUID, batch_id: UUID, last_enqueued: int | None, now: datetime
) -> int:
    """Start or resume a batch whose partitions get jobs up to `last_enqueued`, and return its new epoch."""
    started = (
        update(batches)
        .where(_has_id(organization_id, batch_id))
        .values(
            status=BatchStatus.RUNNING,
            epoch=batches.c.epoch + 1,
            last_enqueued=last_enqueued,
            started_at=func.coalesce(batches.c.started_at, literal(now, batches.c.started_at.type)),
            resumed_at=now,
        )
        .returning(batches.c.epoch)
    )
    epoch: int = (await connection.execute(started)).scalar_one()
    return epoch


async def set_status(connection: AsyncConnection, organization_id: UUID, batch_id: UUID, status: BatchStatus) -> None:
    """Pause a batch, or queue a paused one."""
    await connection.execute(update(batches).where(_has_id(organization_id, batch_id)).values(status=status))


async def advance(connection: AsyncConnection, organization_id: UUID, batch_id: UUID, progress: BatchProgress) -> None:
    """Store the counts of a batch. The caller has locked it."""
    await connection.execute(update(batches).where(_has_id(organization_id, batch_id)).values(**to_columns(progress)))


async def end(connection: AsyncConnection, organization_id: UUID, batch_id: UUID, ended: BatchEnd) -> bool:
    """End a batch; False if it has ended already."""
    unfinished = update(batches).where(_has_id(organization_id, batch_id), batches.c.status.in_(UNFINISHED))
    return (await connection.execute(unfinished.values(**to_columns(ended)))).rowcount == 1


async def is_any_purge_due(store: Store, now: datetime) -> bool:
    """Whether the files of any batch are to be deleted; a cheap read."""
    return await fetch_row(store, _PURGE_DUE, {"now": now}) is not None


async def list_purge_due(connection: AsyncConnection, now: datetime, limit: int) -> list[BatchWithFiles]:
    """The batches of all organizations whose files are to be deleted, those that are due longest first."""
    due = select(batches.c.organization_id, batches.c.id).where(WITH_BATCH_FILES, batches.c.purge_at <= now)
    found = await connection.execute(due.order_by(batches.c.purge_at).limit(limit))
    return [to_value(BatchWithFiles, row) for row in found]


async def set_purge(connection: AsyncConnection, organization_id: UUID, batch_id: UUID, until: datetime | None) -> bool:
    """Keep the files of a batch until then; with None they are being deleted. False if they are already."""
    kept = update(batches).where(_has_id(organization_id, batch_id), WITH_BATCH_FILES).values(purge_at=until)
    return (await connection.execute(kept)).rowcount == 1


def _has_id(organization_id: UUID, batch_id: UUID) -> ColumnElement[bool]:
    return and_(batches.c.organization_id == organization_id, batches.c.id == batch_id)
