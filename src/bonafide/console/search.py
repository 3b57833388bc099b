"""The search page: a box that offers businesses while a person types, folded below it what else may be said, the last searches.

It searches in this process, so that the page can follow the search. What a search does is the business of `services/search`.
"""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, Response

from bonafide.console import words
from bonafide.console.access import IN_TURN, Analyst, ServedRuntime
from bonafide.console.forms import Submission, form_of
from bonafide.console.page import page, part
from bonafide.console.progress import search_now
from bonafide.console.route import ConsoleRoute
from bonafide.console.search_form import Check, SearchForm, default_checks
from bonafide.errors import NotFound, ValidationFailed
from bonafide.model.accounts.users import SignedIn
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import MAX_NAME_CHARACTERS
from bonafide.runtime import Runtime
from bonafide.services import businesses
from bonafide.services.account_settings import settings_of
from bonafide.services.history import past_searches
from bonafide.services.prefill import prefill
from bonafide.store.records.searches import HistoryFilter

LAST_SEARCHES = 5
TEXT_FIELDS = (
    "name", "website", "registrationNumber", "regulatoryRegistryThreshold", "sanctionsThreshold",
    "address.street", "address.city", "address.province", "address.postalCode",
)  # fmt: skip
"""Of the form, which shows them again when it is refused."""
MIN_TYPED = 2
"""Characters; fewer begin a good part of every register."""
MAX_OFFERED = 8
router = APIRouter(prefix="/console/search", include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def search_page(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """The form, filled with the name (`?name=`) or the stored business (`?business=`) that a link brings."""
    name = request.query_params.get("name", "")[:MAX_NAME_CHARACTERS]
    record = await _linked(runtime, signed_in, request.query_params.get("business"))
    if record is not None and name == "":
        name = record.name or next(iter(record.operating_names), "")
    given: dict[str, object] = {"name": name, "website": (record.website or "") if record is not None else ""}
    return await _form(request, signed_in, runtime, given=given, record=record)


@router.post("", dependencies=[IN_TURN])
async def search(
    request: Request,
    signed_in: Analyst,
    runtime: ServedRuntime,
    sent: Annotated[Submission[SearchForm], Depends(form_of(SearchForm))],
) -> Response:
    """Search, or say what is wrong with the form."""
    if sent.value is None:
        return await _form_again(request, signed_in, runtime, sent, dict(sent.problems))
    try:
        return await search_now(request, sent.value.request())
    except ValidationFailed as refusal:
        return await _form_again(request, signed_in, runtime, sent, {item.path: item.message for item in refusal.details})


@router.get("/suggestions")
async def suggestions(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Registered businesses for what was typed so far (`?name=`), as the options of a list; none for too little."""
    typed = " ".join(request.query_params.get("name", "").split())[:MAX_NAME_CHARACTERS]
    offered = await prefill(runtime, signed_in.principal, typed, None, MAX_OFFERED) if len(typed) >= MIN_TYPED else None
    candidates = offered.candidates if offered is not None else ()
    return HTMLResponse(part(request, "search/suggestions.html", candidates=candidates, words=words))


async def _form_again(
    request: Request, signed_in: SignedIn, runtime: Runtime, sent: Submission[SearchForm], problems: dict[str, str]
) -> Response:
    given: dict[str, object] = {name: sent.shown(name) for name in TEXT_FIELDS}
    given["jurisdictions"] = [str(value) for value in sent.raw.getlist("jurisdictions")]
    given["checks"] = [str(value) for value in sent.raw.getlist("checks")]
    record = await _linked(runtime, signed_in, sent.shown("businessId") or None)
    return await _form(request, signed_in, runtime, given=given, record=record, problems=problems)


async def _form(
    request: Request,
    signed_in: SignedIn,
    runtime: Runtime,
    *,
    given: dict[str, object],
    record: BusinessRecord | None,
    problems: dict[str, str] | None = None,
) -> Response:
    settings = await settings_of(runtime, signed_in.organization_id)
    defaults = default_checks(settings)
    last = await past_searches(runtime, signed_in.organization_id, HistoryFilter(archived=False), LAST_SEARCHES)
    return page(
        request,
        "search/search.html",
        status=200 if problems is None else 422,
        given=given,
        checks=given.get("checks", defaults),
        defaults=defaults,
        all_checks=Check,
        settings=settings.search,
        jurisdictions=Jurisdiction,
        record=record,
        problems=problems if problems is not None else {},
        last=[past.item for past in last.searches],
        words=words,
    )


async def _linked(runtime: Runtime, signed_in: SignedIn, given: str | None) -> BusinessRecord | None:
    """The stored business of a link. Raises `NotFound`."""
    if given is None:
        return None
    try:
        business_id = UUID(given)
    except ValueError:
        raise NotFound(businesses.UNKNOWN) from None
    return await businesses.find(runtime, signed_in.organization_id, business_id=business_id)
