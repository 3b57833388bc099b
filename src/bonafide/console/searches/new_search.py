"""The search page: form, suggestions, recent searches.

The search runs in this process, so that the page can follow it.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, Response

from bonafide.console.frame import code_labels
from bonafide.console.frame.dependencies import LIMITED_WORK, Analyst, ServedRuntime
from bonafide.console.frame.forms import FormSubmission, create_form_parser, list_problems
from bonafide.console.frame.parameters import parse_uuid
from bonafide.console.frame.responses import render_page, render_template
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.searches.form import SearchCheck, SearchForm, list_default_checks
from bonafide.console.searches.progress import run_and_follow_search
from bonafide.errors import NotFound, ValidationFailed
from bonafide.model.accounts.users import SignedIn
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import MAX_NAME_CHARACTERS
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.records import business_records
from bonafide.services.search.history import list_past_searches
from bonafide.services.search.prefill import prefill
from bonafide.store.records.searches import HistoryFilter

MAX_RECENT_SEARCHES = 5
TEXT_FIELDS = (
    "name", "website", "registrationNumber", "regulatoryRegistryThreshold", "sanctionsThreshold",
    "address.street", "address.city", "address.province", "address.postalCode",
)  # fmt: skip
"""Of the form, which shows them again when it is refused."""
MIN_TYPED_CHARACTERS = 2
"""Characters; fewer begin a good part of every register."""
MAX_SUGGESTIONS = 8
router = APIRouter(prefix="/console/search", include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def search_page(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """The form, filled with the name (`?name=`) or the stored business (`?business=`) that a link brings."""
    name = request.query_params.get("name", "")[:MAX_NAME_CHARACTERS]
    record = await _find_linked_record(runtime, signed_in, request.query_params.get("business"))
    if record is not None and name == "":
        name = record.name or next(iter(record.operating_names), "")
    given: dict[str, object] = {"name": name, "website": (record.website or "") if record is not None else ""}
    return await _render_form(request, signed_in, runtime, given=given, record=record)


@router.post("", dependencies=[LIMITED_WORK])
async def search(
    request: Request,
    signed_in: Analyst,
    runtime: ServedRuntime,
    sent: Annotated[FormSubmission[SearchForm], Depends(create_form_parser(SearchForm))],
) -> Response:
    """Search, or say what is wrong with the form."""
    if sent.value is None:
        return await _render_refused_form(request, signed_in, runtime, sent, dict(sent.problems))
    try:
        return await run_and_follow_search(request, sent.value.request())
    except ValidationFailed as refusal:
        return await _render_refused_form(request, signed_in, runtime, sent, list_problems(refusal))


@router.get("/suggestions")
async def suggestions(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Registered businesses for what was typed so far (`?name=`), as the options of a list; none for too little."""
    typed = " ".join(request.query_params.get("name", "").split())[:MAX_NAME_CHARACTERS]
    offered = (
        await prefill(runtime, signed_in.principal, typed, None, MAX_SUGGESTIONS) if len(typed) >= MIN_TYPED_CHARACTERS else None
    )
    candidates = offered.candidates if offered is not None else ()
    return HTMLResponse(render_template(request, "search/suggestions.html", candidates=candidates, words=code_labels))


async def _render_refused_form(
    request: Request, signed_in: SignedIn, runtime: Runtime, sent: FormSubmission[SearchForm], problems: dict[str, str]
) -> Response:
    given: dict[str, object] = {name: sent.shown(name) for name in TEXT_FIELDS}
    given["jurisdictions"] = [str(value) for value in sent.raw.getlist("jurisdictions")]
    given["checks"] = [str(value) for value in sent.raw.getlist("checks")]
    record = await _find_linked_record(runtime, signed_in, sent.shown("businessId") or None)
    return await _render_form(request, signed_in, runtime, given=given, record=record, problems=problems)


async def _render_form(
    request: Request,
    signed_in: SignedIn,
    runtime: Runtime,
    *,
    given: dict[str, object],
    record: BusinessRecord | None,
    problems: dict[str, str] | None = None,
) -> Response:
    settings = await read_settings(runtime, signed_in.organization_id)
    defaults = list_default_checks(settings)
    last = await list_past_searches(runtime, signed_in.organization_id, HistoryFilter(archived=False), MAX_RECENT_SEARCHES)
    return render_page(
        request,
        "search/search.html",
        status=200 if problems is None else 422,
        given=given,
        checks=given.get("checks", defaults),
        defaults=defaults,
        all_checks=SearchCheck,
        settings=settings.search,
        jurisdictions=Jurisdiction,
        record=record,
        problems=problems if problems is not None else {},
        last=[past.item for past in last.searches],
        words=code_labels,
    )


async def _find_linked_record(runtime: Runtime, signed_in: SignedIn, given: str | None) -> BusinessRecord | None:
    """The stored business of a link. Raises `NotFound`."""
    if given is None:
        return None
    business_id = parse_uuid(given)
    if business_id is None:
        raise NotFound(business_records.UNKNOWN)
    return await business_records.find_record(runtime, signed_in.organization_id, business_id=business_id)
