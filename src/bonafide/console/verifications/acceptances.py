"""Forms with which a person accepts a discrepancy of a verification, or revokes that, and what its page shows of them."""

from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import Analyst, PathId, ServedRuntime, build_author
from bonafide.console.frame.forms import parse_form, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.verifications.discrepancy_labels import get_discrepancy_label
from bonafide.errors import Conflict, ValidationFailed
from bonafide.model.verification.acceptance import AcceptanceRequest, AcceptanceRevocation
from bonafide.model.verification.results import VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.manual_checks.opening import list_subjects
from bonafide.services.manual_checks.reading import list_open_checks
from bonafide.services.verification import acceptances

VERIFICATIONS = "/console/verifications"
VERIFICATION_PATH = "/{id}"
router = APIRouter(prefix=VERIFICATIONS, include_in_schema=False, route_class=ConsoleRoute)


async def build_decision_context(runtime: Runtime, organization_id: UUID, document: VerifyResponse) -> dict[str, Any]:
    """What the page of a completed verification shows of its discrepancies and the decisions about them."""
    return {
        "decisions": await acceptances.list_decisions(runtime, organization_id, document),
        "acceptance_reasons": await acceptances.list_reasons(runtime, organization_id),
        "label_of": get_discrepancy_label,
    }


async def build_check_context(
    runtime: Runtime, organization_id: UUID, verification_id: UUID, business_id: UUID | None
) -> dict[str, Any]:
    """The open manual checks that a verification needs, for its page."""
    subjects = list_subjects(business_id, verification_id=verification_id)
    return {"open_checks": await list_open_checks(runtime, organization_id, subjects)}


@router.post(f"{VERIFICATION_PATH}/discrepancies/accept")
async def accept_discrepancy(request: Request, signed_in: Analyst, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """Accept the discrepancy of the field `field`, and return to it on the page."""
    form = await read_form(request)
    field, sent = str(form.get("field", "")), parse_form(AcceptanceRequest, form)
    if sent.value is None:
        return _render_refusal(request, verification_id, ValidationFailed.of_field(*next(iter(sent.problems.items()))))
    author = build_author(request, signed_in)
    try:
        await acceptances.accept_discrepancy(runtime, signed_in.organization_id, verification_id, field, sent.value, author)
    except (Conflict, ValidationFailed) as refusal:
        return _render_refusal(request, verification_id, refusal)
    return redirect(request, f"{VERIFICATIONS}/{verification_id}#discrepancies")


@router.post(f"{VERIFICATION_PATH}/discrepancies/revoke")
async def revoke_acceptance(request: Request, signed_in: Analyst, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """Revoke the acceptance of the field `field`, and return to it on the page."""
    form = await read_form(request)
    field, sent = str(form.get("field", "")), parse_form(AcceptanceRevocation, form)
    if sent.value is None:
        return _render_refusal(request, verification_id, ValidationFailed.of_field(*next(iter(sent.problems.items()))))
    author = build_author(request, signed_in)
    try:
        await acceptances.revoke_acceptance(runtime, signed_in.organization_id, verification_id, field, sent.value, author)
    except Conflict as refusal:
        return _render_refusal(request, verification_id, refusal)
    return redirect(request, f"{VERIFICATIONS}/{verification_id}#discrepancies")


def _render_refusal(request: Request, verification_id: UUID, refusal: Conflict | ValidationFailed) -> Response:
    status = 409 if isinstance(refusal, Conflict) else 422
    return render_page(
        request, "verifications/refused.html", status, refusal=refusal, back=f"{VERIFICATIONS}/{verification_id}#discrepancies"
    )
