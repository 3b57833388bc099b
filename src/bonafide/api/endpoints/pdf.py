"""Endpoint that renders a search or a verification as PDF.

Every endpoint parses, calls one service and renders. `services/printing` and `pdf` decide what is on the pages.
"""

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.protocol.auth import Caller
from bonafide.api.protocol.dependencies import PrefersPdf, ServedRuntime
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_file_response
from bonafide.errors import Conflict, NotFound, ScopeMissing
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.language import Language
from bonafide.model.pdf_documents import PDF, PdfDocument, PdfRequest
from bonafide.services.printing import pdf_reports
from bonafide.web.accept_language import PreferredLanguage

TAG = "Reports as PDF"
router = APIRouter(prefix="/v1")


@endpoint(
    router,
    "POST",
    ("/pdf",),
    OperationSpec(
        operation_id="createPdf",
        summary="Print a search or a verification",
        tag=TAG,
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
