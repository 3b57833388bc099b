"""Legal holds on business records, and the condition for rows of a record that is held.

A hold is set and lifted by the holder of the audit head.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, delete, exists, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import build_insert, from_row, to_columns, to_value
from bonafide.store.database.schema.retention_tables import legal_holds
from bonafide.store.database.tables import businesses

_SELECT_HOLD = select(legal_holds).where(
    legal_holds.c.organization_id == bindparam("organization"), legal_holds.c.business_id == bindparam("business")
)


@dataclass(frozen=True, slots=True)
class StoredHold:
    """A hold on a business record."""

    business_id: UUID
    reason: str
    set_at: datetime
    set_by: str


def is_held(organization_id: ColumnElement[Any], business_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """The condition for rows whose business record is held, by their columns."""
    return exists().where(legal_holds.c.organization_id == organization_id, legal_holds.c.business_id == business_id)


async def get(database: AsyncConnection | Store, organization_id: UUID, business_id: UUID) -> StoredHold | None:
    """The hold on a record; None if it is not held."""
    return from_row(StoredHold, await fetch_row(database, _SELECT_HOLD, {"organization": organization_id, "business": business_id}))


async def put(connection: AsyncConnection, organization_id: UUID, hold: StoredHold) -> None:
    """Set a hold, or replace its reason."""
    values = to_columns(hold)
    changed = {name: value for name, value in values.items() if name != "business_id"}
    added = build_insert(connection, legal_holds).values(organization_id=organization_id, **values)
    await connection.execute(added.on_conflict_do_update(index_elements=["organization_id", "business_id"], set_=changed))


async def remove(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> None:
    """Lift a hold."""
    mine = (legal_holds.c.organization_id == organization_id, legal_holds.c.business_id == business_id)
    await connection.execute(delete(legal_holds).where(*mine))


async def list_held(connection: AsyncConnection, organization_id: UUID) -> set[UUID]:
    """The records that are held."""
    mine = select(legal_holds.c.business_id).where(legal_holds.c.organization_id == organization_id)
    return set((await connection.execute(mine)).scalars())


async def is_any_held(connection: AsyncConnection, organization_id: UUID) -> bool:
    """Whether any record of the organization is held."""
    mine = select(legal_holds.c.business_id).where(legal_holds.c.organization_id == organization_id).limit(1)
    return (await connection.execute(mine)).first() is not None


async def list_newest(connection: AsyncConnection, organization_id: UUID, limit: int) -> list[tuple[StoredHold, str]]:
    """The holds that were set last, newest first, each with the document of its record."""
    mine = (
        select(legal_holds, businesses.c.document)
        .join(
            businesses,
            and_(
                businesses.c.organization_id == legal_holds.c.organization_id,
                businesses.c.id == legal_holds.c.business_id,
            ),
        )
        .where(legal_holds.c.organization_id == organization_id)
        .order_by(legal_holds.c.set_at.desc(), legal_holds.c.business_id)
        .limit(limit)
    )
    return [(to_value(StoredHold, row), row.document) for row in await connection.execute(mine)]
