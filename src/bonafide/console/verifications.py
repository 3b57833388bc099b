"""Verifications: listed, asked for with a form, and each on a page of its own with the claim beside what the register states.

What one is and does stands in `services/verification`; a page that waits for one asks again by itself.
"""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from bonafide.console import words
from bonafide.console.access import IN_TURN, Analyst, PathId, ServedRuntime, Viewer
from bonafide.console.forms import read_form
from bonafide.console.lists import offset_of
from bonafide.console.page import fragment, is_partial, page, see
from bonafide.console.route import ConsoleRoute
from bonafide.console.verification_form import ADD, MAX_ROWS, Shown, request_of, shown_again, shown_of_record, shown_of_subject
from bonafide.console.verification_view import rows_of, sentences_of
from bonafide.console.visit import visit_of
from bonafide.errors import NotFound, ValidationFailed
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.verification.results import VerificationState
from bonafide.model.verification.requests import VerifyRequest
from bonafide.runtime import Runtime
from bonafide.services import businesses
from bonafide.services.lookup import LOOK_HERE
from bonafide.services.past_verifications import past_verifications, standing
from bonafide.services.verification import create_verification
from bonafide.services.verification_order import Asker
from bonafide.web.exchange import exchange_of

ADDRESS = "/console/verifications"
ONE = "/{id}"
PAGE_SIZE = 25
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class _Form:
    """What the form shows: what is filled in, the stored business that it refers to, and what is wrong with it."""

    shown: Shown
    record: BusinessRecord | None = None
    problems: dict[str, str] = field(default_factory=dict)


@router.get("")
async def list_verifications(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the list, newest first."""
    found = await past_verifications(runtime, signed_in.organization_id, PAGE_SIZE, offset_of(request))
    return page(
        request,
        "verifications/list.html",
        verifications=found.verifications,
        pagination=found.pagination,
        can_work=signed_in.may(Permission.WORK),
        words=words,
    )


@router.get("/new")
async def new_verification(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """The form: empty, or with what a stored business says (`?business=`), or with what was verified before (`?again=`)."""
    business_id, again = (_uuid(request.query_params.get(name, "")) for name in ("business", "again"))
    if business_id is not None:
        record = await businesses.find(runtime, signed_in.organization_id, business_id=business_id)
        return _form_page(request, _Form(shown_of_record(record), record))
    if again is not None:
        before = await standing(runtime, signed_in.organization_id, again, visit_of(request).language)
        order = before.verification.order
        record_of = await _record(runtime, signed_in, str(order.business_id or ""))
        return _form_page(request, _Form(shown_of_subject(order.subject), record_of))
    return _form_page(request, _Form(Shown()))


@router.post("", dependencies=[IN_TURN])
async def verify(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Verify what the form says, or show the form with one more row for a person."""
    form = await read_form(request)
    if ADD in form:
        return _form_page(request, await _again(runtime, signed_in, form, {}))
    sent = request_of(form)
    if sent.value is None:
        return _form_page(request, await _again(runtime, signed_in, form, dict(sent.problems)))
    try:
        verification_id = await _verified(request, signed_in, runtime, sent.value)
    except ValidationFailed as refusal:
        problems = {problem.path: problem.message for problem in refusal.details}
        return _form_page(request, await _again(runtime, signed_in, form, problems))
    return see(request, f"{ADDRESS}/{verification_id}")


@router.get(ONE)
async def verification_page(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """What the verification came to, or where it stands. A page that waits asks for that, and says what it shows (`?shown=`)."""
    found = await standing(runtime, signed_in.organization_id, verification_id, visit_of(request).language)
    is_over = found.state in {VerificationState.COMPLETED, VerificationState.FAILED}
    if is_partial(request) and is_over:
        return Response(status_code=204, headers={"HX-Refresh": "true"})
    if is_partial(request) and request.query_params.get("shown") == found.state:
        return Response(status_code=204)
    context: dict[str, Any] = {
        "found": found,
        "order": found.verification.order,
        "look_here": LOOK_HERE,
        "can_work": signed_in.may(Permission.WORK),
        "words": words,
    }
    if is_partial(request):
        return fragment(request, "verifications/standing.html", "standing", **context)
    if found.document is None:
        return page(request, "verifications/standing.html", is_over=is_over, **context)
    return page(
        request,
        "verifications/result.html",
        document=found.document,
        rows=rows_of(found.document),
        sentences=sentences_of(found.document),
        source=runtime.sources.get(found.document.registry_data.source) if found.document.registry_data is not None else None,
        **context,
    )


async def _verified(request: Request, signed_in: SignedIn, runtime: Runtime, wanted: VerifyRequest) -> UUID:
    asker = Asker(
        identity=signed_in.user.email,
        request_id=exchange_of(request.scope).request_id,
        language=visit_of(request).language,
    )
    return (await create_verification(runtime, signed_in.principal, wanted, asker)).verification_id


async def _again(runtime: Runtime, signed_in: SignedIn, form: FormData, problems: dict[str, str]) -> _Form:
    record = await _record(runtime, signed_in, str(form.get("businessId", "")))
    return _Form(shown_again(form), record, problems)


async def _record(runtime: Runtime, signed_in: SignedIn, business_id: str) -> BusinessRecord | None:
    """The stored business that a form refers to; None where it refers to none, or to one that is gone."""
    wanted = _uuid(business_id)
    if wanted is None:
        return None
    try:
        return await businesses.find(runtime, signed_in.organization_id, business_id=wanted)
    except NotFound:
        return None


def _form_page(request: Request, form: _Form) -> Response:
    return page(
        request,
        "verifications/new.html",
        status=422 if form.problems else 200,
        shown=form.shown,
        record=form.record,
        problems=form.problems,
        jurisdictions=Jurisdiction,
        may_add=len(form.shown.rows) < MAX_ROWS,
        add=ADD,
        words=words,
    )


def _uuid(given: str) -> UUID | None:
    try:
        return UUID(given)
    except ValueError:
        return None
