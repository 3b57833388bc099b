"""The facts of business records, one document for each. Writers hold the organization's audit head."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import build_insert
from bonafide.store.database.schema.risk_tables import risk_facts


async def get_document(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> str | None:
    """The facts of a record (`StoredFacts`); None if none are stored."""
    mine = (risk_facts.c.organization_id == organization_id, risk_facts.c.business_id == business_id)
    return (await connection.execute(select(risk_facts.c.document).where(*mine))).scalar_one_or_none()


async def put_document(connection: AsyncConnection, organization_id: UUID, business_id: UUID, document: str) -> None:
    """Store the facts of a record, in place of the earlier ones."""
    new = build_insert(connection, risk_facts).values(organization_id=organization_id, business_id=business_id, document=document)
    await connection.execute(
        new.on_conflict_do_update(index_elements=["organization_id", "business_id"], set_={"document": new.excluded.document})
    )


async def list_documents_after(
    connection: AsyncConnection, organization_id: UUID, after: UUID | None, limit: int
) -> list[tuple[UUID, str]]:
    """The records with facts and these facts, in the order of the records’ IDs, after this one."""
    conditions = [risk_facts.c.organization_id == organization_id]
    if after is not None:
        conditions.append(risk_facts.c.business_id > after)
    listed = select(risk_facts.c.business_id, risk_facts.c.document).where(*conditions)
    rows = await connection.execute(listed.order_by(risk_facts.c.business_id).limit(limit))
    return [(row.business_id, row.document) for row in rows]
