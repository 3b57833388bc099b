"""How each load of a source ended: the operator's, the same for all organizations, by world and source.

Only the newest runs of each source are kept.
"""

from uuid import uuid4

from sqlalchemy import and_, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.model.loading import SourceRun
from bonafide.store.database.rows import to_value
from bonafide.store.database.tables import source_runs

KEPT_RUNS = 500
"""Of each source: more than a year of daily loads."""
_COLUMNS = [source_runs.c[name] for name in SourceRun.model_fields]


async def record_run(connection: AsyncConnection, world: World, source: str, run: SourceRun) -> None:
    """Write down a run, and forget those beyond the newest."""
    await connection.execute(insert(source_runs).values(world=world, source=source, id=uuid4(), **run.model_dump()))
    own = (source_runs.c.world == world, source_runs.c.source == source)
    newest_first = (source_runs.c.finished_at.desc(), source_runs.c.id.desc())
    too_old = select(source_runs.c.id).where(*own).order_by(*newest_first).offset(KEPT_RUNS)
    await connection.execute(delete(source_runs).where(*own, source_runs.c.id.in_(too_old)))


async def list_newest(connection: AsyncConnection, world: World, source: str, limit: int = KEPT_RUNS) -> list[SourceRun]:
    """The runs of one source, the newest first."""
    mine = (
        select(*_COLUMNS)
        .where(source_runs.c.world == world, source_runs.c.source == source)
        .order_by(source_runs.c.finished_at.desc(), source_runs.c.id.desc())
        .limit(limit)
    )
    return [to_value(SourceRun, row) for row in await connection.execute(mine)]


async def list_latest(connection: AsyncConnection, world: World) -> dict[str, SourceRun]:
    """The newest run of each source that has any."""
    newest_instants = (
        select(source_runs.c.source, func.max(source_runs.c.finished_at).label("finished_at"))
        .where(source_runs.c.world == world)
        .group_by(source_runs.c.source)
        .subquery()
    )
    theirs = and_(source_runs.c.source == newest_instants.c.source, source_runs.c.finished_at == newest_instants.c.finished_at)
    # Of two that ended in the same instant the one that `list_newest` has first comes last, and stays.
    last = select(source_runs.c.source, *_COLUMNS).join(newest_instants, theirs).where(source_runs.c.world == world)
    return {row.source: to_value(SourceRun, row) for row in await connection.execute(last.order_by(source_runs.c.id))}
