"""The list of alerts, newest first, with its filter, and their acknowledgement, one at a time or several at once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from bonafide.console.alerts import labels
from bonafide.console.events import labels as event_labels
from bonafide.console.events.event_view import SHOWN_LINES, build_event_view
from bonafide.console.frame.console_request import ALERTS, Analyst, ServedRuntime, Viewer, build_author
from bonafide.console.frame.forms import parse_choice, parse_uuid, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.model.events.alerts import ALERT_TYPES, AlertAcknowledgementRequest
from bonafide.model.events.event import AlertStatus, EventSeverity, EventType
from bonafide.model.records.business_input import MAX_PROSE_CHARACTERS
from bonafide.model.validation_messages import describe_validation_error
from bonafide.runtime import Runtime
from bonafide.services.cases import acknowledgement
from bonafide.services.events import feed
from bonafide.store.records.events import EventFilter

PAGE_SIZE = 25
SELECTED = "selected"
"""The value of the button that acknowledges all selected alerts; that of any other is the ID of its alert."""
TYPE_GROUPS = tuple(
    (label, tuple(one for one in types if one in ALERT_TYPES))
    for label, types in event_labels.TYPE_GROUPS
    if not ALERT_TYPES.isdisjoint(types)
)
"""The types of alerts in the groups of the filter."""
router = APIRouter(prefix=ALERTS, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class AlertListFilter:
    """The filter of the list, with the cursor of the page."""

    status: AlertStatus = AlertStatus.OPEN
    event_type: EventType | None = None
    min_severity: EventSeverity | None = None
    cursor: str | None = None

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "AlertListFilter":
        """Parse the query parameters of a URL; invalid ones are ignored."""
        event_type = parse_choice(EventType, query.get("type", ""))
        return cls(
            status=parse_choice(AlertStatus, query.get("status", "")) or AlertStatus.OPEN,
            event_type=event_type if event_type in ALERT_TYPES else None,
            min_severity=parse_choice(EventSeverity, query.get("severity", "")),
            cursor=query.get("cursor") or None,
        )

    @property
    def stored(self) -> EventFilter:
        """The filter for the service."""
        types = frozenset({self.event_type}) if self.event_type is not None else None
        return EventFilter(types, min_severity=self.min_severity, alerts=self.status)

    @property
    def is_narrow(self) -> bool:
        """Whether any filter but the status is set."""
        return (self.event_type, self.min_severity) != (None, None)

    def build_address(self, cursor: str | None, **further: str) -> str:
        """The URL of the page at this cursor, with further parameters."""
        given = {
            "status": self.status if self.status is not AlertStatus.OPEN else None,
            "type": self.event_type,
            "severity": self.min_severity,
            "cursor": cursor,
            **further,
        }
        query = urlencode({name: str(value) for name, value in given.items() if value not in (None, "")})
        return f"{ALERTS}?{query}" if query else ALERTS


@router.get("")
async def list_alerts(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the alerts, newest first; `?done=` reports the result of the last form. Raises `ValidationFailed` for a cursor."""
    return await _render_alerts(request, signed_in, runtime)


@router.post("")
async def acknowledge(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Acknowledge one alert or all selected ones. Those that somebody else has acknowledged meanwhile are left as they are."""
    form, chosen = await read_form(request), AlertListFilter.from_query(request.query_params)
    target = str(form.get("acknowledge", ""))
    ids = _parse_ids(str(given) for given in (form.getlist("event") if target == SELECTED else [target]))
    if not ids:
        return await _render_alerts(request, signed_in, runtime, Message("Select at least one alert."))
    given = str(form.get("note", "")).strip()
    try:
        note = AlertAcknowledgementRequest(note=given or None).note
    except ValidationError as error:
        problem = Message("Note: {problem}", problem=describe_validation_error(error.errors()[0]))
        return await _render_alerts(request, signed_in, runtime, problem, given)
    author = build_author(request, signed_in)
    done = await acknowledgement.acknowledge_alerts(runtime, signed_in.organization_id, ids, note, author)
    return redirect(request, chosen.build_address(chosen.cursor, done=str(done)))


def _parse_ids(given: Iterable[str]) -> list[UUID]:
    parsed = (parse_uuid(text) for text in given)
    return list(dict.fromkeys(one for one in parsed if one is not None))[:PAGE_SIZE]


async def _render_alerts(
    request: Request, signed_in: SignedIn, runtime: Runtime, problem: Message | None = None, note: str = ""
) -> Response:
    chosen = AlertListFilter.from_query(request.query_params)
    page = await feed.read_newest_events(runtime, signed_in.organization_id, chosen.stored, PAGE_SIZE, chosen.cursor)
    done = request.query_params.get("done", "")
    return render_page(
        request,
        "alerts/list.html",
        status=200 if problem is None else 422,
        problem=problem,
        note=note,
        note_characters=MAX_PROSE_CHARACTERS,
        done=int(done) if done.isascii() and done.isdigit() and int(done) <= PAGE_SIZE else None,
        chosen=chosen,
        alerts=[build_event_view(event) for event in page.events],
        older=page.older,
        type_groups=TYPE_GROUPS,
        statuses=labels.STATUS,
        reasons=labels.REASON,
        sources=runtime.sources,
        labels=event_labels,
        shown_lines=SHOWN_LINES,
        selected_value=SELECTED,
    )
