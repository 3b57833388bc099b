"""The page of a search's result: read it, choose its match, search again, put it away, take it along as PDF or JSON.

It shows the stored document in the state in which it is now; nothing is looked up for it.
"""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console import words
from bonafide.console.access import IN_TURN, Analyst, PathId, ServedRuntime, Viewer
from bonafide.console.downloads import download
from bonafide.console.forms import Submission, form_of, read_form
from bonafide.console.page import page, see
from bonafide.console.progress import search_now
from bonafide.console.result_view import ResultView
from bonafide.console.route import ConsoleRoute
from bonafide.console.search_form import same_request
from bonafide.console.visit import visit_of
from bonafide.errors import NotFound, ValidationFailed
from bonafide.model.accounts.users import Permission
from bonafide.model.pdf_documents import PDF, PdfRequest
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.model.search.selection import MatchChoice
from bonafide.services import history, printing, report_printing
from bonafide.services.dismissals import with_dismissals_in
from bonafide.services.search import open_search, read_search

router = APIRouter(prefix="/console/searches", include_in_schema=False, route_class=ConsoleRoute)
ONE = "/{id}"
LOOK_AGAIN_S = 3
"""After which the page of a search that is under way loads itself again."""


@router.get(ONE)
async def result_page(request: Request, signed_in: Viewer, runtime: ServedRuntime, search_id: PathId) -> Response:
    """The result; `?match=` names a match to be shown in full. A search that is under way has a page that loads itself again."""
    opened = await open_search(runtime, signed_in.organization_id, search_id)
    result = opened.result
    if result.meta.status is SearchStatus.LOADING:
        response = page(request, "search/loading.html", result=result)
        response.headers["Refresh"] = str(LOOK_AGAIN_S)
        return response
    # A hit that was dismissed since then is shown so; the stored document keeps what held when it was made.
    subject = ScreeningSubject(result.meta.submitted.name or "")
    result = await with_dismissals_in(runtime, signed_in.organization_id, result, subject)
    return page(
        request,
        "search/result.html",
        view=ResultView(result, runtime.sources, _wanted(request)),
        result=result,
        opened=opened,
        can_work=signed_in.may(Permission.WORK),
        words=words,
    )


@router.post(f"{ONE}/selection")
async def select(
    request: Request,
    signed_in: Analyst,
    runtime: ServedRuntime,
    search_id: PathId,
    sent: Annotated[Submission[MatchChoice], Depends(form_of(MatchChoice))],
) -> Response:
    """Choose a match, or none. Raises `ValidationFailed` for what no button of the page sends."""
    if sent.value is None:
        raise ValidationFailed("Choose one of the matches, or none.")
    await history.choose_match(runtime, signed_in.organization_id, search_id, sent.value, signed_in.user.email)
    return see(request, f"/console/searches/{search_id}#selection")


@router.post(f"{ONE}/reopen")
async def reopen(request: Request, signed_in: Analyst, runtime: ServedRuntime, search_id: PathId) -> Response:
    """Take the choice back: somebody has to choose again."""
    await history.reopen(runtime, signed_in.organization_id, search_id, SelectionStatus.NEEDS_REVIEW)
    return see(request, f"/console/searches/{search_id}#selection")


@router.post(f"{ONE}/again", dependencies=[IN_TURN])
async def search_again(request: Request, signed_in: Analyst, runtime: ServedRuntime, search_id: PathId) -> Response:
    """Make the same search once more; the result that is there stays."""
    opened = await open_search(runtime, signed_in.organization_id, search_id)
    return await search_now(request, same_request(opened.result.meta.submitted))


@router.post(f"{ONE}/archive")
async def archive(request: Request, signed_in: Analyst, runtime: ServedRuntime, search_id: PathId) -> Response:
    """Put the search away, or with `archived=false` take it out again."""
    is_archived = (await read_form(request)).get("archived") == "true"
    await history.archive_search(runtime, signed_in.organization_id, search_id, archived=is_archived)
    return see(request, f"/console/searches/{search_id}")


@router.get(f"{ONE}/report.pdf", dependencies=[IN_TURN])
async def search_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, search_id: PathId) -> Response:
    """The search in print, in the page's language. Raises `Conflict` while it is under way."""
    wanted = PdfRequest(search_id=search_id)
    report = await report_printing.print_pdf(runtime, signed_in.organization_id, wanted, visit_of(request).language)
    return download(report.content, PDF, f"search-{search_id}.pdf")


@router.get(f"{ONE}/result.json")
async def search_document(signed_in: Viewer, runtime: ServedRuntime, search_id: PathId) -> Response:
    """The stored document, as the API gives it."""
    body = await read_search(runtime, signed_in.organization_id, search_id)
    return download(body.encode(), "application/json", f"search-{search_id}.json")


@router.get(ONE + "/matches/{match_id}/report.pdf", dependencies=[IN_TURN])
async def business_report(
    request: Request, signed_in: Viewer, runtime: ServedRuntime, search_id: PathId, match_id: str
) -> Response:
    """What the register says of one match, in print."""
    wanted = _uuid(match_id)
    if wanted is None:
        raise NotFound("There is nothing at this address.")
    name = printing.match_document(search_id, wanted, visit_of(request).language)
    return download(await printing.read_document(runtime, signed_in.organization_id, name), PDF, f"business-report-{wanted}.pdf")


def _wanted(request: Request) -> UUID | None:
    return _uuid(request.query_params.get("match", ""))


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
