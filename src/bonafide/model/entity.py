"""The parts that every entry, match and record is made of: addresses, people, numbers, names, statuses."""

from datetime import date
from enum import StrEnum

from bonafide.model.base import Document


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

    street: str | None = None
    city: str | None = None
    province: str | None = None
    postal_code: str | None = None
    country: str | None = None
    raw: str | None = None


class RoleDetail(Document):
    """One role: the common category, and the register's own word."""

    category: RoleCategory
    label: str


class Person(Document):
    """A director, officer, owner or other person that a register names."""

    name: str
    roles: tuple[str, ...] = ()
    addresses: tuple[Address, ...] = ()
    role_details: tuple[RoleDetail, ...] = ()
    ownership: float | None = None
    shares_held: str | None = None
    status: str | None = None


class RegistrationNumber(Document):
    """A number with the label that says what it is (`Corporation Number`, `Business Number (BN)`)."""

    label: str
    value: str


class NaicsClass(Document):
    """An industry in the North American Industry Classification System, as the source gives it."""

    code: str
    description: str | None = None


class NameHistoryItem(Document):
    """A name that a business bore, with the days from and to which it did, where known."""

    type: str
    name: str
    effective_date: date | None = None
    end_date: date | None = None


class StatusHistoryItem(Document):
    """A status that a business was in, in the register's own word and the common code, with the days from and to which it was."""

    status: str
    status_code: StatusCode
    effective_date: date | None = None
    end_date: date | None = None
