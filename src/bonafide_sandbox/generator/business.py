"""One made-up business, independent of any file format."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from bonafide.model.jurisdiction import Jurisdiction


class BusinessKind(StrEnum):
    """What a business is in law, in the words that all registers share."""

    COMPANY = "company"
    NONPROFIT = "nonprofit"
    COOPERATIVE = "cooperative"
    FIRM = "firm"
    """One person under a business name."""
    PARTNERSHIP = "partnership"
    LIMITED_PARTNERSHIP = "limited_partnership"
    EXTRA_PROVINCIAL = "extra_provincial"
    """A company of another jurisdiction, registered to do business in this one."""


FIRM_KINDS = frozenset({BusinessKind.FIRM, BusinessKind.PARTNERSHIP, BusinessKind.LIMITED_PARTNERSHIP})
"""Kinds without a legal personality of their own: registers that keep two files keep these apart."""


class LifecycleStatus(StrEnum):
    """Where a business is in its life."""

    ACTIVE = "active"
    DEFAULT = "default"
    """Active, behind with its returns."""
    LEAVING = "leaving"
    """Active, has announced its dissolution."""
    DISSOLVED = "dissolved"
    AMALGAMATED = "amalgamated"
    CONTINUED_OUT = "continued_out"
    CANCELLED = "cancelled"


LIVE_STATUSES = frozenset({LifecycleStatus.ACTIVE, LifecycleStatus.DEFAULT, LifecycleStatus.LEAVING})
"""Standings in which a business may still trade."""


@dataclass(frozen=True, slots=True)
class OfficeAddress:
    """A registered office; `unit` is the bare designation (`200`, `4B`), absent for most."""

    unit: str | None
    street_number: str
    street_name: str
    city: str
    province: str
    """The two letters of the post."""
    postal_code: str
    """With the space."""

    @property
    def street(self) -> str:
        """`12 Elm Street`; `12, rue Elm` for a French street name."""
        comma = "," if self.street_name[0].islower() else ""
        return f"{self.street_number}{comma} {self.street_name}"


@dataclass(frozen=True, slots=True)
class SandboxOfficer:
    """A person whom the register names, with the roles."""

    name: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormerName:
    """A name that the business bore until a day."""

    name: str
    until: date


@dataclass(frozen=True, slots=True)
class SandboxBusiness:
    """One business as its register knows it."""

    register: Jurisdiction
    number: str
    """As the register prints it, without separators."""
    kind: BusinessKind
    french: bool
    name: str
    other_names: tuple[str, ...]
    """The other language's form and trade names."""
    former_names: tuple[FormerName, ...]
    business_number: str
    """The nine digits of the Canada Revenue Agency."""
    standing: LifecycleStatus
    registered_on: date
    address: OfficeAddress
    people: tuple[SandboxOfficer, ...]
    random_bits: int
    """A number of the business's own, below 2 ** 62, from which a writer draws what only its file has."""
