"""Dismissing a hit with a reason, from a screening or from a search, and what was dismissed so far: read, and revoked.

That a hit still is what the person has seen is checked by the service, not here.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console import words
from bonafide.console.access import Analyst, PathId, ServedRuntime, Viewer
from bonafide.console.author import author_of
from bonafide.console.explanation import explained
from bonafide.console.forms import Submission, form_of, submitted
from bonafide.console.lists import offset_of
from bonafide.console.page import page, see
from bonafide.console.route import ConsoleRoute
from bonafide.console.sanctions import ADDRESS, FIELDS, Hit, asked_of, title_of
from bonafide.errors import NotFound, ValidationFailed
from bonafide.model.accounts.users import SignedIn
from bonafide.model.base import Document
from bonafide.model.records.business_input import ProseText
from bonafide.model.screening.dismissals import (DismissalRequest, DismissalStatus, DismissedHit, DismissedSubject)
from bonafide.model.search.match import SanctionsMatch
from bonafide.model.query import Text
from bonafide.model.search.result import SearchResult
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.runtime import Runtime
from bonafide.services import dismissals
from bonafide.services.screenings import create_screening
from bonafide.services.search import read_search
from bonafide.store.records.dismissals import DismissalFilter

ONE = "/dismissals/{id}"
PAGE = 25
MAX_TRAIL = 100
NO_HIT = "There is no such hit any more: screen the name again."
STATUS_COLOURS = {DismissalStatus.ACTIVE: "good", DismissalStatus.EXPIRED: "", DismissalStatus.REVOKED: "warn"}
_ACTIVE = {"yes": True, "no": False}
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


class DismissalForm(Document):
    """What a person says of a hit: why it is another party, until which day that holds, and for whom."""

    reason: ProseText
    until: date | None = None
    only_this_business: bool = False


class RevocationForm(Document):
    """Why a dismissal is ended."""

    reason: Text | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A hit that is to be dismissed: of whom, of which stored business, and where to go afterwards."""

    match: SanctionsMatch
    subject: DismissedSubject
    business_id: UUID | None
    back: str

    @property
    def party(self) -> DismissedHit:
        """The party as it was seen. Raises `NotFound` for a hit of a result that was stored before parties were told apart."""
        if self.match.entry_id is None or self.match.digest is None:
            raise NotFound(NO_HIT)
        return DismissedHit(source=self.match.source, entry_id=self.match.entry_id, digest=self.match.digest)


@router.get("/dismiss")
async def dismiss_page(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """A hit of a screening (`?query=…&list=…&party=…`) or of a search (`?search=…&match=…`), and the form."""
    found = await _found(request, signed_in, runtime)
    return _form(request, runtime, found)


@router.post("/dismiss")
async def dismiss(
    request: Request,
    signed_in: Analyst,
    runtime: ServedRuntime,
    form: Annotated[Submission[DismissalForm], Depends(form_of(DismissalForm))],
) -> Response:
    """Remember the decision."""
    found = await _found(request, signed_in, runtime)
    if form.value is None:
        return _form(request, runtime, found, form)
    said = form.value
    wanted = DismissalRequest(
        subject=found.subject,
        hit=found.party,
        reason=said.reason,
        until=datetime.combine(said.until, time(), UTC) if said.until is not None else None,
        business_id=found.business_id if said.only_this_business else None,
    )
    try:
        await dismissals.dismiss(runtime, signed_in.principal, wanted, author_of(request, signed_in))
    except ValidationFailed as refusal:
        return _form(request, runtime, found, Submission(None, form.raw, {item.path: item.message for item in refusal.details}))
    return see(request, found.back)


@router.get("/dismissals")
async def list_dismissals(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """What was dismissed, newest first; those that were revoked or have ended among them."""
    query = request.query_params
    active, key = _ACTIVE.get(query.get("active", "")), query.get("list", "")
    chosen = DismissalFilter(active, key if key != "" else None, runtime.clock())
    listed = await dismissals.list_dismissals(runtime, signed_in.organization_id, chosen, PAGE, offset_of(request))
    kept = {name: query[name] for name in ("active", "list") if query.get(name)}
    lists = sorted((source.metadata.title, key) for key, source in runtime.sources.items() if source.metadata.kind == "sanctions")
    return page(
        request,
        "sanctions/dismissals.html",
        listed=listed,
        active=query.get("active", ""),
        chosen_list=key,
        lists=[("", ""), *((key, title) for title, key in lists)],
        address=f"{ADDRESS}/dismissals?{urlencode(kept)}{'&' if kept else ''}",
        title_of=lambda key: title_of(runtime, key),
        colours=STATUS_COLOURS,
    )


@router.get(ONE)
async def read_dismissal(request: Request, signed_in: Viewer, runtime: ServedRuntime, dismissal_id: PathId) -> Response:
    """One decision, what became of it, and the way to take it back."""
    organization_id = signed_in.organization_id
    dismissal = await dismissals.read_dismissal(runtime, organization_id, dismissal_id)
    trail = await dismissals.read_dismissal_trail(runtime, organization_id, dismissal_id, MAX_TRAIL, 0)
    return page(
        request,
        "sanctions/dismissal.html",
        dismissal=dismissal,
        trail=trail,
        list_title=title_of(runtime, dismissal.hit.source),
        words=words,
        colours=STATUS_COLOURS,
    )


@router.post(f"{ONE}/revoke")
async def revoke(
    request: Request,
    signed_in: Analyst,
    runtime: ServedRuntime,
    dismissal_id: PathId,
    form: Annotated[Submission[RevocationForm], Depends(form_of(RevocationForm))],
) -> Response:
    """Open the hit again. Raises `NotFound`."""
    if form.value is None:
        raise ValidationFailed("; ".join(form.problems.values()))
    await dismissals.revoke(runtime, signed_in.organization_id, dismissal_id, form.value.reason, author_of(request, signed_in))
    return see(request, f"{ADDRESS}/dismissals/{dismissal_id}")


def _form(request: Request, runtime: Runtime, found: Found, form: Submission[DismissalForm] | None = None) -> Response:
    match = found.match
    hit = Hit(match, title_of(runtime, match.source), explained(match.match.fields), None)
    return page(
        request,
        "sanctions/dismiss.html",
        200 if form is None else 422,
        found=found,
        hit=hit,
        form=form,
        tomorrow=runtime.clock().date().isoformat(),
        action=f"{request.url.path}?{request.url.query}",
        words=words,
    )


async def _found(request: Request, signed_in: SignedIn, runtime: Runtime) -> Found:
    """The hit that the address means. Raises `NotFound`."""
    if "search" in request.query_params:
        return await _in_search(request, signed_in, runtime)
    return await _in_screening(request, signed_in, runtime)


async def _in_search(request: Request, signed_in: SignedIn, runtime: Runtime) -> Found:
    try:
        search_id, number = UUID(request.query_params["search"]), int(request.query_params.get("match", ""))
    except ValueError:
        raise NotFound(NO_HIT) from None
    result = SearchResult.model_validate_json(await read_search(runtime, signed_in.organization_id, search_id))
    matches = result.sanctions.matches if result.sanctions is not None else ()
    if result.sanctions is None or not 0 <= number < len(matches):
        raise NotFound(NO_HIT)
    subject = DismissedSubject(name=result.sanctions.query)
    return Found(matches[number], subject, result.meta.submitted.business_id, f"/console/searches/{search_id}")


async def _in_screening(request: Request, signed_in: SignedIn, runtime: Runtime) -> Found:
    query = request.query_params
    wanted = submitted(ScreeningRequest, asked_of(query)).value
    if wanted is None:
        raise NotFound(NO_HIT)
    answer = await create_screening(runtime, signed_in.principal, wanted)
    party = (query.get("list"), query.get("party"))
    match = next((found for found in answer.screening.matches if (found.source, found.entry_id) == party), None)
    if match is None:
        raise NotFound(NO_HIT)
    asked = answer.meta.submitted
    subject = DismissedSubject(
        name=asked.query,
        entity_type=asked.entity_type,
        countries=list(asked.countries) if asked.countries is not None else None,
        date_of_birth=asked.date_of_birth,
    )
    back = urlencode([(name, value) for name, value in query.multi_items() if name in FIELDS])
    return Found(match, subject, None, f"{ADDRESS}?{back}")
