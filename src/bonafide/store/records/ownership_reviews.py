"""Ownership reviews: one row each, never changed. Documents are text and never parsed."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import list_documents, to_columns
from bonafide.store.database.tables import ownership_reviews


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A review with its document."""

    id: UUID
    business_id: UUID
    reviewed_at: datetime
    document: str


async def add(connection: AsyncConnection, organization_id: UUID, review: StoredReview) -> None:
    """Store a review."""
    await connection.execute(insert(ownership_reviews).values(organization_id=organization_id, **to_columns(review)))


async def get(connection: AsyncConnection, organization_id: UUID, review_id: UUID) -> str | None:
    """The document of a review; None if the organization has no such review."""
    mine = (ownership_reviews.c.organization_id == organization_id, ownership_reviews.c.id == review_id)
    return (await connection.execute(select(ownership_reviews.c.document).where(*mine))).scalar_one_or_none()


async def list_page(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, limit: int, offset: int
) -> tuple[list[str], int]:
    """The documents of a page of the reviews of a business, newest first, and how many there are in all."""
    mine = (ownership_reviews.c.organization_id == organization_id, ownership_reviews.c.business_id == business_id)
    newest_first = (ownership_reviews.c.reviewed_at.desc(), ownership_reviews.c.id.desc())
    return await list_documents(connection, ownership_reviews, mine, newest_first, limit, offset)
