"""The list of alerts, newest first, with its filter, and their acknowledgement, one at a time or several at once."""

from collections.abc import Iterable
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from bonafide.console.alerts import labels
from bonafide.console.events import labels as event_labels
from bonafide.console.events.event_view import SHOWN_LINES, build_event_view
from bonafide.console.frame.console_request import Analyst, ServedRuntime, Viewer, build_author
from bonafide.console.frame.forms import parse_uuid, read_form
from bonafide.console.frame.navigation_counts import ALERTS
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists.definitions import ALERT_LIST, build_alert_filter
from bonafide.console.lists.opened_list import open_list
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.model.events.alerts import AlertAcknowledgementRequest
from bonafide.model.events.event import AlertStatus
from bonafide.model.records.business_input import MAX_PROSE_CHARACTERS
from bonafide.model.validation_messages import describe_validation_error
from bonafide.runtime import Runtime
from bonafide.services.cases import acknowledgement
from bonafide.services.events import feed

PAGE_SIZE = 25
SELECTED = "selected"
"""The value of the button that acknowledges all selected alerts; that of any other is the ID of its alert."""
router = APIRouter(prefix=ALERTS, include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def list_alerts(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the alerts, newest first; `?done=` reports the result of the last form. Raises `ValidationFailed` for a cursor."""
    return await _render_alerts(request, signed_in, runtime)


@router.post("")
async def acknowledge(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Acknowledge one alert or all selected ones. Those that somebody else has acknowledged meanwhile are left as they are."""
    form, chosen = await read_form(request), ALERT_LIST.parse(request.query_params)
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
    return redirect(request, chosen.build_address(**chosen.page, done=done))


def _parse_ids(given: Iterable[str]) -> list[UUID]:
    parsed = (parse_uuid(text) for text in given)
    return list(dict.fromkeys(one for one in parsed if one is not None))[:PAGE_SIZE]


async def _render_alerts(
    request: Request, signed_in: SignedIn, runtime: Runtime, problem: Message | None = None, note: str = ""
) -> Response:
    opened = await open_list(request, signed_in, ALERT_LIST)
    if opened.default_address is not None:
        return redirect(request, opened.default_address)
    stored, cursor = build_alert_filter(opened.chosen), opened.chosen.cursor
    page = await feed.read_newest_events(runtime, signed_in.organization_id, stored, PAGE_SIZE, cursor)
    done = request.query_params.get("done", "")
    return render_page(
        request,
        "alerts/list.html",
        status=200 if problem is None else 422,
        problem=problem,
        note=note,
        note_characters=MAX_PROSE_CHARACTERS,
        done=int(done) if done.isascii() and done.isdigit() and int(done) <= PAGE_SIZE else None,
        list=opened,
        is_open=stored.alerts is AlertStatus.OPEN,
        alerts=[build_event_view(event) for event in page.events],
        older=page.older,
        reasons=labels.REASON,
        sources=runtime.sources,
        labels=event_labels,
        shown_lines=SHOWN_LINES,
        selected_value=SELECTED,
    )
