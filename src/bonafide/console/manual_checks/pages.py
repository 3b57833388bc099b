"""Pages of manual checks: the list, one check with the form for what was seen, and its files."""

from uuid import UUID

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from bonafide.console.frame.console_request import (
    Analyst,
    PathId,
    ServedRuntime,
    Viewer,
    build_author,
    get_console_request,
)
from bonafide.console.frame.forms import (
    UPLOAD_FORM,
    get_file_name,
    get_uploaded_file,
    list_problems,
    parse_choice,
    parse_form,
    parse_offset,
    parse_uuid,
    read_form,
)
from bonafide.console.frame.responses import create_download, redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.manual_checks import labels
from bonafide.console.manual_checks.result_form import (
    ADD_BUTTON,
    MAX_ROWS,
    ResultForm,
    build_result_form,
    parse_result,
    read_result_form,
)
from bonafide.errors import ApiError, Conflict, NotFound, ValidationFailed
from bonafide.model.accounts.users import SignedIn
from bonafide.model.entity import StatusCode
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.manual_checks.manual_check import ManualCheck, ManualCheckStatus
from bonafide.model.manual_checks.requests import ManualCheckCancellation, ManualCheckRequest, ManualCheckResultRequest
from bonafide.model.records.documents import MAX_DOCUMENT_BYTES
from bonafide.runtime import Runtime
from bonafide.services.manual_checks import attachments, reading, recording, requests
from bonafide.services.manual_checks.opening import find_register
from bonafide.services.records.uploads import UploadedDocument
from bonafide.store.cases.manual_checks import ManualCheckFilter

MANUAL_CHECKS = "/console/manual-checks"
CHECK_PATH = "/{id}"
PAGE_SIZE = 25
ALL = "all"
"""The choice of the filter for checks of every status."""
_MIB = 1024 * 1024
router = APIRouter(prefix=MANUAL_CHECKS, include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def list_manual_checks(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """Open checks by due date, or those of another status (`?status=`), of a source (`?source=`) or record (`?business=`)."""
    query = request.query_params
    status = None if query.get("status") == ALL else parse_choice(ManualCheckStatus, query.get("status", "open"))
    source = query.get("source") if query.get("source") in runtime.sources else None
    chosen = ManualCheckFilter(status, parse_uuid(query.get("business", "")), source)
    page = await reading.list_queue(runtime, signed_in.organization_id, chosen, PAGE_SIZE, parse_offset(request))
    registers = [find_register(runtime, jurisdiction) for jurisdiction in Jurisdiction]
    return render_page(
        request,
        "manual_checks/list.html",
        page=page,
        chosen=chosen,
        registers=[one for one in registers if one is not None],
        sources=runtime.sources,
        statuses=ManualCheckStatus,
        labels=labels,
        every=ALL,
    )


@router.post("")
async def create_manual_check(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Create the check of a search, a verification or a record, or find the open one, and show it. Raises `ValidationFailed`."""
    sent = parse_form(ManualCheckRequest, await read_form(request))
    if sent.value is None:
        path, message = next(iter(sent.problems.items()))
        raise ValidationFailed.of_field(path, message)
    created = await requests.create_manual_check(runtime, signed_in.principal, sent.value, build_author(request, signed_in))
    return redirect(request, f"{MANUAL_CHECKS}/{created.check.id}")


@router.get(CHECK_PATH)
async def manual_check_page(request: Request, signed_in: Viewer, runtime: ServedRuntime, check_id: PathId) -> Response:
    """One check: the register, what to look for, and the form or the result."""
    check = await reading.read_manual_check(runtime, signed_in.organization_id, check_id)
    return _render_check(request, runtime, check, build_result_form(check))


@router.post(f"{CHECK_PATH}/result", dependencies=[UPLOAD_FORM])
async def record_manual_check(request: Request, signed_in: Analyst, runtime: ServedRuntime, check_id: PathId) -> Response:
    """Store the uploaded page, then the result, unless somebody else has recorded one meanwhile."""
    organization_id, form = signed_in.organization_id, await read_form(request)
    check = await reading.read_manual_check(runtime, organization_id, check_id)
    sent, zone = read_result_form(form), get_console_request(request).time_zone
    if ADD_BUTTON in form:
        return _render_check(request, runtime, check, sent.with_more_rows())
    # A dry run first: no file is stored for a form that is refused.
    parsed = parse_result(sent, zone, sent.attachment_id)
    if not isinstance(parsed, ManualCheckResultRequest):
        return _render_check(request, runtime, check, parsed)
    try:
        sent = sent.with_attachment(await _store_upload(request, signed_in, runtime, check_id, form))
        parsed = parsed.model_copy(update={"attachment_id": sent.attachment_id})
        await recording.record_result(runtime, organization_id, check_id, parsed, build_author(request, signed_in))
    except ValidationFailed as refusal:
        check = await reading.read_manual_check(runtime, organization_id, check_id)
        return _render_check(request, runtime, check, sent.with_problems(list_problems(refusal)))
    except Conflict as refusal:
        check = await reading.read_manual_check(runtime, organization_id, check_id)
        return _render_check(request, runtime, check, sent, refusal)
    return redirect(request, f"{MANUAL_CHECKS}/{check_id}")


@router.post(f"{CHECK_PATH}/cancel")
async def cancel_manual_check(request: Request, signed_in: Analyst, runtime: ServedRuntime, check_id: PathId) -> Response:
    """Cancel the check, unless somebody has recorded a result meanwhile."""
    organization_id = signed_in.organization_id
    sent = parse_form(ManualCheckCancellation, await read_form(request))
    try:
        if sent.value is None:
            raise ValidationFailed.of_field("note", next(iter(sent.problems.values())))
        await requests.cancel_manual_check(runtime, organization_id, check_id, sent.value, build_author(request, signed_in))
    except (Conflict, ValidationFailed) as refusal:
        check = await reading.read_manual_check(runtime, organization_id, check_id)
        return _render_check(request, runtime, check, build_result_form(check), refusal)
    return redirect(request, f"{MANUAL_CHECKS}/{check_id}")


@router.get(f"{CHECK_PATH}/attachments/{{item_id}}")
async def manual_check_file(request: Request, signed_in: Viewer, runtime: ServedRuntime, check_id: PathId) -> Response:
    """A file of the check, to save. It comes from somebody else, so it is never displayed."""
    attachment_id = parse_uuid(request.path_params["item_id"])
    if attachment_id is None:
        raise NotFound
    found, content = await attachments.read_check_file(runtime, signed_in.organization_id, check_id, attachment_id)
    return create_download(content, "application/octet-stream", f"attachment-{found.id}.{found.media_type.extension}")


async def _store_upload(request: Request, signed_in: SignedIn, runtime: Runtime, check_id: UUID, form: FormData) -> UUID | None:
    """Store the file of a form; None without one. Raises `ValidationFailed`."""
    file = get_uploaded_file(form, "file")
    if file is None:
        return None
    upload = UploadedDocument(get_file_name(file, "page"), await file.read(), "file")
    author = build_author(request, signed_in)
    return (await attachments.add_check_file(runtime, signed_in.organization_id, check_id, upload, author)).id


def _render_check(
    request: Request, runtime: Runtime, check: ManualCheck, form: ResultForm, refusal: ApiError | None = None
) -> Response:
    now = runtime.clock().astimezone(get_console_request(request).time_zone)
    status = refusal.status if refusal is not None else 422 if form.problems else 200
    return render_page(
        request,
        "manual_checks/check.html",
        status,
        check=check,
        source=runtime.sources.get(check.source),
        form=form,
        refusal=refusal,
        labels=labels,
        status_codes=StatusCode,
        attachment_options=[(str(one.id), one.name) for one in check.attachments],
        may_add=len(form.rows) < MAX_ROWS,
        add=ADD_BUTTON,
        max_mib=MAX_DOCUMENT_BYTES // _MIB,
        latest=now.strftime("%Y-%m-%dT%H:%M"),
    )
