"""Collect the checks, decisions and changes that an examiner's pack consists of, a batch at a time."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from pydantic import ValidationError

from bonafide.i18n.message import Message
from bonafide.model.events.event import Event
from bonafide.observability.log import get_logger
from bonafide.pdf.print_packs import PrintedPackItem
from bonafide.runtime import Runtime
from bonafide.services.cases.reading import load_case
from bonafide.services.events.feed import to_event
from bonafide.services.packs import check_entries, decision_entries
from bonafide.services.packs.entries import ItemContext, PackEntry, build_entry, describe_text, list_details, to_text
from bonafide.store.database.engine import Connection
from bonafide.store.packs import pack_rows
from bonafide.store.packs.pack_rows import PackedRow, PackRange, PackRowPosition, PackTable
from bonafide.store.records import events
from bonafide.store.records.events import EventFilter

ROWS_AT_ONCE = 50
"""Documents of one read. A search has up to some hundreds of kB."""
EVENTS_AT_ONCE = 1000
UNREADABLE = Message("This release can’t read the stored document. The file has it as it was stored.")
BuildEntry = Callable[[PackedRow, ItemContext, Sequence[str]], PackEntry]
ReadRelated = Callable[[Connection, UUID, Sequence[UUID]], Awaitable[Mapping[UUID, Sequence[str]]]]
_TICK = timedelta(microseconds=1)
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Collected:
    """The rows of a table as a section: the key of its title, the folder of its files, and how an entry is built.

    `read_related` reads documents that belong to rows.
    """

    title: str
    table: PackTable
    folder: str
    build: BuildEntry
    read_related: ReadRelated | None = None


_CHECKS = (
    _Collected("searches", PackTable.SEARCHES, "searches", check_entries.build_search_entry),
    _Collected(
        "verifications",
        PackTable.VERIFICATIONS,
        "verifications",
        check_entries.build_verification_entry,
        pack_rows.list_acceptances,
    ),
    _Collected("screenings", PackTable.SCREENINGS, "screenings", check_entries.build_screening_entry),
    _Collected(
        "manualChecks",
        PackTable.MANUAL_CHECKS,
        "manual-checks",
        check_entries.build_manual_check_entry,
        pack_rows.list_check_files,
    ),
    _Collected("reports", PackTable.EXTRACTS, "reports", check_entries.build_report_entry),
)
_DECISIONS = (
    _Collected("dismissals", PackTable.DISMISSALS, "dismissals", decision_entries.build_dismissal_entry),
    _Collected("reviews", PackTable.REVIEWS, "ownership-reviews", decision_entries.build_review_entry),
    _Collected("discrepancies", PackTable.DISCREPANCIES, "discrepancies", decision_entries.build_discrepancy_entry),
    _Collected("documents", PackTable.DOCUMENTS, "documents", decision_entries.build_document_entry),
)


async def collect_entries(
    runtime: Runtime, organization_id: UUID, chosen: PackRange, context: ItemContext
) -> AsyncIterator[tuple[str, Sequence[PackEntry]]]:
    """Yield batches of entries with the name of their section. The batches of a section follow each other."""
    for section in _CHECKS:
        async for entries in _collect(runtime, organization_id, chosen, context, section):
            yield section.title, entries
    async for entries in _collect_cases(runtime, organization_id, chosen):
        yield "cases", entries
    for section in _DECISIONS:
        async for entries in _collect(runtime, organization_id, chosen, context, section):
            yield section.title, entries


async def collect_events(runtime: Runtime, organization_id: UUID, chosen: PackRange) -> AsyncIterator[Sequence[Event]]:
    """Yield batches of events, oldest first."""
    position = 0
    if chosen.since is not None:
        async with runtime.store.read() as connection:
            position = await events.find_position_after(connection, organization_id, chosen.since - _TICK)
    listed = EventFilter(business_id=chosen.business_id)
    while True:
        async with runtime.store.read() as connection:
            found = await events.list_after(connection, organization_id, listed, position, EVENTS_AT_ONCE)
        batch = [to_event(row) for row in found if chosen.has(row.occurred_at)]
        if batch:
            yield batch
        if len(batch) < EVENTS_AT_ONCE:
            return
        position = found[-1].sequence


async def _collect(
    runtime: Runtime, organization_id: UUID, chosen: PackRange, context: ItemContext, section: _Collected
) -> AsyncIterator[Sequence[PackEntry]]:
    after = None
    while True:
        async with runtime.store.read() as connection:
            rows = await pack_rows.list_rows(connection, organization_id, section.table, chosen, after, ROWS_AT_ONCE)
            ids = [row.id for row in rows]
            related = await section.read_related(connection, organization_id, ids) if section.read_related is not None else {}
        if rows:
            yield await asyncio.to_thread(_build_all, rows, context, section, related)
        if len(rows) < ROWS_AT_ONCE:
            return
        after = PackRowPosition(rows[-1].at, rows[-1].id)


def _build_all(
    rows: Sequence[PackedRow], context: ItemContext, section: _Collected, related: Mapping[UUID, Sequence[str]]
) -> Sequence[PackEntry]:
    return [_build_readable(row, context, section, related.get(row.id, ())) for row in rows]


def _build_readable(row: PackedRow, context: ItemContext, section: _Collected, related: Sequence[str]) -> PackEntry:
    """The entry of a row. One whose document can't be parsed has the document as it is, and says so."""
    try:
        return section.build(row, context, related)
    except ValidationError:
        _log.warning("pack.document_unreadable", folder=section.folder, document=str(row.id))
    problem = list_details(describe_text("problem", UNREADABLE))
    item = PrintedPackItem(at=row.at, by=None, title=to_text(str(row.id)), outcome=None, details=problem)
    return build_entry(row.id, item, section.folder, str(row.document))


async def _collect_cases(runtime: Runtime, organization_id: UUID, chosen: PackRange) -> AsyncIterator[Sequence[PackEntry]]:
    after = None
    while True:
        async with runtime.store.read() as connection:
            rows = await pack_rows.list_cases(connection, organization_id, chosen, after, ROWS_AT_ONCE)
            found = [await load_case(runtime, connection, organization_id, row) for row in rows]
        if found:
            yield await asyncio.to_thread(lambda listed: list(map(decision_entries.build_case_entry, listed)), found)
        if len(rows) < ROWS_AT_ONCE:
            return
        after = PackRowPosition(rows[-1].updated_at, rows[-1].id)
