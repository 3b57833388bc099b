"""What a caller sends to have a business verified: the claim, or a stored record that holds it, and how strictly to compare.

How a request, a record and the account's settings become one subject is decided in the services.
"""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, model_validator

from bonafide.i18n.message import Message
from bonafide.model.accounts.account_settings import Share, VerificationSettings
from bonafide.model.base import Document, create_fields_error
from bonafide.model.query import AddressInput, JurisdictionName, NameText, Text
from bonafide.model.records.business_input import MAX_PEOPLE, NumberText, PersonInput
from bonafide.model.verification.registry_report import MAX_AGE_H

IDENTITY = ("legal_name", "jurisdiction", "registration_number")
"""What a verification can't do without."""
_CHECKS = ("legal_name", "registration_number", "address", "people")
"""The fields that have settings of their own."""


class RequiredCheckInput(Document):
    """Another threshold for a field that is always compared."""

    enabled: Annotated[Literal[True] | None, Field(examples=[True])] = None
    """Always true: the field is always compared."""
    threshold: Share | None = None
    """Lowest score at which the field counts as matched."""


class OptionalCheckInput(Document):
    """Whether a field is compared at all, and another threshold for it."""

    enabled: bool | None = None
    """Whether the field is compared."""
    threshold: Annotated[Share | None, Field(examples=[0.9])] = None
    """Lowest score at which the field counts as matched."""


class MatchingInput(Document):
    """What is to be different from the account's verification settings, for this request."""

    legal_name: RequiredCheckInput | None = None
    """Comparison of the legal name."""
    registration_number: RequiredCheckInput | None = None
    """Comparison of the registration number."""
    address: OptionalCheckInput | None = None
    """Comparison of the address."""
    people: OptionalCheckInput | None = None
    """Comparison of people."""
    count_not_provided: bool | None = None
    """Whether people, addresses and names of the registry that were not claimed count as discrepancies."""

    def over(self, settings: VerificationSettings) -> VerificationSettings:
        """The settings with these in their place."""
        changes: dict[str, Any] = {}
        if self.count_not_provided is not None:
            changes["count_not_provided"] = self.count_not_provided
        for name in _CHECKS:
            given: RequiredCheckInput | OptionalCheckInput | None = getattr(self, name)
            if given is not None:
                changes[name] = getattr(settings, name).model_copy(update=given.model_dump(exclude_none=True))
        return settings.model_copy(update=changes)


class VerifyRequest(Document):
    """The body of `POST /verify`. `maxAge` is in hours: an older report of the register counts as too old."""

    legal_name: NameText | None = None
    """Legal name. Required unless a business reference is given."""
    jurisdiction: JurisdictionName | None = None
    """Jurisdiction, as a code or full name. Required unless a business reference is given."""
    registration_number: NumberText | None = None
    """Registration number. Required unless a business reference is given."""
    business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])] = None
    """ID of a stored business record. Its fields fill in what the request does not send. Requires the scope `businesses:read`."""
    business_external_id: Annotated[Text | None, Field(examples=["crm-1042"])] = None
    """Your own ID of a stored business record, as an alternative to `businessId`. Requires the scope `businesses:read`."""
    address: AddressInput | None = None
    """Address to compare. Only the given parts are compared."""
    people: Annotated[tuple[PersonInput, ...], Field(max_length=MAX_PEOPLE)] | None = None
    """People to compare with the registry's directors and officers."""
    external_id: Text | None = None
    """Your own reference, recorded in the result. It is not used to find a business."""
    matching: MatchingInput | None = None
    """Overrides of the account's verification settings for this request."""
    max_age: Annotated[float, Field(ge=0, le=MAX_AGE_H, allow_inf_nan=False)] | None = None
    """Maximum age of a stored registry report in hours. With 0, the registry is queried now; if it can't be, `notes` says so."""
    sanctions_screening: Annotated[bool | None, Field(examples=[True])] = None
    """Whether to screen the claimed name and people, the names and people of the registry and, with a business reference, those of
    the record and its owners against sanctions lists. Off by default. The threshold is `search.sanctionsThreshold` of the account
    settings. Requires the scope `sanctions:write`."""

    @property
    def refers_to_record(self) -> bool:
        """Whether a stored business is to fill in what is not sent."""
        return self.business_id is not None or self.business_external_id is not None

    @model_validator(mode="after")
    def _someone_to_verify(self) -> "VerifyRequest":
        missing = [str(type(self).model_fields[name].alias) for name in IDENTITY if getattr(self, name) is None]
        if missing and not self.refers_to_record:
            raise create_fields_error(missing, Message("is required unless businessId or businessExternalId is given"))
        return self
