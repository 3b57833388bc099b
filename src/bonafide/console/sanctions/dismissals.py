"""Dismiss sanctions hits, list dismissals, revoke them.

The service checks that the hit has not changed since the page was shown.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import Analyst, PathId, ServedRuntime, Viewer, build_author, get_console_request
from bonafide.console.frame.forms import (
    FormSubmission,
    create_form_parser,
    list_problems,
    parse_number,
    parse_uuid,
)
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists.definitions import DISMISSALS, build_dismissal_filter
from bonafide.console.lists.opened_list import open_list
from bonafide.console.sanctions.screening import ADDRESS, build_hit, get_list_title
from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import Message, join_messages
from bonafide.model.accounts.users import SignedIn
from bonafide.model.base import Document
from bonafide.model.query import ScreeningSubject, Text
from bonafide.model.records.business_input import ProseText
from bonafide.model.screening.dismissals import DismissalRequest, DismissalStatus, DismissedHit, DismissedSubject
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.model.search.match import SanctionsMatch, Screening
from bonafide.model.search.result import SearchResult
from bonafide.model.verification.results import VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.screening import dismissals
from bonafide.services.screening.history import read_screening
from bonafide.services.search.execution import read_search
from bonafide.services.verification.lifecycle import read_verification

DISMISSAL_PATH = "/dismissals/{id}"
PAGE_SIZE = 25
MAX_AUDIT_ENTRIES = 100
MAX_HIT_DIGITS = 4
NO_HIT = Message("This hit no longer exists. Screen the name again.")
STATUS_COLOURS = {DismissalStatus.ACTIVE: "good", DismissalStatus.EXPIRED: "", DismissalStatus.REVOKED: "warn"}
_CASE_PAGE = re.compile(r"/console/cases/[0-9a-f-]{36}(?:\?[!-~]*)?")
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
    """A hit of a screening (`?screening=…&match=…`), a search (`?search=…`) or a verification (`?verification=…`), and the form.

    `&subject=…` is the further subject that has the hit.
    """
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
    """The dismissals, newest first, including revoked and expired ones. Raises `ValidationFailed` for an invalid cursor."""
    opened = await open_list(request, signed_in, DISMISSALS)
    if opened.default_address is not None:
        return redirect(request, opened.default_address)
    stored = build_dismissal_filter(opened.chosen, runtime.clock())
    page = await dismissals.list_newest_dismissals(runtime, signed_in.organization_id, stored, PAGE_SIZE, opened.chosen.cursor)
    language = get_console_request(request).language
    lists = sorted(
        (source.metadata.get_display_name(language), key)
        for key, source in runtime.sources.items()
        if source.metadata.kind == "sanctions"
    )
    return render_page(
        request,
        "sanctions/dismissals.html",
        list=opened,
        dismissals=page.dismissals,
        older=page.older,
        lists=[(key, title) for title, key in lists],
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
    """The hit that the URL identifies; `&back=` is the page of a case to return to. Raises `NotFound`."""
    found = await _find_hit_of_document(request, signed_in, runtime)
    back = request.query_params.get("back", "")
    return replace(found, back=back) if _CASE_PAGE.fullmatch(back) is not None else found


async def _find_hit_of_document(request: Request, signed_in: SignedIn, runtime: Runtime) -> DismissalTarget:
    if "search" in request.query_params:
        return await _find_target_in_search(request, signed_in, runtime)
    if "verification" in request.query_params:
        return await _find_target_in_verification(request, signed_in, runtime)
    return await _find_target_in_screening(request, signed_in, runtime)


async def _find_target_in_search(request: Request, signed_in: SignedIn, runtime: Runtime) -> DismissalTarget:
    search_id = _parse_id(request, "search")
    result = (await read_search(runtime, signed_in.organization_id, search_id)).parse(SearchResult)
    if result.sanctions is None:
        raise NotFound(NO_HIT)
    match, subject = _select_hit(request, result.sanctions, ScreeningSubject(result.sanctions.query))
    return DismissalTarget(match, subject, result.meta.submitted.business_id, f"/console/searches/{search_id}")


async def _find_target_in_screening(request: Request, signed_in: SignedIn, runtime: Runtime) -> DismissalTarget:
    screening_id = _parse_id(request, "screening")
    answer = (await read_screening(runtime, signed_in.organization_id, screening_id)).parse(ScreeningAnswer)
    submitted = answer.meta.submitted
    match, subject = _select_hit(request, answer.screening, submitted.subject())
    return DismissalTarget(match, subject, submitted.business_id, f"{ADDRESS}/screenings/{screening_id}")


async def _find_target_in_verification(request: Request, signed_in: SignedIn, runtime: Runtime) -> DismissalTarget:
    verification_id = _parse_id(request, "verification")
    document = await read_verification(runtime, signed_in.organization_id, verification_id)
    if not isinstance(document, VerifyResponse) or document.sanctions is None:
        raise NotFound(NO_HIT)
    match, subject = _select_hit(request, document.sanctions, ScreeningSubject(document.sanctions.query))
    return DismissalTarget(match, subject, document.meta.business_id, f"/console/verifications/{verification_id}")


def _parse_id(request: Request, name: str) -> UUID:
    found = parse_uuid(request.query_params.get(name, ""))
    if found is None:
        raise NotFound(NO_HIT)
    return found


def _select_hit(request: Request, screening: Screening, screened: ScreeningSubject) -> tuple[SanctionsMatch, DismissedSubject]:
    """The hit that `?match=` counts, of the screened name or of the further subject `?subject=`, and its subject."""
    matches, number = screening.matches, parse_number(request.query_params.get("match", ""), MAX_HIT_DIGITS)
    if "subject" in request.query_params:
        subject_id = _parse_id(request, "subject")
        subject = next((subject for subject in screening.subjects if subject.subject_id == subject_id), None)
        if subject is None:
            raise NotFound(NO_HIT)
        matches, screened = subject.matches, subject.to_subject()
    if number is None or number >= len(matches):
        raise NotFound(NO_HIT)
    dismissed = DismissedSubject(
        name=screened.name,
        entity_type=screened.entity_type,
        countries=list(screened.countries) if screened.countries else None,
        date_of_birth=screened.date_of_birth,
    )
    return matches[number], dismissed
