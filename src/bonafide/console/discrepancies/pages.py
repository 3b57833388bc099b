"""Pages of ownership discrepancies: all open ones, those of a business, the comparison, one discrepancy, one review, documents."""

from uuid import UUID

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from bonafide.console.businesses.record_fields import get_display_name
from bonafide.console.discrepancies import labels
from bonafide.console.discrepancies.decision_form import (
    CHOSEN,
    OF_OPEN,
    DecisionAction,
    SentDecision,
    parse_decision,
    read_decision,
    rename_decision_problems,
)
from bonafide.console.discrepancies.register_form import (
    MAX_ROWS,
    VERSION,
    RegisterForm,
    add_rows,
    build_register_form,
    list_form_problems,
    name_address,
    parse_register_form,
    rename_problems,
)
from bonafide.console.frame.console_request import (
    LIMITED_WORK,
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
    parse_choice,
    parse_day,
    parse_offset,
    parse_uuid,
    read_form,
)
from bonafide.console.frame.responses import create_download, redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ApiError, Conflict, NotFound, StaleWrite, ValidationFailed
from bonafide.matching.ownership.owner_differences import format_band
from bonafide.model.accounts.users import SignedIn
from bonafide.model.base import format_instant
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.ownership.discrepancies import DiscrepancyChange, DiscrepancyStatus
from bonafide.model.pdf_documents import PDF, PdfRequest
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.records.documents import MAX_DOCUMENT_BYTES
from bonafide.runtime import Runtime
from bonafide.services.ownership import discrepancies, reviews
from bonafide.services.printing import pdf_reports
from bonafide.services.records import business_records, documents
from bonafide.services.records.uploads import UploadedDocument

ALL_OPEN = "/console/discrepancies"
BUSINESS = "/console/businesses/{id}"
PAGE_SIZE = 25
SHOWN_REVIEWS = 20
"""Reviews of a business that its page lists."""
_MIB = 1024 * 1024
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


# ----------------------------------------------------------------------------------------------------------- comparing


@router.get(f"{BUSINESS}/ownership-reviews/new")
async def compare_page(request: Request, signed_in: Analyst, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The form for the register's entry, beside the declared owners."""
    record = await business_records.find_record(runtime, signed_in.organization_id, business_id=business_id)
    return await _render_comparison(request, signed_in, runtime, record, build_register_form())


@router.post(f"{BUSINESS}/ownership-reviews/new", dependencies=[UPLOAD_FORM, LIMITED_WORK])
async def compare(request: Request, signed_in: Analyst, runtime: ServedRuntime, business_id: PathId) -> Response:
    """Store the evidence, compare, and show the review."""
    organization_id, form = signed_in.organization_id, await read_form(request)
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    sent = parse_register_form(form)
    if "more" in form:
        return await _render_comparison(request, signed_in, runtime, record, add_rows(sent.form))
    if sent.request is None:
        return await _render_comparison(request, signed_in, runtime, record, sent.form)
    uploaded, expected = None, sent.form.texts.get(VERSION, "")
    try:
        uploaded = await _store_upload(request, signed_in, runtime, business_id, form)
        asked = sent.request.model_copy(update={"document_ids": tuple(sent.form.with_document(uploaded).document_ids)})
        author = build_author(request, signed_in)
        done = await reviews.review_ownership(runtime, organization_id, business_id, asked, author, expected=expected)
    except ValidationFailed as refusal:
        shown = sent.form.with_document(uploaded).with_problems(rename_problems(refusal, sent.form))
        return await _render_comparison(request, signed_in, runtime, record, shown)
    except Conflict as refusal:
        shown = sent.form.with_document(uploaded)
        return await _render_comparison(request, signed_in, runtime, record, shown, refusal)
    return redirect(request, f"{BUSINESS.format(id=business_id)}/ownership-reviews/{done.review.id}")


async def _store_upload(request: Request, signed_in: SignedIn, runtime: Runtime, business_id: UUID, form: FormData) -> UUID | None:
    """Store the file of a form; None without one. Raises `ValidationFailed`."""
    file = get_uploaded_file(form, "file")
    if file is None:
        return None
    upload = UploadedDocument(get_file_name(file, "document"), await file.read(), "file")
    stored = await documents.add_document(runtime, signed_in.organization_id, business_id, upload, build_author(request, signed_in))
    return stored.id


async def _render_comparison(
    request: Request,
    signed_in: SignedIn,
    runtime: Runtime,
    record: BusinessRecord,
    form: RegisterForm,
    refusal: ApiError | None = None,
) -> Response:
    today, consulted_on = runtime.clock().date(), parse_day(form.texts.get("consultedOn", ""))
    day = consulted_on if consulted_on is not None and consulted_on <= today else today
    declared = await reviews.read_declared_side(runtime, signed_in.organization_id, record.id, day)
    kept = await documents.list_documents(runtime, signed_in.organization_id, record.id)
    return _render(
        request,
        "discrepancies/compare.html",
        refusal.status if refusal is not None else 422 if form.problems else 200,
        record=record,
        form=form,
        problems=list_form_problems(form, declared.side),
        refusal=refusal,
        declared=declared.side,
        version=declared.version,
        day=day,
        place_of=name_address,
        documents=kept.documents,
        is_federal=record.jurisdiction is Jurisdiction.FED,
        today=today.isoformat(),
        max_mib=MAX_DOCUMENT_BYTES // _MIB,
        max_rows=MAX_ROWS,
    )


# ------------------------------------------------------------------------------------------------------------- reading


@router.get(ALL_OPEN)
async def list_open_discrepancies(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """All open discrepancies of the organization, overdue ones first, then by due date."""
    page = await discrepancies.list_open_discrepancies(runtime, signed_in.organization_id, PAGE_SIZE, parse_offset(request))
    ids = {one.business_id for one in page.discrepancies}
    names = {
        one: get_display_name(await business_records.find_record(runtime, signed_in.organization_id, business_id=one))
        for one in ids
    }
    return _render(request, "discrepancies/open.html", page=page, names=names, now=runtime.clock())


@router.get(f"{BUSINESS}/discrepancies")
async def list_business_discrepancies(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The discrepancies, reviews and documents of one business."""
    organization_id = signed_in.organization_id
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    page = await discrepancies.list_discrepancies(runtime, organization_id, business_id, None, PAGE_SIZE, parse_offset(request))
    listed, reviewed = await reviews.list_reviews(runtime, organization_id, business_id, SHOWN_REVIEWS, 0)
    kept = await documents.list_documents(runtime, organization_id, business_id)
    return _render(
        request,
        "discrepancies/business.html",
        record=record,
        page=page,
        reviews=listed,
        reviewed=reviewed,
        documents=kept.documents,
        now=runtime.clock(),
    )


@router.get(f"{BUSINESS}/discrepancies/{{item_id}}")
async def read_discrepancy(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """One discrepancy, side by side, with its decisions and the forms to decide."""
    return await _render_discrepancy(request, signed_in, runtime, business_id)


@router.get(f"{BUSINESS}/ownership-reviews/{{item_id}}")
async def read_review(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """One review: both sides, the differences, the evidence."""
    organization_id = signed_in.organization_id
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    review = await reviews.read_review(runtime, organization_id, business_id, _get_item_id(request))
    found = {
        one: await discrepancies.read_discrepancy(runtime, organization_id, business_id, one)
        for one in (*(difference.discrepancy_id for difference in review.differences), *review.gone)
    }
    return _render(request, "discrepancies/review.html", record=record, review=review, found=found, now=runtime.clock())


@router.get(f"{BUSINESS}/ownership-reviews/{{item_id}}/report.pdf", dependencies=[LIMITED_WORK])
async def review_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The report of a review as a PDF in the page's language."""
    review = await reviews.read_review(runtime, signed_in.organization_id, business_id, _get_item_id(request))
    wanted, language = PdfRequest(ownership_review_id=review.id), get_console_request(request).language
    report = await pdf_reports.print_pdf(runtime, signed_in.organization_id, wanted, language)
    return create_download(report.content, PDF, report.file_name)


@router.get(f"{BUSINESS}/documents/{{item_id}}/content")
async def download_document(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The file of a document, to save."""
    document, content = await documents.read_document(runtime, signed_in.organization_id, business_id, _get_item_id(request))
    name = f"document-{document.id}.{document.media_type.extension}"
    return create_download(content, "application/octet-stream", name)


def _get_item_id(request: Request) -> UUID:
    """The second ID of the path. Raises `NotFound` for anything but a UUID."""
    found = parse_uuid(request.path_params["item_id"])
    if found is None:
        raise NotFound
    return found


def _render(request: Request, template: str, status: int = 200, **context: object) -> Response:
    shared = {
        "labels": labels,
        "name_of": get_display_name,
        "band": format_band,
        "subject_of": labels.get_subject_name,
        "days_left": labels.count_days_left,
    }
    return render_page(request, template, status, **shared, **context)


# ------------------------------------------------------------------------------------------------------------- deciding


@router.post(f"{BUSINESS}/discrepancies/{{item_id}}/{{action}}", dependencies=[UPLOAD_FORM])
async def decide(request: Request, signed_in: Analyst, runtime: ServedRuntime, business_id: PathId) -> Response:
    """Resolve, report, reclassify or reopen the discrepancy, unless somebody else has decided meanwhile."""
    organization_id, discrepancy_id = signed_in.organization_id, _get_item_id(request)
    action = parse_choice(DecisionAction, request.path_params["action"])
    if action is None:
        raise NotFound
    await discrepancies.read_discrepancy(runtime, organization_id, business_id, discrepancy_id)
    form = await read_form(request)
    sent = read_decision(action, form)
    # A dry run first: no file is stored for a form that is refused.
    has_file = get_uploaded_file(form, "file") is not None
    change = parse_decision(sent, UUID(int=0) if has_file else None)
    if not isinstance(change, DiscrepancyChange):
        return await _render_discrepancy(request, signed_in, runtime, business_id, change)
    uploaded = None
    try:
        uploaded = await _store_upload(request, signed_in, runtime, business_id, form)
        change = parse_decision(sent, uploaded)
        assert isinstance(change, DiscrepancyChange)  # noqa: S101 - it was valid with another ID
        author = build_author(request, signed_in)
        await discrepancies.change_discrepancy(runtime, organization_id, business_id, discrepancy_id, change, author)
    except ValidationFailed as refusal:
        shown = sent.with_document(uploaded).with_problems(rename_decision_problems(refusal))
        return await _render_discrepancy(request, signed_in, runtime, business_id, shown)
    except (Conflict, StaleWrite) as refusal:
        return await _render_discrepancy(request, signed_in, runtime, business_id, sent.with_document(uploaded), refusal)
    return redirect(request, f"{BUSINESS.format(id=business_id)}/discrepancies/{discrepancy_id}")


async def _render_discrepancy(
    request: Request,
    signed_in: SignedIn,
    runtime: Runtime,
    business_id: UUID,
    sent: SentDecision | None = None,
    refusal: ApiError | None = None,
) -> Response:
    organization_id = signed_in.organization_id
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    found = await discrepancies.read_discrepancy(runtime, organization_id, business_id, _get_item_id(request))
    kept = await documents.list_documents(runtime, organization_id, business_id)
    action = sent.action if sent is not None else parse_choice(DecisionAction, request.query_params.get("decision", ""))
    possible = OF_OPEN if found.status is DiscrepancyStatus.OPEN else (DecisionAction.REOPEN,)
    return _render(
        request,
        "discrepancies/discrepancy.html",
        refusal.status if refusal is not None else 200 if sent is None else 422,
        record=record,
        discrepancy=found,
        documents=kept.documents,
        document_names={document.id: document.name for document in kept.documents},
        action=action if action in possible else possible[0],
        chosen_field=CHOSEN,
        sent=sent,
        refusal=refusal,
        version=format_instant(found.updated_at),
        today=runtime.clock().date().isoformat(),
        max_mib=MAX_DOCUMENT_BYTES // _MIB,
        now=runtime.clock(),
    )
