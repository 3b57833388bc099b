"""The arguments of the tools. They are a part of those of the API, with the same names and rules."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant, create_field_error, create_fields_error
from bonafide.model.entry import EntityKind
from bonafide.model.events.event import EventType
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import AddressInput, JurisdictionName, NameText, ScreenedNameText, SearchedNameText, Text, Threshold
from bonafide.model.records.business_input import MAX_PEOPLE, NumberText, PersonInput
from bonafide.model.screening.requests import MAX_SUBJECTS, BirthDate, Countries, SubmittedSubject
from bonafide.model.verification.registry_report import MAX_AGE_H

DEFAULT_MATCHES = 5
MAX_MATCHES = 20
"""A model reads every match. More of them are in the console and in the API."""
DEFAULT_EVENTS = 25
MAX_EVENTS = 100
BusinessId = Annotated[UUID | None, Field(description="ID of a stored business record. Requires the scope `businesses:read`.")]


class SearchToolInput(Document):
    """The arguments of `search_business`."""

    name: Annotated[
        SearchedNameText | None,
        Field(description="Business name. Required unless `businessId` is given.", examples=["Sandbox Bakery Inc."]),
    ] = None
    business_id: BusinessId = None
    jurisdictions: Annotated[
        Annotated[list[JurisdictionName], Field(min_length=1, max_length=len(Jurisdiction))] | None,
        Field(description="Jurisdictions whose registries are searched, as codes (`ON`, `FED`) or names; all without it."),
    ] = None
    registration_number: Annotated[
        Text | None, Field(description="Registration number. It affects scores and adds candidates; it never filters.")
    ] = None
    address: Annotated[AddressInput | None, Field(description="Address of the business. It affects scores and never filters.")] = (
        None
    )
    website: Annotated[Text | None, Field(description="Website URL. The site is read and compared with the best match.")] = None
    sanctions_screening: Annotated[
        bool | None, Field(description="Whether to screen sanctions lists too. Requires the scope `sanctions:write`.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=MAX_MATCHES, description="Maximum number of registry matches.")] = DEFAULT_MATCHES

    @model_validator(mode="after")
    def _something_to_search(self) -> "SearchToolInput":
        if self.name is None and self.business_id is None:
            raise create_field_error("name", Message("is required unless businessId is given"))
        return self


class ExplainMatchToolInput(Document):
    """The arguments of `explain_match`."""

    search_id: Annotated[UUID, Field(description="`searchId` of an answer of `search_business`.")]
    match_id: Annotated[
        UUID | None, Field(description="`matchId` of the registry match; the selected or best match without it.")
    ] = None


class VerifyToolInput(Document):
    """The arguments of `verify_business`."""

    verification_id: Annotated[
        UUID | None,
        Field(description="Read the result of a verification that was pending, instead of starting another one."),
    ] = None
    legal_name: Annotated[NameText | None, Field(description="Claimed legal name.")] = None
    jurisdiction: Annotated[JurisdictionName | None, Field(description="Claimed jurisdiction, as a code or name.")] = None
    registration_number: Annotated[NumberText | None, Field(description="Claimed registration number.")] = None
    business_id: BusinessId = None
    address: Annotated[AddressInput | None, Field(description="Claimed address. Only the given parts are compared.")] = None
    people: Annotated[
        Annotated[tuple[PersonInput, ...], Field(max_length=MAX_PEOPLE)] | None,
        Field(description="Claimed people, compared with the directors and officers of the registry."),
    ] = None
    sanctions_screening: Annotated[
        bool | None, Field(description="Whether to screen the claimed and registered names too. Requires `sanctions:write`.")
    ] = None
    max_age: Annotated[
        Annotated[float, Field(ge=0, le=MAX_AGE_H, allow_inf_nan=False)] | None,
        Field(description="Maximum age of a stored registry report in hours."),
    ] = None

    @model_validator(mode="after")
    def _someone_to_verify(self) -> "VerifyToolInput":
        if self.verification_id is not None or self.business_id is not None:
            return self
        identity = {
            "legalName": self.legal_name,
            "jurisdiction": self.jurisdiction,
            "registrationNumber": self.registration_number,
        }
        missing = [name for name, value in identity.items() if value is None]
        if missing:
            raise create_fields_error(missing, Message("is required unless businessId or verificationId is given"))
        return self


class ScreenToolInput(Document):
    """The arguments of `screen_sanctions`."""

    name: Annotated[ScreenedNameText, Field(description="Name to screen.", examples=["Northgate Shipping Ltd."])]
    entity_type: Annotated[EntityKind | None, Field(description="Type of the subject, if known.")] = None
    countries: Annotated[Countries | None, Field(description="Countries of the subject as ISO 3166-1 alpha-2 codes.")] = None
    date_of_birth: Annotated[BirthDate | None, Field(description="Date of birth: YYYY, YYYY-MM or YYYY-MM-DD.")] = None
    threshold: Annotated[Threshold | None, Field(description="Lowest score of a match, from 0.7 to 1.")] = None
    business_id: BusinessId = None
    subjects: Annotated[
        tuple[SubmittedSubject, ...], Field(max_length=MAX_SUBJECTS, description="Further subjects, each with its own result.")
    ] = ()


class ReadBusinessToolInput(Document):
    """The arguments of `get_business`."""

    business_id: Annotated[UUID | None, Field(description="ID of the record.")] = None
    business_external_id: Annotated[Text | None, Field(description="Your own ID of the business.", examples=["crm-1042"])] = None

    @model_validator(mode="after")
    def _one_record(self) -> "ReadBusinessToolInput":
        if self.business_id is None and self.business_external_id is None:
            raise create_field_error("businessId", Message("is required unless businessExternalId is given"))
        return self


class CoverageToolInput(Document):
    """The arguments of `get_coverage`."""

    jurisdiction: Annotated[
        JurisdictionName | None, Field(description="Sources of this jurisdiction only, given as a code or name.")
    ] = None


class EventsToolInput(Document):
    """The arguments of `list_events`."""

    since: Annotated[Instant | None, Field(description="Events from this time on, with a time zone.")] = None
    cursor: Annotated[Text | None, Field(description="`cursor` of an earlier answer. Takes precedence over `since`.")] = None
    types: Annotated[Annotated[list[EventType], Field(min_length=1)] | None, Field(description="Events of these types only.")] = (
        None
    )
    business_id: BusinessId = None
    limit: Annotated[int, Field(ge=1, le=MAX_EVENTS, description="Maximum number of events.")] = DEFAULT_EVENTS

    @property
    def start(self) -> datetime | None:
        """The time to read from; None with a cursor."""
        return self.since if self.cursor is None else None


class ReportToolInput(Document):
    """The arguments of `get_registry_report`."""

    jurisdiction: Annotated[JurisdictionName, Field(description="Jurisdiction, as a code or name.")]
    registration_number: Annotated[Text, Field(description="Registration number.", examples=["1000017"])]
    max_age: Annotated[
        Annotated[float, Field(ge=0, le=MAX_AGE_H, allow_inf_nan=False)] | None,
        Field(description="Maximum age of a stored report in hours; 24 without it. 0 queries the register now."),
    ] = None
