"""The partitions of batches: one row each, settled once.

Two workers may work on one partition when a lease has run out. The attempt that settles it first counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import to_value
from bonafide.store.database.schema.batch_tables import batch_partitions

_INSERTED_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class DonePartition:
    """A partition that is done: its number from 0, its rows, the attempt that has done it, and its rows with errors."""

    number: int
    rows: int
    attempt: UUID
    failed: int


_COLUMNS = [batch_partitions.c[name] for name in DonePartition.__slots__]


async def add_all(connection: AsyncConnection, organization_id: UUID, batch_id: UUID, sizes: Sequence[int]) -> None:
    """Store the partitions of a batch, given the number of rows of each."""
    shared = {"organization_id": organization_id, "batch_id": batch_id}
    rows = [{**shared, "number": number, "rows": size} for number, size in enumerate(sizes)]
    for first in range(0, len(rows), _INSERTED_AT_ONCE):
        await connection.execute(insert(batch_partitions), rows[first : first + _INSERTED_AT_ONCE])


async def list_pending(
    connection: AsyncConnection, organization_id: UUID, batch_id: UUID, limit: int, after: int = -1
) -> list[int]:
    """The numbers of the first partitions after this one that are not done."""
    number = batch_partitions.c.number
    pending = select(number).where(_is_pending(organization_id, batch_id), number > after).order_by(number).limit(limit)
    return list((await connection.execute(pending)).scalars())


async def is_pending(connection: AsyncConnection, organization_id: UUID, batch_id: UUID, number: int) -> bool:
    """Whether a partition is not done."""
    found = select(batch_partitions.c.number).where(_is_pending(organization_id, batch_id), batch_partitions.c.number == number)
    return (await connection.execute(found)).one_or_none() is not None


async def settle(connection: AsyncConnection, organization_id: UUID, batch_id: UUID, done: DonePartition, now: datetime) -> bool:
    """Store that a partition is done; False if it was done before, and then nothing changes."""
    pending = update(batch_partitions).where(_is_pending(organization_id, batch_id), batch_partitions.c.number == done.number)
    settled = pending.values(attempt=done.attempt, failed=done.failed, finished_at=now)
    return (await connection.execute(settled)).rowcount == 1


async def list_done(
    connection: AsyncConnection, organization_id: UUID, batch_id: UUID, after: int = -1, *, with_errors: bool = False
) -> list[DonePartition]:
    """The partitions that are done, in order, after this number; with `with_errors` those with rows in error."""
    done = and_(_is_in_batch(organization_id, batch_id), batch_partitions.c.attempt.is_not(None), batch_partitions.c.number > after)
    listed = select(*_COLUMNS).where(done, batch_partitions.c.failed > 0) if with_errors else select(*_COLUMNS).where(done)
    return [to_value(DonePartition, row) for row in await connection.execute(listed.order_by(batch_partitions.c.number))]


async def count_rows_since(connection: AsyncConnection, organization_id: UUID, batch_id: UUID, since: datetime) -> int:
    """The number of rows of the partitions that were done since then."""
    recent = and_(_is_in_batch(organization_id, batch_id), batch_partitions.c.finished_at >= since)
    counted = select(func.coalesce(func.sum(batch_partitions.c.rows), 0)).where(recent)
    return int((await connection.execute(counted)).scalar_one())


async def delete_all(connection: AsyncConnection, organization_id: UUID, batch_id: UUID) -> None:
    """Delete the partitions of a batch, whose files are deleted too."""
    await connection.execute(delete(batch_partitions).where(_is_in_batch(organization_id, batch_id)))


def _is_in_batch(organization_id: UUID, batch_id: UUID) -> ColumnElement[bool]:
    return and_(batch_partitions.c.organization_id == organization_id, batch_partitions.c.batch_id == batch_id)


def _is_pending(organization_id: UUID, batch_id: UUID) -> ColumnElement[bool]:
    return and_(_is_in_batch(organization_id, batch_id), batch_partitions.c.attempt.is_(None))
