"""The page of a search result: read, select a match, repeat, archive, download.

It shows the stored document and queries no source.
"""

import asyncio
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import (
    LIMITED_WORK,
    Analyst,
    PathId,
    ServedRuntime,
    Viewer,
    build_author,
    get_console_request,
)
from bonafide.console.frame.forms import FormSubmission, create_form_parser, parse_uuid, read_form
from bonafide.console.frame.responses import create_download, redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.risk.rating_section import build_rating_context
from bonafide.console.searches.new_search import rebuild_request
from bonafide.console.searches.progress import run_and_follow_search
from bonafide.console.searches.result_view import ResultView
from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.manual_checks.manual_check import ManualCheckListItem
from bonafide.model.pdf_documents import PDF, PdfRequest
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.result import SearchResult, SearchStatus, SelectionStatus
from bonafide.model.search.selection import MatchChoice
from bonafide.runtime import Runtime
from bonafide.services.loading.naics import get_naics_title
from bonafide.services.manual_checks.opening import list_subjects
from bonafide.services.manual_checks.reading import list_open_checks
from bonafide.services.printing import pdf_reports
from bonafide.services.reports import report_pdf
from bonafide.services.screening.dismissals import apply_dismissals_to_result
from bonafide.services.search import history
from bonafide.services.search.execution import open_search, read_search_with_reports
from bonafide.services.search.selection_audit import read_choices

router = APIRouter(prefix="/console/searches", include_in_schema=False, route_class=ConsoleRoute)
RESULT_PATH = "/{id}"
RELOAD_S = 3
"""The interval at which the page of a running search reloads."""


@router.get(RESULT_PATH)
async def result_page(request: Request, signed_in: Viewer, runtime: ServedRuntime, search_id: PathId) -> Response:
    """The result; `?match=` is a match to show in full. The page of a running search reloads itself."""
    opened = await open_search(runtime, signed_in.organization_id, search_id)
    result = opened.result
    if result.meta.status is SearchStatus.LOADING:
        response = render_page(request, "search/loading.html", result=result)
        response.headers["Refresh"] = str(RELOAD_S)
        return response
    # The stored document doesn't change when a hit is dismissed later, so dismissals are applied here.
    subject = ScreeningSubject(result.meta.submitted.name or "")
    result = await apply_dismissals_to_result(runtime, signed_in.organization_id, result, subject)
    return render_page(
        request,
        "search/result.html",
        view=ResultView(result, runtime.sources, parse_uuid(request.query_params.get("match", ""))),
        result=result,
        opened=opened,
        choices=await read_choices(runtime, signed_in.organization_id, search_id),
        **await build_rating_context(runtime, signed_in.organization_id, result.risk, get_console_request(request).language),
        open_checks=await _find_open_checks(runtime, signed_in.organization_id, result),
        naics_title=await _read_naics_title(runtime, signed_in.membership.world, result, get_console_request(request).language),
    )


async def _find_open_checks(runtime: Runtime, organization_id: UUID, result: SearchResult) -> dict[str, ManualCheckListItem]:
    """The open manual checks that the search needs, by source."""
    subjects = list_subjects(result.meta.submitted.business_id, search_id=result.meta.search_id)
    return {check.source: check for check in await list_open_checks(runtime, organization_id, subjects)}


async def _read_naics_title(runtime: Runtime, world: World, result: SearchResult, language: Language) -> str | None:
    """The title of the website's industry in the language; the stored (English) one if there is no other."""
    industry = result.website.industry if result.website is not None else None
    if industry is None or industry.naics_code is None:
        return None
    if language is Language.ENGLISH:
        return industry.naics_code_name
    # The first call for a load reads the tables from a file.
    title = await asyncio.to_thread(get_naics_title, runtime, world, industry.naics_code, language)
    return title if title is not None else industry.naics_code_name


@router.post(f"{RESULT_PATH}/selection")
async def select(
    request: Request,
    signed_in: Analyst,
    runtime: ServedRuntime,
    search_id: PathId,
    sent: Annotated[FormSubmission[MatchChoice], Depends(create_form_parser(MatchChoice))],
) -> Response:
    """Select a match, or none. Raises `ValidationFailed` for a value that no button of the page sends."""
    if sent.value is None:
        raise ValidationFailed(Message("Select a match, or “None of these”."))
    await history.choose_match(runtime, signed_in.organization_id, search_id, sent.value, build_author(request, signed_in))
    return redirect(request, f"/console/searches/{search_id}#selection")


@router.post(f"{RESULT_PATH}/reopen")
async def reopen(request: Request, signed_in: Analyst, runtime: ServedRuntime, search_id: PathId) -> Response:
    """Undo the selection, so that the search needs review again."""
    author = build_author(request, signed_in)
    await history.reopen_selection(runtime, signed_in.organization_id, search_id, SelectionStatus.NEEDS_REVIEW, author)
    return redirect(request, f"/console/searches/{search_id}#selection")


@router.post(f"{RESULT_PATH}/again", dependencies=[LIMITED_WORK])
async def search_again(request: Request, signed_in: Analyst, runtime: ServedRuntime, search_id: PathId) -> Response:
    """Repeat the search. The existing result is kept."""
    opened = await open_search(runtime, signed_in.organization_id, search_id)
    return await run_and_follow_search(request, rebuild_request(opened.result.meta.submitted))


@router.post(f"{RESULT_PATH}/archive")
async def archive(request: Request, signed_in: Analyst, runtime: ServedRuntime, search_id: PathId) -> Response:
    """Archive the search; with `archived=false` restore it."""
    is_archived = (await read_form(request)).get("archived") == "true"
    await history.archive_search(runtime, signed_in.organization_id, search_id, archived=is_archived)
    return redirect(request, f"/console/searches/{search_id}")


@router.get(f"{RESULT_PATH}/report.pdf", dependencies=[LIMITED_WORK])
async def search_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, search_id: PathId) -> Response:
    """The search report as a PDF in the page's language. Raises `Conflict` while the search is running."""
    wanted = PdfRequest(search_id=search_id)
    report = await pdf_reports.print_pdf(runtime, signed_in.organization_id, wanted, get_console_request(request).language)
    return create_download(report.content, PDF, report.file_name)


@router.get(f"{RESULT_PATH}/result.json")
async def search_document(signed_in: Viewer, runtime: ServedRuntime, search_id: PathId) -> Response:
    """The stored document, as the API returns it."""
    document = await read_search_with_reports(runtime, signed_in.organization_id, search_id)
    meta = document.parse(SearchResult).meta
    about = meta.submitted.name or meta.submitted.website or "search"
    name = report_pdf.build_file_name(about, meta.searched_at.date(), "json")
    return create_download(document.body.encode(), "application/json", name)


@router.get(RESULT_PATH + "/matches/{match_id}/report.pdf", dependencies=[LIMITED_WORK])
async def business_report(
    request: Request, signed_in: Viewer, runtime: ServedRuntime, search_id: PathId, match_id: str
) -> Response:
    """The business report of one match as a PDF."""
    wanted = parse_uuid(match_id)
    if wanted is None:
        raise NotFound
    name = report_pdf.build_match_document_name(search_id, wanted, get_console_request(request).language)
    content = await report_pdf.read_document(runtime, signed_in.organization_id, name)
    return create_download(content, PDF, await report_pdf.read_file_name(runtime, signed_in.organization_id, name))
