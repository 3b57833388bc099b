"""The data of printed documents: search, verification and business reports, and what one register states about one business.

Each value of a register is its own or null, and `unpublished` names what the register never publishes, so that "it lists none"
differs from "it does not say".
"""

import hashlib
from datetime import date
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
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
from bonafide.model.search.result import SearchResult
from bonafide.model.verification.results import VerifyResponse


class GoodStandingStatus(StrEnum):
    """Whether the business has filed what its register demands."""

    GOOD = "good"
    NOT_GOOD = "not_good"
    NOT_KNOWN = "not_known"


class PrintedGoodStanding(Document):
    """The answer, and by what rule of the register it was given or why it can't be."""

    answer: GoodStandingStatus
    reason: Message


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
    limits: tuple[Message, ...] = ()
    provenance: PrintedProvenance


class PrintedDocument(Document):
    """The data of one document. Everything in it is data: no text of it is ever read as markup."""

    template: ClassVar[str]
    """The file in `templates/`, without `.typ`, that lays it out."""
    language: Language
    document_id: UUID
    issued_at: Instant
    """Also the file's own date of creation, so that the same data gives the same bytes."""

    @property
    def digest(self) -> str:
        """SHA-256 of the wire form (`to_json`, UTF-8) in hexadecimal, as it is printed on every page."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()


class PrintedEvidence(Document):
    """One answer of the source that is kept as it came: what was asked for, when, and its size in bytes and SHA-256."""

    asked: str = Field(min_length=1)
    retrieved_at: Instant
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class PrintedBusinessReport(RegistryProfile, PrintedDocument):
    """All that a business report prints."""

    template: ClassVar[str] = "business_report"
    evidence: tuple[PrintedEvidence, ...] = ()


class PrintedSource(Document):
    """What a source is called, who publishes it, and where a person can look."""

    title: str
    publisher: str
    page: str


class PrintedSearchReport(PrintedDocument):
    """All that a search report prints. Sentences of the result are in the sheet's language already."""

    template: ClassVar[str] = "search_report"
    result: SearchResult
    sources: dict[str, PrintedSource]
    """By key, every source of the result's coverage."""
    profile: RegistryProfile | None
    """Of the selected match, else of the best one; null where there is none."""


class PrintedVerificationReport(PrintedDocument):
    """All that a verification report prints. Sentences of the document are in the sheet's language already."""

    template: ClassVar[str] = "verification_report"
    verification: VerifyResponse
    profile: RegistryProfile | None
    """Null when the register has no such number."""
    evidence: tuple[PrintedEvidence, ...] = ()
