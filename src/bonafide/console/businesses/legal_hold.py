"""The page of the legal hold on a business: why it is held, and a form that sets or lifts the hold."""

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from bonafide.console.businesses.record_fields import get_display_name
from bonafide.console.frame.console_request import Owner, PathId, ServedRuntime, build_author
from bonafide.console.frame.forms import list_problems, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.i18n.message import Message
from bonafide.model.accounts.retention import LegalHoldChange
from bonafide.model.accounts.users import SignedIn
from bonafide.runtime import Runtime
from bonafide.services.records.business_records import find_record
from bonafide.services.retention import legal_holds
from bonafide.web.validation_errors import to_api_error

HOLD_PATH = "/console/businesses/{id}/legal-hold"
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


@router.get(HOLD_PATH)
async def read_hold(request: Request, signed_in: Owner, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The hold on a business, with a form to change it."""
    return await _render_hold(request, signed_in, runtime, business_id)


@router.post(HOLD_PATH)
async def change_hold(request: Request, signed_in: Owner, runtime: ServedRuntime, business_id: PathId) -> Response:
    """Set the hold, replace its reason, or lift it."""
    form = await read_form(request)
    reason = str(form.get("reason", ""))
    try:
        change = LegalHoldChange.model_validate({"held": form.get("held") == "yes", "reason": reason})
    except ValidationError as error:
        problem = list_problems(to_api_error(error, LegalHoldChange)).get("reason", Message("is required"))
        return await _render_hold(request, signed_in, runtime, business_id, reason=reason, problem=problem)
    author = build_author(request, signed_in)
    await legal_holds.change_hold(runtime, signed_in.organization_id, business_id, change, author)
    return redirect(request, f"/console/businesses/{business_id}")


async def _render_hold(
    request: Request,
    signed_in: SignedIn,
    runtime: Runtime,
    business_id: PathId,
    *,
    reason: str = "",
    problem: Message | None = None,
) -> Response:
    return render_page(
        request,
        "businesses/legal_hold.html",
        422 if problem is not None else 200,
        record=await find_record(runtime, signed_in.organization_id, business_id=business_id),
        hold=await legal_holds.read_hold(runtime, signed_in.organization_id, business_id),
        name_of=get_display_name,
        reason=reason,
        problem=problem if problem is not None else "",
    )
