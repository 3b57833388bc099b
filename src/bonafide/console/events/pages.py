"""The list of events, newest first, with its filter."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.businesses.record_fields import get_display_name
from bonafide.console.events import labels
from bonafide.console.events.event_view import SHOWN_LINES, build_event_view
from bonafide.console.frame.console_request import ServedRuntime, Viewer
from bonafide.console.frame.forms import parse_choice, parse_uuid
from bonafide.console.frame.responses import render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import NotFound
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.runtime import Runtime
from bonafide.services.events import feed
from bonafide.services.records import business_records
from bonafide.store.records.events import EventFilter

EVENTS = "/console/events"
PAGE_SIZE = 25
router = APIRouter(prefix=EVENTS, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class EventListFilter:
    """The filter of the list."""

    event_type: EventType | None = None
    min_severity: EventSeverity | None = None
    business_id: UUID | None = None

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "EventListFilter":
        """Parse the query parameters of a URL; invalid ones are ignored."""
        return cls(
            event_type=parse_choice(EventType, query.get("type", "")),
            min_severity=parse_choice(EventSeverity, query.get("severity", "")),
            business_id=parse_uuid(query.get("business", "")),
        )

    @property
    def stored(self) -> EventFilter:
        """The filter for the service."""
        types = frozenset({self.event_type}) if self.event_type is not None else None
        return EventFilter(types, self.business_id, self.min_severity)

    @property
    def is_narrow(self) -> bool:
        """Whether any filter is set."""
        return self != EventListFilter()

    def build_address(self, cursor: str) -> str:
        """The URL of the page at this cursor."""
        given = {"type": self.event_type, "severity": self.min_severity, "business": self.business_id, "cursor": cursor}
        return f"{EVENTS}?{urlencode({name: str(value) for name, value in given.items() if value not in (None, '')})}"


@router.get("")
async def list_events(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the events, newest first. Raises `ValidationFailed` for an invalid cursor."""
    chosen, organization_id = EventListFilter.from_query(request.query_params), signed_in.organization_id
    cursor = request.query_params.get("cursor")
    page = await feed.read_newest_events(runtime, organization_id, chosen.stored, PAGE_SIZE, cursor)
    return render_page(
        request,
        "events/list.html",
        chosen=chosen,
        business_name=await _find_business_name(runtime, organization_id, chosen.business_id),
        events=[build_event_view(event) for event in page.events],
        older=page.older,
        is_first=cursor is None,
        labels=labels,
        shown_lines=SHOWN_LINES,
    )


async def _find_business_name(runtime: Runtime, organization_id: UUID, business_id: UUID | None) -> str | None:
    """The name of the business of the filter; None without one, and for one that the organization does not have."""
    if business_id is None:
        return None
    try:
        return get_display_name(await business_records.find_record(runtime, organization_id, business_id=business_id))
    except NotFound:
        return None
