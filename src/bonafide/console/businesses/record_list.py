"""The list of business records: filter, and actions on the selected records or on all that match."""

from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.businesses.record_fields import get_display_name
from bonafide.console.frame.code_labels import Colours
from bonafide.console.frame.console_request import Analyst, PathId, ServedRuntime, Viewer, get_console_request
from bonafide.console.frame.forms import parse_choice, parse_uuid, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists.definitions import BUSINESSES, VERIFICATION_WORDS, build_record_filter
from bonafide.console.lists.opened_list import open_list
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.model.lists.bulk_actions import MAX_BULK_RECORDS, BulkActionKind, BulkItemStatus
from bonafide.runtime import Runtime
from bonafide.services.lists import bulk_actions
from bonafide.services.records.record_list import list_newest_records

ADDRESS = BUSINESSES.address
RECORD_PATH = "/{id}"
PAGE_SIZE = 25
MAX_REPORTED = 100
"""Records that the report of an action shows."""
RELOAD_S = 2
"""How often the report of an action that goes on reloads itself."""
VERIFICATION_COLOURS: Colours = {"verified": "good", "discrepancies": "warn", "failed": "bad", "unverified": ""}
KIND_WORDS = {
    BulkActionKind.VERIFY: Message("Verify"),
    BulkActionKind.SCREEN: Message("Screen"),
    BulkActionKind.MONITOR: Message("Monitor"),
    BulkActionKind.STOP_MONITORING: Message("Stop monitoring"),
    BulkActionKind.ARCHIVE: Message("Archive"),
    BulkActionKind.RESTORE: Message("Restore"),
}
STATUS_WORDS = {
    BulkItemStatus.QUEUED: Message("Queued"),
    BulkItemStatus.DONE: Message("Done"),
    BulkItemStatus.UNCHANGED: Message("Unchanged"),
    BulkItemStatus.FAILED: Message("Not done"),
}
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def list_businesses(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The records, most recently changed first; archived ones only if requested. Raises `ValidationFailed` for a cursor."""
    return await _render_list(request, signed_in, runtime)


@router.post("")
async def begin_bulk_action(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Queue an action (`action`) on the selected records (`business`), or on all that match the filter (`all=yes`)."""
    form = await read_form(request)
    kind = parse_choice(BulkActionKind, str(form.get("action", "")))
    if kind is None:
        return await _render_list(request, signed_in, runtime, Message("Choose an action."))
    try:
        ids = await _read_selection(request, signed_in, runtime)
        language = get_console_request(request).language
        action_id = await bulk_actions.begin_action(runtime, signed_in.principal, kind, ids, language)
    except ValidationFailed as refusal:
        return await _render_list(request, signed_in, runtime, refusal.message)
    return redirect(request, f"{ADDRESS}/bulk/{action_id}")


@router.get(f"/bulk{RECORD_PATH}")
async def read_bulk_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, action_id: PathId) -> Response:
    """What has become of an action. The page reloads itself until nothing is left to do. Raises `NotFound`."""
    report = await bulk_actions.read_report(runtime, signed_in.organization_id, action_id, MAX_REPORTED)
    response = render_page(
        request,
        "businesses/bulk.html",
        report=report,
        kinds=KIND_WORDS,
        statuses=STATUS_WORDS,
        name_of=get_display_name,
        results={BulkActionKind.VERIFY: "/console/verifications", BulkActionKind.SCREEN: "/console/sanctions/screenings"},
    )
    if report.done < report.total:
        response.headers["Refresh"] = str(RELOAD_S)
    return response


async def _read_selection(request: Request, signed_in: SignedIn, runtime: Runtime) -> list[UUID]:
    form = await read_form(request)
    if form.get("all") == "yes":
        chosen = BUSINESSES.parse(request.query_params, get_console_request(request).time_zone)
        return await bulk_actions.select_records(runtime, signed_in.organization_id, build_record_filter(chosen))
    given = (parse_uuid(str(text)) for text in form.getlist("business"))
    return [business_id for business_id in given if business_id is not None]


async def _render_list(request: Request, signed_in: SignedIn, runtime: Runtime, problem: Message | None = None) -> Response:
    opened = await open_list(request, signed_in, BUSINESSES)
    if opened.default_address is not None:
        return redirect(request, opened.default_address)
    stored, cursor = build_record_filter(opened.chosen), opened.chosen.cursor
    page = await list_newest_records(runtime, signed_in.organization_id, stored, PAGE_SIZE, cursor)
    return render_page(
        request,
        "businesses/list.html",
        status=200 if problem is None else 422,
        problem=problem,
        list=opened,
        records=page.records,
        older=page.older,
        max_records=MAX_BULK_RECORDS,
        verification=(VERIFICATION_WORDS, VERIFICATION_COLOURS),
        name_of=get_display_name,
    )
