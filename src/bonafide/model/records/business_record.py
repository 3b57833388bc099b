"""The business record: what an organization keeps of a business of its own, and the trail of what became of each field.

The record holds the caller's fields and the few that this service keeps up to date (`SystemFields`). What a caller may send stands
in `business_input`; how records are found, changed and locked is the services' business.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import JsonValue

from bonafide.model.base import Document, Instant
from bonafide.model.entity import Address
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import Pagination


class VerificationStatus(StrEnum):
    """What the newest verification of a record came to (`verificationStatus`)."""

    UNVERIFIED = "unverified"
    VERIFIED = "verified"
    DISCREPANCIES = "discrepancies"
    FAILED = "failed"


class MainAddress(Document):
    """The address of a business; written as `street`, `city` … beside the other fields, or as one object."""

    street: str | None = None
    unit: str | None = None
    city: str | None = None
    province: str | None = None
    postal_code: str | None = None
    country: str | None = None


class Registration(Document):
    """A further number of a business: what it is, the number, and whose it is."""

    label: str | None = None
    value: str
    jurisdiction: str | None = None


class RecordAddress(Address):
    """A further address of a business, with the unit apart and what it is for (`mailing`, `registered office`)."""

    unit: str | None = None
    type: str | None = None


class RecordPerson(Document):
    """A person of a business as the organization knows them."""

    name: str
    roles: tuple[str, ...] = ()
    email: str | None = None


class SystemFields(Document):
    """The fields of a record that this service keeps; callers read them and can't set them."""

    source_entity_type: str | None = None
    """The kind of business in the register's own words, of the registration that was last selected for the record."""
    source_urls: tuple[str, ...] = ()
    """Where that registration can be read."""
    verification_status: VerificationStatus = VerificationStatus.UNVERIFIED
    last_verified_at: Instant | None = None
    last_verification_job_id: UUID | None = None
    latest_verification_id: UUID | None = None
    has_unresolved_discrepancies: bool = False
    last_searched_at: Instant | None = None
    last_search_job_id: UUID | None = None
    last_screened_at: Instant | None = None


class CallerFields(Document):
    """The fields of a record that callers write."""

    external_id: str | None = None
    name: str | None = None
    operating_names: tuple[str, ...] = ()
    jurisdiction: Jurisdiction | None = None
    registration_number: str | None = None
    business_number: str | None = None
    entity_type: str | None = None
    registry_status: str | None = None
    incorporation_date: str | None = None
    incorporation_year: int | None = None
    registrations: tuple[Registration, ...] = ()
    address: MainAddress = MainAddress()
    addresses: tuple[RecordAddress, ...] = ()
    people: tuple[RecordPerson, ...] = ()
    website: str | None = None
    additional_websites: tuple[str, ...] = ()
    phone_number: str | None = None
    email: str | None = None
    industry: str | None = None
    industry_category: str | None = None
    naics_code: str | None = None
    naics_code_name: str | None = None
    business_description: str | None = None
    origination_date: str | None = None
    notes: str | None = None
    is_monitored: bool = False
    is_archived: bool = False


class _Identified(Document):
    id: UUID


class BusinessRecord(SystemFields, CallerFields, _Identified):
    """One business record as it is stored and sent. `updated_at` is unique in its organization and names this version."""

    created_at: Instant
    updated_at: Instant


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a subject before and after a change, as JSON values; `address.city` is a part of an object."""

    field: str
    old: JsonValue
    new: JsonValue


def list_changes(old: Document | None, new: Document, fields: type[Document]) -> tuple[FieldChange, ...]:
    """What differs in the fields that `fields` declares, in order; of a new document (`old` None) what differs from nothing."""
    before = _flatten(old if old is not None else fields(), fields)
    return tuple(FieldChange(name, before[name], value) for name, value in _flatten(new, fields).items() if value != before[name])


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


class Cursor(Document):
    """Where the next page begins; it is given on the last page too, so that the feed can be followed from there later."""

    next: str


class FeedPagination(Document):
    """Whether the feed has more at this moment."""

    limit: int
    has_more: bool


class BusinessPage(Document):
    """A page of the change feed, oldest change first."""

    businesses: tuple[BusinessRecord, ...]
    cursor: Cursor
    pagination: FeedPagination


class AuditEntry(Document):
    """One field of a record that was changed: when, by whom, in which request, from what to what.

    `id` counts the organization's entries; `hash` covers the entry and the hash of the one before it.
    """

    id: int
    at: Instant
    actor: str
    request_id: str | None
    field: str
    old: JsonValue
    new: JsonValue
    hash: str


class AuditPage(Document):
    """A stretch of a trail, oldest first."""

    entries: tuple[AuditEntry, ...]
    pagination: Pagination


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
