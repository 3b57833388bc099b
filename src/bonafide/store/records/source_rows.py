"""Rows of sources, shared by all organizations: load runs, published generations, accepted terms.

Only the newest runs of each source are kept. Of a published generation there is one row for each world and source, with the digest
of its description; its sequence number is compared and set, so that of two concurrent publishers one wins and the other gets
an error. An acceptance of terms is never changed: another version is another row.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from sqlalchemy import and_, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.model.loading import SourceRun
from bonafide.store.database.rows import build_insert, from_row, list_fields, to_columns, to_value
from bonafide.store.database.schema.shared_tables import published_generations as published
from bonafide.store.database.tables import source_runs, terms_acceptances

KEPT_RUNS = 500
"""Runs kept for each source: more than a year of daily loads."""
_RUN_COLUMNS = [source_runs.c[name] for name in SourceRun.model_fields]


async def record_run(connection: AsyncConnection, world: World, source: str, run: SourceRun) -> None:
    """Store a run, and delete the oldest ones beyond the limit."""
    await connection.execute(insert(source_runs).values(world=world, source=source, id=uuid4(), **run.model_dump()))
    own = (source_runs.c.world == world, source_runs.c.source == source)
    newest_first = (source_runs.c.finished_at.desc(), source_runs.c.id.desc())
    too_old = select(source_runs.c.id).where(*own).order_by(*newest_first).offset(KEPT_RUNS)
    await connection.execute(delete(source_runs).where(*own, source_runs.c.id.in_(too_old)))


async def list_newest_runs(connection: AsyncConnection, world: World, source: str, limit: int = KEPT_RUNS) -> list[SourceRun]:
    """The runs of one source, the newest first."""
    mine = (
        select(*_RUN_COLUMNS)
        .where(source_runs.c.world == world, source_runs.c.source == source)
        .order_by(source_runs.c.finished_at.desc(), source_runs.c.id.desc())
        .limit(limit)
    )
    return [to_value(SourceRun, row) for row in await connection.execute(mine)]


async def list_latest_runs(connection: AsyncConnection, world: World) -> dict[str, SourceRun]:
    """The newest run of each source with runs."""
    newest_instants = (
        select(source_runs.c.source, func.max(source_runs.c.finished_at).label("finished_at"))
        .where(source_runs.c.world == world)
        .group_by(source_runs.c.source)
        .subquery()
    )
    theirs = and_(source_runs.c.source == newest_instants.c.source, source_runs.c.finished_at == newest_instants.c.finished_at)
    # Of two that ended at the same instant, the first one of `list_newest` comes last and stays.
    last = select(source_runs.c.source, *_RUN_COLUMNS).join(newest_instants, theirs).where(source_runs.c.world == world)
    return {row.source: to_value(SourceRun, row) for row in await connection.execute(last.order_by(source_runs.c.id))}


@dataclass(frozen=True, slots=True)
class PublishedGeneration:
    """The publication of a source; `previous` is the description before it."""

    sequence: int
    description: str
    previous: str | None
    published_at: datetime
    published_by: str


_PUBLISHED_COLUMNS = [published.c[name] for name in list_fields(PublishedGeneration)]


async def get_published(connection: AsyncConnection, world: World, source: str) -> PublishedGeneration | None:
    """The publication of a source, or None."""
    mine = select(*_PUBLISHED_COLUMNS).where(published.c.world == world, published.c.source == source)
    return from_row(PublishedGeneration, (await connection.execute(mine)).one_or_none())


async def list_published(connection: AsyncConnection) -> dict[tuple[World, str], PublishedGeneration]:
    """All publications, by world and source."""
    rows = await connection.execute(select(published.c.world, published.c.source, *_PUBLISHED_COLUMNS))
    return {(row.world, row.source): to_value(PublishedGeneration, row) for row in rows}


async def publish_generation(
    connection: AsyncConnection, world: World, source: str, expected: int | None, new: PublishedGeneration
) -> bool:
    """Replace the publication of this number, or publish the first; False when another was published meanwhile."""
    values = to_columns(new)
    if expected is None:
        first = build_insert(connection, published).values(world=world, source=source, **values).on_conflict_do_nothing()
        return (await connection.execute(first.returning(published.c.sequence))).one_or_none() is not None
    mine = (published.c.world == world, published.c.source == source, published.c.sequence == expected)
    return (await connection.execute(update(published).where(*mine).values(**values))).rowcount == 1


@dataclass(frozen=True, slots=True)
class TermsAcceptance:
    """An accepted version of a source's terms; `terms` is their text at that time."""

    source: str
    version: str
    accepted_by: str
    terms: str
    recorded_at: datetime


async def record_acceptance(connection: AsyncConnection, acceptance: TermsAcceptance) -> bool:
    """Store an acceptance, unless the version is accepted already; True when it is new."""
    added = build_insert(connection, terms_acceptances).values(to_columns(acceptance)).on_conflict_do_nothing()
    return (await connection.execute(added)).rowcount == 1


async def list_acceptances(connection: AsyncConnection) -> list[TermsAcceptance]:
    """Every acceptance, the oldest first."""
    rows = await connection.execute(select(terms_acceptances).order_by(terms_acceptances.c.recorded_at))
    return [to_value(TermsAcceptance, row) for row in rows]
