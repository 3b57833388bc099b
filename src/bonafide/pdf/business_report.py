"""The sheet of a business report: what one register says of one business, ready to be printed.

Each value is the register's own or null, and `unpublished` names what the register never publishes, so that the page can tell "it
lists none" from "it does not say". It is not the `businessReport` of the API, which the caller folds into it.
"""

from datetime import date
from enum import StrEnum
from typing import ClassVar

from pydantic import Field

from bonafide.model.base import Document, Instant
from bonafide.model.entity import Address, EntityTypeCode, NaicsClass, NameHistoryItem, Part, Person, RegistrationNumber, StatusCode
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.load import Route
from bonafide.pdf.printable import Printable


class Standing(StrEnum):
    """Whether the business has filed what its register demands."""

    GOOD = "good"
    NOT_GOOD = "not_good"
    NOT_KNOWN = "not_known"


class GoodStanding(Document):
    """The answer, and by what rule of the register it was given or why it can't be."""

    answer: Standing
    reason: str = Field(min_length=1)


class Provenance(Document):
    """Where the data of the report comes from. `as_of` is the publisher's own date, null where it gives none."""

    source: str = Field(min_length=1)
    url: str | None
    as_of: date | None
    retrieved_at: Instant
    route: Route


class Evidence(Document):
    """One answer of the source that is kept as it came: what was asked for, when, and its size in bytes and SHA-256."""

    asked: str = Field(min_length=1)
    retrieved_at: Instant
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class BusinessReportSheet(Printable):
    """All that a business report prints. `limits` are sentences in the sheet's language about what else can't be known."""

    template: ClassVar[str] = "business_report"
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
    good_standing: GoodStanding
    addresses: tuple[Address, ...] = ()
    people: tuple[Person, ...] = ()
    name_history: tuple[NameHistoryItem, ...] = ()
    naics_classification: tuple[NaicsClass, ...] = ()
    unpublished: tuple[Part, ...] = ()
    limits: tuple[str, ...] = ()
    provenance: Provenance
    evidence: tuple[Evidence, ...] = ()
