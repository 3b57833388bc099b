"""The events of an organization, as tests read them."""

from uuid import UUID

from bonafide.model.events.event import Event
from bonafide.runtime import Runtime
from bonafide.services.events.feed import read_events
from bonafide.store.records.events import EventFilter

MANY = 1000


async def list_events(runtime: Runtime, organization_id: UUID) -> list[Event]:
    """All events of an organization, oldest first."""
    return list((await read_events(runtime, organization_id, EventFilter(), MANY)).events)
