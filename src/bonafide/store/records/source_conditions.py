"""The condition of each source, as it was last announced. It belongs to no organization."""

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.model.loading import SourceCondition
from bonafide.store.database.rows import build_insert, to_columns, to_value
from bonafide.store.database.tables import source_conditions

_COLUMNS = [source_conditions.c[name] for name in SourceCondition.model_fields]
_IS_KNOWN = source_conditions.c.retrieved_at.is_not(None)


async def lock(connection: AsyncConnection, world: World, source: str) -> SourceCondition | None:
    """Lock the condition of a source until the transaction ends, and return it; None if the source was never loaded."""
    first = build_insert(connection, source_conditions).values(world=world, source=source, is_stale=False)
    await connection.execute(first.on_conflict_do_nothing())
    mine = (source_conditions.c.world == world, source_conditions.c.source == source)
    row = (await connection.execute(select(*_COLUMNS).where(*mine).with_for_update())).one()
    return to_value(SourceCondition, row) if row.retrieved_at is not None else None


async def put(connection: AsyncConnection, world: World, source: str, condition: SourceCondition) -> None:
    """Store the condition of a source that `lock` has locked."""
    mine = (source_conditions.c.world == world, source_conditions.c.source == source)
    await connection.execute(update(source_conditions).where(*mine).values(**to_columns(condition)))


async def list_all(connection: AsyncConnection, world: World) -> dict[str, SourceCondition]:
    """The known conditions of a world, by source."""
    known = select(source_conditions.c.source, *_COLUMNS).where(source_conditions.c.world == world, _IS_KNOWN)
    return {row.source: to_value(SourceCondition, row) for row in await connection.execute(known)}
