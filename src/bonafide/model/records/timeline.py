"""The timeline of a business record: its events, checks and decisions in one list."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.model.base import Document, Instant
from bonafide.model.events.event import EXAMPLE_EVENT_ID, Event
from bonafide.model.records.business_record import Cursor, FeedPagination
from bonafide.model.screening.history import ScreeningItem


class TimelineEntryKind(StrEnum):
    """What an entry of a timeline is."""

    EVENT = "event"
    """Something has changed or was found."""
    CHECK = "check"
    """A search, a verification, a screening or a report."""
    DECISION = "decision"
    """A person has decided something."""


class TimelineEntry(Document):
    """One entry: an event, or a screening, which has an event of its own only for each changed hit."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_EVENT_ID])]
    """ID of the event, or of the screening."""
    kind: Annotated[TimelineEntryKind, Field(examples=["decision"])]
    """Kind of the entry."""
    occurred_at: Instant
    """When it happened."""
    event: Event | None
    """The event; null for a screening."""
    screening: ScreeningItem | None
    """The screening; null for an event."""


class TimelinePage(Document):
    """A page of a timeline, newest first."""

    entries: tuple[TimelineEntry, ...]
    """Entries, newest first."""
    cursor: Cursor
    """Position of the next page, which has older entries."""
    pagination: FeedPagination
    """Size of the page."""
