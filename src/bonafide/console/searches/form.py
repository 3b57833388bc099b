"""The search form and the `SearchRequest` it stands for.

A form that shows no checkboxes (the search box, a link) uses the account's default checks.
"""

import re
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from bonafide.matching.identifiers.number_labels import compact_number, parse_labelled_number
from bonafide.matching.identifiers.number_matching import is_lei
from bonafide.model.accounts.organizations import AccountSettings
from bonafide.model.base import FIELD, Document
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import AddressInput, JurisdictionCode, NameText, SearchParams, SearchRequest, Text, Threshold
from bonafide.model.search.result import Submitted

_NUMBER = re.compile(r"[A-Z]{0,4}\d{5,15}|\d{9}[A-Z]{2}\d{4}")
"""Digits, with at most the letters of a register or a series in front of them; or a business number with its program account."""


class SearchCheck(StrEnum):
    """What a person may ask for with a tick, by its name in a request."""

    BUSINESS_REGISTRY = "business_registry"
    REGULATORY_REGISTRY = "regulatory_registry"
    SANCTIONS_SCREENING = "sanctions_screening"
    WEBSITE_ANALYSIS = "website_analysis"
    MATCH_SELECTION = "match_selection"


class SearchForm(Document):
    """The fields of the form, named as in a request."""

    name: NameText | None = None
    website: Text | None = None
    business_id: UUID | None = None
    registration_number: Text | None = None
    address: AddressInput | None = None
    jurisdictions: Annotated[list[JurisdictionCode], Field(max_length=len(Jurisdiction))] | None = None
    regulatory_registry_threshold: Threshold | None = None
    sanctions_threshold: Threshold | None = None
    has_checks: bool = False
    """Whether the form shows the ticks at all: one that is not sent is then one that was taken away."""
    checks: list[SearchCheck] | None = None

    @model_validator(mode="after")
    def _something_to_look_up(self) -> "SearchForm":
        if self.name is None and self.business_id is None:
            raise PydanticCustomError("required", "is required", {FIELD: "name"})
        return self

    def request(self) -> SearchRequest:
        """The search that it asks for."""
        return SearchRequest(
            name=self.name,
            website=self.website,
            business_id=self.business_id,
            registration_number=self._number(),
            address=self.address if self.address != AddressInput() else None,
            jurisdictions=self.jurisdictions,
            regulatory_registry_threshold=self.regulatory_registry_threshold,
            sanctions_threshold=self.sanctions_threshold,
            **self._flags(),
        )

    def _number(self) -> str | None:
        """The number that was given, else the box's text if that is one: as evidence beside the name it can do no harm."""
        is_number = self.registration_number is None and self.name is not None and is_registration_number(self.name)
        return self.name if is_number else self.registration_number

    def _flags(self) -> dict[str, bool]:
        if not self.has_checks:
            return {}
        wanted = {check: check in (self.checks or ()) for check in SearchCheck}
        if self.website is None and wanted[SearchCheck.WEBSITE_ANALYSIS]:
            # The tick means the site that is given, or that the stored business has: without one there is nothing to analyse.
            del wanted[SearchCheck.WEBSITE_ANALYSIS]
        return {check.value: is_wanted for check, is_wanted in wanted.items()}


def is_registration_number(text: str) -> bool:
    """Whether a text is a registration number and no name ("1234567 Ontario Inc." is a name)."""
    number = parse_labelled_number(compact_number(text)).number
    return _NUMBER.fullmatch(number) is not None or is_lei(number)


def list_default_checks(settings: AccountSettings) -> frozenset[SearchCheck]:
    """The ticks that the account's settings set."""
    search, selection = settings.search, settings.match_selection
    wanted = {check for check in SearchCheck if check is not SearchCheck.MATCH_SELECTION and getattr(search, check.value)}
    return frozenset({*wanted, SearchCheck.MATCH_SELECTION} if selection.enabled else wanted)


def rebuild_request(submitted: Submitted) -> SearchRequest:
    """The request of a search that was made, to make it once more."""
    params = {name: value for name in SearchParams.model_fields if (value := getattr(submitted.params, name)) is not None}
    return SearchRequest.model_validate(
        {"name": submitted.name, "website": submitted.website, "business_id": submitted.business_id, **params}
    )
