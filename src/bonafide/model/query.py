"""A search request as it arrives, the parameters that apply to it, and the subject of a screening."""

import unicodedata
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from bonafide.model.base import FIELD, Document
from bonafide.model.entity import Address
from bonafide.model.entry import EntityKind
from bonafide.model.jurisdiction import Jurisdiction

MAX_NAME_CHARACTERS = 300
"""Longer than any registered name; a longer text is not a name."""
MAX_RESULTS = 50
DEFAULT_RESULTS = 20


def _check_printable(text: str) -> str:
    # Databases and log readers choke on NUL and other controls, and no name has one.
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in text):
        raise ValueError("control characters are not allowed")
    return text


def _check_name(text: str) -> str:
    if not any(character.isalnum() for character in text):
        raise ValueError("needs at least one letter or digit")
    return text


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), AfterValidator(_check_printable)]
"""One line of text from a caller: trimmed, not empty, no control characters."""
NameText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME_CHARACTERS),
    AfterValidator(_check_printable),
    AfterValidator(_check_name),
]
"""A name to look up."""
Threshold = Annotated[float, Field(ge=0.7, le=1.0, allow_inf_nan=False)]
"""The lowest score that counts as a match: 0.7 to 1."""
JurisdictionCode = Annotated[Jurisdiction, Field(description="Jurisdiction code")]


class AddressInput(Document):
    """An address as a caller states it; only the given parts are compared."""

    street: Text | None = None
    unit: Text | None = None
    city: Text | None = None
    province: Text | None = None
    postal_code: Text | None = None
    country: Text | None = None

    def as_address(self) -> Address:
        """The same as an entry's address, with the unit as Canada Post writes it: `4-123 Main St`, `123 Main St, Suite 4`."""
        is_bare = self.unit is not None and self.unit.isalnum() and self.street is not None and self.street[0].isdigit()
        line = f"{self.unit}-{self.street}" if is_bare else ", ".join(part for part in (self.street, self.unit) if part is not None)
        street = line or None
        parts = [street, self.city, self.province, self.postal_code, self.country]
        return Address(
            street=street,
            city=self.city,
            province=self.province,
            postal_code=self.postal_code,
            country=self.country,
            raw=", ".join(part for part in parts if part is not None) or None,
        )


class SearchRequest(Document):
    """The body of `POST /search`. Absent flags and thresholds take the organization's defaults."""

    name: NameText | None = None
    website: Text | None = None
    business_id: UUID | None = None
    business_external_id: Text | None = None
    business_registry: bool | None = None
    regulatory_registry: bool | None = None
    sanctions_screening: bool | None = None
    website_analysis: bool | None = None
    match_selection: bool | None = None
    regulatory_registry_threshold: Threshold | None = None
    sanctions_threshold: Threshold | None = None
    jurisdictions: Annotated[list[JurisdictionCode], Field(min_length=1, max_length=len(Jurisdiction))] | None = None
    registration_number: Text | None = None
    address: AddressInput | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_RESULTS)] | None = None

    @model_validator(mode="after")
    def _something_to_look_up(self) -> "SearchRequest":
        if self.name is None and self.business_id is None and self.business_external_id is None:
            raise PydanticCustomError("required", "is required, unless businessId or businessExternalId is given", {FIELD: "name"})
        return self


class SearchParams(Document):
    """The parameters that applied, defaults filled in (`meta.submitted.params`)."""

    business_registry: bool = True
    regulatory_registry: bool = True
    regulatory_registry_threshold: Threshold = 0.85
    sanctions_screening: bool = False
    sanctions_threshold: Threshold = 0.85
    website_analysis: bool = False
    match_selection: bool = False
    jurisdictions: tuple[Jurisdiction, ...] | None = None
    registration_number: str | None = None
    address: AddressInput | None = None
    limit: int = DEFAULT_RESULTS


@dataclass(frozen=True, slots=True)
class ScreeningSubject:
    """Who is screened against the sanctions lists, and how freely the name is read.

    Kind, countries (ISO 3166-1 alpha-2) and date of birth (`YYYY`, `YYYY-MM` or `YYYY-MM-DD`) are evidence that moves scores, None
    or empty where nothing is known. `typo_tolerance` is how many letters of a word may be wrong, 0 to 2; with `name_variants`
    nicknames, initials, translations and words that sound alike are read for each other.
    """

    name: str
    entity_type: EntityKind | None = None
    countries: tuple[str, ...] = ()
    date_of_birth: str | None = None
    typo_tolerance: int = 1
    name_variants: bool = True
