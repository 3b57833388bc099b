"""Manual checks: one row each, changed while the writer holds the organization's audit head, and their files.

Times of changes have the order in which they are committed, so the feed of changes skips none. Documents are text and never parsed.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, insert, literal, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.manual_checks.manual_check import ManualCheckStatus
from bonafide.model.records.business_record import FeedPosition
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import count_rows, from_row, to_columns, to_value
from bonafide.store.database.schema.manual_check_tables import (
    OPEN_CHECK,
    RENEWED_CHECK,
    SEEN_CHECK,
    manual_check_files,
    manual_checks,
)

_DUE_RENEWAL = select(manual_checks.c.id).where(RENEWED_CHECK, manual_checks.c.renew_at <= bindparam("now")).limit(1)


@dataclass(frozen=True, slots=True)
class StoredManualCheck:
    """A manual check. `document` is its content as JSON; `number` and `seen_number` are keys of registration numbers."""

    id: UUID
    subject: str
    business_id: UUID | None
    source: str
    jurisdiction: Jurisdiction
    number: str | None
    seen_number: str | None
    status: ManualCheckStatus
    opened_at: datetime
    due_at: datetime | None
    closed_at: datetime | None
    seen_at: datetime | None
    expires_at: datetime | None
    renew_at: datetime | None
    updated_at: datetime
    document: str


_COLUMNS = [manual_checks.c[name] for name in StoredManualCheck.__slots__]


@dataclass(frozen=True, slots=True)
class ManualCheckFilter:
    """Which manual checks are listed; None for all."""

    status: ManualCheckStatus | None = None
    business_id: UUID | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class StoredCheckFile:
    """A file of a manual check; `document` describes it as JSON."""

    id: UUID
    check_id: UUID
    created_at: datetime
    document: str


@dataclass(frozen=True, slots=True)
class DueRenewal:
    """A manual check of any organization whose result has become too old."""

    organization_id: UUID
    id: UUID


async def add(connection: AsyncConnection, organization_id: UUID, check: StoredManualCheck) -> None:
    """Store a new check."""
    await connection.execute(insert(manual_checks).values(organization_id=organization_id, **to_columns(check)))


async def replace(connection: AsyncConnection, organization_id: UUID, check: StoredManualCheck) -> None:
    """Store a changed check."""
    await connection.execute(update(manual_checks).where(_has_id(organization_id, check.id)).values(**to_columns(check)))


async def get(connection: AsyncConnection, organization_id: UUID, check_id: UUID) -> StoredManualCheck | None:
    """A check; None if the organization has no such check."""
    found = await connection.execute(select(*_COLUMNS).where(_has_id(organization_id, check_id)))
    return from_row(StoredManualCheck, found.one_or_none())


async def list_open(connection: AsyncConnection, organization_id: UUID, subjects: Collection[str]) -> list[StoredManualCheck]:
    """The open checks of subjects, at most one of each source and subject."""
    mine = (manual_checks.c.organization_id == organization_id, manual_checks.c.subject.in_(subjects), OPEN_CHECK)
    found = await connection.execute(select(*_COLUMNS).where(*mine).order_by(manual_checks.c.source, manual_checks.c.subject))
    return [to_value(StoredManualCheck, row) for row in found]


async def list_changes(
    connection: AsyncConnection, organization_id: UUID, chosen: ManualCheckFilter, after: FeedPosition, limit: int
) -> list[StoredManualCheck]:
    """The checks that come after a position, oldest change first."""
    place = tuple_(literal(after.updated_at, manual_checks.c.updated_at.type), literal(after.id, manual_checks.c.id.type))
    conditions = [*_build_conditions(organization_id, chosen), tuple_(manual_checks.c.updated_at, manual_checks.c.id) > place]
    listed = select(*_COLUMNS).where(*conditions).order_by(manual_checks.c.updated_at, manual_checks.c.id).limit(limit)
    return [to_value(StoredManualCheck, row) for row in await connection.execute(listed)]


async def list_page(
    connection: AsyncConnection, organization_id: UUID, chosen: ManualCheckFilter, limit: int, offset: int
) -> tuple[list[StoredManualCheck], int]:
    """A page of checks and how many there are in all: open ones by their due dates, others by their last changes, newest first."""
    conditions = _build_conditions(organization_id, chosen)
    order: Sequence[ColumnElement[Any]] = (manual_checks.c.updated_at.desc(), manual_checks.c.id.desc())
    if chosen.status is ManualCheckStatus.OPEN:
        order = (manual_checks.c.due_at.is_(None), manual_checks.c.due_at, manual_checks.c.id)
    ids_of_page = select(manual_checks.c.id).where(*conditions).order_by(*order).limit(limit).offset(offset)
    ids = (await connection.execute(ids_of_page)).scalars().all()
    mine = select(*_COLUMNS).where(manual_checks.c.organization_id == organization_id, manual_checks.c.id.in_(ids))
    rows = {row.id: to_value(StoredManualCheck, row) for row in await connection.execute(mine)} if ids else {}
    return [rows[one] for one in ids], await count_rows(connection, manual_checks, *conditions)


async def find_newest_seen(
    connection: AsyncConnection, organization_id: UUID, jurisdiction: Jurisdiction, number: str, now: datetime
) -> StoredManualCheck | None:
    """The check of a registration with the newest result; None without one, and if that is too old.

    Its number was looked for, or seen. Of results of the same instant, the one that was recorded last is the newest.
    """
    of_number = or_(manual_checks.c.number == number, manual_checks.c.seen_number == number)
    mine = (manual_checks.c.organization_id == organization_id, manual_checks.c.jurisdiction == jurisdiction, SEEN_CHECK, of_number)
    newest = select(*_COLUMNS).where(*mine).order_by(manual_checks.c.seen_at.desc(), manual_checks.c.closed_at.desc()).limit(1)
    found = from_row(StoredManualCheck, (await connection.execute(newest)).one_or_none())
    return found if found is not None and _is_current(found, now) else None


async def list_newest_of_record(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, now: datetime
) -> dict[str, StoredManualCheck]:
    """The checks of a business record with the newest results by source, as `find_newest_seen`; without those that are too old."""
    mine = (manual_checks.c.organization_id == organization_id, manual_checks.c.business_id == business_id, SEEN_CHECK)
    listed = select(*_COLUMNS).where(*mine).order_by(manual_checks.c.seen_at, manual_checks.c.closed_at)
    newest = {row.source: to_value(StoredManualCheck, row) for row in await connection.execute(listed)}
    return {source: check for source, check in newest.items() if _is_current(check, now)}


def _is_current(check: StoredManualCheck, now: datetime) -> bool:
    return check.expires_at is None or check.expires_at > now


async def is_any_renewal_due(store: Store, now: datetime) -> bool:
    """Whether the result of a check of any organization is to be renewed; cheaper than to list them."""
    return await fetch_row(store, _DUE_RENEWAL, {"now": now}) is not None


async def list_due_renewals(connection: AsyncConnection, now: datetime, limit: int) -> list[DueRenewal]:
    """The checks of all organizations whose results are to be renewed, the longest overdue first."""
    due = (
        select(manual_checks.c.organization_id, manual_checks.c.id)
        .where(RENEWED_CHECK, manual_checks.c.renew_at <= now)
        .order_by(manual_checks.c.renew_at)
        .limit(limit)
    )
    return [to_value(DueRenewal, row) for row in await connection.execute(due)]


async def add_file(connection: AsyncConnection, organization_id: UUID, file: StoredCheckFile) -> None:
    """Store the description of a file."""
    await connection.execute(insert(manual_check_files).values(organization_id=organization_id, **to_columns(file)))


async def list_files(connection: AsyncConnection, organization_id: UUID, check_id: UUID) -> list[str]:
    """The descriptions of the files of a check, oldest first."""
    table = manual_check_files
    mine = select(table.c.document).where(table.c.organization_id == organization_id, table.c.check_id == check_id)
    return list((await connection.execute(mine.order_by(table.c.created_at, table.c.id))).scalars())


async def get_file(connection: AsyncConnection, organization_id: UUID, check_id: UUID, file_id: UUID) -> str | None:
    """The description of a file of the check; None if it has no such file."""
    table = manual_check_files
    mine = select(table.c.document).where(
        table.c.organization_id == organization_id, table.c.id == file_id, table.c.check_id == check_id
    )
    found: str | None = (await connection.execute(mine)).scalar_one_or_none()
    return found


async def count_files(connection: AsyncConnection, organization_id: UUID, check_id: UUID) -> int:
    """The number of files of a check."""
    table = manual_check_files
    return await count_rows(connection, table, table.c.organization_id == organization_id, table.c.check_id == check_id)


def _build_conditions(organization_id: UUID, chosen: ManualCheckFilter) -> Sequence[ColumnElement[bool]]:
    conditions = [manual_checks.c.organization_id == organization_id]
    if chosen.status is not None:
        conditions.append(manual_checks.c.status == chosen.status)
    if chosen.business_id is not None:
        conditions.append(manual_checks.c.business_id == chosen.business_id)
    if chosen.source is not None:
        conditions.append(manual_checks.c.source == chosen.source)
    return conditions


def _has_id(organization_id: UUID, check_id: UUID) -> ColumnElement[bool]:
    return and_(manual_checks.c.organization_id == organization_id, manual_checks.c.id == check_id)
