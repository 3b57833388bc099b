"""Delete rows for an erasure, with the examiner's packs of periods that may contain them, in one transaction.

The IDs of the rows are kept for the later steps of the erasure. A pack can be made again.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Table

from bonafide.services.retention.file_removal import remove_rows_with_files
from bonafide.store.database.engine import Connection
from bonafide.store.database.schema.pack_tables import packs
from bonafide.store.database.tables import extracts
from bonafide.store.retention import covering_packs, erasures, removal
from bonafide.store.retention.covering_packs import PackedTime


async def erase_rows(
    connection: Connection, organization_id: UUID, erasure_id: UUID, table: Table, keys: Collection[UUID], now: datetime
) -> int:
    """Delete rows with their files; returns how many there were."""
    await remove_covering_packs(connection, organization_id, table, removal.has_keys(organization_id, table, keys), now)
    removed, subjects = await remove_rows_with_files(connection, organization_id, table, keys, now)
    await erasures.add_subjects(connection, organization_id, erasure_id, subjects)
    return removed


async def erase_reports(
    connection: Connection, organization_id: UUID, jurisdiction: str, number: str, now: datetime
) -> Sequence[UUID]:
    """Delete what a register published of a registration; returns the IDs of the reports, whose files the caller deletes."""
    condition = removal.has_number(organization_id, jurisdiction, number)
    await remove_covering_packs(connection, organization_id, extracts, condition, now)
    return await removal.remove_extracts(connection, organization_id, jurisdiction, number)


async def remove_covering_packs(
    connection: Connection, organization_id: UUID, table: Table, condition: ColumnElement[bool], now: datetime
) -> None:
    """Delete the packs whose period covers rows of a table that are about to be deleted."""
    await remove_packs_of_times(connection, organization_id, await covering_packs.list_times(connection, table, condition), now)


async def remove_packs_of_times(connection: Connection, organization_id: UUID, times: Sequence[PackedTime], now: datetime) -> None:
    """Delete the packs whose period covers any of these times."""
    found = await covering_packs.list_packs(connection, organization_id, times)
    if found:
        await remove_rows_with_files(connection, organization_id, packs, found, now)
