"""Read the rows that an examiner's pack consists of, a batch at a time, oldest first within each table.

A batch continues after the last row of the one before, so that a transaction is short however large a pack is.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, Table, func, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.cases.cases import CASE_COLUMNS, StoredCase
from bonafide.store.database.rows import to_value
from bonafide.store.database.schema.case_tables import cases
from bonafide.store.database.schema.manual_check_tables import accepted_discrepancies, manual_check_files, manual_checks
from bonafide.store.database.tables import (
    business_documents,
    business_numbers,
    businesses,
    discrepancies,
    dismissals,
    extracts,
    ownership_reviews,
    screenings,
    searches,
    verifications,
)


class PackTable(Enum):
    """A table of documents, with its instant."""

    SEARCHES = (searches, searches.c.searched_at)
    VERIFICATIONS = (verifications, verifications.c.created_at)
    SCREENINGS = (screenings, screenings.c.screened_at)
    MANUAL_CHECKS = (manual_checks, manual_checks.c.opened_at)
    EXTRACTS = (extracts, extracts.c.obtained_at)
    DISMISSALS = (dismissals, dismissals.c.dismissed_at)
    REVIEWS = (ownership_reviews, ownership_reviews.c.reviewed_at)
    DISCREPANCIES = (discrepancies, discrepancies.c.opened_at)
    DOCUMENTS = (business_documents, business_documents.c.uploaded_at)

    @property
    def table(self) -> Table:
        """The table."""
        return self.value[0]

    @property
    def instant(self) -> Column[datetime]:
        """The column by which rows belong to a period."""
        return self.value[1]


@dataclass(frozen=True, slots=True)
class PackRange:
    """Of what a pack is made: of a business, or of what happened at `since` or later and before `until`."""

    business_id: UUID | None
    since: datetime | None = None
    until: datetime | None = None

    def has(self, at: datetime) -> bool:
        """Whether an instant is in the period; true without one."""
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


@dataclass(frozen=True, slots=True)
class PackedRow:
    """A row: its ID and instant, its stored document with its messages, and further columns by their names."""

    id: UUID
    at: datetime
    document: str | None
    messages: str | None
    others: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PackRowPosition:
    """The position of a row in its table."""

    at: datetime
    id: UUID


_OTHERS: dict[PackTable, tuple[str, ...]] = {
    PackTable.SEARCHES: ("query", "status", "searched_by", "decided_by", "decided_at"),
    PackTable.VERIFICATIONS: ("state", "request", "finished_at", "reason"),
    PackTable.MANUAL_CHECKS: ("source", "status"),
    PackTable.DOCUMENTS: ("business_id",),
}
_WITH_MESSAGES = frozenset({PackTable.SEARCHES, PackTable.VERIFICATIONS, PackTable.SCREENINGS, PackTable.EXTRACTS})


async def list_rows(
    connection: AsyncConnection,
    organization_id: UUID,
    table: PackTable,
    chosen: PackRange,
    after: PackRowPosition | None,
    limit: int,
) -> list[PackedRow]:
    """The next rows of a table."""
    rows, instant = table.table, table.instant
    names = _OTHERS.get(table, ())
    columns: Sequence[ColumnElement[Any]] = (
        rows.c.id,
        instant.label("at"),
        rows.c.document,
        (rows.c.messages if table in _WITH_MESSAGES else literal(None)).label("messages"),
        *(rows.c[name] for name in names),
    )
    conditions = _build_conditions(organization_id, table, chosen)
    if after is not None:
        place = tuple_(literal(after.at, instant.type), literal(after.id, rows.c.id.type))
        conditions.append(tuple_(instant, rows.c.id) > place)
    listed = select(*columns).where(*conditions).order_by(instant, rows.c.id).limit(limit)
    return [
        PackedRow(row.id, row.at, row.document, row.messages, {name: getattr(row, name) for name in names})
        for row in await connection.execute(listed)
    ]


async def count_rows_up_to(
    connection: AsyncConnection, organization_id: UUID, table: PackTable, chosen: PackRange, limit: int
) -> int:
    """The number of rows of a table that belong to a pack, counted up to a limit that bounds the time it takes."""
    counted = select(table.table.c.id).where(*_build_conditions(organization_id, table, chosen)).limit(limit).subquery()
    return (await connection.execute(select(func.count()).select_from(counted))).scalar_one()


def _build_conditions(organization_id: UUID, table: PackTable, chosen: PackRange) -> list[ColumnElement[bool]]:
    rows, instant = table.table, table.instant
    conditions = [rows.c.organization_id == organization_id]
    if chosen.since is not None:
        conditions.append(instant >= chosen.since)
    if chosen.until is not None:
        conditions.append(instant < chosen.until)
    if chosen.business_id is not None:
        conditions.append(_is_of_business(organization_id, table, chosen.business_id))
    return conditions


def _is_of_business(organization_id: UUID, table: PackTable, business_id: UUID) -> ColumnElement[bool]:
    rows = table.table
    if table is PackTable.EXTRACTS:
        mine = business_numbers.c.organization_id == organization_id, business_numbers.c.business_id == business_id
        numbers = select(business_numbers.c.jurisdiction, business_numbers.c.number).where(*mine)
        return tuple_(extracts.c.jurisdiction, extracts.c.number).in_(numbers)
    return rows.c.business_id == business_id


async def list_cases(
    connection: AsyncConnection, organization_id: UUID, chosen: PackRange, after: PackRowPosition | None, limit: int
) -> list[StoredCase]:
    """The next cases, in the order of their last change: of a business, or those that were opened or changed in a period."""
    conditions = [cases.c.organization_id == organization_id]
    if chosen.until is not None:
        conditions.append(cases.c.opened_at < chosen.until)
    if chosen.since is not None:
        conditions.append(cases.c.updated_at >= chosen.since)
    if chosen.business_id is not None:
        conditions.append(cases.c.business_id == chosen.business_id)
    if after is not None:
        place = tuple_(literal(after.at, cases.c.updated_at.type), literal(after.id, cases.c.id.type))
        conditions.append(tuple_(cases.c.updated_at, cases.c.id) > place)
    listed = select(*CASE_COLUMNS).where(*conditions).order_by(cases.c.updated_at, cases.c.id).limit(limit)
    return [to_value(StoredCase, row) for row in await connection.execute(listed)]


async def list_check_files(connection: AsyncConnection, organization_id: UUID, check_ids: Sequence[UUID]) -> dict[UUID, list[str]]:
    """The documents of the files of manual checks, oldest first, by check; those without any are absent."""
    return await _group_documents(connection, organization_id, manual_check_files, manual_check_files.c.check_id, check_ids)


async def list_acceptances(
    connection: AsyncConnection, organization_id: UUID, verification_ids: Sequence[UUID]
) -> dict[UUID, list[str]]:
    """The documents of the decisions about discrepancies, oldest first, by verification; those without any are absent."""
    table = accepted_discrepancies
    return await _group_documents(connection, organization_id, table, table.c.verification_id, verification_ids)


async def _group_documents(
    connection: AsyncConnection, organization_id: UUID, table: Table, owner: Column[UUID], owner_ids: Sequence[UUID]
) -> dict[UUID, list[str]]:
    instant = table.c.created_at if "created_at" in table.c else table.c.accepted_at
    mine = table.c.organization_id == organization_id, owner.in_(owner_ids)
    grouped = defaultdict[UUID, list[str]](list)
    for owner_id, document in await connection.execute(select(owner, table.c.document).where(*mine).order_by(instant, table.c.id)):
        grouped[owner_id].append(document)
    return grouped


async def list_known_subjects(connection: AsyncConnection, organization_id: UUID, subjects: Sequence[UUID]) -> set[UUID]:
    """Those of the subjects of audit entries that are business records, cases, dismissals or manual checks of the organization."""
    found: set[UUID] = set()
    for table in (businesses, cases, dismissals, manual_checks):
        mine = table.c.organization_id == organization_id, table.c.id.in_(subjects)
        found.update((await connection.execute(select(table.c.id).where(*mine))).scalars())
    return found
