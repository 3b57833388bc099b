"""The open hits of business records, as they were last reported by events.

A hit is added when an event reports it, and deleted when it is gone or dismissed, in the transaction of that event. The caller has
locked the record, so that two screenings of it are compared one after the other.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.screening.open_hits import OpenHit
from bonafide.store.database.engine import Store, fetch_rows
from bonafide.store.database.tables import open_hits

_SELECT_DOCUMENTS = select(open_hits.c.document).where(
    open_hits.c.organization_id == bindparam("organization"), open_hits.c.business_id == bindparam("business")
)


async def list_hits(database: AsyncConnection | Store, organization_id: UUID, business_id: UUID) -> list[OpenHit]:
    """The open hits of a business record."""
    found = await fetch_rows(database, _SELECT_DOCUMENTS, {"organization": organization_id, "business": business_id})
    return [OpenHit.model_validate_json(row.document) for row in found]


async def replace_hits(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, changed: Sequence[OpenHit], closed: Sequence[OpenHit]
) -> None:
    """Store the hits that are new or changed, and delete those that are no longer open."""
    replaced = [hit.key for hit in (*changed, *closed)]
    if not replaced:
        return
    mine = (open_hits.c.organization_id == organization_id, open_hits.c.business_id == business_id)
    await connection.execute(delete(open_hits).where(*mine, open_hits.c.key.in_(replaced)))
    if changed:
        identity = {"organization_id": organization_id, "business_id": business_id}
        rows = [{**identity, "key": hit.key, "document": hit.to_json()} for hit in changed]
        await connection.execute(insert(open_hits), rows)
