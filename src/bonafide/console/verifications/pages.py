"""Pages of verifications: list, form, status and result, and downloads (PDF, JSON, the register's report and raw evidence).

The page of a pending verification reloads itself. Raw evidence may be a third party's HTML, so it is always downloaded, never
displayed.
"""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from bonafide.console.frame.console_request import LIMITED_WORK, Analyst, PathId, ServedRuntime, Viewer, get_console_request
from bonafide.console.frame.forms import list_problems, parse_number, parse_uuid, read_form
from bonafide.console.frame.manual_lookup import split_manual_lookup
from bonafide.console.frame.responses import create_download, is_partial_request, redirect, render_fragment, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists.definitions import VERIFICATIONS, build_verification_filter
from bonafide.console.lists.opened_list import open_list
from bonafide.console.risk.rating_section import NO_RATING, build_rating_context
from bonafide.console.sanctions.screening import build_screening_view, get_list_title
from bonafide.console.verifications.acceptances import build_check_context, build_decision_context
from bonafide.console.verifications.form import (
    ADD_BUTTON,
    MAX_PEOPLE_ROWS,
    VerificationFormValues,
    parse_verify_request,
    values_from_form,
    values_from_record,
    values_from_spec,
)
from bonafide.console.verifications.view import build_rows, build_sentences, build_verdict
from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.pdf_documents import PDF, PdfRequest
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import VerificationState, VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.printing import pdf_reports
from bonafide.services.records import business_records
from bonafide.services.reports import business_reports, report_pdf
from bonafide.services.verification.lifecycle import (
    create_verification,
    list_past_verifications,
    read_verification,
    read_verification_detail,
)
from bonafide.services.verification.sanctions import apply_current_dismissals
from bonafide.services.verification.spec import VerificationRequester
from bonafide.web.request_context import get_request_context

ADDRESS = VERIFICATIONS.address
VERIFICATION_PATH = "/{id}"
PAGE_SIZE = 25
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)
_MAX_DIGITS = 4


@dataclass(frozen=True, slots=True)
class _FormState:
    """The content of the form: its values, the business record that it refers to, and its problems."""

    shown: VerificationFormValues
    record: BusinessRecord | None = None
    problems: dict[str, Message] = field(default_factory=dict)


@router.get("")
async def list_verifications(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the list, newest first. Raises `ValidationFailed` for an invalid cursor."""
    opened = await open_list(request, signed_in, VERIFICATIONS)
    if opened.default_address is not None:
        return redirect(request, opened.default_address)
    stored, cursor = build_verification_filter(opened.chosen), opened.chosen.cursor
    found = await list_past_verifications(runtime, signed_in.organization_id, PAGE_SIZE, stored, cursor)
    return render_page(
        request,
        "verifications/list.html",
        list=opened,
        verifications=found.verifications,
        older=found.older,
    )


@router.get("/new")
async def new_verification(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """The form: empty, or prefilled from a business record (`?business=`) or an earlier verification (`?again=`)."""
    business_id, again = (parse_uuid(request.query_params.get(name, "")) for name in ("business", "again"))
    if business_id is not None:
        record = await business_records.find_record(runtime, signed_in.organization_id, business_id=business_id)
        return _render_form(request, _FormState(values_from_record(record), record))
    if again is not None:
        before = await read_verification_detail(runtime, signed_in.organization_id, again, get_console_request(request).language)
        order = before.verification.spec
        record_of = await _find_record(runtime, signed_in, str(order.business_id or ""))
        return _render_form(request, _FormState(values_from_spec(order), record_of))
    return _render_form(request, _FormState(VerificationFormValues()))


@router.post("", dependencies=[LIMITED_WORK])
async def verify(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Create the verification, or show the form with another row for a person."""
    form = await read_form(request)
    if ADD_BUTTON in form:
        return _render_form(request, await _refill_form(runtime, signed_in, form, {}))
    sent = parse_verify_request(form)
    if sent.value is None:
        return _render_form(request, await _refill_form(runtime, signed_in, form, dict(sent.problems)))
    requester = VerificationRequester(
        identity=signed_in.user.email,
        request_id=get_request_context(request.scope).request_id,
        language=get_console_request(request).language,
    )
    try:
        created = await create_verification(runtime, signed_in.principal, sent.value, requester)
    except ValidationFailed as refusal:
        return _render_form(request, await _refill_form(runtime, signed_in, form, list_problems(refusal)))
    return redirect(request, f"{ADDRESS}/{created.verification_id}")


@router.get(VERIFICATION_PATH)
async def verification_page(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """The result of the verification, or its progress. A pending page polls for changes to the state that it shows (`?shown=`)."""
    found = await read_verification_detail(
        runtime, signed_in.organization_id, verification_id, get_console_request(request).language
    )
    is_over = found.state in {VerificationState.COMPLETED, VerificationState.FAILED}
    if is_partial_request(request) and is_over:
        return Response(status_code=204, headers={"HX-Refresh": "true"})
    if is_partial_request(request) and request.query_params.get("shown") == found.state:
        return Response(status_code=204)
    context: dict[str, Any] = {
        "found": found,
        "order": found.verification.spec,
        "failure": split_manual_lookup(found.reason) if found.reason is not None else (None, None),
    }
    if is_partial_request(request):
        return render_fragment(request, "verifications/standing.html", "standing", **context)
    if found.document is None:
        context |= await build_check_context(runtime, signed_in.organization_id, verification_id, context["order"].business_id)
        return render_page(request, "verifications/standing.html", is_over=is_over, **context)
    # The stored document doesn't change when a hit is dismissed later, so dismissals are applied here.
    screening = await apply_current_dismissals(runtime, signed_in.organization_id, found.document)
    current = found.document.model_copy(update={"sanctions": screening})
    return render_page(
        request,
        "verifications/result.html",
        document=found.document,
        summary=build_verdict(current, get_console_request(request).language),
        screening=screening,
        found_hits=build_screening_view(request, screening, {"verification": verification_id}) if screening is not None else None,
        title_of=lambda key: get_list_title(request, key),
        rows=build_rows(found.document),
        sentences=build_sentences(found.document),
        **await _build_rating(request, runtime, signed_in, found.document.meta.business_id),
        **await build_decision_context(runtime, signed_in.organization_id, found.document),
        source=runtime.sources.get(found.document.registry_data.source) if found.document.registry_data is not None else None,
        **context,
    )


async def _build_rating(request: Request, runtime: Runtime, signed_in: SignedIn, business_id: UUID | None) -> dict[str, Any]:
    """The present rating of the record that was verified."""
    record = await _find_record(runtime, signed_in, str(business_id)) if business_id is not None else None
    if record is None:
        return NO_RATING
    language = get_console_request(request).language
    return await build_rating_context(runtime, signed_in.organization_id, record.risk, language, record.id)


async def _refill_form(runtime: Runtime, signed_in: SignedIn, form: FormData, problems: dict[str, Message]) -> _FormState:
    record = await _find_record(runtime, signed_in, str(form.get("businessId", "")))
    return _FormState(values_from_form(form), record, problems)


async def _find_record(runtime: Runtime, signed_in: SignedIn, business_id: str) -> BusinessRecord | None:
    """The business record that a form refers to; None if it refers to none or the record no longer exists."""
    wanted = parse_uuid(business_id)
    if wanted is None:
        return None
    try:
        return await business_records.find_record(runtime, signed_in.organization_id, business_id=wanted)
    except NotFound:
        return None


def _render_form(request: Request, form: _FormState) -> Response:
    return render_page(
        request,
        "verifications/new.html",
        status=422 if form.problems else 200,
        shown=form.shown,
        record=form.record,
        problems=form.problems,
        jurisdictions=Jurisdiction,
        may_add=len(form.shown.rows) < MAX_PEOPLE_ROWS,
        add=ADD_BUTTON,
    )


@router.get(f"{VERIFICATION_PATH}/report.pdf", dependencies=[LIMITED_WORK])
async def verification_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """The verification report as a PDF in the page's language. Raises `NotFound`, and `Conflict` before the verification ends."""
    wanted = PdfRequest(verification_id=verification_id)
    report = await pdf_reports.print_pdf(runtime, signed_in.organization_id, wanted, get_console_request(request).language)
    return create_download(report.content, PDF, report.file_name)


@router.get(f"{VERIFICATION_PATH}/result.json")
async def verification_document(signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """The verification, as the API returns it."""
    document = await read_verification(runtime, signed_in.organization_id, verification_id)
    name = f"verification-{verification_id}.json"
    if isinstance(document, VerifyResponse):
        name = report_pdf.build_file_name(document.meta.submitted.legal_name, document.meta.verified_at.date(), "json")
    return create_download(document.to_json().encode(), "application/json", name)


@router.get(f"{VERIFICATION_PATH}/register.pdf", dependencies=[LIMITED_WORK])
async def register_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """The register's business report as a PDF."""
    report = await _find_report(request, runtime, signed_in.organization_id, verification_id)
    name = report_pdf.build_report_document_name(report.report_id, get_console_request(request).language)
    content = await report_pdf.read_document(runtime, signed_in.organization_id, name)
    return create_download(content, PDF, await report_pdf.read_file_name(runtime, signed_in.organization_id, name))


@router.get(VERIFICATION_PATH + "/evidence/{number}")
async def evidence(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId, number: str) -> Response:
    """One raw response of the register, unchanged."""
    wanted = parse_number(number, _MAX_DIGITS)
    if wanted is None:
        raise NotFound
    report = await _find_report(request, runtime, signed_in.organization_id, verification_id)
    _, content = await business_reports.read_evidence(runtime, signed_in.organization_id, report.report_id, wanted)
    return create_download(content, "application/octet-stream", f"evidence-{report.report_id}-{number}.bin")


async def _find_report(request: Request, runtime: Runtime, organization_id: UUID, verification_id: UUID) -> RegistryReport:
    found = await read_verification_detail(runtime, organization_id, verification_id, get_console_request(request).language)
    report = found.document.registry_data if found.document is not None else None
    if report is None:
        raise NotFound
    return report
