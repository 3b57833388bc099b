"""Runs of monitoring: which load of a source all monitored records of a world were evaluated against.

A run is divided into chunks of records. It is complete when no chunk is left to match and no record is left to evaluate. Runs are
the operator's; chunks belong to organizations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.store.database.rows import build_insert, from_row, to_columns, to_value
from bonafide.store.database.schema.monitoring_tables import (
    monitored_records,
    monitoring_chunks,
    monitoring_runs,
    monitoring_targets,
)
from bonafide.store.database.tables import organizations


@dataclass(frozen=True, slots=True)
class MonitoringRun:
    """The part of a run that concerns one source. `number` counts the runs of the source; `changes` its changed entries.

    `generation` identifies the load on all machines. The hashes of its entries are read separately.
    """

    source: str
    number: int
    id: UUID
    generation: str
    loaded_at: datetime
    retrieved_at: datetime
    as_of: date | None
    started_at: datetime
    finished_at: datetime | None
    changes: int


@dataclass(frozen=True, slots=True)
class MonitoringChunk:
    """A part of a run: the records of the organization with IDs after `after_id`, up to `last_id`; None for no limit."""

    organization_id: UUID
    run_id: UUID
    number: int
    after_id: UUID | None
    last_id: UUID | None


_COLUMNS = [monitoring_runs.c[name] for name in MonitoringRun.__slots__]


async def add(connection: AsyncConnection, world: World, run: MonitoringRun, hashes: bytes | None) -> bool:
    """Add a run of a source with the hashes of all entries, if they are kept; False if another process has added this number."""
    new = build_insert(connection, monitoring_runs).values(world=world, hashes=hashes, **to_columns(run))
    added = new.on_conflict_do_nothing(index_elements=["world", "source", "number"]).returning(monitoring_runs.c.number)
    return (await connection.execute(added)).one_or_none() is not None


async def list_latest(connection: AsyncConnection, world: World, *, finished: bool = False) -> dict[str, MonitoringRun]:
    """The latest run of each source of a world, or the latest one that is finished."""
    table = monitoring_runs
    of_world = [table.c.world == world, *([table.c.finished_at.is_not(None)] if finished else [])]
    latest = select(table.c.source, func.max(table.c.number).label("number")).where(*of_world).group_by(table.c.source).subquery()
    is_latest = and_(table.c.world == world, table.c.source == latest.c.source, table.c.number == latest.c.number)
    found = await connection.execute(select(*_COLUMNS).join(latest, is_latest))
    return {run.source: run for run in (to_value(MonitoringRun, row) for row in found)}


async def list_sources(connection: AsyncConnection, world: World, run_id: UUID) -> list[MonitoringRun]:
    """The sources of a run."""
    table = monitoring_runs
    found = await connection.execute(select(*_COLUMNS).where(table.c.id == run_id, table.c.world == world).order_by(table.c.source))
    return [to_value(MonitoringRun, row) for row in found]


async def get_hashes(connection: AsyncConnection, world: World, source: str, number: int) -> bytes | None:
    """The hashes of the entries of a run; None if there was no such run."""
    table = monitoring_runs
    mine = select(table.c.hashes).where(table.c.world == world, table.c.source == source, table.c.number == number)
    found: bytes | None = (await connection.execute(mine)).scalar_one_or_none()
    return found


async def forget_hashes(connection: AsyncConnection, world: World, source: str, before: int) -> None:
    """Delete the hashes of the runs before a number."""
    table = monitoring_runs
    old = and_(table.c.world == world, table.c.source == source, table.c.number < before, table.c.hashes.is_not(None))
    await connection.execute(update(table).where(old).values(hashes=None))


async def list_unfinished(connection: AsyncConnection, world: World) -> list[UUID]:
    """The IDs of the runs of a world that are not finished."""
    table = monitoring_runs
    open_runs = select(table.c.id).where(table.c.world == world, table.c.finished_at.is_(None)).distinct()
    return list((await connection.execute(open_runs)).scalars())


async def finish(connection: AsyncConnection, run_id: UUID, now: datetime) -> bool:
    """Finish a run if nothing of it is left to match or to evaluate; returns whether it is finished now."""
    table = monitoring_runs
    unmatched = select(monitoring_chunks.c.run_id).where(monitoring_chunks.c.run_id == run_id).exists()
    unevaluated = select(monitoring_targets.c.run_id).where(monitoring_targets.c.run_id == run_id).exists()
    mine = and_(table.c.id == run_id, table.c.finished_at.is_(None), ~unmatched, ~unevaluated)
    return (await connection.execute(update(table).where(mine).values(finished_at=now))).rowcount > 0


async def is_any_monitored(connection: AsyncConnection, world: World) -> bool:
    """Whether any organization of the world monitors a record."""
    of_world = organizations.c.id == monitored_records.c.organization_id
    found = select(monitored_records.c.business_id).join(organizations, of_world).where(organizations.c.world == world).limit(1)
    return (await connection.execute(found)).one_or_none() is not None


async def plan_chunks(connection: AsyncConnection, world: World, run_id: UUID, size: int) -> list[MonitoringChunk]:
    """Divide the monitored records of a world into chunks of an organization each. The last chunk of each has no upper limit."""
    table = monitored_records
    place = func.row_number().over(partition_by=table.c.organization_id, order_by=table.c.business_id)
    numbered = (
        select(table.c.organization_id, table.c.business_id, place.label("place"))
        .join(organizations, organizations.c.id == table.c.organization_id)
        .where(organizations.c.world == world)
        .subquery()
    )
    is_first = (numbered.c.place - 1) % size == 0
    borders = select(numbered.c.organization_id, numbered.c.business_id).where(is_first)
    starts: dict[UUID, list[UUID]] = {}
    for row in await connection.execute(borders.order_by(numbered.c.organization_id, numbered.c.place)):
        starts.setdefault(row.organization_id, []).append(row.business_id)
    return [chunk for organization_id, ids in starts.items() for chunk in _build_chunks(organization_id, run_id, ids)]


def _build_chunks(organization_id: UUID, run_id: UUID, starts: Sequence[UUID]) -> list[MonitoringChunk]:
    """The chunks that begin with these records; the first has no lower limit, and the last no upper one."""
    limits = [None, *(UUID(int=start.int - 1) for start in starts[1:]), None]
    return [MonitoringChunk(organization_id, run_id, number, after, last) for number, (after, last) in enumerate(pairwise(limits))]


async def add_chunks(connection: AsyncConnection, chunks: Sequence[MonitoringChunk]) -> None:
    """Add the chunks of a new run."""
    if chunks:
        await connection.execute(insert(monitoring_chunks), [to_columns(chunk) for chunk in chunks])


async def get_chunk(connection: AsyncConnection, organization_id: UUID, run_id: UUID, number: int) -> MonitoringChunk | None:
    """A chunk; None if it has been matched."""
    row = (await connection.execute(select(monitoring_chunks).where(_is_chunk(organization_id, run_id, number)))).one_or_none()
    return from_row(MonitoringChunk, row)


async def remove_chunk(connection: AsyncConnection, chunk: MonitoringChunk) -> bool:
    """Remove a chunk that has been matched; False if another worker has removed it."""
    mine = _is_chunk(chunk.organization_id, chunk.run_id, chunk.number)
    return (await connection.execute(delete(monitoring_chunks).where(mine))).rowcount == 1


async def list_chunks(connection: AsyncConnection, world: World, limit: int) -> list[MonitoringChunk]:
    """Chunks of all organizations of a world that are yet to be matched, for the scheduler."""
    table = monitoring_chunks
    of_world = organizations.c.id == table.c.organization_id
    listed = select(table).join(organizations, of_world).where(organizations.c.world == world)
    ordered = listed.order_by(table.c.run_id, table.c.number, table.c.organization_id).limit(limit)
    return [to_value(MonitoringChunk, row) for row in await connection.execute(ordered)]


async def list_shares(connection: AsyncConnection, world: World, shares: int) -> list[tuple[UUID, int]]:
    """The organizations of a world with chunks to match, each with the shares of its chunks: their numbers modulo `shares`."""
    table = monitoring_chunks
    share = (table.c.number % shares).label("share")
    of_world = organizations.c.id == table.c.organization_id
    listed = select(table.c.organization_id, share).join(organizations, of_world).where(organizations.c.world == world).distinct()
    return [(row.organization_id, row.share) for row in await connection.execute(listed)]


async def list_chunks_of_share(
    connection: AsyncConnection, organization_id: UUID, share: int, shares: int, limit: int
) -> list[MonitoringChunk]:
    """The first chunks of a share of the organization."""
    table = monitoring_chunks
    mine = and_(table.c.organization_id == organization_id, table.c.number % shares == share)
    listed = select(table).where(mine).order_by(table.c.run_id, table.c.number).limit(limit)
    return [to_value(MonitoringChunk, row) for row in await connection.execute(listed)]


def _is_chunk(organization_id: UUID, run_id: UUID, number: int) -> ColumnElement[bool]:
    table = monitoring_chunks
    return and_(table.c.organization_id == organization_id, table.c.run_id == run_id, table.c.number == number)
