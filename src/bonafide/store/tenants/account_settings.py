"""Account settings: one row for each organization that has changed any, as JSON. What they mean is the model's business."""

from uuid import UUID

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.dialect import insert
from bonafide.store.database.engine import Store, fetch_value
from bonafide.store.database.tables import account_settings

_SELECT_DOCUMENT = select(account_settings.c.document).where(account_settings.c.organization_id == bindparam("organization"))


async def get(database: AsyncConnection | Store, organization_id: UUID) -> str | None:
    """Return what the organization has set; None when it has set nothing."""
    document: str | None = await fetch_value(database, _SELECT_DOCUMENT, {"organization": organization_id})
    return document


async def put(connection: AsyncConnection, organization_id: UUID, document: str) -> None:
    """Keep what the organization has set."""
    row = insert(connection, account_settings).values(organization_id=organization_id, document=document)
    await connection.execute(row.on_conflict_do_update(index_elements=["organization_id"], set_={"document": document}))
