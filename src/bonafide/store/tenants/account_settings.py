"""Account settings: one row for each organization that has changed any, as JSON. What they mean is the model's business."""

from uuid import UUID

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.dialect import insert
from bonafide.store.database.engine import Store
from bonafide.store.database.tables import account_settings

_SELECT_DOCUMENT = select(account_settings.c.document).where(account_settings.c.organization_id == bindparam("organization"))


async def get(connection: AsyncConnection, organization_id: UUID) -> str | None:
    """What the organization has set; None when it has set nothing."""
    return (await connection.execute(_SELECT_DOCUMENT, {"organization": organization_id})).scalar_one_or_none()


async def get_autocommit(store: Store, organization_id: UUID) -> str | None:
    """The same, read by itself. Raises `ServerBusy`."""
    row = await store.fetch_one(_SELECT_DOCUMENT, {"organization": organization_id})
    return row[0] if row is not None else None


async def put(connection: AsyncConnection, organization_id: UUID, document: str) -> None:
    """Keep what the organization has set."""
    row = insert(connection, account_settings).values(organization_id=organization_id, document=document)
    await connection.execute(row.on_conflict_do_update(index_elements=["organization_id"], set_={"document": document}))
