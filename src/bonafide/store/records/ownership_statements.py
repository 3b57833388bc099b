"""Ownership statements: one row for each business and claimant, which is replaced as a whole.

Documents are text and never parsed. Writers hold the organization's audit head.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.ownership.statement import Claimant
from bonafide.store.database.rows import build_insert, to_columns, to_value
from bonafide.store.database.tables import ownership_statements


@dataclass(frozen=True, slots=True)
class StoredStatement:
    """What a claimant says about a business, who recorded it and when."""

    business_id: UUID
    claimed_by: Claimant
    recorded_at: datetime
    recorded_by: str
    document: str


async def put(connection: AsyncConnection, organization_id: UUID, statement: StoredStatement) -> None:
    """Store a statement, in place of the claimant's earlier one."""
    columns = to_columns(statement)
    new = build_insert(connection, ownership_statements).values(organization_id=organization_id, **columns)
    changed = {name: new.excluded[name] for name in ("recorded_at", "recorded_by", "document")}
    await connection.execute(
        new.on_conflict_do_update(index_elements=["organization_id", "business_id", "claimed_by"], set_=changed)
    )


async def remove(connection: AsyncConnection, organization_id: UUID, business_id: UUID, claimed_by: Claimant) -> None:
    """Remove what a claimant says about a business."""
    mine = (
        ownership_statements.c.organization_id == organization_id,
        ownership_statements.c.business_id == business_id,
        ownership_statements.c.claimed_by == claimed_by,
    )
    await connection.execute(delete(ownership_statements).where(*mine))


async def list_for_business(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> list[StoredStatement]:
    """What every claimant says about a business."""
    columns = [ownership_statements.c[name] for name in StoredStatement.__slots__]
    mine = (ownership_statements.c.organization_id == organization_id, ownership_statements.c.business_id == business_id)
    listed = select(*columns).where(*mine).order_by(ownership_statements.c.claimed_by)
    return [to_value(StoredStatement, row) for row in await connection.execute(listed)]
