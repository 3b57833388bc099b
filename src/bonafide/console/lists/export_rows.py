"""The columns and rows of each list as they are exported, from the newest row to the oldest."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from bonafide.console.events.event_view import build_event_view
from bonafide.console.frame import code_labels
from bonafide.console.frame.code_labels import Labels
from bonafide.console.lists.definitions import (
    build_alert_filter,
    build_dismissal_filter,
    build_history_filter,
    build_record_filter,
    build_screening_filter,
    build_verification_filter,
)
from bonafide.console.lists.list_filter import ListQuery
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.events.event import Event
from bonafide.model.lists.saved_views import ListName
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.screening.dismissals import Dismissal
from bonafide.model.screening.history import ScreeningItem
from bonafide.model.verification.results import VerificationState
from bonafide.runtime import Runtime
from bonafide.services.events import feed
from bonafide.services.lists.exports import ListExport, Row
from bonafide.services.records.csv_format import EXPORTED, to_cells, unescape_formula
from bonafide.services.records.record_list import list_newest_records
from bonafide.services.screening.dismissals import list_newest_dismissals
from bonafide.services.screening.history import list_screenings
from bonafide.services.search.history import SearchCursor, SearchListItem, list_past_searches
from bonafide.services.verification.lifecycle import VerificationListItem, list_past_verifications

T = TypeVar("T")
Cursor = str | None
_ID, _NAME, _NUMBER = Message("ID"), Message("Name"), Message("Number")
_OUTCOME, _STATUS, _JURISDICTION = Message("Outcome"), Message("Status"), Message("Jurisdiction")
_BY, _DATE, _OPEN_HITS = Message("By"), Message("Date"), Message("Open hits")


@dataclass(frozen=True, slots=True)
class ExportSource:
    """Where the rows of an export are read: for whom, with which filter, in which language labels are written."""

    runtime: Runtime
    organization_id: UUID
    chosen: ListQuery
    language: Language

    def label(self, labels: Labels, code: str | None) -> str | None:
        """The label of a code; None without one."""
        return translate(labels[code], self.language) if code is not None else None


def build_export(source: ExportSource) -> ListExport:
    """The export of the list that the filter is of. Raises `KeyError` for a list that can't be exported."""
    return _EXPORTS[source.chosen.definition.name](source)


async def _read_pages(
    read: Callable[[Cursor], Awaitable[tuple[Iterable[T], Cursor]]], to_row: Callable[[T], Row]
) -> AsyncIterator[Sequence[Row]]:
    """The rows of all pages that `read` returns, from its first cursor to the last."""
    cursor: Cursor = None
    while True:
        items, cursor = await read(cursor)
        yield [to_row(item) for item in items]
        if cursor is None:
            return


def _export_searches(source: ExportSource) -> ListExport:
    stored = build_history_filter(source.chosen)

    def batches(size: int) -> AsyncIterator[Sequence[Row]]:
        async def read(cursor: Cursor) -> tuple[Iterable[SearchListItem], Cursor]:
            place = SearchCursor(UUID(cursor)) if cursor is not None else None
            page = await list_past_searches(source.runtime, source.organization_id, stored, size, place)
            return page.searches, str(page.searches[-1].item.id) if page.has_older else None

        return _read_pages(read, to_row)

    def to_row(past: SearchListItem) -> Row:
        item = past.item
        return (
            str(item.id),
            item.query,
            source.label(code_labels.SELECTION, past.selection),
            source.label(code_labels.JURISDICTION, past.jurisdiction),
            past.open_hits,
            source.label(code_labels.SEARCH_STATUS, item.status),
            item.archived,
            past.searched_by,
            item.timestamp,
        )

    columns = (_ID, _NAME, Message("Match"), _JURISDICTION, _OPEN_HITS, _STATUS, Message("Archived"), _BY, _DATE)
    return ListExport(columns, batches)


def _export_verifications(source: ExportSource) -> ListExport:
    stored = build_verification_filter(source.chosen)

    def batches(size: int) -> AsyncIterator[Sequence[Row]]:
        async def read(cursor: Cursor) -> tuple[Iterable[VerificationListItem], Cursor]:
            page = await list_past_verifications(source.runtime, source.organization_id, size, stored, cursor)
            return page.verifications, page.older

        return _read_pages(read, to_row)

    def to_row(one: VerificationListItem) -> Row:
        return (
            str(one.id),
            one.subject.legal_name,
            one.subject.registration_number,
            source.label(code_labels.JURISDICTION, one.subject.jurisdiction),
            source.label(code_labels.OUTCOME, one.outcome) if one.state is VerificationState.COMPLETED else None,
            source.label(code_labels.STANDING, one.state),
            one.asked_by,
            one.asked_at,
        )

    return ListExport((_ID, _NAME, _NUMBER, _JURISDICTION, _OUTCOME, _STATUS, _BY, _DATE), batches)


def _export_screenings(source: ExportSource) -> ListExport:
    stored = build_screening_filter(source.chosen)

    def batches(size: int) -> AsyncIterator[Sequence[Row]]:
        async def read(cursor: Cursor) -> tuple[Iterable[ScreeningItem], Cursor]:
            page = await list_screenings(source.runtime, source.organization_id, stored, size, cursor)
            return page.screenings, page.cursor.next if page.pagination.has_more else None

        return _read_pages(read, to_row)

    def to_row(item: ScreeningItem) -> Row:
        business = str(item.business_id) if item.business_id is not None else None
        outcome = source.label(code_labels.SCREENING_OUTCOME, item.outcome)
        return str(item.id), item.query, outcome, item.open_hits, business, item.screened_by, item.screened_at

    return ListExport((_ID, Message("Screened name"), _OUTCOME, _OPEN_HITS, Message("Business record"), _BY, _DATE), batches)


def _export_dismissals(source: ExportSource) -> ListExport:
    stored = build_dismissal_filter(source.chosen, source.runtime.clock())

    def batches(size: int) -> AsyncIterator[Sequence[Row]]:
        async def read(cursor: Cursor) -> tuple[Iterable[Dismissal], Cursor]:
            page = await list_newest_dismissals(source.runtime, source.organization_id, stored, size, cursor)
            return page.dismissals, page.older

        return _read_pages(read, to_row)

    def to_row(item: Dismissal) -> Row:
        status = source.label(code_labels.DISMISSAL, item.status)
        dismissed = (item.reason, status, item.until, item.dismissed_by, item.dismissed_at)
        return str(item.id), item.subject.name, item.hit.name, item.hit.source, *dismissed

    columns = (_ID, Message("Screened name"), Message("Listed party"), Message("List"), Message("Reason"))
    return ListExport((*columns, _STATUS, Message("Until"), _BY, _DATE), batches)


def _export_businesses(source: ExportSource) -> ListExport:
    stored = build_record_filter(source.chosen)

    def batches(size: int) -> AsyncIterator[Sequence[Row]]:
        async def read(cursor: Cursor) -> tuple[Iterable[BusinessRecord], Cursor]:
            page = await list_newest_records(source.runtime, source.organization_id, stored, size, cursor)
            return page.records, page.older

        return _read_pages(read, lambda record: [unescape_formula(cell) for cell in to_cells(record)])

    # The columns are named as imports and the API name them.
    return ListExport([Message.untranslated(name) for name in EXPORTED], batches)


def _export_alerts(source: ExportSource) -> ListExport:
    stored = build_alert_filter(source.chosen)

    def batches(size: int) -> AsyncIterator[Sequence[Row]]:
        async def read(cursor: Cursor) -> tuple[Iterable[Event], Cursor]:
            page = await feed.read_newest_events(source.runtime, source.organization_id, stored, size, cursor)
            return page.events, page.older

        return _read_pages(read, to_row)

    def to_row(event: Event) -> Row:
        view, alert = build_event_view(event), event.alert
        return (
            str(event.id),
            translate(view.title, source.language),
            str(view.subject) if view.subject is not None else None,
            str(view.business_name) if view.business_name is not None else None,
            source.label(code_labels.SEVERITY, event.severity),
            event.occurred_at,
            alert.acknowledged_at if alert is not None else None,
            alert.acknowledged_by if alert is not None else None,
            alert.note if alert is not None else None,
        )

    columns = (_ID, Message("Alert"), Message("Subject"), Message("Business"), Message("Severity"), _DATE)
    return ListExport((*columns, Message("Acknowledged"), Message("Acknowledged by"), Message("Note")), batches)


_EXPORTS: dict[ListName, Callable[[ExportSource], ListExport]] = {
    ListName.SEARCHES: _export_searches,
    ListName.VERIFICATIONS: _export_verifications,
    ListName.SCREENINGS: _export_screenings,
    ListName.DISMISSALS: _export_dismissals,
    ListName.BUSINESSES: _export_businesses,
    ListName.ALERTS: _export_alerts,
}
