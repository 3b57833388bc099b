"""Read the stored documents of an organization, oldest first, a batch at a time."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from bonafide.model.records.business_record import FeedPosition
from bonafide.runtime import Runtime
from bonafide.services.events.feed import read_events
from bonafide.services.exports.table_columns import COLUMNS, DOCUMENT, ExportedTable
from bonafide.store.packs import pack_rows
from bonafide.store.packs.pack_rows import PackRange, PackRowPosition, PackTable
from bonafide.store.records import businesses
from bonafide.store.records.businesses import FeedFilter
from bonafide.store.records.events import EventFilter

BATCH_ROWS = 500
_TABLES: Mapping[ExportedTable, PackTable] = MappingProxyType({
    ExportedTable.SEARCHES: PackTable.SEARCHES,
    ExportedTable.VERIFICATIONS: PackTable.VERIFICATIONS,
    ExportedTable.SCREENINGS: PackTable.SCREENINGS,
})  # fmt: skip
Record = dict[str, Any]


async def read_exported_rows(
    runtime: Runtime, organization_id: UUID, table: ExportedTable, since: datetime | None
) -> AsyncIterator[Sequence[Record]]:
    """The rows of a table with their columns: those that were stored, or for business records changed, at `since` or later.

    Searches and verifications without a result yet are left out.
    """
    async for documents in _read_documents(runtime, organization_id, table, since):
        yield [_build_record(table, document) for document in documents]


def _build_record(table: ExportedTable, text: str) -> Record:
    document = json.loads(text)
    return {**{column.name: column.read(document) for column in COLUMNS[table]}, DOCUMENT: text}


def _read_documents(
    runtime: Runtime, organization_id: UUID, table: ExportedTable, since: datetime | None
) -> AsyncIterator[Sequence[str]]:
    if table is ExportedTable.BUSINESSES:
        return _read_businesses(runtime, organization_id, since)
    if table is ExportedTable.EVENTS:
        return _read_events(runtime, organization_id, since)
    return _read_checks(runtime, organization_id, _TABLES[table], since)


async def _read_checks(
    runtime: Runtime, organization_id: UUID, table: PackTable, since: datetime | None
) -> AsyncIterator[Sequence[str]]:
    chosen, after = PackRange(None, since, None), None
    while True:
        async with runtime.store.read_lagging() as connection:
            rows = await pack_rows.list_rows(connection, organization_id, table, chosen, after, BATCH_ROWS)
        if not rows:
            return
        yield [row.document for row in rows if row.document is not None]
        after = PackRowPosition(rows[-1].at, rows[-1].id)


async def _read_businesses(runtime: Runtime, organization_id: UUID, since: datetime | None) -> AsyncIterator[Sequence[str]]:
    start = FeedPosition(since, UUID(int=0)) if since is not None else None
    while True:
        async with runtime.store.read_lagging() as connection:
            found = await businesses.list_changes(connection, organization_id, FeedFilter(), start, BATCH_ROWS)
        if not found:
            return
        yield [row.document for row in found]
        start = FeedPosition(found[-1].updated_at, found[-1].id)


async def _read_events(runtime: Runtime, organization_id: UUID, since: datetime | None) -> AsyncIterator[Sequence[str]]:
    position: int | None = None
    while True:
        page = await read_events(
            runtime, organization_id, EventFilter(), BATCH_ROWS, position=position, since=since if position is None else None
        )
        if not page.events:
            return
        yield [event.to_json() for event in page.events]
        position = page.events[-1].sequence
