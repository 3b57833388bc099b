"""A search request as it arrives, the parameters that apply to it, and the subject of a screening."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, WithJsonSchema, model_validator

from bonafide.i18n.message import Message, join_values
from bonafide.model.base import Document, create_field_error
from bonafide.model.entity import Address
from bonafide.model.entry import EntityKind
from bonafide.model.invisible_characters import find_invisible_characters, remove_invisible_characters
from bonafide.model.jurisdiction import Jurisdiction

MAX_NAME_CHARACTERS = 300
"""Longer than any registered name; a longer text is not a name."""
MAX_RESULTS = 50
DEFAULT_RESULTS = 20
MAX_LABEL_CHARACTERS = 500
"""Of what an address is to a business."""
_CREDENTIALS = re.compile(r"((?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2,}|[^/?#\\@:]*:)[^/?#\\]+@")


def _check_printable(text: str) -> str:
    # Databases and log readers choke on NUL and other controls, and no name has one.
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in text):
        raise ValueError(Message("control characters are not allowed"))
    return text


def _check_name(text: str) -> str:
    if not any(character.isalnum() for character in text):
        raise ValueError(Message("must have at least one letter or digit"))
    return text


def check_visible(text: str) -> str:
    """The text, if all its characters are visible. Raises `ValueError` that names the others."""
    found = find_invisible_characters(text)
    if found:
        raise ValueError(Message("must not contain invisible characters ({characters})", characters=join_values(found)))
    return text


def _check_searched_name(text: str) -> str:
    _check_name(remove_invisible_characters(text))
    return text


Text = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
    AfterValidator(_check_printable),
    AfterValidator(check_visible),
]
"""One line of text from a caller: trimmed, not empty, no control and no invisible characters."""
ScreenedNameText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME_CHARACTERS),
    AfterValidator(_check_printable),
    AfterValidator(_check_name),
]
"""A name to screen. Invisible characters are removed from it before it is used or stored, with a warning."""
SearchedNameText = Annotated[ScreenedNameText, AfterValidator(_check_searched_name)]
"""A name to search for: the same, with at least one visible letter or digit."""
NameText = Annotated[ScreenedNameText, AfterValidator(check_visible)]
"""A name to store: no invisible characters."""
Threshold = Annotated[float, Field(ge=0.7, le=1.0, allow_inf_nan=False)]
"""The lowest score that counts as a match: 0.7 to 1."""


def _parse_jurisdiction(value: object) -> object:
    return Jurisdiction.parse(value) if isinstance(value, str) else value


JurisdictionName = Annotated[
    Jurisdiction,
    BeforeValidator(_parse_jurisdiction),
    WithJsonSchema({"type": "string", "description": "A jurisdiction's code or full name", "examples": ["ON", "Ontario"]}),
]
"""A jurisdiction by its code or its full name in either language, in any case."""


AddressLabel = Annotated[Text, StringConstraints(max_length=MAX_LABEL_CHARACTERS)]


def mask_credentials(url: str) -> str:
    """The URL with its user name and password masked."""
    found = _CREDENTIALS.match(url)
    return url if found is None else f"{found[1]}***@{url[found.end() :]}"


WebsiteText = Annotated[Text, AfterValidator(mask_credentials)]
"""The URL of a web site. Credentials in it are neither used nor stored: such an address is not fetched."""


class AddressInput(Document):
    """An address as a caller states it; only the given parts are compared, and the label is not one."""

    label: Annotated[AddressLabel | None, Field(examples=["Registered office"])] = None
    """What the address is to the business, in your own words. It is kept and never compared."""
    street: Annotated[Text | None, Field(examples=["100 King Street West"])] = None
    """Street line."""
    unit: Annotated[Text | None, Field(examples=["200"])] = None
    """Unit, suite or apartment."""
    city: Annotated[Text | None, Field(examples=["Toronto"])] = None
    """City or town."""
    province: Annotated[Text | None, Field(examples=["ON"])] = None
    """Province or territory, as a code or name."""
    postal_code: Annotated[Text | None, Field(examples=["M5X 1A9"])] = None
    """Postal code."""
    country: Annotated[Text | None, Field(examples=["Canada"])] = None
    """Country."""

    @property
    def is_empty(self) -> bool:
        """Whether it has no part to compare."""
        return all(getattr(self, name) is None for name in type(self).model_fields if name != "label")

    def as_address(self) -> Address:
        """The same as an entry's address, with the unit as Canada Post writes it: `4-123 Main St`, `123 Main St, Suite 4`."""
        is_bare = self.unit is not None and self.unit.isalnum() and self.street is not None and self.street[0].isdigit()
        line = f"{self.unit}-{self.street}" if is_bare else ", ".join(part for part in (self.street, self.unit) if part is not None)
        street = line or None
        parts = [street, self.city, self.province, self.postal_code, self.country]
        return Address(
            label=self.label,
            street=street,
            city=self.city,
            province=self.province,
            postal_code=self.postal_code,
            country=self.country,
            raw=", ".join(part for part in parts if part is not None) or None,
        )


class SearchRequest(Document):
    """The body of `POST /search`. Absent flags and thresholds take the organization's defaults."""

    name: Annotated[SearchedNameText | None, Field(examples=["Sandbox Bakery Inc."])] = None
    """Business name. Required unless `businessId` or `businessExternalId` is given."""
    website: Annotated[WebsiteText | None, Field(examples=["https://bakery.sandbox.example"])] = None
    """Website URL; analysed if website analysis is enabled. A user name or password in it is masked."""
    business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])] = None
    """ID of a stored business record. Its fields fill in what the request does not send. Requires the scope `businesses:read`."""
    business_external_id: Annotated[Text | None, Field(examples=["crm-1042"])] = None
    """Your own ID of a stored business record, as an alternative to `businessId`. Requires the scope `businesses:read`."""
    business_registry: Annotated[bool | None, Field(examples=[True])] = None
    """Whether to search business registries."""
    regulatory_registry: Annotated[bool | None, Field(examples=[True])] = None
    """Whether to search regulatory registries."""
    sanctions_screening: Annotated[bool | None, Field(examples=[True])] = None
    """Whether to screen sanctions lists. Requires the scope `sanctions:write`, also if the account settings enable it."""
    website_analysis: Annotated[bool | None, Field(examples=[True])] = None
    """Whether to analyse the website."""
    match_selection: Annotated[bool | None, Field(examples=[True])] = None
    """Whether to select a match automatically."""
    regulatory_registry_threshold: Annotated[Threshold | None, Field(examples=[0.85])] = None
    """Lowest score of a regulatory match, from 0.7 to 1."""
    sanctions_threshold: Annotated[Threshold | None, Field(examples=[0.85])] = None
    """Lowest score of a sanctions match, from 0.7 to 1."""
    jurisdictions: Annotated[
        Annotated[list[JurisdictionName], Field(min_length=1, max_length=len(Jurisdiction))] | None, Field(examples=[["ON", "FED"]])
    ] = None
    """Jurisdictions whose registries are searched, as codes or full names; all without it."""
    registration_number: Annotated[Text | None, Field(examples=["1000017"])] = None
    """Registration number to look up."""
    address: AddressInput | None = None
    """Address of the business. It affects scores and never filters results."""
    limit: Annotated[Annotated[int, Field(ge=1, le=MAX_RESULTS)] | None, Field(examples=[20])] = None
    """Maximum number of registry matches to return."""

    @model_validator(mode="after")
    def _something_to_look_up(self) -> "SearchRequest":
        if self.name is None and self.business_id is None and self.business_external_id is None:
            raise create_field_error("name", Message("is required unless businessId or businessExternalId is given"))
        return self


class SearchParams(Document):
    """The parameters that applied, defaults filled in (`meta.submitted.params`)."""

    business_registry: bool = True
    """Whether business registries were searched."""
    regulatory_registry: bool = True
    """Whether regulatory registries were searched."""
    regulatory_registry_threshold: Threshold = 0.85
    """Lowest score of a regulatory match."""
    sanctions_screening: bool = False
    """Whether sanctions lists were screened."""
    sanctions_threshold: Threshold = 0.85
    """Lowest score of a sanctions match."""
    sanctions_include_parties: bool = False
    """Whether `sanctions.matches` and `totalMatches` also have the open hits of `sanctions.subjects`, by the account settings."""
    website_analysis: bool = False
    """Whether the website was analysed."""
    match_selection: bool = False
    """Whether match selection was enabled."""
    jurisdictions: tuple[Jurisdiction, ...] | None = None
    """Jurisdictions that were searched; null for all."""
    registration_number: Annotated[str | None, Field(examples=["1000017"])] = None
    """Registration number that was looked up."""
    address: AddressInput | None = None
    """Address that affected the scores."""
    limit: int = DEFAULT_RESULTS
    """Maximum number of register matches."""


@dataclass(frozen=True, slots=True)
class ScreeningSubject:
    """Who is screened against the sanctions lists, and how freely the name is read.

    Kind, countries (ISO 3166-1 alpha-2) and date of birth (`YYYY`, `YYYY-MM` or `YYYY-MM-DD`) are evidence that moves scores, None
    or empty where nothing is known. `typo_tolerance` is how many letters of a word may be wrong, 0 to 2; with `name_variants`
    nicknames, initials, translations and words that sound alike are read for each other. `removed_characters` are the invisible
    characters of the submitted name as code points, which `name` no longer has.
    """

    name: str
    entity_type: EntityKind | None = None
    countries: tuple[str, ...] = ()
    date_of_birth: str | None = None
    typo_tolerance: int = 1
    name_variants: bool = True
    removed_characters: tuple[str, ...] = ()
