"""The bodies of requests about manual checks."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, StringConstraints, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant, create_field_error, create_fields_error
from bonafide.model.entity import StatusCode
from bonafide.model.events.event import EXAMPLE_BUSINESS_ID
from bonafide.model.manual_checks.manual_check import EXAMPLE_ATTACHMENT_ID
from bonafide.model.query import AddressInput, JurisdictionName, NameText, Text
from bonafide.model.records.business_input import MAX_PEOPLE, NumberText, PersonInput, ProseText

MAX_STATUS_CHARACTERS = 200
_REFERENCES = ("business_id", "search_id", "verification_id")
_SEEN = ("name", "registration_number", "status", "status_code", "people", "address")
ShortText = Annotated[Text, StringConstraints(max_length=MAX_STATUS_CHARACTERS)]


class ManualCheckRequest(Document):
    """The body of `POST /manual-checks`: what the check is for, and what differs from what is known of that."""

    business_id: Annotated[UUID | None, Field(examples=[EXAMPLE_BUSINESS_ID])] = None
    """ID of a business record. Requires the scope `businesses:read`."""
    search_id: Annotated[UUID | None, Field(examples=[None])] = None
    """ID of a search. Requires the scope `search:read`."""
    verification_id: Annotated[UUID | None, Field(examples=[None])] = None
    """ID of a verification. Requires the scope `verify:read`."""
    jurisdiction: Annotated[JurisdictionName | None, Field(examples=["NL"])] = None
    """Jurisdiction of the register, as a code or full name. Required unless the record or the verification has one, or `source` is
    given."""
    source: Annotated[Text | None, Field(examples=["nl"])] = None
    """Key of the source. Without it, the register of the jurisdiction."""
    name: Annotated[NameText | None, Field(examples=["Sandbox Bakery Inc."])] = None
    """Name to look for. Required unless the record, the search or the verification has one."""
    registration_number: Annotated[NumberText | None, Field(examples=["84211"])] = None
    """Registration number to look for."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if all(getattr(self, name) is None for name in _REFERENCES):
            missing = [str(type(self).model_fields[name].alias) for name in _REFERENCES]
            raise create_fields_error(missing, Message("one of businessId, searchId and verificationId is required"))
        return self


class ManualCheckResultRequest(Document):
    """The body of `POST /manual-checks/{id}/result`: what a person has seen in the register."""

    found: Annotated[bool, Field(examples=[True])]
    """Whether the register has the business."""
    name: Annotated[NameText | None, Field(examples=["Sandbox Bakery Inc."])] = None
    """Legal name as the register states it. Required if the business was found."""
    registration_number: Annotated[NumberText | None, Field(examples=["84211"])] = None
    """Registration number as the register states it. Required if the business was found."""
    status: Annotated[ShortText | None, Field(examples=["Active"])] = None
    """Status in the register's own words."""
    status_code: Annotated[StatusCode | None, Field(examples=["active"])] = None
    """Common code of the status. Without it, that of the words of the status if the source is known to use them."""
    people: Annotated[tuple[PersonInput, ...], Field(max_length=MAX_PEOPLE)] = ()
    """Directors, officers and other people that the register names."""
    address: AddressInput | None = None
    """Registered address."""
    record_type: Annotated[ShortText | None, Field(examples=["Corporation profile report"])] = None
    """What was consulted, such as a profile report."""
    note: Annotated[ProseText | None, Field(examples=["The register was searched by number and by name."])] = None
    """Note about the check."""
    retrieved_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:00.125Z"])] = None
    """When the person looked. Without it, now."""
    attachment_id: Annotated[UUID | None, Field(examples=[EXAMPLE_ATTACHMENT_ID])] = None
    """ID of an attachment of this check: the page or extract that was seen."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.found:
            missing = [name for name in ("name", "registration_number") if getattr(self, name) is None]
            if missing:
                fields = [str(type(self).model_fields[name].alias) for name in missing]
                raise create_fields_error(fields, Message("is required for a business that was found"))
            return self
        for name in _SEEN:
            if getattr(self, name) not in {None, ()}:
                field = str(type(self).model_fields[name].alias)
                raise create_field_error(field, Message("must be left out for a business that was not found"))
        return self


class ManualCheckCancellation(Document):
    """The body of `POST /manual-checks/{id}/cancel`."""

    note: Annotated[ProseText | None, Field(examples=["The client has withdrawn the application."])] = None
    """Why nobody has to look any more."""
