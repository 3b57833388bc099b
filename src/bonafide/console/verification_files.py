"""The files of a verification for whoever is signed in: in print, as JSON, the register's report, and its raw answers as they came.

A raw answer may be a page, and it is not ours: it is always saved, never shown.
"""

from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.access import IN_TURN, PathId, ServedRuntime, Viewer
from bonafide.console.downloads import download
from bonafide.console.route import ConsoleRoute
from bonafide.console.visit import visit_of
from bonafide.errors import NotFound
from bonafide.model.pdf_documents import PDF, PdfRequest
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.runtime import Runtime
from bonafide.services import printing, report_printing, reports
from bonafide.services.past_verifications import standing
from bonafide.services.verification import read_verification

router = APIRouter(prefix="/console/verifications", include_in_schema=False, route_class=ConsoleRoute)
ONE = "/{id}"
_MAX_DIGITS = 4


@router.get(f"{ONE}/report.pdf", dependencies=[IN_TURN])
async def verification_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """The verification in print, in the page's language. Raises `NotFound`, `Conflict` while there is nothing to print."""
    wanted = PdfRequest(verification_id=verification_id)
    report = await report_printing.print_pdf(runtime, signed_in.organization_id, wanted, visit_of(request).language)
    return download(report.content, PDF, f"verification-{verification_id}.pdf")


@router.get(f"{ONE}/result.json")
async def verification_document(signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """What the API gives of it."""
    body = await read_verification(runtime, signed_in.organization_id, verification_id)
    return download(body.encode(), "application/json", f"verification-{verification_id}.json")


@router.get(f"{ONE}/register.pdf", dependencies=[IN_TURN])
async def register_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId) -> Response:
    """What the register states of the business, in print."""
    report = await _report(request, runtime, signed_in.organization_id, verification_id)
    name = printing.report_document(report.report_id, visit_of(request).language)
    content = await printing.read_document(runtime, signed_in.organization_id, name)
    return download(content, PDF, f"business-report-{report.report_id}.pdf")


@router.get(ONE + "/evidence/{number}")
async def evidence(request: Request, signed_in: Viewer, runtime: ServedRuntime, verification_id: PathId, number: str) -> Response:
    """One raw answer of the register, byte for byte."""
    if not (number.isascii() and number.isdecimal() and len(number) <= _MAX_DIGITS):
        raise NotFound("There is nothing at this address.")
    report = await _report(request, runtime, signed_in.organization_id, verification_id)
    _, content = await reports.read_evidence(runtime, signed_in.organization_id, report.report_id, int(number))
    return download(content, "application/octet-stream", f"evidence-{report.report_id}-{number}.bin")


async def _report(request: Request, runtime: Runtime, organization_id: UUID, verification_id: UUID) -> RegistryReport:
    found = await standing(runtime, organization_id, verification_id, visit_of(request).language)
    report = found.document.registry_data if found.document is not None else None
    if report is None:
        raise NotFound("There is nothing at this address.")
    return report
