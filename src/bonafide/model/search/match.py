"""A match: an entry with a score, and the score's explanation field by field."""

from datetime import date
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, JsonValue

from bonafide.errors import SourceErrorCode
from bonafide.i18n.message import Message
from bonafide.model.base import BackwardCompatibleDocument, Document, Instant
from bonafide.model.entity import (
    Address,
    EntityTypeCode,
    NaicsClass,
    NameHistoryItem,
    Person,
    RegistrationNumber,
    StatusCode,
    StatusHistoryItem,
)
from bonafide.model.entry import EntityKind, RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route

Score = Annotated[float, Field(ge=0.0, le=1.0)]
"""0 to 1; 1 is equality after normalisation, below 0.7 is another name."""

BEFORE_ROUTES: dict[str, object] = {"route": Route.BULK}
"""Before sources were asked live, a match was always of loaded data."""
BEFORE_REASONS: dict[str, object] = {"penalties": (), "lifts": (), "reasons": ()}
"""Before a screening said what changed its score."""


class FieldStatus(StrEnum):
    """The outcome of comparing one field."""

    MATCHED = "matched"
    PARTIAL = "partial"
    MISMATCHED = "mismatched"
    NOT_PROVIDED = "not_provided"
    NOT_PUBLISHED = "not_published"


class WordDifference(StrEnum):
    """In which way a word was read for another."""

    EQUAL = "equal"
    SLIP = "slip"
    PLURAL = "plural"
    SHORTENED = "shortened"
    INITIAL = "initial"
    EQUIVALENT = "equivalent"
    TRANSLATED = "translated"
    JOINED = "joined"
    NEAR_NUMBER = "near number"
    NICKNAME = "nickname"
    SOUND = "sound"
    """Another spelling that sounds alike, or the same word out of another script."""


class ComparedWords(Document):
    """Words of the two names that stand for each other: how alike they are, and how much they count."""

    submitted: str
    found: str
    difference: WordDifference
    likeness: Score
    weight: float


class LoneWord(Document):
    """A word that only one of the names has, and how much it counts."""

    word: str
    weight: float


class ScoreStep(Document):
    """A factor of a score, or a limit of it."""

    feature: str
    score: Score
    reason: Message


class NameBreakdown(Document):
    """What the score of a name was made of: words as they were compared, in normal form, with the weights that applied then.

    `missing` words were submitted and not found, `added` ones found and not submitted. The score is the product of the factors,
    limited by the lowest cap.
    """

    matched: tuple[ComparedWords, ...]
    missing: tuple[LoneWord, ...]
    added: tuple[LoneWord, ...]
    factors: tuple[ScoreStep, ...]
    caps: tuple[ScoreStep, ...]


class FieldMatch(Document):
    """One compared field: what was submitted, what was found, how alike they are and why. Names are broken down to their words."""

    field: str
    label: Message
    score: Score | None
    status: FieldStatus
    submitted: str | None = None
    found: str | None = None
    reason: Message
    breakdown: NameBreakdown | None = None


class Baseline(StrEnum):
    """What an entry was compared with: the request alone, or the stored business it refers to."""

    QUERY = "query"
    RECORD = "record"


class MatchExplanation(Document):
    """The whole score and the fields that it was made from."""

    score: Score
    baseline: Baseline = Baseline.QUERY
    fields: tuple[FieldMatch, ...]


class ScoreChange(Document):
    """One step from 1 to a score: what lowered or lifted it, by how much, and why."""

    feature: str
    change: float
    reason: Message


class ScreeningExplanation(MatchExplanation, BackwardCompatibleDocument):
    """The same for a listed party. 1 and all the changes of `penalties` and `lifts` add up to the score."""

    missing = BEFORE_REASONS

    penalties: tuple[ScoreChange, ...]
    lifts: tuple[ScoreChange, ...]
    reasons: tuple[Message, ...]
    """In words for a person: the name first, then the evidence."""


class ScoredName(Document):
    """The entry's main name, with the score of the best of its names."""

    name: str
    match_score: Score


class BusinessReportDetails(Document):
    """What a register says of a business beyond its entry."""

    good_standing: bool | None = None
    name_history: tuple[NameHistoryItem, ...] = ()
    status_history: tuple[StatusHistoryItem, ...] = ()
    naics_classification: tuple[NaicsClass, ...] = ()


class BusinessReport(Document):
    """The register's full profile, as far as it publishes one."""

    people: tuple[Person, ...] = ()
    addresses: tuple[Address, ...] = ()
    details: BusinessReportDetails
    report_url: str | None = None
    report_url_expires_at: Instant | None = None


class Relation(StrEnum):
    """What another match is to this one, where both are registrations of one business."""

    HOME_REGISTRATION = "home_registration"
    """The register in which the business was formed."""
    EXTRA_PROVINCIAL_REGISTRATION = "extra_provincial_registration"
    """A register elsewhere, in which it may carry on business."""
    SAME_BUSINESS = "same_business"
    """Another registration of it; the registers don't say which of the two is its home, or neither is."""


class RelatedMatch(Document):
    """Another match of the same search that is a registration of the same business, and how that is known."""

    match_id: UUID
    relation: Relation
    evidence: Message


class BusinessMatch(BackwardCompatibleDocument):
    """One element of `businesses`."""

    missing = BEFORE_ROUTES

    legal_name: ScoredName
    match: MatchExplanation
    registration_numbers: tuple[RegistrationNumber, ...]
    match_id: UUID
    entity_type: str | None
    entity_type_code: EntityTypeCode | None = None
    """The same in common words; null where the register's are not known."""
    jurisdiction: Jurisdiction
    jurisdiction_label: str
    status: str | None
    status_code: StatusCode
    incorporation_date: date | None
    addresses: tuple[Address, ...]
    alternate_names: tuple[str, ...]
    people: tuple[Person, ...]
    source_url: str | None
    business_report: BusinessReport | None
    source: str
    route: Route
    as_of: date | None
    retrieved_at: Instant
    related_matches: tuple[RelatedMatch, ...] = ()
    """Other matches that are registrations of the same business."""

    def to_entry(self) -> RegistryEntry:
        """The entry that it was made from, as far as other statements of a business are compared with it."""
        report = self.business_report
        return RegistryEntry(
            entry_id=str(self.match_id),
            jurisdiction=self.jurisdiction,
            legal_name=self.legal_name.name,
            alternate_names=self.alternate_names,
            name_history=report.details.name_history if report is not None else (),
            registration_numbers=self.registration_numbers,
            entity_type=self.entity_type,
            status=self.status,
            status_code=self.status_code,
            incorporation_date=self.incorporation_date,
            addresses=self.addresses,
            people=self.people,
        )


class RegulatoryMatch(BackwardCompatibleDocument):
    """One element of a `regulatory` key."""

    missing = BEFORE_ROUTES

    legal_name: ScoredName
    match: MatchExplanation
    alternate_names: tuple[str, ...]
    registration_number: str | None
    status: str | None
    status_code: StatusCode
    addresses: tuple[Address, ...]
    details: dict[str, JsonValue]
    source: str
    source_url: str | None
    route: Route
    as_of: date | None
    retrieved_at: Instant


class ListingMatch(RegulatoryMatch):
    """One element of a `listings` key: the shape of a regulator's, and the reminder that it proves nothing.

    `legalName` is the name that is listed, seldom the legal one; `registrationNumber` is always null.
    """

    weight: Literal["weak"]
    """A trade name at an address: whoever bears it may be registered under another name, or nowhere."""


class ScreenedName(Document):
    """The listed entity's main name, the score with all evidence, which of its names matched best, the score of each by itself."""

    name: str
    match_score: Score
    matched_name: str
    name_scores: tuple["NameScore", ...]


class NameScore(Document):
    """One of an entity's names and how alike it is to the name screened."""

    name: str
    score: Score


class ListingDetails(Document):
    """What the list says of the entity."""

    source: str
    countries: tuple[str, ...]
    programs: tuple[str, ...]
    identifiers: tuple[RegistrationNumber, ...]
    listing_date: str | None
    date_of_birth: str | None
    remarks: str | None
    datasets: tuple[str, ...]
    topics: tuple[str, ...]
    legal_form: str | None


class Dismissed(Document):
    """That the organization has decided that this hit is another party than its subject: who, when, why, and until when."""

    dismissal_id: UUID
    by: str
    at: Instant
    reason: str
    until: Instant | None
    """Null: until it is revoked, or what the list says of the party changes."""


class SanctionsMatch(BackwardCompatibleDocument):
    """One element of `sanctions.matches`."""

    missing = BEFORE_ROUTES

    legal_name: ScreenedName
    match: ScreeningExplanation
    alternate_names: tuple[str, ...]
    entity_type: EntityKind
    details: ListingDetails
    source_urls: tuple[str, ...]
    source: str
    route: Route
    as_of: date | None
    retrieved_at: Instant
    entry_id: str | None = None
    """The party's key in its list; null in results that were stored before it was kept."""
    digest: str | None = None
    """Of all that the list says of the party: it changes when that does."""
    dismissed: Dismissed | None = None
    """The decision on this hit that held when it was found; null for one that is open."""


class ScreenedList(Document):
    """One list that was screened: how old it is and how many it lists."""

    source: str
    as_of: date | None
    retrieved_at: Instant
    entries: int


class UnscreenedList(Document):
    """One list that was to be screened and could not be, and why: what it lists is not known."""

    source: str
    code: SourceErrorCode
    message: Message
    retryable: bool


class Screening(Document):
    """The sanctions part of a search, and the answer of a screening."""

    query: str
    total_matches: int
    matches: tuple[SanctionsMatch, ...]
    lists: tuple[ScreenedList, ...]
    lists_not_screened: tuple[UnscreenedList, ...] = ()
