"""What a caller may send of a business record: absent leaves a field as it is, null clears it.

A record that was read may be sent back as it is: its read-only fields are taken and ignored. Which record is meant, and whether it
may be changed, is the services' business.
"""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, WithJsonSchema

from bonafide.model.accounts.organizations import Email
from bonafide.model.base import Document, Instant
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import AddressInput, NameText, Text
from bonafide.model.records.business_record import CallerFields, MainAddress, RecordAddress, RecordPerson, Registration

MAX_LIST = 100
"""Of names, numbers, addresses or web sites of one business."""
MAX_PEOPLE = 500
MAX_NUMBER_CHARACTERS = 100
MAX_PROSE_CHARACTERS = 10_000
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_PARTIAL_DATE = re.compile(r"\d{4}(-\d{2})?", re.ASCII)


def _check_prose(text: str) -> str:
    if _CONTROLS.search(text) is not None:
        raise ValueError("control characters other than line breaks and tabs are not allowed")
    return text


def _parse_day(text: str) -> str:
    """Raises `ValueError` for what is no day, month or year."""
    day = f"{text}{'-01-01'[len(text) - 4 :]}" if _PARTIAL_DATE.fullmatch(text) is not None else text
    try:
        date.fromisoformat(day) if len(day) == len("2026-01-01") else datetime.fromisoformat(day)
    except ValueError:
        raise ValueError("must be a date: YYYY-MM-DD, YYYY-MM, YYYY, or a date-time") from None
    return text


def _parse_jurisdiction(value: object) -> object:
    return Jurisdiction.parse(value) if isinstance(value, str) else value


ProseText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_PROSE_CHARACTERS),
    AfterValidator(_check_prose),
]
"""Text of several lines."""
NumberText = Annotated[Text, StringConstraints(max_length=MAX_NUMBER_CHARACTERS)]
DayText = Annotated[Text, StringConstraints(max_length=40), AfterValidator(_parse_day)]
"""A day as exactly as it is known, kept as it was sent."""
JurisdictionName = Annotated[
    Jurisdiction,
    BeforeValidator(_parse_jurisdiction),
    WithJsonSchema({"type": "string", "description": "A jurisdiction's code or full name", "examples": ["ON", "Ontario"]}),
]
ReadOnly = Annotated[Any, Field(exclude=True, json_schema_extra={"readOnly": True}, description="Taken and ignored")]


class RegistrationInput(Document):
    """A further number of a business."""

    label: Text | None = None
    value: NumberText
    jurisdiction: Text | None = None


class RecordAddressInput(AddressInput):
    """A further address of a business."""

    type: Text | None = None
    raw: Text | None = None


class PersonInput(Document):
    """A person that the business is said to have; `role` is another way to send one of the `roles`."""

    name: NameText
    role: Text | None = None
    roles: Annotated[tuple[Text, ...], Field(max_length=MAX_LIST)] | None = None

    @property
    def all_roles(self) -> tuple[str, ...]:
        """Each role once."""
        first = () if self.role is None else (self.role,)
        return tuple(dict.fromkeys((*first, *(self.roles or ()))))


class RecordPersonInput(PersonInput):
    """A person of a business; `role` is another way to send one of the `roles`."""

    email: Email | None = None

    def to_person(self) -> RecordPerson:
        """The person as a record holds them."""
        return RecordPerson(name=self.name, roles=self.all_roles, email=self.email)


class _ReadOnlyFields(Document):
    """Those that only an answer has."""

    id: ReadOnly = None
    source_entity_type: ReadOnly = None
    source_urls: ReadOnly = None
    verification_status: ReadOnly = None
    last_verified_at: ReadOnly = None
    last_verification_job_id: ReadOnly = None
    latest_verification_id: ReadOnly = None
    has_unresolved_discrepancies: ReadOnly = None
    last_searched_at: ReadOnly = None
    last_search_job_id: ReadOnly = None
    last_screened_at: ReadOnly = None
    created_at: ReadOnly = None
    updated_at: ReadOnly = None


TextList = Annotated[tuple[Text, ...], Field(max_length=MAX_LIST)]


class BusinessUpsert(_ReadOnlyFields):
    """The body of `POST /businesses`. A flat part of the address counts more than the same part of `address`."""

    external_id: Text | None = None
    name: NameText | None = None
    operating_names: Annotated[tuple[NameText, ...], Field(max_length=MAX_LIST)] | None = None
    jurisdiction: JurisdictionName | None = None
    registration_number: NumberText | None = None
    business_number: NumberText | None = None
    entity_type: Text | None = None
    registry_status: Text | None = None
    incorporation_date: DayText | None = None
    incorporation_year: Annotated[int, Field(ge=1600, le=2200)] | None = None
    registrations: Annotated[tuple[RegistrationInput, ...], Field(max_length=MAX_LIST)] | None = None
    street: Text | None = None
    unit: Text | None = None
    city: Text | None = None
    province: Text | None = None
    postal_code: Text | None = None
    country: Text | None = None
    address: AddressInput | None = None
    addresses: Annotated[tuple[RecordAddressInput, ...], Field(max_length=MAX_LIST)] | None = None
    people: Annotated[tuple[RecordPersonInput, ...], Field(max_length=MAX_PEOPLE)] | None = None
    website: Text | None = None
    additional_websites: TextList | None = None
    phone_number: Text | None = None
    email: Email | None = None
    industry: Text | None = None
    industry_category: Text | None = None
    naics_code: Text | None = None
    naics_code_name: Text | None = None
    business_description: ProseText | None = None
    origination_date: DayText | None = None
    notes: ProseText | None = None
    is_monitored: bool | None = None
    is_archived: bool | None = None
    expected_updated_at: Annotated[
        Instant | None, Field(description="`updatedAt` of the record as it was read; another one gives `STALE_WRITE`")
    ] = None

    def apply_to(self, record: CallerFields) -> dict[str, Any]:
        """The caller's fields that were sent, by name, with the values that `record` is to have."""
        sent = self.model_fields_set
        changes = {name: self._value(name) for name in CallerFields.model_fields if name in sent and name != "address"}
        parts = self._address_parts()
        return {**changes, "address": record.address.model_copy(update=parts)} if parts else changes

    def _value(self, name: str) -> Any:
        value = getattr(self, name)
        if value is None:
            return CallerFields.model_fields[name].default
        stored = _STORED.get(name)
        return value if stored is None else tuple(stored(item) for item in value)

    def _address_parts(self) -> dict[str, str | None]:
        parts = MainAddress.model_fields
        if self.address is not None:
            inner = {name: getattr(self.address, name) for name in parts if name in self.address.model_fields_set}
        else:
            inner = dict.fromkeys(parts) if "address" in self.model_fields_set else {}
        return {**inner, **{name: getattr(self, name) for name in parts if name in self.model_fields_set}}


_STORED: dict[str, Callable[[Any], Document]] = {
    "people": RecordPersonInput.to_person,
    "registrations": lambda item: Registration(**item.model_dump()),
    "addresses": lambda item: RecordAddress(**item.model_dump()),
}
"""How the elements of a list are kept, where that differs from how they are sent."""
