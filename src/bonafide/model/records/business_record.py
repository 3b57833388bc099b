"""The business record: what an organization keeps of a business of its own, and the trail of what became of each field.

The record holds the caller's fields and the few that this service keeps up to date (`SystemFields`). What a caller may send stands
in `business_input`; how records are found, changed and locked is the services' business.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, JsonValue, model_validator

from bonafide.model.base import Document, Instant
from bonafide.model.entity import Address
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.monitoring.policy import RecordMonitoring
from bonafide.model.risk.rating import RiskAssessment
from bonafide.model.search.result import Pagination


class VerificationStatus(StrEnum):
    """What the newest verification of a record came to (`verificationStatus`)."""

    UNVERIFIED = "unverified"
    VERIFIED = "verified"
    DISCREPANCIES = "discrepancies"
    FAILED = "failed"


class MainAddress(Document):
    """The address of a business; written as `street`, `city` … beside the other fields, or as one object."""

    label: Annotated[str | None, Field(examples=["Registered office"])] = None
    """What the address is to the business."""
    street: str | None = None
    """Street line."""
    unit: str | None = None
    """Unit, suite or apartment."""
    city: str | None = None
    """City or town."""
    province: str | None = None
    """Province or territory."""
    postal_code: str | None = None
    """Postal code."""
    country: str | None = None
    """Country."""


class Registration(Document):
    """A further number of a business: what it is, the number, and whose it is."""

    label: Annotated[str | None, Field(examples=["GST/HST"])] = None
    """What the number is."""
    value: Annotated[str, Field(examples=["812345678RT0001"])]
    """The number."""
    jurisdiction: Annotated[str | None, Field(examples=["FED"])] = None
    """Jurisdiction or body that issued the number."""


class RecordAddress(Address):
    """A further address of a business, with the unit apart. `type` is the same as `label`."""

    unit: Annotated[str | None, Field(examples=["4"])] = None
    """Unit, suite or apartment."""
    type: Annotated[str | None, Field(examples=["mailing"])] = None
    """The same as `label`."""

    @model_validator(mode="before")
    @classmethod
    def _with_both(cls, data: Any) -> Any:
        # Earlier releases stored the type only, and a caller may send either.
        if not isinstance(data, dict):
            return data
        label = data.get("label") or data.get("type")
        return {**data, "label": label, "type": label}


class RecordPerson(Document):
    """A person of a business as the organization knows them."""

    name: str
    """Full name."""
    roles: tuple[str, ...] = ()
    """Roles of the person."""
    email: str | None = None
    """Email address."""
    is_monitored: bool = True
    """Whether the person is monitored if the business is."""


class SystemFields(Document):
    """The fields of a record that this service keeps; callers read them and can't set them."""

    source_entity_type: Annotated[str | None, Field(examples=["Business Corporation"])] = None
    """Entity type of the selected registration, in the registry's own words."""
    source_urls: Annotated[tuple[str, ...], Field(examples=[["https://www.ontario.ca/page/ontario-business-registry"]])] = ()
    """Pages of the selected registration."""
    verification_status: VerificationStatus = VerificationStatus.UNVERIFIED
    """Outcome of the latest verification."""
    last_verified_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:35:10.500Z"])] = None
    """When the latest verification finished."""
    last_verification_job_id: Annotated[UUID | None, Field(examples=["3c1f6d0b-7f5e-4a8e-9b58-0b8f2f6f1c22"])] = None
    """ID of the latest verification job."""
    latest_verification_id: Annotated[UUID | None, Field(examples=["3c1f6d0b-7f5e-4a8e-9b58-0b8f2f6f1c22"])] = None
    """ID of the latest verification."""
    has_unresolved_discrepancies: bool = False
    """Whether the latest verification has discrepancies."""
    last_searched_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:00.125Z"])] = None
    """When the record was last searched."""
    last_search_job_id: Annotated[UUID | None, Field(examples=["0a9b7e54-3f1c-4f0e-8a57-5d2f6f4b8f33"])] = None
    """ID of the latest search."""
    last_screened_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:00.125Z"])] = None
    """When the record was last screened against sanctions lists."""
    risk: RiskAssessment | None = None
    """Risk rating by the facts of all checks of the record; null if it has not been rated."""


class CallerFields(Document):
    """The fields of a record that callers write."""

    external_id: str | None = None
    """Your own ID of the business."""
    name: str | None = None
    """Name of the business."""
    operating_names: Annotated[tuple[str, ...], Field(examples=[["King Street Bakery"]])] = ()
    """Operating and trade names."""
    jurisdiction: Jurisdiction | None = None
    """Jurisdiction of registration."""
    registration_number: str | None = None
    """Registration number in that jurisdiction."""
    business_number: Annotated[str | None, Field(examples=["812345678"])] = None
    """Business number (BN) of the Canada Revenue Agency."""
    entity_type: Annotated[str | None, Field(examples=["Corporation"])] = None
    """Legal form of the business."""
    registry_status: Annotated[str | None, Field(examples=["Active"])] = None
    """Status in the registry."""
    incorporation_date: Annotated[str | None, Field(examples=["2014-03-18"])] = None
    """Date of incorporation, as precisely as it is known."""
    incorporation_year: Annotated[int | None, Field(examples=[2014])] = None
    """Year of incorporation."""
    registrations: tuple[Registration, ...] = ()
    """Further registration numbers."""
    address: MainAddress = MainAddress()
    """The main address."""
    addresses: tuple[RecordAddress, ...] = ()
    """Further addresses."""
    people: tuple[RecordPerson, ...] = ()
    """People of the business."""
    website: str | None = None
    """Website URL."""
    additional_websites: Annotated[tuple[str, ...], Field(examples=[["https://kingstreet.sandbox.example"]])] = ()
    """Further website URLs."""
    phone_number: Annotated[str | None, Field(examples=["+14165550123"])] = None
    """Phone number."""
    email: Annotated[str | None, Field(examples=["office@bakery.sandbox.example"])] = None
    """Email address."""
    industry: Annotated[str | None, Field(examples=["Bakery"])] = None
    """Industry in your own words."""
    industry_category: Annotated[str | None, Field(examples=["Food manufacturing"])] = None
    """Category of the industry in your own classification."""
    naics_code: Annotated[str | None, Field(examples=["311811"])] = None
    """NAICS code."""
    naics_code_name: Annotated[str | None, Field(examples=["Retail bakeries"])] = None
    """Title of the NAICS class."""
    business_description: Annotated[str | None, Field(examples=["Bakery with one shop in Toronto."])] = None
    """Description of the business."""
    origination_date: Annotated[str | None, Field(examples=["2026-10-05"])] = None
    """When the business became your customer."""
    notes: Annotated[str | None, Field(examples=["Onboarded by the Toronto branch."])] = None
    """Your own notes."""
    is_monitored: bool = False
    """Whether the business is monitored."""
    monitoring: RecordMonitoring = RecordMonitoring()
    """What the record overrides of the organization's monitoring policy."""
    is_archived: bool = False
    """Whether the record is archived."""


class _Identified(Document):
    id: UUID
    """ID of the record."""


class BusinessRecord(SystemFields, CallerFields, _Identified):
    """One business record as it is stored and sent. `updated_at` is unique in its organization and names this version."""

    created_at: Instant
    """When the record was created."""
    updated_at: Instant
    """When the record last changed. It is unique in the organization and identifies this version."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a subject before and after a change, as JSON values; `address.city` is a part of an object."""

    field: str
    old: JsonValue
    new: JsonValue


def list_changes(old: Document | None, new: Document, fields: type[Document]) -> tuple[FieldChange, ...]:
    """What differs in the fields that `fields` declares, in order; of a new document (`old` None) what differs from nothing."""
    before = _flatten(old if old is not None else fields(), fields)
    # An object that there was not yet has no parts before the change.
    return tuple(
        FieldChange(name, before.get(name), value) for name, value in _flatten(new, fields).items() if value != before.get(name)
    )


def _flatten(document: Document, fields: type[Document]) -> dict[str, Any]:
    """The values by path: objects are taken apart, lists are values."""
    dumped = document.model_dump(mode="json", by_alias=True, include=set(fields.model_fields))
    return dict(_list_paths(dumped, ""))


def _list_paths(value: dict[str, Any], prefix: str) -> list[tuple[str, Any]]:
    paths: list[tuple[str, Any]] = []
    for name, inner in value.items():
        paths += _list_paths(inner, f"{prefix}{name}.") if isinstance(inner, dict) else [(f"{prefix}{name}", inner)]
    return paths


class BusinessAnswer(Document):
    """The answer of `POST /businesses` and `GET /businesses/{id}`."""

    business: BusinessRecord
    """The record."""


class Cursor(Document):
    """Where the next page begins; it is given on the last page too, so that the feed can be followed from there later."""

    next: str
    """Cursor of the next page. The last page has one too: use it later to continue the feed."""


class FeedPagination(Document):
    """Whether the feed has more at this moment."""

    limit: int
    """Maximum number of records on a page."""
    has_more: bool
    """Whether the feed has further records now."""


class BusinessPage(Document):
    """A page of the change feed, oldest change first."""

    businesses: tuple[BusinessRecord, ...]
    """Records, oldest change first."""
    cursor: Cursor
    """Position in the feed."""
    pagination: FeedPagination
    """Size of the page."""


class AuditEntry(Document):
    """One field of a record that was changed: when, by whom, in which request, from what to what.

    `id` counts the organization's entries; `hash` covers the entry and the hash of the one before it.
    """

    id: int
    """Number of the entry in the organization's audit log."""
    at: Instant
    """When the change was made."""
    actor: str
    """Who made the change."""
    request_id: str | None
    """ID of the request; null for changes made on the command line or by the service."""
    field: str
    """Path of the changed field."""
    old: JsonValue
    """Value before the change."""
    new: JsonValue
    """Value after the change."""
    hash: str
    """SHA-256 over the entry and the hash of the previous entry."""


class AuditPage(Document):
    """A stretch of a trail, oldest first."""

    entries: tuple[AuditEntry, ...]
    """Entries, oldest first."""
    pagination: Pagination
    """Position of the page."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes something, and in which request; a change without a request is the command line's or this service's own."""

    actor: str
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class FeedPosition:
    """A place in the change feed: what comes after it is still to be read."""

    updated_at: datetime
    id: UUID
