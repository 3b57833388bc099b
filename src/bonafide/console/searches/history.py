"""The list of past searches: filter, archive, restore."""

from collections.abc import Iterable
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import Analyst, ServedRuntime, Viewer
from bonafide.console.frame.forms import parse_uuid, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists.definitions import SEARCHES, build_history_filter
from bonafide.console.lists.list_filter import ListQuery
from bonafide.console.lists.opened_list import open_list
from bonafide.console.searches.result_view import list_failed_checks
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.runtime import Runtime
from bonafide.services.search import history
from bonafide.services.search.history import SearchCursor

ADDRESS = SEARCHES.address
PAGE_SIZE = 25
SELECTED = "selected"
"""The value of the buttons that apply to all selected searches. The buttons of a row send its id."""
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def list_searches(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the history; `?archived_count=` and `?restored_count=` report the result of the last action."""
    return await _render_history(request, signed_in, runtime)


@router.post("/archive")
async def archive(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Archive (`archive`) or restore (`restore`) one search or all selected ones. Raises `NotFound`."""
    form, chosen = await read_form(request), SEARCHES.parse(request.query_params)
    archived = "archive" in form
    target = str(form.get("archive" if archived else "restore", ""))
    ids = _parse_ids(str(given) for given in (form.getlist("search") if target == SELECTED else [target]))
    if not ids:
        return await _render_history(request, signed_in, runtime, problem=Message("Select at least one search."))
    done = await history.archive_searches(runtime, signed_in.organization_id, ids, archived=archived)
    counted = {"archived_count" if archived else "restored_count": done}
    return redirect(request, chosen.build_address(**chosen.page, **counted))


async def _render_history(request: Request, signed_in: SignedIn, runtime: Runtime, problem: Message | None = None) -> Response:
    opened = await open_list(request, signed_in, SEARCHES)
    if opened.default_address is not None:
        return redirect(request, opened.default_address)
    chosen = opened.chosen
    found = await history.list_past_searches(
        runtime, signed_in.organization_id, build_history_filter(chosen), PAGE_SIZE, _parse_cursor(chosen)
    )
    return render_page(
        request,
        "searches/list.html",
        status=200 if problem is None else 422,
        list=opened,
        chosen=chosen,
        found=found,
        archived_count=_parse_count(request.query_params.get("archived_count", "")),
        restored_count=_parse_count(request.query_params.get("restored_count", "")),
        problem=problem,
        failed_checks=list_failed_checks,
        selected_value=SELECTED,
    )


def _parse_cursor(chosen: ListQuery) -> SearchCursor | None:
    found = ((name, parse_uuid(chosen.page.get(name, ""))) for name in ("older", "newer"))
    return next((SearchCursor(search_id, is_newer=name == "newer") for name, search_id in found if search_id is not None), None)


def _parse_ids(given: Iterable[str]) -> list[UUID]:
    """The ids among these texts, each once."""
    ids = map(parse_uuid, dict.fromkeys(given))
    return [search_id for search_id in ids if search_id is not None][:PAGE_SIZE]


def _parse_count(given: str) -> int:
    """The number of changed searches that the previous page reports."""
    return int(given) if given in {str(number) for number in range(PAGE_SIZE + 1)} else 0
