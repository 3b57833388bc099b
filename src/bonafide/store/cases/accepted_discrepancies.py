"""Accepted discrepancies of verifications: one row for each decision, which is revoked rather than deleted.

Writers hold the organization's audit head. Documents are text and never parsed.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import to_columns
from bonafide.store.database.schema.manual_check_tables import HELD_ACCEPTANCE, accepted_discrepancies


@dataclass(frozen=True, slots=True)
class StoredAcceptance:
    """A decision to accept the discrepancy of a field."""

    id: UUID
    verification_id: UUID
    field: str
    accepted_at: datetime
    revoked_at: datetime | None
    document: str


async def add(connection: AsyncConnection, organization_id: UUID, acceptance: StoredAcceptance) -> None:
    """Store a decision."""
    await connection.execute(insert(accepted_discrepancies).values(organization_id=organization_id, **to_columns(acceptance)))


async def revoke(connection: AsyncConnection, organization_id: UUID, acceptance_id: UUID, document: str, at: datetime) -> None:
    """Revoke a decision; its document names the person."""
    table = accepted_discrepancies
    mine = (table.c.organization_id == organization_id, table.c.id == acceptance_id, HELD_ACCEPTANCE)
    await connection.execute(update(table).where(*mine).values(revoked_at=at, document=document))


async def list_for_verification(connection: AsyncConnection, organization_id: UUID, verification_id: UUID) -> list[str]:
    """The documents of all decisions about the discrepancies of a verification, oldest first."""
    table = accepted_discrepancies
    mine = (table.c.organization_id == organization_id, table.c.verification_id == verification_id)
    found = await connection.execute(select(table.c.document).where(*mine).order_by(table.c.accepted_at, table.c.id))
    return list(found.scalars())


async def list_held(connection: AsyncConnection, organization_id: UUID, verification_id: UUID) -> list[str]:
    """The documents of the decisions that were not revoked, oldest first."""
    table = accepted_discrepancies
    mine = (table.c.organization_id == organization_id, table.c.verification_id == verification_id, HELD_ACCEPTANCE)
    found = await connection.execute(select(table.c.document).where(*mine).order_by(table.c.accepted_at, table.c.id))
    return list(found.scalars())


async def count_held(connection: AsyncConnection, organization_id: UUID, verification_ids: Collection[UUID]) -> dict[UUID, int]:
    """The number of decisions that were not revoked, by verification; those without any are absent."""
    table = accepted_discrepancies
    mine = (table.c.organization_id == organization_id, table.c.verification_id.in_(verification_ids), HELD_ACCEPTANCE)
    counted = select(table.c.verification_id, func.count()).where(*mine).group_by(table.c.verification_id)
    return {row[0]: row[1] for row in await connection.execute(counted)}
