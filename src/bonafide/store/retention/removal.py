"""Delete rows with everything that refers to them."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, Table, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

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


async def remove_rows(connection: AsyncConnection, organization_id: UUID, table: Table, keys: Collection[UUID | int]) -> int:
    """Delete rows by their keys, with what depends on them; returns how many rows of the table there were."""
    for column in DEPENDENT_ROWS.get(table, ()):
        await connection.execute(delete(column.table).where(column.table.c.organization_id == organization_id, column.in_(keys)))
    key = _KEYS.get(table, table.c.id)
    removed = delete(table).where(table.c.organization_id == organization_id, key.in_(keys))
    return (await connection.execute(removed)).rowcount


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


async def list_period_packs(connection: AsyncConnection, organization_id: UUID, limit: int) -> list[UUID]:
    """The IDs of examiner's packs of a period, each of which may contain any business."""
    packs = pack_tables.packs
    mine = select(packs.c.id).where(packs.c.organization_id == organization_id, packs.c.business_id.is_(None)).limit(limit)
    return list((await connection.execute(mine)).scalars())


async def list_packs_of_check(connection: AsyncConnection, organization_id: UUID, table: Table, check_id: UUID) -> list[UUID]:
    """The IDs of examiner's packs of the business of a row of a table; of a report, of the business with its number."""
    packs, is_mine = pack_tables.packs, (table.c.organization_id == organization_id, table.c.id == check_id)
    if table is extracts:
        has_number = (
            business_numbers.c.organization_id == extracts.c.organization_id,
            business_numbers.c.jurisdiction == extracts.c.jurisdiction,
            business_numbers.c.number == extracts.c.number,
        )
        owners = select(business_numbers.c.business_id).where(*is_mine, *has_number)
    else:
        owners = select(table.c.business_id).where(*is_mine)
    mine = select(packs.c.id).where(packs.c.organization_id == organization_id, packs.c.business_id.in_(owners))
    return list((await connection.execute(mine)).scalars())


async def remove_business(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> dict[str, Sequence[UUID]]:
    """Delete a business record and its own rows. Returns the IDs of the deleted rows, by table, of those that have any.

    The caller holds the organization's audit head. Checks and events of the record are not deleted.
    """
    found: dict[str, Sequence[UUID]] = {}
    for table in ROWS_OF_A_BUSINESS:
        mine: tuple[ColumnElement[bool], ...] = (table.c.organization_id == organization_id, table.c.business_id == business_id)
        removed = delete(table).where(*mine)
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
    mine = (
        extracts.c.organization_id == organization_id,
        extracts.c.jurisdiction == jurisdiction,
        extracts.c.number == number,
    )
    return list((await connection.execute(delete(extracts).where(*mine).returning(extracts.c.id))).scalars())
