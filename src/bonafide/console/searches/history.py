"""The list of past searches: filter, archive, restore.

The filter is read from and written to the URL; invalid parameters are ignored.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import Analyst, ServedRuntime, Viewer
from bonafide.console.frame.forms import parse_choice, parse_day, parse_uuid, read_form, to_midnight
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.searches.result_view import list_failed_checks
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import MAX_NAME_CHARACTERS
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.runtime import Runtime
from bonafide.services.search import history
from bonafide.services.search.history import SearchCursor
from bonafide.store.records.searches import HistoryFilter

ADDRESS = "/console/searches"
PAGE_SIZE = 25
SELECTED = "selected"
"""The value of the buttons that apply to all selected searches. The buttons of a row send its id."""
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


class ArchivedFilter(StrEnum):
    """Whether archived searches are listed."""

    NO = "no"
    YES = "yes"
    ALL = "all"


_STORED = {ArchivedFilter.NO: False, ArchivedFilter.YES: True, ArchivedFilter.ALL: None}


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """The filter of the list and the cursor of the page. Both days are inclusive, in UTC."""

    text: str = ""
    archived: ArchivedFilter = ArchivedFilter.NO
    status: SearchStatus | None = None
    selection: SelectionStatus | None = None
    jurisdiction: Jurisdiction | None = None
    since: date | None = None
    until: date | None = None
    cursor: SearchCursor | None = None

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "SearchFilter":
        """Parse the query parameters of a URL."""
        return cls(
            # Databases reject NUL, and names have no control characters.
            text="".join(filter(str.isprintable, query.get("text", ""))).strip()[:MAX_NAME_CHARACTERS],
            archived=parse_choice(ArchivedFilter, query.get("archived", "")) or ArchivedFilter.NO,
            status=parse_choice(SearchStatus, query.get("status", "")),
            selection=parse_choice(SelectionStatus, query.get("selection", "")),
            jurisdiction=parse_choice(Jurisdiction, query.get("jurisdiction", "")),
            since=parse_day(query.get("since", "")),
            until=parse_day(query.get("until", "")),
            cursor=_parse_cursor(query),
        )

    @property
    def stored(self) -> HistoryFilter:
        """The filter for the history service."""
        return HistoryFilter(
            query=self.text if self.text != "" else None,
            archived=_STORED[self.archived],
            status=self.status,
            selection=self.selection,
            jurisdiction=self.jurisdiction,
            since=to_midnight(self.since) if self.since is not None else None,
            until=to_midnight(self.until) + timedelta(days=1) if self.until is not None and self.until < date.max else None,
        )

    @property
    def is_narrow(self) -> bool:
        """Whether any filter is set."""
        return self.stored != SearchFilter().stored

    @property
    def has_more(self) -> bool:
        """Whether any filter other than the text is set."""
        return replace(self.stored, query=None) != SearchFilter().stored

    @property
    def list_address(self) -> str:
        """The URL of the first page; more parameters may be appended."""
        return _build_url(self._chosen)

    @property
    def address(self) -> str:
        """The URL of the current page; more parameters may be appended."""
        if self.cursor is None:
            return self.list_address
        return _build_url({**self._chosen, "newer" if self.cursor.is_newer else "older": str(self.cursor.search_id)})

    @property
    def _chosen(self) -> dict[str, object]:
        archived = self.archived if self.archived is not ArchivedFilter.NO else None
        text = self.text if self.text != "" else None
        chosen = ("status", "selection", "jurisdiction", "since", "until")
        return {"text": text, "archived": archived, **{name: getattr(self, name) for name in chosen}}


def _build_url(chosen: Mapping[str, object]) -> str:
    query = urlencode({name: str(value) for name, value in chosen.items() if value is not None})
    return f"{ADDRESS}?{query}&" if query != "" else f"{ADDRESS}?"


def _parse_cursor(query: Mapping[str, str]) -> SearchCursor | None:
    found = ((name, parse_uuid(query.get(name, ""))) for name in ("older", "newer"))
    return next((SearchCursor(search_id, is_newer=name == "newer") for name, search_id in found if search_id is not None), None)


@router.get("")
async def list_searches(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the history; `?archived_count=` and `?restored_count=` report the result of the last action."""
    return await _render_history(request, signed_in, runtime)


@router.post("/archive")
async def archive(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Archive (`archive`) or restore (`restore`) one search or all selected ones. Raises `NotFound`."""
    form, chosen = await read_form(request), SearchFilter.from_query(request.query_params)
    archived = "archive" in form
    target = str(form.get("archive" if archived else "restore", ""))
    ids = _parse_ids(str(given) for given in (form.getlist("search") if target == SELECTED else [target]))
    if not ids:
        return await _render_history(request, signed_in, runtime, problem=Message("Select at least one search."))
    done = await history.archive_searches(runtime, signed_in.organization_id, ids, archived=archived)
    return redirect(request, f"{chosen.address}{'archived_count' if archived else 'restored_count'}={done}")


async def _render_history(request: Request, signed_in: SignedIn, runtime: Runtime, problem: Message | None = None) -> Response:
    chosen = SearchFilter.from_query(request.query_params)
    found = await history.list_past_searches(runtime, signed_in.organization_id, chosen.stored, PAGE_SIZE, chosen.cursor)
    return render_page(
        request,
        "searches/list.html",
        status=200 if problem is None else 422,
        chosen=chosen,
        found=found,
        archived_count=_parse_count(request.query_params.get("archived_count", "")),
        restored_count=_parse_count(request.query_params.get("restored_count", "")),
        problem=problem,
        failed_checks=list_failed_checks,
        statuses=SearchStatus,
        selections=SelectionStatus,
        jurisdictions=Jurisdiction,
        archived=ArchivedFilter,
        selected_value=SELECTED,
    )


def _parse_ids(given: Iterable[str]) -> list[UUID]:
    """The ids among these texts, each once."""
    ids = map(parse_uuid, dict.fromkeys(given))
    return [search_id for search_id in ids if search_id is not None][:PAGE_SIZE]


def _parse_count(given: str) -> int:
    """The number of changed searches that the previous page reports."""
    return int(given) if given in {str(number) for number in range(PAGE_SIZE + 1)} else 0
