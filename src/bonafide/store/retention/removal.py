"""Delete rows with everything that refers to them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, Table, and_, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import from_row
from bonafide.store.database.schema import (
    case_tables,
    manual_check_tables,
    monitoring_tables,
    pack_tables,
    risk_tables,
)
from bonafide.store.database.schema.webhook_tables import webhook_deliveries
from bonafide.store.database.tables import (
    alerts,
    business_documents,
    business_numbers,
    business_traits,
    businesses,
    discrepancies,
    dismissals,
    events,
    extracts,
    open_hits,
    ownership_reviews,
    ownership_statements,
    screenings,
    searches,
    verifications,
)

_CASE_PARTS = (
    case_tables.case_items,
    case_tables.case_notes,
    case_tables.case_attachments,
    case_tables.case_decisions,
)
DEPENDENT_ROWS: Mapping[Table, tuple[Column[Any], ...]] = MappingProxyType({
    case_tables.cases: tuple(part.c.case_id for part in _CASE_PARTS),
    events: (alerts.c.sequence, webhook_deliveries.c.sequence),
    verifications: (manual_check_tables.accepted_discrepancies.c.verification_id,),
    manual_check_tables.manual_checks: (manual_check_tables.manual_check_files.c.check_id,),
})  # fmt: skip
"""The columns that refer to the key of a row that is deleted; their rows are deleted first."""
ROWS_OF_A_BUSINESS: tuple[Table, ...] = (
    monitoring_tables.monitored_hits,
    monitoring_tables.monitored_entries,
    monitoring_tables.monitoring_gaps,
    monitoring_tables.monitoring_targets,
    monitoring_tables.monitored_queries,
    monitoring_tables.monitored_records,
    risk_tables.risk_facts,
    open_hits,
    ownership_statements,
    discrepancies,
    ownership_reviews,
    business_documents,
    dismissals,
    screenings,
    business_traits,
    business_numbers,
)
"""The tables whose rows are deleted with a business record, at once, in this order."""
CHECKS_OF_A_BUSINESS: tuple[Table, ...] = (
    searches,
    verifications,
    case_tables.cases,
    manual_check_tables.manual_checks,
    pack_tables.packs,
)
"""The tables whose rows with its `business_id` an erasure deletes afterwards, in batches."""
_KEYS: Mapping[Table, Column[Any]] = MappingProxyType({events: events.c.sequence})
"""The column that identifies a row within an organization, where it is not `id`."""


@dataclass(frozen=True, slots=True)
class StoredCheck:
    """A check, a report or a case, and the business record that it belongs to."""

    id: UUID
    business_id: UUID | None


def has_keys(organization_id: UUID, table: Table, keys: Collection[UUID | int]) -> ColumnElement[bool]:
    """The condition for the rows of a table with these keys."""
    return and_(table.c.organization_id == organization_id, _KEYS.get(table, table.c.id).in_(keys))


async def remove_rows(connection: AsyncConnection, organization_id: UUID, table: Table, keys: Collection[UUID | int]) -> int:
    """Delete rows by their keys, with what depends on them; returns how many rows of the table there were."""
    for column in DEPENDENT_ROWS.get(table, ()):
        await connection.execute(delete(column.table).where(column.table.c.organization_id == organization_id, column.in_(keys)))
    return (await connection.execute(delete(table).where(has_keys(organization_id, table, keys)))).rowcount


FILES_OF_ROWS: Mapping[Table, Column[Any]] = MappingProxyType({
    case_tables.cases: case_tables.case_attachments.c.case_id,
    manual_check_tables.manual_checks: manual_check_tables.manual_check_files.c.check_id,
})  # fmt: skip
"""The columns that refer to rows with files, in the tables that describe the files."""


async def list_file_ids(connection: AsyncConnection, organization_id: UUID, table: Table, ids: Collection[UUID]) -> list[UUID]:
    """The IDs of the files of rows that describe their files in another table (`FILES_OF_ROWS`)."""
    column = FILES_OF_ROWS.get(table)
    if column is None:
        return []
    mine = select(column.table.c.id).where(column.table.c.organization_id == organization_id, column.in_(ids))
    return list((await connection.execute(mine)).scalars())


async def find_check(connection: AsyncConnection, organization_id: UUID, table: Table, check_id: UUID) -> StoredCheck | None:
    """A row of a table, with its business record: of a report, the record with its number. None if there is no such row."""
    mine = table.c.organization_id == organization_id, table.c.id == check_id
    if table is extracts:
        has_number = and_(
            business_numbers.c.organization_id == extracts.c.organization_id,
            business_numbers.c.jurisdiction == extracts.c.jurisdiction,
            business_numbers.c.number == extracts.c.number,
        )
        found = select(extracts.c.id, business_numbers.c.business_id).outerjoin(business_numbers, has_number).where(*mine)
    else:
        found = select(table.c.id, table.c.business_id).where(*mine)
    return from_row(StoredCheck, (await connection.execute(found)).one_or_none())


async def list_packs_of_business(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> list[UUID]:
    """The IDs of examiner's packs of a business."""
    packs = pack_tables.packs
    mine = select(packs.c.id).where(packs.c.organization_id == organization_id, packs.c.business_id == business_id)
    return list((await connection.execute(mine)).scalars())


async def remove_business(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> dict[str, Sequence[UUID]]:
    """Delete a business record and its own rows. Returns the IDs of the deleted rows, by table, of those that have any.

    The caller holds the organization's audit head. Checks and events of the record are not deleted.
    """
    found: dict[str, Sequence[UUID]] = {}
    for table in ROWS_OF_A_BUSINESS:
        removed = delete(table).where(has_business(organization_id, table, business_id))
        if "id" in table.c:
            found[table.name] = list((await connection.execute(removed.returning(table.c.id))).scalars())
        else:
            await connection.execute(removed)
    await connection.execute(
        delete(businesses).where(businesses.c.organization_id == organization_id, businesses.c.id == business_id)
    )
    return found


async def remove_extracts(connection: AsyncConnection, organization_id: UUID, jurisdiction: str, number: str) -> Sequence[UUID]:
    """Delete what a register published of a registration; returns the IDs of the reports."""
    mine = has_number(organization_id, jurisdiction, number)
    return list((await connection.execute(delete(extracts).where(mine).returning(extracts.c.id))).scalars())


def has_number(organization_id: UUID, jurisdiction: str, number: str) -> ColumnElement[bool]:
    """The condition for reports of a registration."""
    return and_(
        extracts.c.organization_id == organization_id,
        extracts.c.jurisdiction == jurisdiction,
        extracts.c.number == number,
    )


def has_business(organization_id: UUID, table: Table, business_id: UUID) -> ColumnElement[bool]:
    """The condition for the rows of a table that belong to a business record."""
    return and_(table.c.organization_id == organization_id, table.c.business_id == business_id)
