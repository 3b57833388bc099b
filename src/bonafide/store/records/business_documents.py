"""Documents of business records: one row each, never changed. The files are in the file storage.

Descriptions are text and never parsed.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import count_rows, to_columns
from bonafide.store.database.tables import business_documents


@dataclass(frozen=True, slots=True)
class StoredBusinessDocument:
    """The description of a document."""

    id: UUID
    business_id: UUID
    uploaded_at: datetime
    document: str


async def add(connection: AsyncConnection, organization_id: UUID, document: StoredBusinessDocument) -> None:
    """Store the description of a document."""
    await connection.execute(insert(business_documents).values(organization_id=organization_id, **to_columns(document)))


async def count(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> int:
    """The number of documents of a business."""
    mine = (business_documents.c.organization_id == organization_id, business_documents.c.business_id == business_id)
    return await count_rows(connection, business_documents, *mine)


async def list_for_business(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> list[str]:
    """The descriptions of the documents of a business, newest first."""
    listed = (
        select(business_documents.c.document)
        .where(business_documents.c.organization_id == organization_id, business_documents.c.business_id == business_id)
        .order_by(business_documents.c.uploaded_at.desc(), business_documents.c.id.desc())
    )
    return list((await connection.execute(listed)).scalars())


async def list_by_ids(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, ids: Collection[UUID]
) -> dict[UUID, str]:
    """The descriptions of these documents of a business by ID; those that it doesn't have are absent."""
    listed = select(business_documents.c.id, business_documents.c.document).where(
        business_documents.c.organization_id == organization_id,
        business_documents.c.business_id == business_id,
        business_documents.c.id.in_(ids),
    )
    return {row.id: row.document for row in await connection.execute(listed)}
