"""The timeline of a business: its events, checks and decisions in one list, newest first."""

from dataclasses import dataclass
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.businesses.record_fields import get_display_name
from bonafide.console.cases import labels
from bonafide.console.events import labels as event_labels
from bonafide.console.events.event_view import SHOWN_LINES, EventView, build_event_view
from bonafide.console.frame.console_request import PathId, ServedRuntime, Viewer
from bonafide.console.frame.responses import render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.model.records.timeline import TimelineEntry
from bonafide.runtime import Runtime
from bonafide.services.cases import timeline
from bonafide.services.records import business_records

TIMELINE = "/console/businesses/{id}/timeline"
PAGE_SIZE = 25
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class TimelineEntryView:
    """An entry as the pages show it (`timeline_list` in `cases/timeline_parts.html`); a screening has no event."""

    entry: TimelineEntry
    event: EventView | None


@dataclass(frozen=True, slots=True)
class TimelineView:
    """A page of a timeline. `older` is the cursor of the next page; None on the last one."""

    entries: tuple[TimelineEntryView, ...]
    older: str | None


async def build_timeline(
    runtime: Runtime, organization_id: UUID, business_id: UUID, limit: int = PAGE_SIZE, cursor: str | None = None
) -> TimelineView:
    """A page of the timeline of a record. Raises `NotFound`, and `ValidationFailed` for an invalid cursor."""
    start = timeline.decode_timeline_cursor(cursor) if cursor is not None else timeline.NEWEST
    page = await timeline.read_timeline(runtime, organization_id, business_id, start, limit)
    views = tuple(
        TimelineEntryView(entry, build_event_view(entry.event) if entry.event is not None else None) for entry in page.entries
    )
    return TimelineView(views, page.cursor.next if page.pagination.has_more else None)


@router.get(TIMELINE)
async def read_timeline(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """A page of the timeline. Raises `NotFound`, and `ValidationFailed` for an invalid cursor."""
    record = await business_records.find_record(runtime, signed_in.organization_id, business_id=business_id)
    cursor = request.query_params.get("cursor") or None
    return render_page(
        request,
        "cases/timeline.html",
        record=record,
        timeline=await build_timeline(runtime, signed_in.organization_id, business_id, cursor=cursor),
        is_first=cursor is None,
        name_of=get_display_name,
        labels=event_labels,
        timeline_labels=labels,
        shown_lines=SHOWN_LINES,
    )
