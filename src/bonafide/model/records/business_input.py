"""What a caller may send of a business record: absent leaves a field as it is, null clears it.

A record that was read may be sent back as it is: its `id` identifies it, and its read-only fields are taken and ignored. Whether it
may be changed is decided in the services.
"""

import re
from collections.abc import Callable, Collection
from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Email
from bonafide.model.base import Document, Instant, create_field_error
from bonafide.model.monitoring.policy import RecordMonitoring
from bonafide.model.query import AddressInput, AddressLabel, JurisdictionName, NameText, Text, WebsiteText
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
        raise ValueError(Message("control characters other than line breaks and tabs are not allowed"))
    return text


def _parse_day(text: str) -> str:
    """Raises `ValueError` for what is no day, month or year."""
    day = f"{text}{'-01-01'[len(text) - 4 :]}" if _PARTIAL_DATE.fullmatch(text) is not None else text
    try:
        date.fromisoformat(day) if len(day) == len("2026-01-01") else datetime.fromisoformat(day)
    except ValueError:
        raise ValueError(Message("must be a date: YYYY-MM-DD, YYYY-MM, YYYY, or a date-time")) from None
    return text


ProseText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_PROSE_CHARACTERS),
    AfterValidator(_check_prose),
]
"""Text of several lines."""
NumberText = Annotated[Text, StringConstraints(max_length=MAX_NUMBER_CHARACTERS)]
DayText = Annotated[Text, StringConstraints(max_length=40), AfterValidator(_parse_day)]
"""A day as exactly as it is known, kept as it was sent."""
ReadOnly = Annotated[Any, Field(exclude=True, json_schema_extra={"readOnly": True}, description="Taken and ignored")]


class RegistrationInput(Document):
    """A further number of a business."""

    label: Annotated[Text | None, Field(examples=["GST/HST"])] = None
    """What the number is."""
    value: Annotated[NumberText, Field(examples=["812345678RT0001"])]
    """The number."""
    jurisdiction: Annotated[Text | None, Field(examples=["FED"])] = None
    """Jurisdiction or body that issued the number."""


class RecordAddressInput(AddressInput):
    """A further address of a business."""

    type: Annotated[AddressLabel | None, Field(examples=["mailing"])] = None
    """The same as `label`, of which it is the earlier name. Send one of them, or both with the same value."""
    raw: Annotated[Text | None, Field(examples=["PO Box 118, Guelph, ON N1H 6J6"])] = None
    """The whole address in one line."""

    @model_validator(mode="after")
    def _one_label(self) -> "RecordAddressInput":
        if self.type is not None and self.label is not None and self.type != self.label:
            raise create_field_error("type", Message("differs from label, which means the same; send one of them"))
        return self


class PersonInput(Document):
    """A person that the business is said to have; `role` is another way to send one of the `roles`."""

    name: NameText
    """Full name."""
    role: Annotated[Text | None, Field(examples=["Director"])] = None
    """A single role, as an alternative to `roles`."""
    roles: Annotated[tuple[Text, ...], Field(max_length=MAX_LIST)] | None = None
    """Roles of the person."""

    @property
    def all_roles(self) -> tuple[str, ...]:
        """Each role once."""
        first = () if self.role is None else (self.role,)
        return tuple(dict.fromkeys((*first, *(self.roles or ()))))


class RecordPersonInput(PersonInput):
    """A person of a business; `role` is another way to send one of the `roles`."""

    email: Email | None = None
    """Email address."""
    is_monitored: Annotated[bool | None, Field(examples=[True])] = None
    """Whether the person is monitored if the business is. Without it, this stays as it is for a person of this name."""

    def to_person(self, unmonitored: Collection[str] = ()) -> RecordPerson:
        """The person as a record holds them; `unmonitored` has the names of people who were not monitored so far."""
        is_monitored = self.is_monitored if self.is_monitored is not None else self.name not in unmonitored
        return RecordPerson(name=self.name, roles=self.all_roles, email=self.email, is_monitored=is_monitored)


class _ReadOnlyFields(Document):
    """Those that only an answer has."""

    source_entity_type: Annotated[ReadOnly, Field(examples=["Business Corporation"])] = None
    """Ignored in requests: set by the service."""
    source_urls: Annotated[ReadOnly, Field(examples=[["https://www.ontario.ca/page/ontario-business-registry"]])] = None
    """Ignored in requests: set by the service."""
    verification_status: Annotated[ReadOnly, Field(examples=["verified"])] = None
    """Ignored in requests: set by the service."""
    last_verified_at: Annotated[ReadOnly, Field(examples=["2026-11-20T14:35:10.500Z"])] = None
    """Ignored in requests: set by the service."""
    last_verification_job_id: Annotated[ReadOnly, Field(examples=["3c1f6d0b-7f5e-4a8e-9b58-0b8f2f6f1c22"])] = None
    """Ignored in requests: set by the service."""
    latest_verification_id: Annotated[ReadOnly, Field(examples=["3c1f6d0b-7f5e-4a8e-9b58-0b8f2f6f1c22"])] = None
    """Ignored in requests: set by the service."""
    has_unresolved_discrepancies: Annotated[ReadOnly, Field(examples=[False])] = None
    """Ignored in requests: set by the service."""
    last_searched_at: Annotated[ReadOnly, Field(examples=["2026-11-20T14:33:00.125Z"])] = None
    """Ignored in requests: set by the service."""
    last_search_job_id: Annotated[ReadOnly, Field(examples=["0a9b7e54-3f1c-4f0e-8a57-5d2f6f4b8f33"])] = None
    """Ignored in requests: set by the service."""
    last_screened_at: Annotated[ReadOnly, Field(examples=["2026-11-20T14:33:00.125Z"])] = None
    """Ignored in requests: set by the service."""
    risk: Annotated[ReadOnly, Field(examples=[None])] = None
    """Ignored in requests: set by the service."""
    created_at: Annotated[ReadOnly, Field(examples=["2026-10-05T09:12:44.010Z"])] = None
    """Ignored in requests: set by the service."""
    updated_at: Annotated[ReadOnly, Field(examples=["2026-11-20T14:35:10.500Z"])] = None
    """Ignored in requests: set by the service."""


class BusinessUpsert(_ReadOnlyFields):
    """The body of `POST /businesses`. A flat part of the address counts more than the same part of `address`."""

    id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])] = None
    """ID of an existing record. Without it, the record is matched by `externalId` or by its registration."""
    external_id: Annotated[Text | None, Field(examples=["crm-1042"])] = None
    """Your own ID of the business. Without `id`, the record is matched by it first."""
    name: Annotated[NameText | None, Field(examples=["Sandbox Bakery Inc."])] = None
    """Name of the business."""
    operating_names: Annotated[
        Annotated[tuple[NameText, ...], Field(max_length=MAX_LIST)] | None, Field(examples=[["King Street Bakery"]])
    ] = None
    """Operating and trade names."""
    jurisdiction: JurisdictionName | None = None
    """Jurisdiction of registration, as a code or full name."""
    registration_number: Annotated[NumberText | None, Field(examples=["1000017"])] = None
    """Registration number in that jurisdiction."""
    business_number: Annotated[NumberText | None, Field(examples=["812345678"])] = None
    """Business number (BN) of the Canada Revenue Agency."""
    entity_type: Annotated[Text | None, Field(examples=["Corporation"])] = None
    """Legal form of the business."""
    registry_status: Annotated[Text | None, Field(examples=["Active"])] = None
    """Status in the registry."""
    incorporation_date: Annotated[DayText | None, Field(examples=["2014-03-18"])] = None
    """Date of incorporation, as precisely as it is known."""
    incorporation_year: Annotated[Annotated[int, Field(ge=1600, le=2200)] | None, Field(examples=[2014])] = None
    """Year of incorporation."""
    registrations: Annotated[tuple[RegistrationInput, ...], Field(max_length=MAX_LIST)] | None = None
    """Further registration numbers."""
    street: Annotated[Text | None, Field(examples=["100 King Street West"])] = None
    """Street line of the main address."""
    unit: Annotated[Text | None, Field(examples=["200"])] = None
    """Unit of the main address."""
    city: Annotated[Text | None, Field(examples=["Toronto"])] = None
    """City of the main address."""
    province: Annotated[Text | None, Field(examples=["ON"])] = None
    """Province or territory of the main address."""
    postal_code: Annotated[Text | None, Field(examples=["M5X 1A9"])] = None
    """Postal code of the main address."""
    country: Annotated[Text | None, Field(examples=["Canada"])] = None
    """Country of the main address."""
    address_label: Annotated[AddressLabel | None, Field(examples=["Registered office"])] = None
    """What the main address is to the business."""
    address: AddressInput | None = None
    """The main address as one object. The flat fields override its parts."""
    addresses: Annotated[tuple[RecordAddressInput, ...], Field(max_length=MAX_LIST)] | None = None
    """Further addresses."""
    people: Annotated[tuple[RecordPersonInput, ...], Field(max_length=MAX_PEOPLE)] | None = None
    """People of the business."""
    website: Annotated[WebsiteText | None, Field(examples=["https://bakery.sandbox.example"])] = None
    """Website URL. A user name or password in it is masked."""
    additional_websites: Annotated[
        Annotated[tuple[WebsiteText, ...], Field(max_length=MAX_LIST)] | None,
        Field(examples=[["https://kingstreet.sandbox.example"]]),
    ] = None
    """Further website URLs."""
    phone_number: Annotated[Text | None, Field(examples=["+14165550123"])] = None
    """Phone number."""
    email: Annotated[Email | None, Field(examples=["office@bakery.sandbox.example"])] = None
    """Email address."""
    industry: Annotated[Text | None, Field(examples=["Bakery"])] = None
    """Industry in your own words."""
    industry_category: Annotated[Text | None, Field(examples=["Food manufacturing"])] = None
    """Category of the industry in your own classification."""
    naics_code: Annotated[Text | None, Field(examples=["311811"])] = None
    """NAICS code."""
    naics_code_name: Annotated[Text | None, Field(examples=["Retail bakeries"])] = None
    """Title of the NAICS class."""
    business_description: Annotated[ProseText | None, Field(examples=["Bakery with one shop in Toronto."])] = None
    """Description of the business."""
    origination_date: Annotated[DayText | None, Field(examples=["2026-10-05"])] = None
    """When the business became your customer."""
    notes: Annotated[ProseText | None, Field(examples=["Onboarded by the Toronto branch."])] = None
    """Your own notes."""
    is_monitored: Annotated[bool | None, Field(examples=[True])] = None
    """Whether the business is monitored."""
    monitoring: RecordMonitoring | None = None
    """What the record overrides of the organization's monitoring policy. Null removes every override."""
    is_archived: Annotated[bool | None, Field(examples=[False])] = None
    """Whether the record is archived."""
    expected_updated_at: Annotated[Annotated[Instant | None, Field()], Field(examples=["2026-11-20T14:33:00.125Z"])] = None
    """`updatedAt` of the record as it was read. If the record has changed since, the error is `STALE_WRITE`."""

    def apply_to(self, record: CallerFields) -> dict[str, Any]:
        """The caller's fields that were sent, by name, with the values that `record` is to have."""
        sent = self.model_fields_set
        changes = {name: self._value(name) for name in CallerFields.model_fields if name in sent and name != "address"}
        if "monitoring" in sent:
            changes["monitoring"] = record.monitoring.merge(self.monitoring)
        if self.people is not None:
            unmonitored = {person.name for person in record.people if not person.is_monitored}
            changes["people"] = tuple(person.to_person(unmonitored) for person in self.people)
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
        flat = {part: name for part, name in FLAT_ADDRESS.items() if name in self.model_fields_set}
        return {**inner, **{part: getattr(self, name) for part, name in flat.items()}}


FLAT_ADDRESS = {part: "address_label" if part == "label" else part for part in MainAddress.model_fields}
"""The parts of the main address by the names of the flat fields; a bare `label` would not say of what."""
_STORED: dict[str, Callable[[Any], Document]] = {
    "people": RecordPersonInput.to_person,
    "registrations": lambda item: Registration(**item.model_dump()),
    "addresses": lambda item: RecordAddress(**item.model_dump()),
}
"""How the elements of a list are kept, where that differs from how they are sent."""
