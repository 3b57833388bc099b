"""Dismiss sanctions hits, list dismissals, revoke them.

The service checks that the hit has not changed since the page was shown.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import Analyst, PathId, ServedRuntime, Viewer, build_author, get_console_request
from bonafide.console.frame.forms import FormSubmission, create_form_parser, list_problems, parse_form, parse_offset
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.sanctions.screening import ADDRESS, FIELDS, build_hit, get_list_title, parse_screening_form
from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import Message, join_messages
from bonafide.model.accounts.users import SignedIn
from bonafide.model.base import Document
from bonafide.model.query import Text
from bonafide.model.records.business_input import ProseText
from bonafide.model.screening.dismissals import DismissalRequest, DismissalStatus, DismissedHit, DismissedSubject
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.model.search.match import SanctionsMatch
from bonafide.model.search.result import SearchResult
from bonafide.runtime import Runtime
from bonafide.services.screening import dismissals
from bonafide.services.screening.standalone import create_screening
from bonafide.services.search.execution import read_search
from bonafide.store.records.dismissals import DismissalFilter

DISMISSAL_PATH = "/dismissals/{id}"
PAGE_SIZE = 25
MAX_AUDIT_ENTRIES = 100
NO_HIT = Message("This hit no longer exists. Screen the name again.")
STATUS_COLOURS = {DismissalStatus.ACTIVE: "good", DismissalStatus.EXPIRED: "", DismissalStatus.REVOKED: "warn"}
_ACTIVE = {"yes": True, "no": False}
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


class DismissalForm(Document):
    """The reason for dismissing a hit, the last day of the dismissal, and whether it applies to one business record only."""

    reason: ProseText
    until: date | None = None
    only_this_business: bool = False


class RevocationForm(Document):
    """The reason for revoking a dismissal."""

    reason: Text | None = None


@dataclass(frozen=True, slots=True)
class DismissalTarget:
    """A hit to dismiss: its subject, its business record, and the page to return to."""

    match: SanctionsMatch
    subject: DismissedSubject
    business_id: UUID | None
    back: str

    @property
    def party(self) -> DismissedHit:
        """The listed party. Raises `NotFound` for a hit of an old result that doesn't identify its party."""
        if self.match.entry_id is None or self.match.digest is None:
            raise NotFound(NO_HIT)
        return DismissedHit(source=self.match.source, entry_id=self.match.entry_id, digest=self.match.digest)


@router.get("/dismiss")
async def dismiss_page(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """A hit of a screening (`?query=…&list=…&party=…`) or of a search (`?search=…&match=…`), and the form."""
    found = await _find_target(request, signed_in, runtime)
    return _render_form(request, runtime, found)


@router.post("/dismiss")
async def dismiss(
    request: Request,
    signed_in: Analyst,
    runtime: ServedRuntime,
    form: Annotated[FormSubmission[DismissalForm], Depends(create_form_parser(DismissalForm))],
) -> Response:
    """Save the dismissal."""
    found = await _find_target(request, signed_in, runtime)
    if form.value is None:
        return _render_form(request, runtime, found, form)
    submitted = form.value
    dismissal = DismissalRequest(
        subject=found.subject,
        hit=found.party,
        reason=submitted.reason,
        until=datetime.combine(submitted.until, time(), UTC) if submitted.until is not None else None,
        business_id=found.business_id if submitted.only_this_business else None,
    )
    try:
        await dismissals.dismiss(runtime, signed_in.principal, dismissal, build_author(request, signed_in))
    except ValidationFailed as refusal:
        return _render_form(request, runtime, found, FormSubmission(None, form.raw, list_problems(refusal)))
    return redirect(request, found.back)


@router.get("/dismissals")
async def list_dismissals(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The dismissals, newest first, including revoked and expired ones."""
    query = request.query_params
    active, key = _ACTIVE.get(query.get("active", "")), query.get("list", "")
    chosen = DismissalFilter(active, key if key != "" else None, runtime.clock())
    listed = await dismissals.list_dismissals(runtime, signed_in.organization_id, chosen, PAGE_SIZE, parse_offset(request))
    kept = {name: query[name] for name in ("active", "list") if query.get(name)}
    language = get_console_request(request).language
    lists = sorted(
        (source.metadata.get_display_name(language), key)
        for key, source in runtime.sources.items()
        if source.metadata.kind == "sanctions"
    )
    return render_page(
        request,
        "sanctions/dismissals.html",
        listed=listed,
        active=query.get("active", ""),
        chosen_list=key,
        lists=[("", ""), *((key, title) for title, key in lists)],
        address=f"{ADDRESS}/dismissals?{urlencode(kept)}{'&' if kept else ''}",
        title_of=lambda key: get_list_title(request, key),
        colours=STATUS_COLOURS,
    )


@router.get(DISMISSAL_PATH)
async def read_dismissal(request: Request, signed_in: Viewer, runtime: ServedRuntime, dismissal_id: PathId) -> Response:
    """One dismissal, its audit log, and the form to revoke it."""
    organization_id = signed_in.organization_id
    dismissal = await dismissals.read_dismissal(runtime, organization_id, dismissal_id)
    trail = await dismissals.read_dismissal_audit_log(runtime, organization_id, dismissal_id, MAX_AUDIT_ENTRIES, 0)
    return render_page(
        request,
        "sanctions/dismissal.html",
        dismissal=dismissal,
        trail=trail,
        list_title=get_list_title(request, dismissal.hit.source),
        colours=STATUS_COLOURS,
    )


@router.post(f"{DISMISSAL_PATH}/revoke")
async def revoke(
    request: Request,
    signed_in: Analyst,
    runtime: ServedRuntime,
    dismissal_id: PathId,
    form: Annotated[FormSubmission[RevocationForm], Depends(create_form_parser(RevocationForm))],
) -> Response:
    """Revoke the dismissal. Raises `NotFound`."""
    if form.value is None:
        raise ValidationFailed(join_messages(form.problems.values()))
    await dismissals.revoke(runtime, signed_in.organization_id, dismissal_id, form.value.reason, build_author(request, signed_in))
    return redirect(request, f"{ADDRESS}/dismissals/{dismissal_id}")


def _render_form(
    request: Request, runtime: Runtime, found: DismissalTarget, form: FormSubmission[DismissalForm] | None = None
) -> Response:
    return render_page(
        request,
        "sanctions/dismiss.html",
        200 if form is None else 422,
        found=found,
        hit=build_hit(request, found.match, None),
        form=form,
        tomorrow=runtime.clock().date().isoformat(),
        action=f"{request.url.path}?{request.url.query}",
    )


async def _find_target(request: Request, signed_in: SignedIn, runtime: Runtime) -> DismissalTarget:
    """The hit that the URL identifies. Raises `NotFound`."""
    if "search" in request.query_params:
        return await _find_target_in_search(request, signed_in, runtime)
    return await _find_target_in_screening(request, signed_in, runtime)


async def _find_target_in_search(request: Request, signed_in: SignedIn, runtime: Runtime) -> DismissalTarget:
    try:
        search_id, number = UUID(request.query_params["search"]), int(request.query_params.get("match", ""))
    except ValueError:
        raise NotFound(NO_HIT) from None
    result = (await read_search(runtime, signed_in.organization_id, search_id)).parse(SearchResult)
    matches = result.sanctions.matches if result.sanctions is not None else ()
    if result.sanctions is None or not 0 <= number < len(matches):
        raise NotFound(NO_HIT)
    subject = DismissedSubject(name=result.sanctions.query)
    return DismissalTarget(matches[number], subject, result.meta.submitted.business_id, f"/console/searches/{search_id}")


async def _find_target_in_screening(request: Request, signed_in: SignedIn, runtime: Runtime) -> DismissalTarget:
    query = request.query_params
    screening_request = parse_form(ScreeningRequest, parse_screening_form(query)).value
    if screening_request is None:
        raise NotFound(NO_HIT)
    answer = await create_screening(runtime, signed_in.principal, screening_request)
    party = (query.get("list"), query.get("party"))
    match = next((found for found in answer.screening.matches if (found.source, found.entry_id) == party), None)
    if match is None:
        raise NotFound(NO_HIT)
    submitted = answer.meta.submitted
    subject = DismissedSubject(
        name=submitted.query,
        entity_type=submitted.entity_type,
        countries=list(submitted.countries) if submitted.countries is not None else None,
        date_of_birth=submitted.date_of_birth,
    )
    back = urlencode([(name, value) for name, value in query.multi_items() if name in FIELDS])
    return DismissalTarget(match, subject, None, f"{ADDRESS}?{back}")
