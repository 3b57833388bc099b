"""What a caller sends to have a business verified: the claim, or a stored record that holds it, and how strictly to compare.

How a request, a record and the account's settings become one subject is decided in the services.
"""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from bonafide.model.accounts.organizations import Share, VerificationSettings
from bonafide.model.base import FIELD, Document
from bonafide.model.query import AddressInput, NameText, Text
from bonafide.model.records.business_input import MAX_PEOPLE, JurisdictionName, NumberText, PersonInput
from bonafide.model.verification.registry_report import MAX_AGE_H

IDENTITY = ("legal_name", "jurisdiction", "registration_number")
"""What a verification can't do without."""


class RequiredCheckInput(Document):
    """Another threshold for a field that is always compared."""

    enabled: Literal[True] | None = None
    threshold: Share | None = None


class OptionalCheckInput(Document):
    """Whether a field is compared at all, and another threshold for it."""

    enabled: bool | None = None
    threshold: Share | None = None


class MatchingInput(Document):
    """What is to be different from the account's verification settings, for this request."""

    legal_name: RequiredCheckInput | None = None
    registration_number: RequiredCheckInput | None = None
    address: OptionalCheckInput | None = None
    people: OptionalCheckInput | None = None

    def over(self, settings: VerificationSettings) -> VerificationSettings:
        """The settings with these in their place."""
        changes: dict[str, Any] = {}
        for name in VerificationSettings.model_fields:
            given: RequiredCheckInput | OptionalCheckInput | None = getattr(self, name)
            if given is not None:
                changes[name] = getattr(settings, name).model_copy(update=given.model_dump(exclude_none=True))
        return settings.model_copy(update=changes)


class VerifyRequest(Document):
    """The body of `POST /verify`. `maxAge` is in hours: an older report of the register counts as too old."""

    legal_name: NameText | None = None
    jurisdiction: JurisdictionName | None = None
    registration_number: NumberText | None = None
    business_id: UUID | None = None
    business_external_id: Text | None = None
    address: AddressInput | None = None
    people: Annotated[tuple[PersonInput, ...], Field(max_length=MAX_PEOPLE)] | None = None
    external_id: Annotated[Text | None, Field(description="Your own reference; recorded, and never used to find a business")] = None
    matching: MatchingInput | None = None
    max_age: Annotated[float, Field(ge=0, le=MAX_AGE_H, allow_inf_nan=False)] | None = None

    @property
    def refers_to_record(self) -> bool:
        """Whether a stored business is to fill in what is not sent."""
        return self.business_id is not None or self.business_external_id is not None

    @model_validator(mode="after")
    def _someone_to_verify(self) -> "VerifyRequest":
        missing = next((name for name in IDENTITY if getattr(self, name) is None), None)
        if missing is not None and not self.refers_to_record:
            alias = type(self).model_fields[missing].alias
            raise PydanticCustomError("required", "is required, unless businessId or businessExternalId is given", {FIELD: alias})
        return self
