"""The list of past searches: filter, archive, restore."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame import code_labels
from bonafide.console.frame.dependencies import Analyst, ServedRuntime, Viewer
from bonafide.console.frame.forms import read_form
from bonafide.console.frame.parameters import parse_uuid
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.searches.history_filter import ADDRESS, PAGE_SIZE, ArchivedFilter, SearchFilter
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import CheckError, CheckErrors, SearchStatus, SelectionStatus
from bonafide.runtime import Runtime
from bonafide.services.search import history

TICKED = "ticked"
"""What the buttons of the list send for all searches that are ticked; those of a row send its id."""
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def list_searches(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the history; after some were put away or taken out, how many (`?put_away=`, `?taken_out=`)."""
    return await _render_history(request, signed_in, runtime)


@router.post("/archive")
async def archive(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Put searches away (`archive`), or take them out again (`restore`): one, or all that are ticked. Raises `NotFound`."""
    form, chosen = await read_form(request), SearchFilter.from_query(request.query_params)
    archived = "archive" in form
    wanted = str(form.get("archive" if archived else "restore", ""))
    ids = _parse_ids(str(given) for given in (form.getlist("search") if wanted == TICKED else [wanted]))
    if not ids:
        return await _render_history(request, signed_in, runtime, problem="Tick the searches first.")
    done = await history.archive_searches(runtime, signed_in.organization_id, ids, archived=archived)
    return redirect(request, f"{chosen.address}{'put_away' if archived else 'taken_out'}={done}")


async def _render_history(request: Request, signed_in: SignedIn, runtime: Runtime, problem: str | None = None) -> Response:
    chosen = SearchFilter.from_query(request.query_params)
    found = await history.list_past_searches(runtime, signed_in.organization_id, chosen.stored, PAGE_SIZE, chosen.cursor)
    return render_page(
        request,
        "searches/list.html",
        status=200 if problem is None else 422,
        chosen=chosen,
        found=found,
        put_away=_parse_count(request.query_params.get("put_away", "")),
        taken_out=_parse_count(request.query_params.get("taken_out", "")),
        problem=problem,
        failed_checks=list_failed_checks,
        can_work=signed_in.may(Permission.WORK),
        statuses=SearchStatus,
        selections=SelectionStatus,
        jurisdictions=Jurisdiction,
        archived=ArchivedFilter,
        ticked=TICKED,
        words=code_labels,
    )


def list_failed_checks(errors: CheckErrors | None) -> Sequence[tuple[str, CheckError]]:
    """The checks of a search that are incomplete, as people call them, and why."""
    if errors is None:
        return ()
    named = ((code_labels.CHECK[name], getattr(errors, name)) for name in CheckErrors.model_fields)
    return [(name, error) for name, error in named if error is not None]


def _parse_ids(given: Iterable[str]) -> list[UUID]:
    """The ids among these texts, each once."""
    ids = map(parse_uuid, dict.fromkeys(given))
    return [search_id for search_id in ids if search_id is not None][:PAGE_SIZE]


def _parse_count(given: str) -> int:
    """How many the page before says it has changed."""
    return int(given) if given in {str(number) for number in range(PAGE_SIZE + 1)} else 0
