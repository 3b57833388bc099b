"""Publications: which generation of each source all machines are to use, by the digest of its description.

One row for each world and source, changed by comparing and setting its number, so that of two who publish at once one wins and the
other learns of it. The instant is for people: no clock decides anything. What a description says is not known here.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.organization import World
from bonafide.store.dialect import insert
from bonafide.store.shared_tables import published_generations as published


@dataclass(frozen=True, slots=True)
class Publication:
    """What is published of a source; `previous` is the description before it."""

    sequence: int
    description: str
    previous: str | None
    published_at: datetime
    published_by: str


_SHOWN = [published.c[name] for name in Publication.__slots__]


async def get(connection: AsyncConnection, world: World, source: str) -> Publication | None:
    """What is published of a source; None when nothing is."""
    mine = select(*_SHOWN).where(published.c.world == world, published.c.source == source)
    row = (await connection.execute(mine)).one_or_none()
    return Publication(**row._mapping) if row is not None else None  # noqa: SLF001 - how SQLAlchemy publishes a row's names


async def get_all(connection: AsyncConnection) -> dict[tuple[World, str], Publication]:
    """What is published, by world and source."""
    rows = await connection.execute(select(published.c.world, published.c.source, *_SHOWN))
    return {(row.world, row.source): Publication(**{name: getattr(row, name) for name in Publication.__slots__}) for row in rows}


async def publish(connection: AsyncConnection, world: World, source: str, expected: int | None, new: Publication) -> bool:
    """Publish in place of the publication of this number, or as the first; False when there is another by now."""
    values = {name: getattr(new, name) for name in Publication.__slots__}
    if expected is None:
        first = insert(connection, published).values(world=world, source=source, **values).on_conflict_do_nothing()
        return (await connection.execute(first.returning(published.c.sequence))).one_or_none() is not None
    mine = (published.c.world == world, published.c.source == source, published.c.sequence == expected)
    return (await connection.execute(update(published).where(*mine).values(**values))).rowcount == 1
