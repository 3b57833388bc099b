"""Stored screenings: the list, and the page of one with its hits, its difference to the one before it, and its PDF."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame import code_labels
from bonafide.console.frame.console_request import (
    LIMITED_WORK,
    Analyst,
    PathId,
    ServedRuntime,
    Viewer,
    get_console_request,
)
from bonafide.console.frame.responses import create_download, redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists.definitions import SCREENINGS, build_screening_filter
from bonafide.console.lists.opened_list import open_list
from bonafide.console.sanctions.screening import build_screening_view, get_list_title
from bonafide.model.pdf_documents import PDF, PdfRequest
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.services.printing import pdf_reports
from bonafide.services.reports.report_pdf import build_file_name
from bonafide.services.screening import history

SCREENING_PATH = "/{id}"
PAGE_SIZE = 25
router = APIRouter(prefix=SCREENINGS.address, include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def list_screenings(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the screenings, newest first. Raises `ValidationFailed` for an invalid cursor."""
    opened = await open_list(request, signed_in, SCREENINGS)
    if opened.default_address is not None:
        return redirect(request, opened.default_address)
    stored = build_screening_filter(opened.chosen)
    page = await history.list_screenings(runtime, signed_in.organization_id, stored, PAGE_SIZE, opened.chosen.cursor)
    return render_page(
        request,
        "sanctions/screenings.html",
        list=opened,
        page=page,
        older=page.cursor.next if page.pagination.has_more else None,
        colours=code_labels.SCREENING_OUTCOME_COLOUR,
    )


@router.get(SCREENING_PATH)
async def screening_page(request: Request, signed_in: Viewer, runtime: ServedRuntime, screening_id: PathId) -> Response:
    """One screening, with the dismissals that are active now."""
    answer = await history.open_screening(runtime, signed_in.organization_id, screening_id)
    return render_page(
        request,
        "sanctions/screening.html",
        answer=answer,
        outcome=history.determine_outcome(answer),
        colours=code_labels.SCREENING_OUTCOME_COLOUR,
        found=build_screening_view(request, answer.screening, {"screening": screening_id}),
        title_of=lambda key: get_list_title(request, key),
    )


@router.post(f"{SCREENING_PATH}/again", dependencies=[LIMITED_WORK])
async def screen_again(request: Request, signed_in: Analyst, runtime: ServedRuntime, screening_id: PathId) -> Response:
    """Repeat the screening. The existing one is kept."""
    answer = await history.repeat_screening(runtime, signed_in.principal, screening_id)
    return redirect(request, f"{SCREENINGS.address}/{answer.meta.screening_id}")


@router.get(f"{SCREENING_PATH}/report.pdf", dependencies=[LIMITED_WORK])
async def screening_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, screening_id: PathId) -> Response:
    """The screening report as a PDF in the page's language."""
    wanted = PdfRequest(screening_id=screening_id)
    report = await pdf_reports.print_pdf(runtime, signed_in.organization_id, wanted, get_console_request(request).language)
    return create_download(report.content, PDF, report.file_name)


@router.get(f"{SCREENING_PATH}/result.json")
async def screening_document(signed_in: Viewer, runtime: ServedRuntime, screening_id: PathId) -> Response:
    """The stored document, as the API returns it."""
    document = await history.read_screening(runtime, signed_in.organization_id, screening_id)
    meta = document.parse(ScreeningAnswer).meta
    name = build_file_name(meta.submitted.query, meta.screened_at.date(), "json")
    return create_download(document.body.encode(), "application/json", name)
