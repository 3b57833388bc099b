"""A generated business, independent of any file format."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from bonafide.model.jurisdiction import Jurisdiction


class BusinessKind(StrEnum):
    """The legal form of a business, shared by all registers."""

    COMPANY = "company"
    NONPROFIT = "nonprofit"
    COOPERATIVE = "cooperative"
    FIRM = "firm"
    """A sole proprietorship with a business name."""
    PARTNERSHIP = "partnership"
    LIMITED_PARTNERSHIP = "limited_partnership"
    EXTRA_PROVINCIAL = "extra_provincial"
    """A company from another jurisdiction that is registered to do business in this one."""


FIRM_KINDS = frozenset({BusinessKind.FIRM, BusinessKind.PARTNERSHIP, BusinessKind.LIMITED_PARTNERSHIP})
"""Kinds without their own legal personality. Registers that publish two files keep these in a separate file."""


class LifecycleStatus(StrEnum):
    """The lifecycle status of a business."""

    ACTIVE = "active"
    DEFAULT = "default"
    """Active, with overdue returns."""
    LEAVING = "leaving"
    """Active, with an announced dissolution."""
    DISSOLVED = "dissolved"
    AMALGAMATED = "amalgamated"
    CONTINUED_OUT = "continued_out"
    CANCELLED = "cancelled"


LIVE_STATUSES = frozenset({LifecycleStatus.ACTIVE, LifecycleStatus.DEFAULT, LifecycleStatus.LEAVING})
"""Statuses in which a business may still operate."""


class LicenceStanding(StrEnum):
    """What has happened to the licence of a business since day 0 of the calendar."""

    HELD = "held"
    """Nothing: the list decides whether the licence is valid."""
    LAPSED = "lapsed"
    REVOKED = "revoked"
    GONE = "gone"
    """The list no longer contains it."""


@dataclass(frozen=True, slots=True)
class OfficeAddress:
    """A registered office. `unit` is the bare designator (`200`, `4B`) and is usually absent."""

    unit: str | None
    street_number: str
    street_name: str
    city: str
    province: str
    """The two-letter postal abbreviation."""
    postal_code: str
    """Includes the space."""

    @property
    def street(self) -> str:
        """The street line: `12 Elm Street`, or `12, rue Elm` for a French street name."""
        comma = "," if self.street_name[0].islower() else ""
        return f"{self.street_number}{comma} {self.street_name}"


@dataclass(frozen=True, slots=True)
class SandboxOfficer:
    """A person listed in the register, with their roles."""

    name: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormerName:
    """A former name and the date it ended."""

    name: str
    until: date


@dataclass(frozen=True, slots=True)
class SandboxBusiness:
    """A business as recorded in its register."""

    register: Jurisdiction
    number: str
    """As printed by the register, without separators."""
    kind: BusinessKind
    french: bool
    name: str
    other_names: tuple[str, ...]
    """The version in the other official language, and trade names."""
    former_names: tuple[FormerName, ...]
    business_number: str
    """The nine-digit Business Number of the Canada Revenue Agency."""
    standing: LifecycleStatus
    registered_on: date
    address: OfficeAddress
    people: tuple[SandboxOfficer, ...]
    random_bits: int
    """A per-business random number below 2 ** 62. Writers derive values from it that only their own file contains."""
    licence: LicenceStanding = LicenceStanding.HELD
    """The standing of its licence on one regulator's list. Only the writer of that list reads it."""

    @property
    def is_delisted(self) -> bool:
        """Return whether a list without terms for ended licences no longer contains the business."""
        return self.licence is not LicenceStanding.HELD
