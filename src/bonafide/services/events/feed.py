"""The feed of events and its cursors.

A position is the number of an event. Numbers have the order in which events are committed (`store/records/events`), so no event can
appear before a returned position.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.cursors import decode_cursor_text, encode_cursor_text
from bonafide.model.events.event import AlertStatus, Event, EventAlert, EventPage, StoredEventBody
from bonafide.model.events.event_types import build_event
from bonafide.model.records.business_record import Cursor, FeedPagination
from bonafide.runtime import Runtime
from bonafide.store.records import events
from bonafide.store.records.events import EventFilter, StoredEvent

UNKNOWN_EVENT = Message("We couldn’t find that event.")
_POSITION = re.compile(r"e1\.(0|[1-9]\d{0,17})", re.ASCII)
"""The form of a position: its version, and the number of an event."""


@dataclass(frozen=True, slots=True)
class NewestEvents:
    """A page of events, newest first. `older` is the cursor of the next page; None on the last one."""

    events: tuple[Event, ...]
    older: str | None


def encode_position(position: int) -> str:
    """A position as an opaque text."""
    return encode_cursor_text(f"e1.{position}")


def decode_position(cursor: str) -> int:
    """The position of a cursor. Raises `ValidationFailed` for any other text."""
    return int(decode_cursor_text(cursor, _POSITION)[1])


async def read_events(
    runtime: Runtime,
    organization_id: UUID,
    chosen: EventFilter,
    limit: int,
    *,
    position: int | None = None,
    since: datetime | None = None,
) -> EventPage:
    """The events after a position, oldest first; without one, those after an instant, or all."""
    async with runtime.store.read_lagging() as connection:
        start = position if position is not None else 0
        if position is None and since is not None:
            start = await events.find_position_after(connection, organization_id, since)
        found = await events.list_after(connection, organization_id, chosen, start, limit + 1)
    listed = found[:limit]
    return EventPage(
        events=tuple(to_event(row) for row in listed),
        cursor=Cursor(next=encode_position(listed[-1].sequence if listed else start)),
        pagination=FeedPagination(limit=limit, has_more=len(found) > limit),
    )


async def read_newest_events(
    runtime: Runtime, organization_id: UUID, chosen: EventFilter, limit: int, cursor: str | None = None
) -> NewestEvents:
    """The last events, newest first, or those before the event of a cursor. Raises `ValidationFailed` for an invalid cursor."""
    position = decode_position(cursor) if cursor is not None else None
    async with runtime.store.read_lagging() as connection:
        found = await events.list_before(connection, organization_id, chosen, position, limit + 1)
    listed = found[:limit]
    older = encode_position(listed[-1].sequence) if len(found) > limit else None
    return NewestEvents(tuple(to_event(row) for row in listed), older)


async def find_position_before_last(runtime: Runtime, organization_id: UUID, count: int) -> int:
    """The position before the last `count` events of the organization."""
    async with runtime.store.read() as connection:
        return max(await events.get_last_position(connection, organization_id) - count, 0)


async def read_event(runtime: Runtime, organization_id: UUID, event_id: UUID) -> Event:
    """One event. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        row = await events.get(connection, organization_id, event_id)
    if row is None:
        raise NotFound(UNKNOWN_EVENT)
    return to_event(row)


def to_event(row: StoredEvent) -> Event:
    """The event of a row."""
    body = StoredEventBody.model_validate_json(row.document)
    return build_event(row.id, row.type, row.sequence, row.occurred_at, row.severity, body, _build_alert(row))


def _build_alert(row: StoredEvent) -> EventAlert | None:
    if not row.is_alert:
        return None
    status = AlertStatus.OPEN if row.acknowledged_at is None else AlertStatus.ACKNOWLEDGED
    return EventAlert(status=status, acknowledged_at=row.acknowledged_at, acknowledged_by=row.acknowledged_by, note=row.note)
