"""Endpoints of business reports (create, read, raw evidence, PDF), and of PDF reports of searches and verifications.

Every endpoint parses, calls one service and renders. A signed URL needs no API key. `services/printing` and `pdf` define the
content of the pages.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import ErasureBody, build_author, describe_erasure
from bonafide.api.protocol.dependencies import Caller, PathId, PrefersPdf, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import (
    NO_HEADERS,
    NO_STORE,
    ResponseOrigin,
    create_document_response,
    create_file_response,
    create_stream_response,
)
from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.pdf_documents import PDF, PdfDocument, PdfRequest
from bonafide.model.verification.registry_report import RegistryReport, ReportRequest
from bonafide.services.manual_checks import report_requests
from bonafide.services.packs.pack_files import MEDIA_TYPES
from bonafide.services.packs.requests import open_signed_download
from bonafide.services.printing import pdf_reports
from bonafide.services.reports import business_reports, report_pdf, signed_urls
from bonafide.services.reports.report_pdf import ReportDocumentQuery
from bonafide.services.retention import erasure_requests
from bonafide.services.retention.erasure_requests import ErasableCheck

TAG = "Business reports"
BINARY = "application/octet-stream"
MAX_EVIDENCE_DIGITS = 4
router = APIRouter(prefix="/v1")
PDF_TAG = "PDF reports"


@endpoint(
    router,
    "POST",
    ("/business-reports",),
    OperationSpec(
        operation_id="createBusinessReport",
        summary="Create a business report",
        tag=TAG,
        scope=Scope.REPORTS_WRITE,
        body=ReportRequest,
        body_example="report_request",
        answers={200: OperationResponse("The register's report", RegistryReport, "registry_report")},
        errors=(NotFound,),
    ),
)
async def create_business_report(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    request: Annotated[ReportRequest, Depends(create_body_parser(ReportRequest))],
) -> Response:
    """Return everything that a register publishes about one registration, with its PDF and the raw responses behind it.

    A stored report that is at most `maxAge` hours old (24 by default) is returned again. Otherwise the register is queried, or its
    latest loaded data is used if the register cannot be queried automatically: see `route`, `asOf` and `notes`. Without such data,
    the result of your organization's manual check of the registration is used. 404 means that the register has no such number. If
    the register is unavailable, the status is 503 for a temporary failure and 400 if it cannot be queried at all; the error has
    the reason.
    """
    work = report_requests.get_business_report(runtime, caller, request)
    return await respond_once(work, lambda report: create_document_response(report, language))


@endpoint(
    router,
    "GET",
    ("/business-reports/document",),
    OperationSpec(
        operation_id="downloadBusinessReport",
        summary="Download a business report as PDF",
        tag=TAG,
        scope=Scope.REPORTS_READ,
        further_scopes={"searchId": Scope.SEARCH_READ},
        query=ReportDocumentQuery,
        answers={302: OperationResponse("A redirect to the signed URL of the PDF", headers=("Location",))},
        errors=(NotFound,),
    ),
)
async def download_business_report(
    runtime: ServedRuntime,
    caller: Caller,
    query: Annotated[ReportDocumentQuery, Depends(create_query_parser(ReportDocumentQuery))],
    language: ResponseLanguage,
) -> Response:
    """Redirect to the PDF of a search's match, or of a separately created report (use its `reportId` as `searchId`).

    This URL is permanent. The signed URL that it redirects to needs no API key and expires within minutes. For a search's match,
    the API key also needs the scope `search:read`.
    """
    address = await report_pdf.find_document(runtime, caller, query, language)
    return RedirectResponse(address.url, 302, NO_STORE)


@endpoint(
    router,
    "GET",
    ("/business-reports/{id}",),
    OperationSpec(
        operation_id="readBusinessReport",
        summary="Get a business report",
        tag=TAG,
        scope=Scope.REPORTS_READ,
        path_id="ReportId",
        answers={200: OperationResponse("The stored report", RegistryReport, "registry_report")},
        errors=(NotFound,),
    ),
)
async def read_business_report(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, report_id: PathId) -> Response:
    """Return a stored report with a new signed URL of its PDF. No register is queried."""
    return create_document_response(await business_reports.read_report(runtime, caller.organization_id, report_id), language)


async def _evidence_number(request: Request) -> int:
    text = request.path_params["number"]
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_EVIDENCE_DIGITS):
        raise ValidationFailed.of_field("number", Message("must be a whole number, counted from 0"))
    return int(text)


@endpoint(
    router,
    "GET",
    ("/business-reports/{id}/evidence/{number}",),
    OperationSpec(
        operation_id="readEvidence",
        summary="Get a raw response behind a report",
        tag=TAG,
        scope=Scope.REPORTS_READ,
        path_id="ReportId",
        parameters=(reference_parameter("EvidenceNumber"),),
        answers={200: OperationResponse("The bytes that the register sent", media_type=BINARY, headers=("Repr-Digest",))},
        errors=(NotFound,),
    ),
)
async def read_evidence(
    runtime: ServedRuntime, caller: Caller, report_id: PathId, number: Annotated[int, Depends(_evidence_number)]
) -> Response:
    """Return one response of the register, byte for byte. `Repr-Digest` is its SHA-256, as in the report's `evidence`."""
    evidence, content = await business_reports.read_evidence(runtime, caller.organization_id, report_id, number)
    # Never displayed inline: it may be an HTML page of another party.
    return create_file_response(content, BINARY, f"evidence-{report_id}-{number}.bin", sha256=evidence.sha256)


@router.get("/documents/{token}", include_in_schema=False)
async def read_document(runtime: ServedRuntime, token: str) -> Response:
    """Return the PDF or the examiner's pack of a signed URL; 404 if the signature is invalid or has expired."""
    organization_id, name = signed_urls.verify_token(runtime, token)
    packed = await open_signed_download(runtime, organization_id, name)
    if packed is not None:
        return create_stream_response(packed.parts, MEDIA_TYPES[packed.format], packed.file)
    content = await report_pdf.read_document(runtime, organization_id, name)
    return create_file_response(content, PDF, await report_pdf.read_file_name(runtime, organization_id, name), inline=True)


@endpoint(
    router, "POST", ("/business-reports/{id}/erase",), describe_erasure("eraseReport", "Erase a business report", TAG, "ReportId")
)
async def erase_report(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    report_id: PathId,
    erasure: ErasureBody,
) -> Response:
    """Erase a business report with the register's answers and its PDFs. This can't be undone.

    The report is unknown at once. A worker then erases its events and the content of its entries in the audit log, which can still
    be verified. Examiner's packs that may contain it are deleted. Verifications that used it are kept. `CONFLICT` means that a
    legal hold is in place, on the organization or on the business record with its number.
    """
    check, author = (ErasableCheck.REPORT, report_id), build_author(request, caller)
    work = erasure_requests.erase_check(runtime, caller.organization_id, check, erasure, author)
    return await respond_once(work, lambda accepted: create_document_response(accepted, language, 202))


@endpoint(
    router,
    "POST",
    ("/pdf",),
    OperationSpec(
        operation_id="createPdf",
        summary="Create a PDF report",
        tag=PDF_TAG,
        scope=Scope.REPORTS_WRITE,
        further_scopes={
            "searchId": Scope.SEARCH_READ,
            "verificationId": Scope.VERIFY_READ,
            "screeningId": Scope.SANCTIONS_READ,
            "ownershipBusinessId": Scope.BUSINESSES_READ,
            "ownershipReviewId": Scope.BUSINESSES_READ,
        },
        body=PdfRequest,
        body_example="pdf_request",
        answers={
            200: OperationResponse(
                "The signed URL of the PDF; or the PDF itself if `Accept` prefers `application/pdf`",
                PdfDocument,
                "pdf_document",
                media_type=PDF,
            )
        },
        errors=(NotFound, Conflict),
    ),
)
async def create_pdf(
    runtime: ServedRuntime,
    caller: Caller,
    request: Annotated[PdfRequest, Depends(create_body_parser(PdfRequest))],
    language: ResponseLanguage,
    prefers_pdf: PrefersPdf,
) -> Response:
    """Create the PDF report of a search, a completed verification, a screening, the ownership of a business or an ownership review.

    It has your organization's branding. The same stored result, language and branding (see the account settings) give the same file
    under a new signed URL. The URL needs no API key and expires within minutes. The API key also needs the scope of what is printed
    (`search:read`, `verify:read`, `sanctions:read` or `businesses:read`). 409 means that there is no result to print: it is not
    finished, or the verification failed.
    """
    _check_scope(caller, request)
    report = await pdf_reports.print_pdf(
        runtime, caller.organization_id, request, language, screens_owners=Scope.SANCTIONS_READ in caller.scopes
    )
    if prefers_pdf:
        origin = ResponseOrigin(report.document, PdfDocument, NO_HEADERS, report.stored_name)
        return create_file_response(report.content, PDF, report.file_name, sha256=report.document.sha256, origin=origin)
    return create_document_response(report.document, language, file=report.stored_name)


def _check_scope(caller: Principal, request: PdfRequest) -> None:
    """Raise `ScopeMissing` unless the key may read what is printed."""
    if request.search_id is not None:
        caller.check_scope(Scope.SEARCH_READ, "searchId")
    elif request.screening_id is not None:
        caller.check_scope(Scope.SANCTIONS_READ, "screeningId")
    elif request.ownership_business_id is not None:
        caller.check_scope(Scope.BUSINESSES_READ, "ownershipBusinessId")
    elif request.ownership_review_id is not None:
        caller.check_scope(Scope.BUSINESSES_READ, "ownershipReviewId")
    else:
        caller.check_scope(Scope.VERIFY_READ, "verificationId")
