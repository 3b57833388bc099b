"""The page of a case: what is open with its evidence, the decision, notes, attachments and history, and the next case."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.responses import Response

from bonafide.console.cases import labels
from bonafide.console.cases.case_forms import describe_problem, get_text, list_assignees, parse_change, parse_decision
from bonafide.console.cases.case_view import build_history, build_items
from bonafide.console.cases.queue_filter import CASES, QueueFilter
from bonafide.console.events import labels as event_labels
from bonafide.console.events.event_view import SHOWN_LINES, find_page
from bonafide.console.frame.console_request import Analyst, PathId, ServedRuntime, Viewer, build_author, get_console_request
from bonafide.console.frame.forms import (
    UPLOAD_FORM,
    get_file_name,
    get_uploaded_file,
    parse_choice,
    parse_number,
    parse_uuid,
    read_form,
)
from bonafide.console.frame.responses import create_download, redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ApiError, Conflict, NotFound, StaleWrite, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.model.base import format_instant
from bonafide.model.cases.case import Case
from bonafide.model.cases.policy import CaseDecisionKind, CaseItemKind, CasePriority
from bonafide.model.cases.requests import CaseDecisionRequest, CaseNoteRequest
from bonafide.model.records.business_input import MAX_PROSE_CHARACTERS
from bonafide.model.records.documents import MAX_DOCUMENT_BYTES
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.cases import acknowledgement, attachments, deciding, handling, hit_checks, queue, reading
from bonafide.services.records.uploads import UploadedDocument
from bonafide.web.validation_errors import to_api_error

CASE = "/{id}"
SHOWN_STEPS = 30
"""Entries of the audit log from which the history is built."""
SHOWN_NOTES = 20
SHOWN_CLOSED_ITEMS = 20
MAX_CHECKED_HITS = 10
"""Open hits of a case up to which the page finds out whether they are dismissed by now: each needs a document."""
MAX_ATTEMPTS = 3
"""How often a decision is tried while items of the case are settled."""
MAX_COUNT_DIGITS = 9
_MIB = 1024 * 1024
_QUERIES = {"/v1/search": "search", "/v1/verify": "verification", "/v1/sanctions": "screening"}
"""The parameter of the page of a hit, by the path of the document that has it."""
router = APIRouter(prefix=CASES, include_in_schema=False, route_class=ConsoleRoute)


# ------------------------------------------------------------------------------------------------------------- reading


@router.get(CASE)
async def read_case(request: Request, signed_in: Viewer, runtime: ServedRuntime, case_id: PathId) -> Response:
    """One case; `?decision=` is the decision whose form is shown, `?done=` reports what the last form did."""
    return await _render_case(request, signed_in, runtime, case_id)


@router.get(f"{CASE}/items/{{item_id}}/evidence")
async def find_evidence(request: Request, signed_in: Viewer, runtime: ServedRuntime, case_id: PathId) -> Response:
    """Redirect to the evidence of an item: for an open hit, the page on which it is compared and dismissed."""
    organization_id, item_id = signed_in.organization_id, _get_item_id(request)
    place = await hit_checks.find_hit(runtime, organization_id, case_id, item_id)
    case = await reading.read_case(runtime, organization_id, case_id)
    item = next((item for item in case.items if item.id == item_id), None)
    page = find_page(item.ref) if item is not None else None
    if place is not None and signed_in.may(Permission.WORK):
        path, _, document_id = place.ref.rpartition("/")
        back = QueueFilter.from_query(request.query_params).build_case_address(case_id)
        given = {_QUERIES[path]: document_id, "match": place.number, "subject": place.subject_id, "back": back}
        page = f"/console/sanctions/dismiss?{urlencode({name: value for name, value in given.items() if value is not None})}"
    if page is None:
        raise NotFound
    return redirect(request, page)


@router.get(f"{CASE}/attachments/{{item_id}}/content")
async def download_attachment(request: Request, signed_in: Viewer, runtime: ServedRuntime, case_id: PathId) -> Response:
    """The file of an attachment, to save."""
    found, content = await attachments.read_attachment(runtime, signed_in.organization_id, case_id, _get_item_id(request))
    return create_download(content, "application/octet-stream", f"attachment-{found.id}.{found.media_type.extension}")


def _get_item_id(request: Request) -> UUID:
    """The second ID of the path. Raises `NotFound` for anything but a UUID."""
    found = parse_uuid(request.path_params["item_id"])
    if found is None:
        raise NotFound
    return found


# ------------------------------------------------------------------------------------------------------------- working


@router.post(f"{CASE}/change")
async def change_case(request: Request, signed_in: Analyst, runtime: ServedRuntime, case_id: PathId) -> Response:
    """Set the assignee, the priority, the due date or the status."""
    try:
        change = parse_change(await read_form(request), signed_in, get_console_request(request).time_zone)
        author = build_author(request, signed_in)
        await handling.change_case(runtime, signed_in.organization_id, case_id, change, author)
    except (ValidationFailed, Conflict, StaleWrite) as refusal:
        return await _render_case(request, signed_in, runtime, case_id, refusal)
    return _return_to_case(request, case_id, "changed")


@router.post(f"{CASE}/notes")
async def add_note(request: Request, signed_in: Analyst, runtime: ServedRuntime, case_id: PathId) -> Response:
    """Add a note."""
    text = get_text(await read_form(request), "text").replace("\r\n", "\n")
    try:
        note = CaseNoteRequest.model_validate({"text": text})
        await handling.add_note(runtime, signed_in.organization_id, case_id, note, build_author(request, signed_in))
    except ValidationError as error:
        return await _render_case(request, signed_in, runtime, case_id, to_api_error(error, CaseNoteRequest))
    except Conflict as refusal:
        return await _render_case(request, signed_in, runtime, case_id, refusal)
    return _return_to_case(request, case_id, "noted", "notes")


@router.post(f"{CASE}/attachments", dependencies=[UPLOAD_FORM])
async def add_attachment(request: Request, signed_in: Analyst, runtime: ServedRuntime, case_id: PathId) -> Response:
    """Attach a file."""
    organization_id, file = signed_in.organization_id, get_uploaded_file(await read_form(request), "file")
    if file is None:
        missing = ValidationFailed.of_field("file", Message("is required"))
        return await _render_case(request, signed_in, runtime, case_id, missing)
    if file.size is not None and file.size > MAX_DOCUMENT_BYTES:
        too_large = ValidationFailed.of_field("file", Message("must not be larger than {n} MB", n=MAX_DOCUMENT_BYTES // _MIB))
        return await _render_case(request, signed_in, runtime, case_id, too_large)
    upload = UploadedDocument(get_file_name(file, "document"), await file.read(), "file")
    try:
        await attachments.add_attachment(runtime, organization_id, case_id, upload, build_author(request, signed_in))
    except ValidationFailed as refusal:
        return await _render_case(request, signed_in, runtime, case_id, refusal)
    return _return_to_case(request, case_id, "attached", "attachments")


@router.post(f"{CASE}/acknowledge")
async def acknowledge(request: Request, signed_in: Analyst, runtime: ServedRuntime, case_id: PathId) -> Response:
    """Acknowledge the alert that opened an item. One that somebody else has acknowledged meanwhile is left as it is."""
    organization_id = signed_in.organization_id
    case = await reading.read_case(runtime, organization_id, case_id)
    event_id = parse_uuid(get_text(await read_form(request), "event"))
    if event_id not in {item.event_id for item in case.items}:
        raise NotFound
    author = build_author(request, signed_in)
    await acknowledgement.acknowledge_alerts(runtime, organization_id, [event_id], None, author)
    return _return_to_case(request, case_id, "acknowledged")


@router.post(f"{CASE}/decision")
async def decide_case(request: Request, signed_in: Analyst, runtime: ServedRuntime, case_id: PathId) -> Response:
    """Decide, unless somebody else has decided or the case has changed meanwhile."""
    form = await read_form(request)
    try:
        decision, seen_items = parse_decision(form), parse_number(get_text(form, "itemCount"), MAX_COUNT_DIGITS)
        await _decide(request, signed_in, runtime, case_id, decision, seen_items)
    except (ValidationFailed, Conflict, StaleWrite) as refusal:
        return await _render_case(request, signed_in, runtime, case_id, refusal, form)
    return _return_to_case(request, case_id, "decided")


async def _decide(
    request: Request, signed_in: SignedIn, runtime: Runtime, case_id: UUID, decision: CaseDecisionRequest, seen_items: int | None
) -> None:
    """Decide about the case as the person has seen it: without a new item. An item that was settled meanwhile changes nothing.

    Raises `StaleWrite` for a new item, and what `decide_case` raises.
    """
    organization_id, author = signed_in.organization_id, build_author(request, signed_in)
    for attempt in range(MAX_ATTEMPTS):
        case = await reading.read_case(runtime, organization_id, case_id)
        if case.outcome is None and case.item_count != seen_items:
            raise StaleWrite(Message("A new item was opened since you opened this page."))
        current = decision.model_copy(update={"expected_updated_at": case.updated_at})
        try:
            await deciding.decide_case(runtime, organization_id, case_id, current, author)
        except StaleWrite:
            if attempt == MAX_ATTEMPTS - 1:
                raise
        else:
            return


def _return_to_case(request: Request, case_id: UUID, done: str, place: str = "") -> Response:
    address = QueueFilter.from_query(request.query_params).build_case_address(case_id, done=done)
    return redirect(request, f"{address}#{place}" if place else address)


# ----------------------------------------------------------------------------------------------------------- rendering


async def _render_case(
    request: Request,
    signed_in: SignedIn,
    runtime: Runtime,
    case_id: UUID,
    refusal: ApiError | None = None,
    form: FormData | None = None,
) -> Response:
    organization_id, query = signed_in.organization_id, request.query_params
    chosen, now = QueueFilter.from_query(query), runtime.clock().astimezone(get_console_request(request).time_zone)
    case = await reading.read_case(runtime, organization_id, case_id)
    stored = chosen.build_stored(signed_in.user.email, now)
    neighbours = await queue.find_neighbours(runtime, organization_id, stored, chosen.order, case_id)
    history = await reading.read_case_history(runtime, organization_id, case_id, SHOWN_STEPS)
    policy = (await read_settings(runtime, organization_id)).cases
    alerts = await reading.list_open_alerts(runtime, organization_id, case.items)
    titles = {key: source.metadata.title for key, source in runtime.sources.items()}
    open_items, closed_items = build_items(case, alerts, await _find_dismissed(runtime, organization_id, case), titles)
    given = get_text(form, "decision") if form is not None else query.get("decision", "")
    decision = parse_choice(CaseDecisionKind, given)
    return render_page(
        request,
        "cases/case.html",
        status=refusal.status if refusal is not None else 200,
        case=case,
        chosen=chosen,
        neighbours=neighbours,
        open_items=open_items,
        closed_items=closed_items[-SHOWN_CLOSED_ITEMS:],
        history=build_history(history.entries),
        earlier_entries=history.pagination.total - len(history.entries),
        notes=case.notes[-SHOWN_NOTES:],
        policy=policy,
        decision=decision,
        reasons=policy.list_reasons(decision) if decision is not None else [],
        pending=next((one for one in case.decisions if one.id == case.pending_decision_id), None),
        refusal=refusal,
        problem=describe_problem(refusal) if isinstance(refusal, ValidationFailed) else None,
        sent={name: value for name, value in form.items() if isinstance(value, str)} if form is not None else {},
        done=query.get("done", "") if refusal is None else "",
        version=format_instant(case.updated_at),
        assignees=await list_assignees(runtime, signed_in),
        max_mib=min(MAX_DOCUMENT_BYTES, runtime.settings.max_form_bytes) // _MIB,
        now=now,
        **_SHARED,
    )


_SHARED: dict[str, Any] = {
    "labels": labels,
    "event_labels": event_labels,
    "shown_lines": SHOWN_LINES,
    "note_characters": MAX_PROSE_CHARACTERS,
    "priorities": CasePriority,
}


async def _find_dismissed(runtime: Runtime, organization_id: UUID, case: Case) -> frozenset[UUID]:
    """The open hits that are dismissed by now: the case shows it before the worker has followed the event."""
    counts = {one.kind: one.count for one in case.open_items}
    hits = counts.get(CaseItemKind.SANCTIONS_HIT, 0)
    return await hit_checks.find_settled_hits(runtime, organization_id, case.id) if 0 < hits <= MAX_CHECKED_HITS else frozenset()
