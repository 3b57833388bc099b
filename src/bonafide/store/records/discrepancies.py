"""Discrepancies of ownership reviews: one row each, with the instant of its next reminder.

Documents are text and never parsed. Writers hold the organization's audit head.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.ownership.discrepancies import DiscrepancyStatus
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import list_documents, to_columns, to_value
from bonafide.store.database.tables import OPEN_DISCREPANCY, WITH_REMINDER, discrepancies

_DUE_REMINDER = select(discrepancies.c.id).where(WITH_REMINDER, discrepancies.c.reminder_at <= bindparam("now")).limit(1)


@dataclass(frozen=True, slots=True)
class StoredDiscrepancy:
    """A discrepancy with its document. `decided_at` is None while it is open, `reminder_at` when no reminder is to be recorded."""

    id: UUID
    business_id: UUID
    status: DiscrepancyStatus
    opened_at: datetime
    due_at: datetime | None
    decided_at: datetime | None
    reminder_at: datetime | None
    document: str


_COLUMNS = [discrepancies.c[name] for name in StoredDiscrepancy.__slots__]


@dataclass(frozen=True, slots=True)
class DueReminder:
    """A discrepancy of any organization of which a reminder is due."""

    organization_id: UUID
    id: UUID


async def add(connection: AsyncConnection, organization_id: UUID, discrepancy: StoredDiscrepancy) -> None:
    """Store a new discrepancy."""
    await connection.execute(insert(discrepancies).values(organization_id=organization_id, **to_columns(discrepancy)))


async def replace(connection: AsyncConnection, organization_id: UUID, discrepancy: StoredDiscrepancy) -> None:
    """Store a changed discrepancy."""
    mine = _has_id(organization_id, discrepancy.id)
    await connection.execute(update(discrepancies).where(mine).values(**to_columns(discrepancy)))


async def get(connection: AsyncConnection, organization_id: UUID, discrepancy_id: UUID) -> StoredDiscrepancy | None:
    """A discrepancy; None if the organization has no such discrepancy."""
    row = (await connection.execute(select(*_COLUMNS).where(_has_id(organization_id, discrepancy_id)))).one_or_none()
    return to_value(StoredDiscrepancy, row) if row is not None else None


async def list_page(
    connection: AsyncConnection,
    organization_id: UUID,
    business_id: UUID,
    status: DiscrepancyStatus | None,
    limit: int,
    offset: int,
) -> tuple[list[str], int]:
    """The documents of a page of the discrepancies of a business, newest first, and how many there are in all."""
    mine = [discrepancies.c.organization_id == organization_id, discrepancies.c.business_id == business_id]
    if status is not None:
        mine.append(discrepancies.c.status == status)
    newest_first = (discrepancies.c.opened_at.desc(), discrepancies.c.id.desc())
    return await list_documents(connection, discrepancies, mine, newest_first, limit, offset)


async def list_with_status(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, statuses: Collection[DiscrepancyStatus]
) -> list[StoredDiscrepancy]:
    """All discrepancies of a business with one of these statuses, oldest first."""
    listed = (
        select(*_COLUMNS)
        .where(
            discrepancies.c.organization_id == organization_id,
            discrepancies.c.business_id == business_id,
            discrepancies.c.status.in_(statuses),
        )
        .order_by(discrepancies.c.opened_at, discrepancies.c.id)
    )
    return [to_value(StoredDiscrepancy, row) for row in await connection.execute(listed)]


async def list_open(connection: AsyncConnection, organization_id: UUID, limit: int, offset: int) -> tuple[list[str], int]:
    """The documents of a page of the organization's open discrepancies, the first due first; those without a due date are last."""
    mine = (discrepancies.c.organization_id == organization_id, OPEN_DISCREPANCY)
    due_first = (discrepancies.c.due_at.is_(None), discrepancies.c.due_at, discrepancies.c.opened_at, discrepancies.c.id)
    return await list_documents(connection, discrepancies, mine, due_first, limit, offset)


async def is_any_reminder_due(store: Store, now: datetime) -> bool:
    """Whether a reminder of any organization is due; cheaper than to list them."""
    return await fetch_row(store, _DUE_REMINDER, {"now": now}) is not None


async def list_due_reminders(connection: AsyncConnection, now: datetime, limit: int) -> list[DueReminder]:
    """The discrepancies of all organizations of which a reminder is due, the longest overdue first."""
    due = (
        select(discrepancies.c.organization_id, discrepancies.c.id)
        .where(WITH_REMINDER, discrepancies.c.reminder_at <= now)
        .order_by(discrepancies.c.reminder_at)
        .limit(limit)
    )
    return [to_value(DueReminder, row) for row in await connection.execute(due)]


async def set_reminder(
    connection: AsyncConnection, organization_id: UUID, discrepancy_id: UUID, reminder_at: datetime | None
) -> None:
    """Set the instant of the next reminder; None without one."""
    mine = _has_id(organization_id, discrepancy_id)
    await connection.execute(update(discrepancies).where(mine).values(reminder_at=reminder_at))


def _has_id(organization_id: UUID, discrepancy_id: UUID) -> ColumnElement[bool]:
    return and_(discrepancies.c.organization_id == organization_id, discrepancies.c.id == discrepancy_id)
