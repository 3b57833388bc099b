"""What one register states about one business, as every kind of document prints it.

Each value is the register's own or null, and `unpublished` names what the register never publishes, so that "it lists none" differs
from "it does not say".
"""

from datetime import date
from enum import StrEnum

from pydantic import Field

from bonafide.model.base import Document, Instant
from bonafide.model.entity import (
    Address,
    EntityTypeCode,
    NaicsClass,
    NameHistoryItem,
    Part,
    Person,
    RegistrationNumber,
    StatusCode,
    StatusHistoryItem,
)
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route


class GoodStandingStatus(StrEnum):
    """Whether the business has filed what its register demands."""

    GOOD = "good"
    NOT_GOOD = "not_good"
    NOT_KNOWN = "not_known"


class PrintedGoodStanding(Document):
    """The answer, and by what rule of the register it was given or why it can't be."""

    answer: GoodStandingStatus
    reason: str = Field(min_length=1)


class PrintedProvenance(Document):
    """Where data comes from. `as_of` is the publisher's own date, null where it gives none."""

    source: str = Field(min_length=1)
    url: str | None
    as_of: date | None
    retrieved_at: Instant
    route: Route


class RegistryProfile(Document):
    """A business as its register states it. `limits` are sentences in the sheet's language about what else can't be known."""

    jurisdiction: Jurisdiction
    legal_name: str = Field(min_length=1)
    alternate_names: tuple[str, ...] = ()
    registration_numbers: tuple[RegistrationNumber, ...] = ()
    entity_type: str | None = None
    """The register's own words."""
    entity_type_code: EntityTypeCode | None = None
    status: str | None = None
    """The register's own word."""
    status_code: StatusCode = StatusCode.UNKNOWN
    incorporation_date: date | None = None
    home_jurisdiction: str | None = None
    """Where a business from elsewhere was formed: a code of `Jurisdiction`, or outside Canada the register's own word."""
    home_number: str | None = None
    """Its number there, as this register gives it."""
    good_standing: PrintedGoodStanding
    addresses: tuple[Address, ...] = ()
    people: tuple[Person, ...] = ()
    name_history: tuple[NameHistoryItem, ...] = ()
    status_history: tuple[StatusHistoryItem, ...] = ()
    naics_classification: tuple[NaicsClass, ...] = ()
    unpublished: tuple[Part, ...] = ()
    limits: tuple[str, ...] = ()
    provenance: PrintedProvenance
