"""Stored screenings: one row each, written once with its document. Documents are text and never parsed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, and_, insert, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.base import StoredDocument
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.store.database.rows import to_columns, to_value
from bonafide.store.database.tables import screenings
from bonafide.store.records.searches import fold_text

UNREAD = frozenset({"organization_id", "folded_query", "document", "messages"})
"""The columns of no `ScreeningRow`."""
_LISTED: tuple[Column[Any], ...] = (
    screenings.c.id,
    screenings.c.query,
    screenings.c.outcome,
    screenings.c.open_hits,
    screenings.c.subjects,
    screenings.c.screened_at,
    screenings.c.screened_by,
    screenings.c.business_id,
)
"""The columns that lists read: all precede the document."""


@dataclass(frozen=True, slots=True)
class ScreeningRow:
    """A screening without its document."""

    id: UUID
    query: str
    outcome: ScreeningOutcome
    open_hits: int
    subjects: int
    screened_at: datetime
    screened_by: str
    business_id: UUID | None


@dataclass(frozen=True, slots=True)
class ScreeningFilter:
    """Which screenings to list; None lists all. `query` is a part of the screened name, ignoring case and accents.

    They were made at `since` or later, and before `until`.
    """

    query: str | None = None
    outcome: ScreeningOutcome | None = None
    business_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    screened_by: str | None = None


@dataclass(frozen=True, slots=True)
class ScreeningPosition:
    """The position of a screening in lists by age."""

    screened_at: datetime
    id: UUID


async def add(connection: AsyncConnection, organization_id: UUID, screening: ScreeningRow, document: StoredDocument) -> None:
    """Store a screening with its document."""
    await connection.execute(
        insert(screenings).values(
            organization_id=organization_id,
            folded_query=fold_text(screening.query),
            document=document.body,
            messages=document.messages,
            **to_columns(screening),
        )
    )


async def get_document(connection: AsyncConnection, organization_id: UUID, screening_id: UUID) -> StoredDocument | None:
    """The document of a screening; None if the organization has no such screening."""
    mine = and_(screenings.c.organization_id == organization_id, screenings.c.id == screening_id)
    row = (await connection.execute(select(screenings.c.document, screenings.c.messages).where(mine))).one_or_none()
    return StoredDocument(row[0], row[1]) if row is not None else None


async def get_newest_id(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> UUID | None:
    """The last screening of a business record; None without any."""
    newest = (
        select(screenings.c.id)
        .where(screenings.c.organization_id == organization_id, screenings.c.business_id == business_id)
        .order_by(screenings.c.screened_at.desc(), screenings.c.id.desc())
        .limit(1)
    )
    return (await connection.execute(newest)).scalar_one_or_none()


async def list_older(
    connection: AsyncConnection, organization_id: UUID, chosen: ScreeningFilter, limit: int, place: ScreeningPosition
) -> list[ScreeningRow]:
    """The newest screenings that are older than this position, newest first."""
    age = tuple_(screenings.c.screened_at, screenings.c.id)
    value = tuple_(literal(place.screened_at, screenings.c.screened_at.type), literal(place.id, screenings.c.id.type))
    listed = (
        select(*_LISTED)
        .where(*_build_conditions(organization_id, chosen), age < value)
        .order_by(screenings.c.screened_at.desc(), screenings.c.id.desc())
        .limit(limit)
    )
    return [to_value(ScreeningRow, row) for row in await connection.execute(listed)]


def _build_conditions(organization_id: UUID, chosen: ScreeningFilter) -> list[ColumnElement[bool]]:
    conditions = [screenings.c.organization_id == organization_id]
    if chosen.business_id is not None:
        conditions.append(screenings.c.business_id == chosen.business_id)
    if chosen.since is not None:
        conditions.append(screenings.c.screened_at >= chosen.since)
    if chosen.until is not None:
        conditions.append(screenings.c.screened_at < chosen.until)
    if chosen.outcome is not None:
        conditions.append(screenings.c.outcome == chosen.outcome)
    if chosen.screened_by is not None:
        conditions.append(screenings.c.screened_by == chosen.screened_by)
    if chosen.query is not None:
        # Last, because it is the most expensive condition.
        conditions.append(screenings.c.folded_query.contains(fold_text(chosen.query), autoescape=True))
    return conditions
