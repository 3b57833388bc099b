"""Read the timeline of a business record: its events and its standalone screenings, newest first.

Both have an order of their own. A cursor has a position in each, so that no entry is skipped or repeated between two pages.
"""

import heapq
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import UUID

from bonafide.model.cursors import decode_cursor_text, encode_cursor_text, from_microseconds, to_microseconds
from bonafide.model.events.event import EventType
from bonafide.model.records.business_record import Cursor, FeedPagination
from bonafide.model.records.timeline import TimelineEntry, TimelineEntryKind, TimelinePage
from bonafide.runtime import Runtime
from bonafide.services.events.feed import to_event
from bonafide.services.records.business_records import load_record
from bonafide.services.screening.history import to_screening_item
from bonafide.store.records import events, screenings
from bonafide.store.records.events import EventFilter, StoredEvent
from bonafide.store.records.screenings import ScreeningFilter, ScreeningPosition, ScreeningRow

CHECKS = frozenset(
    {
        EventType.SEARCH_COMPLETED,
        EventType.VERIFICATION_COMPLETED,
        EventType.VERIFICATION_FAILED,
        EventType.MANUAL_CHECK_COMPLETED,
        EventType.REPORT_READY,
    }
)
"""The events of checks. A screening is a check without an event of its own."""
DECISIONS = frozenset(
    {
        EventType.SEARCH_MATCH_SELECTED,
        EventType.DISMISSAL_CREATED,
        EventType.DISMISSAL_REVOKED,
        EventType.ACCEPTANCE_CREATED,
        EventType.ACCEPTANCE_REVOKED,
        EventType.DISCREPANCY_RESOLVED,
        EventType.CASE_DECIDED,
    }
)
"""The events of decisions."""
_FORM = re.compile(r"t1\.(\d{1,18})\.(\d{1,17})\.([0-9a-f]{32})", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimelinePosition:
    """What comes before it is still to be read: the number of an event, and a position among the screenings."""

    sequence: int
    screening: ScreeningPosition


NEWEST = TimelinePosition(10**18 - 1, ScreeningPosition(datetime(5000, 1, 1, tzinfo=UTC), UUID(int=2**128 - 1)))
"""After every entry: a timeline begins here."""


def encode_timeline_cursor(position: TimelinePosition) -> str:
    """A position as an opaque text."""
    place = position.screening
    return encode_cursor_text(f"t1.{position.sequence}.{to_microseconds(place.screened_at)}.{place.id.hex}")


def decode_timeline_cursor(cursor: str) -> TimelinePosition:
    """The position of a cursor. Raises `ValidationFailed` for any other text."""
    parts = decode_cursor_text(cursor, _FORM)
    instant = min(from_microseconds(parts[2]), NEWEST.screening.screened_at)
    return TimelinePosition(int(parts[1]), ScreeningPosition(instant, UUID(parts[3])))


async def read_timeline(
    runtime: Runtime, organization_id: UUID, business_id: UUID, start: TimelinePosition, limit: int
) -> TimelinePage:
    """A page of the timeline of a record. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await load_record(connection, organization_id, business_id, None)
        of_record = EventFilter(business_id=business_id)
        found_events = await events.list_before(connection, organization_id, of_record, start.sequence, limit + 1)
        screened = ScreeningFilter(business_id=business_id)
        found_screenings = await screenings.list_older(connection, organization_id, screened, limit + 1, start.screening)
    merged = _merge(found_events, found_screenings)
    end = start
    for row in merged[:limit]:
        if isinstance(row, StoredEvent):
            end = replace(end, sequence=row.sequence)
        else:
            end = replace(end, screening=ScreeningPosition(row.screened_at, row.id))
    return TimelinePage(
        entries=tuple(map(_build_entry, merged[:limit])),
        cursor=Cursor(next=encode_timeline_cursor(end)),
        pagination=FeedPagination(limit=limit, has_more=len(merged) > limit),
    )


async def read_checks(runtime: Runtime, organization_id: UUID, business_id: UUID, limit: int) -> tuple[TimelineEntry, ...]:
    """The last checks of a record, newest first: searches, verifications, reports and screenings."""
    of_record, screened = EventFilter(types=CHECKS, business_id=business_id), ScreeningFilter(business_id=business_id)
    async with runtime.store.read() as connection:
        found_events = await events.list_before(connection, organization_id, of_record, NEWEST.sequence, limit)
        found_screenings = await screenings.list_older(connection, organization_id, screened, limit, NEWEST.screening)
    return tuple(map(_build_entry, _merge(found_events, found_screenings)[:limit]))


def _merge(*parts: Sequence[StoredEvent | ScreeningRow]) -> list[StoredEvent | ScreeningRow]:
    """The rows of all parts, newest first as each part is."""
    return list(heapq.merge(*parts, key=_get_instant, reverse=True))


def _get_instant(row: StoredEvent | ScreeningRow) -> datetime:
    return row.occurred_at if isinstance(row, StoredEvent) else row.screened_at


def _build_entry(row: StoredEvent | ScreeningRow) -> TimelineEntry:
    if isinstance(row, ScreeningRow):
        item = to_screening_item(row)
        return TimelineEntry(id=row.id, kind=TimelineEntryKind.CHECK, occurred_at=row.screened_at, event=None, screening=item)
    kind = TimelineEntryKind.EVENT
    if row.type in CHECKS:
        kind = TimelineEntryKind.CHECK
    elif row.type in DECISIONS:
        kind = TimelineEntryKind.DECISION
    return TimelineEntry(id=row.id, kind=kind, occurred_at=row.occurred_at, event=to_event(row), screening=None)
