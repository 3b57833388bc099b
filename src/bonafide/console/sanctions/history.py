"""Stored screenings: the list, and the page of one with its hits, its difference to the one before it, and its PDF."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import (
    LIMITED_WORK,
    Analyst,
    PathId,
    ServedRuntime,
    Viewer,
    get_console_request,
)
from bonafide.console.frame.forms import parse_choice, parse_day, parse_uuid, to_midnight
from bonafide.console.frame.responses import create_download, redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.sanctions.screening import ADDRESS, build_screening_view, get_list_title
from bonafide.model.pdf_documents import PDF, PdfRequest
from bonafide.model.query import MAX_NAME_CHARACTERS
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.services.printing import pdf_reports
from bonafide.services.screening import history
from bonafide.store.records.screenings import ScreeningFilter

SCREENINGS = f"{ADDRESS}/screenings"
SCREENING_PATH = "/{id}"
PAGE_SIZE = 25
OUTCOME_COLOURS = {ScreeningOutcome.CLEAR: "good", ScreeningOutcome.HITS: "bad", ScreeningOutcome.INCOMPLETE: "warn"}
router = APIRouter(prefix=SCREENINGS, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class ScreeningListFilter:
    """The filter of the list. Both days are inclusive, in UTC."""

    text: str = ""
    outcome: ScreeningOutcome | None = None
    business_id: UUID | None = None
    since: date | None = None
    until: date | None = None

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "ScreeningListFilter":
        """Parse the query parameters of a URL; invalid ones are ignored."""
        return cls(
            # Databases reject NUL, and names have no control characters.
            text="".join(filter(str.isprintable, query.get("text", ""))).strip()[:MAX_NAME_CHARACTERS],
            outcome=parse_choice(ScreeningOutcome, query.get("outcome", "")),
            business_id=parse_uuid(query.get("business", "")),
            since=parse_day(query.get("since", "")),
            until=parse_day(query.get("until", "")),
        )

    @property
    def stored(self) -> ScreeningFilter:
        """The filter for the service."""
        return ScreeningFilter(
            query=self.text if self.text != "" else None,
            outcome=self.outcome,
            business_id=self.business_id,
            since=to_midnight(self.since) if self.since is not None else None,
            until=to_midnight(self.until) + timedelta(days=1) if self.until is not None and self.until < date.max else None,
        )

    @property
    def is_narrow(self) -> bool:
        """Whether any filter is set."""
        return self != ScreeningListFilter()

    def build_address(self, cursor: str) -> str:
        """The URL of the page at this cursor."""
        given = {"text": self.text, "outcome": self.outcome, "business": self.business_id, "since": self.since}
        chosen = {**given, "until": self.until, "cursor": cursor}
        return f"{SCREENINGS}?{urlencode({name: str(value) for name, value in chosen.items() if value not in (None, '')})}"


@router.get("")
async def list_screenings(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the screenings, newest first. Raises `ValidationFailed` for an invalid cursor."""
    chosen = ScreeningListFilter.from_query(request.query_params)
    cursor = request.query_params.get("cursor")
    page = await history.list_screenings(runtime, signed_in.organization_id, chosen.stored, PAGE_SIZE, cursor)
    return render_page(
        request,
        "sanctions/screenings.html",
        chosen=chosen,
        page=page,
        is_first=cursor is None,
        outcomes=ScreeningOutcome,
        colours=OUTCOME_COLOURS,
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
        colours=OUTCOME_COLOURS,
        found=build_screening_view(request, answer.screening, {"screening": screening_id}),
        title_of=lambda key: get_list_title(request, key),
    )


@router.post(f"{SCREENING_PATH}/again", dependencies=[LIMITED_WORK])
async def screen_again(request: Request, signed_in: Analyst, runtime: ServedRuntime, screening_id: PathId) -> Response:
    """Repeat the screening. The existing one is kept."""
    answer = await history.repeat_screening(runtime, signed_in.principal, screening_id)
    return redirect(request, f"{SCREENINGS}/{answer.meta.screening_id}")


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
    return create_download(document.body.encode(), "application/json", f"screening-{screening_id}.json")
