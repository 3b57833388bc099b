"""Downloads of a verification: PDF, JSON, the register's report and raw evidence.

Raw evidence may be HTML of a third party, so it is always a download and never displayed.
"""

from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import get_console_request
from bonafide.console.frame.dependencies import LIMITED_WORK, PathId, ServedRuntime, Viewer
from bonafide.console.frame.parameters import parse_number
from bonafide.console.frame.responses import create_download
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import NotFound
from bonafide.model.pdf_documents import PDF, PdfRequest
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.runtime import Runtime
from bonafide.services.printing import pdf_reports
from bonafide.services.reports import business_reports, report_pdf
from bonafide.services.verification.lifecycle import read_verification, read_verification_detail

router = APIRouter(prefix="/console/verifications", include_in_schema=False, route_class=ConsoleRoute)
VERIFICATION_PATH = "/{id}"
_MAX_DIGITS = 4


@router.get(f"{VERIFICATION_PATH}/report.pdf", dependencies=[LIMITED_WORK])
async def verification_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """The verification in print, in the page's language. Raises `NotFound`, `Conflict` while there is nothing to print."""
    wanted = PdfRequest(verification_id=verification_id)
    report = await pdf_reports.print_pdf(runtime, signed_in.organization_id, wanted, get_console_request(request).language)
    return create_download(report.content, PDF, f"verification-{verification_id}.pdf")


@router.get(f"{VERIFICATION_PATH}/result.json")
async def verification_document(signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """What the API gives of it."""
    body = await read_verification(runtime, signed_in.organization_id, verification_id)
    return create_download(body.encode(), "application/json", f"verification-{verification_id}.json")


@router.get(f"{VERIFICATION_PATH}/register.pdf", dependencies=[LIMITED_WORK])
async def register_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """What the register states of the business, in print."""
    report = await _find_report(request, runtime, signed_in.organization_id, verification_id)
    name = report_pdf.build_report_document_name(report.report_id, get_console_request(request).language)
    content = await report_pdf.read_document(runtime, signed_in.organization_id, name)
    return create_download(content, PDF, f"business-report-{report.report_id}.pdf")


@router.get(VERIFICATION_PATH + "/evidence/{number}")
async def evidence(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId, number: str) -> Response:
    """One raw answer of the register, byte for byte."""
    wanted = parse_number(number, _MAX_DIGITS)
    if wanted is None:
        raise NotFound("There is nothing at this address.")
    report = await _find_report(request, runtime, signed_in.organization_id, verification_id)
    _, content = await business_reports.read_evidence(runtime, signed_in.organization_id, report.report_id, wanted)
    return create_download(content, "application/octet-stream", f"evidence-{report.report_id}-{number}.bin")


async def _find_report(request: Request, runtime: Runtime, organization_id: UUID, verification_id: UUID) -> RegistryReport:
    found = await read_verification_detail(runtime, organization_id, verification_id, get_console_request(request).language)
    report = found.document.registry_data if found.document is not None else None
    if report is None:
        raise NotFound("There is nothing at this address.")
    return report
