"""Endpoints of business reports (create, read, raw evidence, PDF), and of searches and verifications in print.

Every endpoint parses, calls one service and renders. A signed address needs no key: it is one. `services/printing` and `pdf`
decide what is on the pages.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.protocol.dependencies import Caller, PathId, PrefersPdf, ServedRuntime
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import NO_STORE, create_document_response, create_file_response
from bonafide.errors import Conflict, FieldProblem, NotFound, ScopeMissing
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.pdf_documents import PDF, PdfDocument, PdfRequest
from bonafide.model.verification.registry_report import RegistryReport, ReportRequest
from bonafide.services.printing import pdf_reports
from bonafide.services.reports import business_reports, report_pdf, signed_urls
from bonafide.services.reports.report_pdf import ReportDocumentQuery
from bonafide.web.accept_language import PreferredLanguage
from bonafide.web.validation_errors import create_validation_error

TAG = "Business reports"
BINARY = "application/octet-stream"
MAX_EVIDENCE_DIGITS = 4
router = APIRouter(prefix="/v1")
PDF_TAG = "Reports as PDF"


@endpoint(
    router,
    "POST",
    ("/business-reports",),
    OperationSpec(
        operation_id="createBusinessReport",
        summary="Obtain a business report",
        tag=TAG,
        scope=Scope.REPORTS_WRITE,
        body=ReportRequest,
        body_example="report_request",
        answers={200: OperationResponse("The register's report", RegistryReport, "registry_report")},
        errors=(NotFound,),
    ),
)
async def create_business_report(
    runtime: ServedRuntime, caller: Caller, request: Annotated[ReportRequest, Depends(create_body_parser(ReportRequest))]
) -> Response:
    """All that a register publishes of one registration, with its PDF and the raw answers that it was made from.

    A report that is not older than `maxAge` hours (24 by default) is given again; otherwise the register is asked, or its newest
    loaded data read where no program may ask it: `route`, `asOf` and `notes` say which. 404 means that the register has no such
    number. When it can't be looked at, that is 503 if it may be later, and 400 if no program can; both say why.
    """
    return create_document_response(await business_reports.get_business_report(runtime, caller, request))


@endpoint(
    router,
    "GET",
    ("/business-reports/document",),
    OperationSpec(
        operation_id="downloadBusinessReport",
        summary="Download a business report as PDF",
        tag=TAG,
        scope=Scope.REPORTS_READ,
        query=ReportDocumentQuery,
        parameters=(reference_parameter("Accept-Language"),),
        answers={302: OperationResponse("The signed address of the PDF, in `Location`", headers=("Location",))},
        errors=(NotFound,),
    ),
)
async def download_business_report(
    runtime: ServedRuntime,
    caller: Caller,
    query: Annotated[ReportDocumentQuery, Depends(create_query_parser(ReportDocumentQuery))],
    language: PreferredLanguage,
) -> Response:
    """Leads to the PDF of a match of a search, or of a report obtained by itself (its id is its `searchId`).

    This address stays; the one it leads to needs no key and expires within minutes.
    """
    chosen = Language(language.value) if language is not None else Language.ENGLISH
    address = await report_pdf.find_document(runtime, caller.organization_id, query, chosen)
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
        answers={200: OperationResponse("The kept report", RegistryReport, "registry_report")},
        errors=(NotFound,),
    ),
)
async def read_business_report(runtime: ServedRuntime, caller: Caller, report_id: PathId) -> Response:
    """A report as it was obtained, with a new address of its PDF. No register is asked."""
    return create_document_response(await business_reports.read_report(runtime, caller.organization_id, report_id))


async def _evidence_number(request: Request) -> int:
    text = request.path_params["number"]
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_EVIDENCE_DIGITS):
        raise create_validation_error([FieldProblem("number", "must be a whole number, counted from 0")])
    return int(text)


@endpoint(
    router,
    "GET",
    ("/business-reports/{id}/evidence/{number}",),
    OperationSpec(
        operation_id="readEvidence",
        summary="Get a raw answer behind a report",
        tag=TAG,
        scope=Scope.REPORTS_READ,
        path_id="ReportId",
        parameters=(reference_parameter("EvidenceNumber"),),
        answers={200: OperationResponse("The bytes as the register sent them", media_type=BINARY, headers=("Repr-Digest",))},
        errors=(NotFound,),
    ),
)
async def read_evidence(
    runtime: ServedRuntime, caller: Caller, report_id: PathId, number: Annotated[int, Depends(_evidence_number)]
) -> Response:
    """One answer of the register, byte for byte. `Repr-Digest` is its SHA-256, the same as in the report's `evidence`."""
    evidence, content = await business_reports.read_evidence(runtime, caller.organization_id, report_id, number)
    # Never shown by a browser: it may be a page, and it isn't ours.
    return create_file_response(content, BINARY, f"evidence-{report_id}-{number}.bin", sha256=evidence.sha256)


@router.get("/documents/{token}", include_in_schema=False)
async def read_document(runtime: ServedRuntime, token: str) -> Response:
    """The PDF that a signed address names; 404 when the address was not signed here, or has expired."""
    organization_id, name = signed_urls.verify_token(runtime, token)
    content = await report_pdf.read_document(runtime, organization_id, name)
    return create_file_response(content, PDF, await report_pdf.read_file_name(runtime, organization_id, name), inline=True)


@endpoint(
    router,
    "POST",
    ("/pdf",),
    OperationSpec(
        operation_id="createPdf",
        summary="Print a search or a verification",
        tag=PDF_TAG,
        scope=Scope.REPORTS_WRITE,
        body=PdfRequest,
        body_example="pdf_request",
        parameters=(reference_parameter("Accept-Language"),),
        answers={
            200: OperationResponse(
                "Where the PDF is; or, where `Accept` prefers `application/pdf`, the PDF itself",
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
    language: PreferredLanguage,
    prefers_pdf: PrefersPdf,
) -> Response:
    """The report of a search or of a completed verification, in your organization's colours (`branding` of the account settings).

    It is made once for what is stored, the language and the look: asked for again it is the same file under a new address. The
    address needs no key and expires within minutes. The key must also be allowed to read what is printed (`search:read` or
    `verify:read`). 409 means that there is nothing to print: it is still under way, or the verification failed.
    """
    _check_scope(caller, Scope.SEARCH_READ if request.search_id is not None else Scope.VERIFY_READ)
    chosen = Language(language.value) if language is not None else Language.ENGLISH
    report = await pdf_reports.print_pdf(runtime, caller.organization_id, request, chosen)
    if prefers_pdf:
        return create_file_response(report.content, PDF, report.file_name, sha256=report.document.sha256)
    return create_document_response(report.document)


def _check_scope(caller: Principal, scope: Scope) -> None:
    if scope not in caller.scopes:
        raise ScopeMissing(f"This API key does not have the scope {scope}, which reading what is to be printed needs.")
