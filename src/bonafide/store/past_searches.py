"""The newest documents of an organization's searches, many at once: for what is reckoned from past results.

Single searches, and history, are `searches`' business.
"""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.tables import searches


async def newest_documents(connection: AsyncConnection, organization_id: UUID, limit: int) -> list[str]:
    """The documents of the organization's newest searches that have one, the newest first."""
    mine = (
        select(searches.c.document)
        .where(searches.c.organization_id == organization_id, searches.c.document.is_not(None))
        .order_by(searches.c.searched_at.desc(), searches.c.id.desc())
        .limit(limit)
    )
    return [document for (document,) in await connection.execute(mine) if document is not None]
