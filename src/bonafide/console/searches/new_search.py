"""The search page: form, suggestions, recent searches.

A form that shows no checkboxes (the search box, a link) uses the account's default checks. The search runs in this process, so
that the page can show its progress.
"""

import re
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from starlette.responses import HTMLResponse, Response

from bonafide.console.frame.console_request import LIMITED_WORK, Analyst, ServedRuntime
from bonafide.console.frame.forms import FormSubmission, create_form_parser, list_problems, parse_uuid
from bonafide.console.frame.responses import render_page, render_template
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.searches.progress import run_and_follow_search
from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_labels import compact_number, parse_labelled_number
from bonafide.matching.identifiers.number_matching import is_lei
from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.users import SignedIn
from bonafide.model.base import FIELD, Document
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import (
    MAX_NAME_CHARACTERS,
    AddressInput,
    JurisdictionName,
    SearchedNameText,
    SearchParams,
    SearchRequest,
    Text,
    Threshold,
)
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.search.result import Submitted
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.records import business_records
from bonafide.services.search.history import list_past_searches
from bonafide.services.search.prefill import prefill
from bonafide.store.records.searches import HistoryFilter

_NUMBER = re.compile(r"[A-Z]{0,4}\d{5,15}|\d{9}[A-Z]{2}\d{4}")
"""Digits with up to four leading letters, or a business number with its program account."""
MAX_RECENT_SEARCHES = 5
TEXT_FIELDS = (
    "name", "website", "registrationNumber", "regulatoryRegistryThreshold", "sanctionsThreshold",
    "address.street", "address.city", "address.province", "address.postalCode",
)  # fmt: skip
"""Text fields of the form. A form with errors shows their values again."""
MIN_TYPED_CHARACTERS = 2
"""Shorter texts return no suggestions, because too many names begin with them."""
MAX_SUGGESTIONS = 8
router = APIRouter(prefix="/console/search", include_in_schema=False, route_class=ConsoleRoute)


class SearchCheck(StrEnum):
    """The checkboxes of the form, by their field name in a request."""

    BUSINESS_REGISTRY = "business_registry"
    REGULATORY_REGISTRY = "regulatory_registry"
    SANCTIONS_SCREENING = "sanctions_screening"
    WEBSITE_ANALYSIS = "website_analysis"
    MATCH_SELECTION = "match_selection"


class SearchForm(Document):
    """The fields of the form, named as in a request."""

    name: SearchedNameText | None = None
    website: Text | None = None
    business_id: UUID | None = None
    registration_number: Text | None = None
    address: AddressInput | None = None
    jurisdictions: Annotated[list[JurisdictionName], Field(max_length=len(Jurisdiction))] | None = None
    regulatory_registry_threshold: Threshold | None = None
    sanctions_threshold: Threshold | None = None
    has_checks: bool = False
    """Whether the form shows checkboxes. If so, a checkbox that is not sent is unchecked."""
    checks: list[SearchCheck] | None = None

    @model_validator(mode="after")
    def _something_to_look_up(self) -> "SearchForm":
        if self.name is None and self.business_id is None:
            raise PydanticCustomError("required", Message("is required"), {FIELD: "name"})
        return self

    def request(self) -> SearchRequest:
        """The search request for the form."""
        return SearchRequest(
            name=self.name,
            website=self.website,
            business_id=self.business_id,
            registration_number=self._number(),
            address=self.address if self.address is not None and not self.address.is_empty else None,
            jurisdictions=self.jurisdictions,
            regulatory_registry_threshold=self.regulatory_registry_threshold,
            sanctions_threshold=self.sanctions_threshold,
            **self._flags(),
        )

    def _number(self) -> str | None:
        """The registration number, or the name if it looks like one. As additional evidence it never lowers a result."""
        is_number = self.registration_number is None and self.name is not None and is_registration_number(self.name)
        return self.name if is_number else self.registration_number

    def _flags(self) -> dict[str, bool]:
        if not self.has_checks:
            return {}
        flags = {check: check in (self.checks or ()) for check in SearchCheck}
        if self.website is None and flags[SearchCheck.WEBSITE_ANALYSIS]:
            # The check applies to the given website or the one of the business record. Without either, the default applies.
            del flags[SearchCheck.WEBSITE_ANALYSIS]
        return {check.value: is_wanted for check, is_wanted in flags.items()}


def is_registration_number(text: str) -> bool:
    """Whether a text is a registration number rather than a name ("1234567 Ontario Inc." is a name)."""
    number = parse_labelled_number(compact_number(text)).number
    return _NUMBER.fullmatch(number) is not None or is_lei(number)


def list_default_checks(settings: AccountSettings) -> frozenset[SearchCheck]:
    """The checks that are enabled in the account's settings."""
    search, selection = settings.search, settings.match_selection
    checks = {check for check in SearchCheck if check is not SearchCheck.MATCH_SELECTION and getattr(search, check.value)}
    return frozenset({*checks, SearchCheck.MATCH_SELECTION} if selection.enabled else checks)


def rebuild_request(submitted: Submitted) -> SearchRequest:
    """The request of a past search, to repeat it."""
    asked = SearchParams.model_fields.keys() & SearchRequest.model_fields.keys()
    params = {name: value for name in asked if (value := getattr(submitted.params, name)) is not None}
    return SearchRequest.model_validate(
        {"name": submitted.name, "website": submitted.website, "business_id": submitted.business_id, **params}
    )


@router.get("")
async def search_page(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """The form, prefilled with a name (`?name=`) or a business record (`?business=`)."""
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
    """Search, or show the form with its errors."""
    if sent.value is None:
        return await _render_refused_form(request, signed_in, runtime, sent, dict(sent.problems))
    try:
        return await run_and_follow_search(request, sent.value.request())
    except ValidationFailed as refusal:
        return await _render_refused_form(request, signed_in, runtime, sent, list_problems(refusal))


@router.get("/suggestions")
async def suggestions(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Suggest registered businesses for the text typed so far (`?name=`), as options of a list; none for short texts."""
    typed = " ".join(request.query_params.get("name", "").split())[:MAX_NAME_CHARACTERS]
    offered = (
        await prefill(runtime, signed_in.principal, typed, None, MAX_SUGGESTIONS) if len(typed) >= MIN_TYPED_CHARACTERS else None
    )
    candidates = offered.candidates if offered is not None else ()
    return HTMLResponse(render_template(request, "search/suggestions.html", candidates=candidates))


async def _render_refused_form(
    request: Request, signed_in: SignedIn, runtime: Runtime, sent: FormSubmission[SearchForm], problems: dict[str, Message]
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
    problems: dict[str, Message] | None = None,
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
    )


async def _find_linked_record(runtime: Runtime, signed_in: SignedIn, given: str | None) -> BusinessRecord | None:
    """The business record of a link. Raises `NotFound`."""
    if given is None:
        return None
    business_id = parse_uuid(given)
    if business_id is None:
        raise NotFound(business_records.UNKNOWN)
    return await business_records.find_record(runtime, signed_in.organization_id, business_id=business_id)
