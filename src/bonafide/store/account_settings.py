"""Account settings: one row for each organization that has changed any, as JSON. What they mean is the model's business."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.dialect import insert
from bonafide.store.tables import account_settings


async def get(connection: AsyncConnection, organization_id: UUID) -> str | None:
    """What the organization has set; None when it has set nothing."""
    mine = select(account_settings.c.document).where(account_settings.c.organization_id == organization_id)
    return (await connection.execute(mine)).scalar_one_or_none()


async def put(connection: AsyncConnection, organization_id: UUID, document: str) -> None:
    """Keep what the organization has set."""
    row = insert(connection, account_settings).values(organization_id=organization_id, document=document)
    await connection.execute(row.on_conflict_do_update(index_elements=["organization_id"], set_={"document": document}))
