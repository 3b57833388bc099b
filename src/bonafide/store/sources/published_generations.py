"""Which generation of each source all machines use, by the digest of its description.

One row for each world and source. Its sequence number is compared and set, so that of two simultaneous publishers one wins and the
other is told.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.store.database.dialect import insert
from bonafide.store.database.rows import from_row, list_fields, to_columns, to_value
from bonafide.store.database.shared_tables import published_generations as published


@dataclass(frozen=True, slots=True)
class PublishedGeneration:
    """What is published of a source; `previous` is the description before it."""

    sequence: int
    description: str
    previous: str | None
    published_at: datetime
    published_by: str


_COLUMNS = [published.c[name] for name in list_fields(PublishedGeneration)]


async def get(connection: AsyncConnection, world: World, source: str) -> PublishedGeneration | None:
    """What is published of a source; None when nothing is."""
    mine = select(*_COLUMNS).where(published.c.world == world, published.c.source == source)
    return from_row(PublishedGeneration, (await connection.execute(mine)).one_or_none())


async def list_all(connection: AsyncConnection) -> dict[tuple[World, str], PublishedGeneration]:
    """What is published, by world and source."""
    rows = await connection.execute(select(published.c.world, published.c.source, *_COLUMNS))
    return {(row.world, row.source): to_value(PublishedGeneration, row) for row in rows}


async def publish(connection: AsyncConnection, world: World, source: str, expected: int | None, new: PublishedGeneration) -> bool:
    """Publish in place of the publication of this number, or as the first; False when there is another by now."""
    values = to_columns(new)
    if expected is None:
        first = insert(connection, published).values(world=world, source=source, **values).on_conflict_do_nothing()
        return (await connection.execute(first.returning(published.c.sequence))).one_or_none() is not None
    mine = (published.c.world == world, published.c.source == source, published.c.sequence == expected)
    return (await connection.execute(update(published).where(*mine).values(**values))).rowcount == 1
