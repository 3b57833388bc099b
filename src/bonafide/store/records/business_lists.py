"""Business records as people list them: newest change first and a page at a time, or all of them for a file.

Filters use indexed columns; only the listed documents are read.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import count_rows
from bonafide.store.database.tables import businesses
from bonafide.store.records.searches import fold_text


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records are listed; None for all. `text` is part of a name, an external id or a registration number."""

    text: str | None = None
    archived: bool | None = None
    monitored: bool | None = None
    discrepancies: bool | None = None


async def list_newest(
    connection: AsyncConnection, organization_id: UUID, chosen: RecordFilter, limit: int, offset: int
) -> tuple[list[str], int]:
    """The documents of a page of records, newest change first, and how many records there are in all."""
    mine = _build_conditions(organization_id, chosen)
    total = await count_rows(connection, businesses, *mine)
    order = (businesses.c.updated_at.desc(), businesses.c.id.desc())
    listed = select(businesses.c.document).where(*mine).order_by(*order).limit(limit).offset(offset)
    return list((await connection.execute(listed)).scalars()), total


async def list_after(
    connection: AsyncConnection, organization_id: UUID, chosen: RecordFilter, after: UUID | None, limit: int
) -> list[tuple[UUID, str]]:
    """The ids and documents of the records after one, in the order of their ids, which no change moves."""
    mine = _build_conditions(organization_id, chosen)
    if after is not None:
        mine.append(businesses.c.id > after)
    listed = select(businesses.c.id, businesses.c.document).where(*mine).order_by(businesses.c.id).limit(limit)
    return [(row.id, row.document) for row in await connection.execute(listed)]


def _build_conditions(organization_id: UUID, chosen: RecordFilter) -> list[ColumnElement[bool]]:
    conditions = [businesses.c.organization_id == organization_id]
    if chosen.archived is not None:
        conditions.append(businesses.c.is_archived == chosen.archived)
    if chosen.monitored is not None:
        conditions.append(businesses.c.is_monitored == chosen.monitored)
    if chosen.discrepancies is not None:
        conditions.append(businesses.c.has_discrepancies == chosen.discrepancies)
    if chosen.text is not None:
        conditions.append(businesses.c.sought.contains(fold_text(chosen.text), autoescape=True))
    return conditions
