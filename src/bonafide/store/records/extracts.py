"""Extracts: what a register published of one registration when an organization asked for it; each is kept, none is changed.

Documents are JSON text and never parsed. Raw evidence is in the file store.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.store.database.rows import to_columns
from bonafide.store.database.tables import extracts


@dataclass(frozen=True, slots=True)
class RegistrationKey:
    """Which registration: `number` is a key of the number (`matching/identifiers`), the same for all its spellings."""

    jurisdiction: Jurisdiction
    number: str


@dataclass(frozen=True, slots=True)
class NewExtract:
    """An extract to keep; `obtained_at` is when it was made for the organization."""

    id: UUID
    registration: RegistrationKey
    obtained_at: datetime
    document: str


async def insert_extract(connection: AsyncConnection, organization_id: UUID, extract: NewExtract) -> None:
    """Keep an extract."""
    registration = to_columns(extract.registration)
    new = {"id": extract.id, "obtained_at": extract.obtained_at, "document": extract.document, **registration}
    await connection.execute(insert(extracts).values(organization_id=organization_id, **new))


async def get_newest(
    connection: AsyncConnection, organization_id: UUID, registration: RegistrationKey, since: datetime
) -> str | None:
    """The document of the organization's newest extract of a registration; None when it has none that was made since then."""
    query = (
        select(extracts.c.document)
        .where(
            extracts.c.organization_id == organization_id,
            extracts.c.jurisdiction == registration.jurisdiction,
            extracts.c.number == registration.number,
            extracts.c.obtained_at >= since,
        )
        .order_by(extracts.c.obtained_at.desc())
        .limit(1)
    )
    return (await connection.execute(query)).scalar_one_or_none()


async def get(connection: AsyncConnection, organization_id: UUID, extract_id: UUID) -> str | None:
    """The document of an extract."""
    query = select(extracts.c.document).where(extracts.c.organization_id == organization_id, extracts.c.id == extract_id)
    return (await connection.execute(query)).scalar_one_or_none()
