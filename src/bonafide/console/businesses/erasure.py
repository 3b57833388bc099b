"""The pages of erasures: the confirmation before a business is erased, and the state of an erasure."""

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from bonafide.console.businesses.record_fields import get_display_name
from bonafide.console.frame.console_request import Owner, PathId, ServedRuntime, build_author
from bonafide.console.frame.forms import list_problems, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import Conflict
from bonafide.i18n.message import Message
from bonafide.model.accounts.retention import ErasureRequest
from bonafide.model.accounts.users import SignedIn
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.records.business_records import find_record
from bonafide.services.retention import erasure_requests
from bonafide.services.retention.legal_holds import read_hold
from bonafide.web.validation_errors import to_api_error

ERASE_PATH = "/console/businesses/{id}/erase"
ERASURES = "/console/erasures"
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


@router.get(ERASE_PATH)
async def confirm_erasure(request: Request, signed_in: Owner, runtime: ServedRuntime, business_id: PathId) -> Response:
    """Ask for confirmation and a reason before a business is erased."""
    return await _render_confirmation(request, signed_in, runtime, business_id)


@router.post(ERASE_PATH)
async def erase_business(request: Request, signed_in: Owner, runtime: ServedRuntime, business_id: PathId) -> Response:
    """Erase a business, unless there is a legal hold."""
    form = await read_form(request)
    reason = str(form.get("reason", ""))
    try:
        erasure = ErasureRequest(reason=reason)
    except ValidationError as error:
        problem = list_problems(to_api_error(error, ErasureRequest)).get("reason", Message("is required"))
        return await _render_confirmation(request, signed_in, runtime, business_id, reason=reason, problem=problem)
    author = build_author(request, signed_in)
    try:
        accepted = await erasure_requests.erase_business(runtime, signed_in.organization_id, business_id, erasure, author)
    except Conflict:
        return await _render_confirmation(request, signed_in, runtime, business_id, reason=reason)
    return redirect(request, f"{ERASURES}/{accepted.erasure_id}")


@router.get(f"{ERASURES}/{{id}}")
async def read_erasure(request: Request, signed_in: Owner, runtime: ServedRuntime, erasure_id: PathId) -> Response:
    """How far an erasure has come."""
    erasure = await erasure_requests.read_erasure(runtime, signed_in.organization_id, erasure_id)
    return render_page(request, "businesses/erasure.html", erasure=erasure)


async def _render_confirmation(
    request: Request,
    signed_in: SignedIn,
    runtime: Runtime,
    business_id: PathId,
    *,
    reason: str = "",
    problem: Message | None = None,
) -> Response:
    record = await find_record(runtime, signed_in.organization_id, business_id=business_id)
    has_hold = (await read_settings(runtime, signed_in.organization_id)).legal_hold
    hold = await read_hold(runtime, signed_in.organization_id, business_id)
    is_refused = (has_hold or hold.held) and request.method == "POST"
    status = 422 if problem is not None else 409 if is_refused else 200
    return render_page(
        request,
        "businesses/erase.html",
        status,
        record=record,
        name_of=get_display_name,
        reason=reason,
        problem=problem if problem is not None else "",
        has_hold=has_hold,
        hold=hold,
    )
