"""The parts that every entry, match and record is made of: addresses, people, numbers, names, statuses."""

from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from bonafide.model.base import Document
from bonafide.model.invisible_characters import remove_invisible_characters


def _clean_name(text: str) -> str:
    return remove_invisible_characters(text) or text


VisibleName = Annotated[str, AfterValidator(_clean_name)]
"""A name as a source states it, without invisible characters unless it has no others."""


class StatusCode(StrEnum):
    """A register's own status word folded to a common set (`statusCode`)."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    DISSOLVED = "dissolved"
    AMALGAMATED = "amalgamated"
    CONTINUED_OUT = "continued_out"
    CANCELLED = "cancelled"
    PENDING_DISSOLUTION = "pending_dissolution"
    UNKNOWN = "unknown"


class EntityTypeCode(StrEnum):
    """A register's own words for the kind of a business folded to a common set (`entityTypeCode`)."""

    CORPORATION = "corporation"
    LIMITED_LIABILITY_COMPANY = "limited_liability_company"
    NONPROFIT = "nonprofit"
    COOPERATIVE = "cooperative"
    SOLE_PROPRIETORSHIP = "sole_proprietorship"
    BUSINESS_NAME = "business_name"
    PARTNERSHIP = "partnership"
    LIMITED_PARTNERSHIP = "limited_partnership"
    LIMITED_LIABILITY_PARTNERSHIP = "limited_liability_partnership"
    TRUST = "trust"
    STATUTORY = "statutory"
    """Made by an act of its own, or under one for a single purpose: a parish, a railway."""


class Part(StrEnum):
    """A part of what may be known of a business: a register publishes some of them, and of the others says nothing of anybody."""

    ALTERNATE_NAMES = "alternate_names"
    STATUS = "status"
    ENTITY_TYPE = "entity_type"
    INCORPORATION_DATE = "incorporation_date"
    GOOD_STANDING = "good_standing"
    ADDRESSES = "addresses"
    PEOPLE = "people"
    PEOPLE_ADDRESSES = "people_addresses"
    NAME_HISTORY = "name_history"
    INDUSTRY = "industry"


class RoleCategory(StrEnum):
    """What a person is to a business (`roleDetails[].category`)."""

    DIRECTOR = "director"
    OFFICER = "officer"
    SHAREHOLDER = "shareholder"
    OWNER = "owner"
    PARTNER = "partner"
    TRUSTEE = "trustee"
    AGENT = "agent"
    OTHER = "other"


class Address(Document):
    """A postal address as the source gives it; `raw` is the whole in one line, the parts are null where it has none."""

    label: Annotated[str | None, Field(examples=["Registered office"])] = None
    """What the address is to the business, such as its registered office, where the source says so."""
    street: str | None = None
    """Street line, with the unit if there is one."""
    city: str | None = None
    """City or town."""
    province: str | None = None
    """Province, territory or state."""
    postal_code: str | None = None
    """Postal code."""
    country: str | None = None
    """Country."""
    raw: str | None = None
    """The whole address in one line."""


class RoleDetail(Document):
    """One role: the common category, and the register's own word."""

    category: RoleCategory
    """Common role category."""
    label: str
    """The role in the source's own words."""


class Person(Document):
    """A director, officer, owner or other person that a register names."""

    name: VisibleName
    """Full name."""
    roles: tuple[str, ...] = ()
    """Roles in the source's own words."""
    addresses: tuple[Address, ...] = ()
    """Addresses that the source publishes for the person."""
    role_details: tuple[RoleDetail, ...] = ()
    """Roles with their common categories."""
    ownership: Annotated[float | None, Field(examples=[60.0])] = None
    """Ownership in percent."""
    shares_held: Annotated[str | None, Field(examples=["600 common shares"])] = None
    """Number or class of shares held, in the source's own words."""
    status: Annotated[str | None, Field(examples=["Active"])] = None
    """Status of the person in the business, in the source's own words."""


class RegistrationNumber(Document):
    """A number with the label that says what it is (`Corporation Number`, `Business Number (BN)`)."""

    label: str
    """What the number is."""
    value: str
    """The number in the source's own format."""


class NaicsClass(Document):
    """An industry in the North American Industry Classification System, as the source gives it."""

    code: Annotated[str, Field(examples=["311811"])]
    """NAICS code."""
    description: Annotated[str | None, Field(examples=["Retail bakeries"])] = None
    """Title of the class."""


class NameHistoryItem(Document):
    """A name that a business bore, with the days from and to which it did, where known."""

    type: str
    """Type of the name, in the source's own words."""
    name: VisibleName
    """The name."""
    effective_date: date | None = None
    """First day of use."""
    end_date: date | None = None
    """Last day of use."""


class StatusHistoryItem(Document):
    """A status that a business was in, in the register's own word and the common code, with the days from and to which it was."""

    status: Annotated[str, Field(examples=["Active"])]
    """The status in the source's own words."""
    status_code: Annotated[StatusCode, Field(examples=["active"])]
    """Common code of the status."""
    effective_date: Annotated[date | None, Field(examples=["2014-03-18"])] = None
    """First day of the status."""
    end_date: Annotated[date | None, Field(examples=["2019-06-30"])] = None
    """Last day of the status."""
