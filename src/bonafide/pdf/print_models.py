"""The data of printed documents: search, verification and business reports, and the registry data of one business.

A value that the register does not state is null. `unpublished` has the parts that the register never publishes, which differ from
parts of which it has none for this business.
"""

import hashlib
from datetime import date
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.matching.addresses.word_differences import DiffSegmentKind, WordDiff
from bonafide.matching.summary.digest import SummaryDigest, SummarySourceKind
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
from bonafide.model.ownership.description import OwnershipDescription
from bonafide.model.ownership.discrepancies import Acknowledgement, DiscrepancyStatus, OwnershipReview
from bonafide.model.ownership.owner_comparison import DifferenceKind
from bonafide.model.ownership.statement import Claimant, InterestKind
from bonafide.model.records.documents import BusinessDocument
from bonafide.model.risk.explanation import ExplainedRating
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.model.search.result import SearchResult
from bonafide.model.verification.results import VerifyResponse

DIAGRAM_FONT = "Libertinus Serif"
"""The font of texts in diagrams; it is embedded."""


class GoodStandingStatus(StrEnum):
    """Whether the business is in good standing in its register."""

    GOOD = "good"
    NOT_GOOD = "not_good"
    NOT_KNOWN = "not_known"


class PrintedGoodStanding(Document):
    """Good standing, with the rule of the register or the reason why it is unknown."""

    answer: GoodStandingStatus
    reason: Message


class PrintedProvenance(Document):
    """The origin of data. `as_of` is the publisher's date, null if it gives none. `source` is a name in the document's language."""

    source: str = Field(min_length=1)
    url: str | None
    as_of: date | None
    retrieved_at: Instant
    route: Route


class RegistryProfile(Document):
    """A business as its register states it. `limits` are sentences about further limitations of the data."""

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
    """Where a business from elsewhere was formed: a code of `Jurisdiction`, or the register's own word outside Canada."""
    home_number: str | None = None
    """Its number there, as this register states it."""
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
    """The data of one document. No text in it is ever interpreted as markup."""

    template: ClassVar[str]
    """The template in `templates/`, without `.typ`."""
    language: Language
    document_id: UUID
    issued_at: Instant
    """Also the creation date of the file, so that the same data gives the same bytes."""

    @property
    def digest(self) -> str:
        """SHA-256 of the wire form (`to_json`, UTF-8) in hexadecimal, as printed on every page."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()


class PrintedEvidence(Document):
    """One stored raw response of a source: its request, time, size in bytes and SHA-256."""

    asked: str = Field(min_length=1)
    retrieved_at: Instant
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class PrintedBusinessReport(RegistryProfile, PrintedDocument):
    """The data of a business report."""

    template: ClassVar[str] = "business_report"
    evidence: tuple[PrintedEvidence, ...] = ()


class PrintedSource(Document):
    """The name of a source, its publisher and its page, in the document's language."""

    title: str
    publisher: str
    page: str


class PrintedSearchReport(PrintedDocument):
    """The data of a search report. Messages of the result are translated when it is rendered."""

    template: ClassVar[str] = "search_report"
    result: SearchResult
    sources: dict[str, PrintedSource]
    """Every source of the result's coverage, by key."""
    profile: RegistryProfile | None
    """The profile of the selected match, otherwise of the best one; null without matches."""
    risk: ExplainedRating | None = None
    """The rating of the result; null without risk rules."""


class PrintedScreeningReport(PrintedDocument):
    """The data of a screening report. Messages of the screening are translated when it is rendered."""

    template: ClassVar[str] = "screening_report"
    screening: ScreeningAnswer
    outcome: ScreeningOutcome
    sources: dict[str, PrintedSource]
    """Every sanctions list, by key."""


class PrintedOwnershipStatement(Document):
    """A recorded statement about the owners of a business, without its parties and interests."""

    claimant: Message
    as_of: date
    declared_by: str | None
    recorded_at: Instant
    recorded_by: str


class PrintedOwnershipReport(PrintedDocument):
    """The data of an ownership report. Its sentences are translated when it is rendered, its diagram has been drawn before."""

    template: ClassVar[str] = "ownership_report"
    name: str
    """The name of the business."""
    as_of: date
    described: OwnershipDescription
    statements: tuple[PrintedOwnershipStatement, ...]
    diagram: str
    """An SVG element that uses the embedded fonts (`DIAGRAM_FONT`)."""


class PrintedOwner(Document):
    """An individual as one side states it, with the shares in words."""

    name: str
    date_of_birth: str | None
    from_: str | None = Field(alias="from")
    to: str | None
    kinds: tuple[InterestKind, ...]
    share: Message | None
    votes: Message | None
    control: str | None
    address: str | None


class PrintedDecision(Document):
    """A decision, with the names of its documents."""

    at: Instant
    by: str
    status: DiscrepancyStatus
    kind: DifferenceKind
    resolution: str | None
    acknowledgement: Acknowledgement | None
    documents: tuple[str, ...]


class PrintedDifference(Document):
    """A difference of a review, and what has become of it. `kind` is its class now, `found_kind` that of the review."""

    kind: DifferenceKind
    found_kind: DifferenceKind
    reason: Message
    is_new: bool
    declared: PrintedOwner | None
    registry: PrintedOwner | None
    status: DiscrepancyStatus
    overdue: bool
    opened_at: Instant
    opened_by: str
    due_at: Instant | None
    resolution: str | None
    acknowledgement: Acknowledgement | None
    decisions: tuple[PrintedDecision, ...]


class PrintedOwnershipReview(PrintedDocument):
    """The data of the report of an ownership review."""

    template: ClassVar[str] = "ownership_review"
    review: OwnershipReview
    differences: tuple[PrintedDifference, ...]
    agreed: tuple[tuple[PrintedOwner, PrintedOwner], ...]
    """Declaration and register of the individuals without a difference."""
    gone: tuple[PrintedDifference, ...]
    """The discrepancies of earlier reviews that this one doesn't find any more."""
    is_complete: bool
    """Whether all owners could be compared."""
    unknown_shares: dict[Claimant, Message]
    """By side a sentence about the share behind which nobody is identified, if there is one."""
    documents: tuple[BusinessDocument, ...]
    """The evidence of the review and of all decisions."""


class PrintedSummaryPoint(Document):
    """A point of a short summary, and the numbers of its footnotes, from 1."""

    text: str
    notes: tuple[int, ...]


class PrintedSummary(Document):
    """The short summary of a verification in the document's language. `sources` are the footnotes."""

    verdict: PrintedSummaryPoint
    points: tuple[PrintedSummaryPoint, ...]
    more: int
    """The number of discrepancies that are not among the points."""
    steps: tuple[str, ...]
    sources: tuple[SummarySourceKind, ...]

    @classmethod
    def of(cls, digest: SummaryDigest) -> "PrintedSummary":
        """The print model of a short summary."""
        sources = digest.sources
        verdict, *points = (
            PrintedSummaryPoint(text=point.text, notes=tuple(sources.index(source) + 1 for source in point.sources))
            for point in (digest.verdict, *digest.points)
        )
        return cls(
            verdict=verdict,
            points=tuple(points),
            more=digest.more,
            steps=tuple(step.text for step in digest.steps),
            sources=sources,
        )


class PrintedSegment(Document):
    """A segment of a value, and whether the other side lacks it."""

    text: str
    differs: bool


class PrintedDifferences(Document):
    """A claimed value and the one of the register as segments."""

    provided: tuple[PrintedSegment, ...]
    registry: tuple[PrintedSegment, ...]

    @classmethod
    def of(cls, diff: WordDiff) -> "PrintedDifferences":
        """The print model of the differences between two texts."""
        provided, registry = (
            tuple(PrintedSegment(text=one.text, differs=one.kind is not DiffSegmentKind.SAME) for one in side)
            for side in (diff.submitted, diff.found)
        )
        return cls(provided=provided, registry=registry)


class PrintedVerificationReport(PrintedDocument):
    """The data of a verification report. Its summary is in the document's language; other messages are translated when rendered."""

    template: ClassVar[str] = "verification_report"
    verification: VerifyResponse
    summary: PrintedSummary
    differences: dict[str, PrintedDifferences]
    """The values with marked differences: `legalName`, `address`, `address.street`, `people.0`."""
    profile: RegistryProfile | None
    """Null if the register does not have the number."""
    sources: dict[str, PrintedSource]
    """Every sanctions list, by key; empty if none was to be screened."""
    risk: ExplainedRating | None = None
    """The rating of the verified business record; null without a record, and of a record that is not rated."""
    evidence: tuple[PrintedEvidence, ...] = ()
