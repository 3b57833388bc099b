"""The rows that a retention policy deletes, by kind: which table, which order, and which rows are kept however old they are.

Work that has not ended is kept: unfinished checks, open alerts, and cases without a decision, with their files. So is what belongs
to a business record that is held.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, Select, Table, exists, func, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.retention import RetentionKind
from bonafide.store.database.schema.case_tables import DECIDED_CASE, case_attachments, case_positions, cases
from bonafide.store.database.tables import (
    IS_OPEN_ALERT,
    alerts,
    business_documents,
    business_numbers,
    events,
    extracts,
    screenings,
    searches,
    verifications,
)
from bonafide.store.retention.legal_holds import is_held


@dataclass(frozen=True, slots=True)
class ExpiringRows:
    """Rows of one table: `age` is the time from which they are kept, and `key` identifies a row within an organization.

    Both are the order of an index after the organization, so that a batch reads its rows only.
    """

    kind: RetentionKind
    table: Table
    age: Column[datetime]
    key: Column[Any]
    held: ColumnElement[bool]
    """Which rows belong to a business record that is held. They are kept."""
    conditions: tuple[ColumnElement[bool], ...] = ()
    """Which of the other rows may be deleted."""


@dataclass(frozen=True, slots=True)
class RowPosition:
    """The position of a row in the order of its table."""

    at: datetime
    key: UUID | int


_ALERT_IS_OPEN = exists().where(
    alerts.c.organization_id == events.c.organization_id, alerts.c.sequence == events.c.sequence, IS_OPEN_ALERT
)
_FOLLOWED = (
    select(func.coalesce(func.max(case_positions.c.position), 0))
    .where(case_positions.c.organization_id == events.c.organization_id)
    .scalar_subquery()
)
"""The number of the last event that the cases of the organization reflect."""
_CASE_HAS_ENDED = exists().where(
    cases.c.organization_id == case_attachments.c.organization_id, cases.c.id == case_attachments.c.case_id, DECIDED_CASE
)
_CASE_IS_HELD = exists().where(
    cases.c.organization_id == case_attachments.c.organization_id,
    cases.c.id == case_attachments.c.case_id,
    is_held(cases.c.organization_id, cases.c.business_id),
)
_NUMBER_IS_HELD = exists().where(
    business_numbers.c.organization_id == extracts.c.organization_id,
    business_numbers.c.jurisdiction == extracts.c.jurisdiction,
    business_numbers.c.number == extracts.c.number,
    is_held(business_numbers.c.organization_id, business_numbers.c.business_id),
)


def _belongs_to_held(table: Table) -> ColumnElement[bool]:
    return is_held(table.c.organization_id, table.c.business_id)


EXPIRING_ROWS: Mapping[RetentionKind, tuple[ExpiringRows, ...]] = MappingProxyType({
    RetentionKind.SEARCHES: (
        ExpiringRows(
            RetentionKind.SEARCHES,
            searches,
            searches.c.searched_at,
            searches.c.id,
            _belongs_to_held(searches),
            (searches.c.finished_at.is_not(None),),
        ),
    ),
    RetentionKind.VERIFICATIONS: (
        ExpiringRows(
            RetentionKind.VERIFICATIONS,
            verifications,
            verifications.c.created_at,
            verifications.c.id,
            _belongs_to_held(verifications),
            (verifications.c.finished_at.is_not(None),),
        ),
    ),
    RetentionKind.SCREENINGS: (
        ExpiringRows(
            RetentionKind.SCREENINGS, screenings, screenings.c.screened_at, screenings.c.id, _belongs_to_held(screenings)
        ),
    ),
    RetentionKind.REPORTS: (
        ExpiringRows(RetentionKind.REPORTS, extracts, extracts.c.obtained_at, extracts.c.id, _NUMBER_IS_HELD),
    ),
    RetentionKind.EVENTS: (
        ExpiringRows(
            RetentionKind.EVENTS,
            events,
            events.c.occurred_at,
            events.c.sequence,
            _belongs_to_held(events),
            (~_ALERT_IS_OPEN, events.c.sequence <= _FOLLOWED),
        ),
    ),
    RetentionKind.ATTACHMENTS: (
        ExpiringRows(
            RetentionKind.ATTACHMENTS,
            case_attachments,
            case_attachments.c.created_at,
            case_attachments.c.id,
            _CASE_IS_HELD,
            (_CASE_HAS_ENDED,),
        ),
        ExpiringRows(
            RetentionKind.ATTACHMENTS,
            business_documents,
            business_documents.c.uploaded_at,
            business_documents.c.id,
            _belongs_to_held(business_documents),
        ),
    ),
    RetentionKind.CASES: (
        ExpiringRows(RetentionKind.CASES, cases, cases.c.decided_at, cases.c.id, _belongs_to_held(cases), (DECIDED_CASE,)),
    ),
})  # fmt: skip


def build_expired_query(
    rows: ExpiringRows, organization_id: UUID, before: datetime, after: RowPosition | None, limit: int
) -> Select[Any]:
    """The keys and the times of the next rows that are older than an instant, oldest first, after a position."""
    conditions = [*_build_conditions(rows, organization_id, before)]
    if after is not None:
        position = tuple_(literal(after.at, rows.age.type), literal(after.key, rows.key.type))
        conditions.append(tuple_(rows.age, rows.key) > position)
    return select(rows.key, rows.age).where(*conditions).order_by(rows.age, rows.key).limit(limit)


async def list_expired(
    connection: AsyncConnection, rows: ExpiringRows, organization_id: UUID, before: datetime, after: RowPosition | None, limit: int
) -> list[RowPosition]:
    """The next rows that are older than an instant, oldest first, after a position."""
    found = await connection.execute(build_expired_query(rows, organization_id, before, after, limit))
    return [RowPosition(at, key) for key, at in found]


async def list_deletable(
    connection: AsyncConnection, rows: ExpiringRows, organization_id: UUID, before: datetime, keys: Collection[UUID | int]
) -> list[UUID | int]:
    """Those of the keys whose rows may still be deleted."""
    mine = *_build_conditions(rows, organization_id, before), rows.key.in_(keys)
    return list((await connection.execute(select(rows.key).where(*mine))).scalars())


async def count_expired(connection: AsyncConnection, rows: ExpiringRows, organization_id: UUID, before: datetime) -> int:
    """The number of rows that are older than an instant."""
    counted = select(func.count()).select_from(rows.table).where(*_build_conditions(rows, organization_id, before))
    return (await connection.execute(counted)).scalar_one()


async def count_held(connection: AsyncConnection, rows: ExpiringRows, organization_id: UUID, before: datetime) -> int:
    """The number of rows that are older than an instant, and kept only because their business record is held."""
    mine = (rows.table.c.organization_id == organization_id, rows.age < before, *rows.conditions, rows.held)
    return (await connection.execute(select(func.count()).select_from(rows.table).where(*mine))).scalar_one()


def _build_conditions(rows: ExpiringRows, organization_id: UUID, before: datetime) -> list[ColumnElement[bool]]:
    return [rows.table.c.organization_id == organization_id, rows.age < before, *rows.conditions, ~rows.held]
