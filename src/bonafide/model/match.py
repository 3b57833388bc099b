"""A match: an entry with a score, and the score's explanation field by field."""

from datetime import date
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field, JsonValue

from bonafide.model.base import Document, Instant
from bonafide.model.entity import Address, NameHistoryItem, Person, RegistrationNumber, StatusCode
from bonafide.model.entry import EntityKind
from bonafide.model.jurisdiction import Jurisdiction

Score = Annotated[float, Field(ge=0.0, le=1.0)]
"""0 to 1; 1 is equality after normalisation, below 0.7 is another name."""


class FieldStatus(StrEnum):
    """The outcome of comparing one field."""

    MATCHED = "matched"
    PARTIAL = "partial"
    MISMATCHED = "mismatched"
    NOT_PROVIDED = "not_provided"
    NOT_PUBLISHED = "not_published"


class FieldMatch(Document):
    """One compared field: what was submitted, what was found, how alike they are and why."""

    field: str
    label: str
    score: Score | None
    status: FieldStatus
    submitted: str | None = None
    found: str | None = None
    reason: str


class Baseline(StrEnum):
    """What an entry was compared with: the request alone, or the stored business it refers to."""

    QUERY = "query"
    RECORD = "record"


class MatchExplanation(Document):
    """The whole score and the fields that it was made from."""

    score: Score
    baseline: Baseline = Baseline.QUERY
    fields: tuple[FieldMatch, ...]


class ScoredName(Document):
    """The entry's main name, with the score of the best of its names."""

    name: str
    match_score: Score


class BusinessReportDetails(Document):
    """What a register says of a business beyond its entry."""

    good_standing: bool | None = None
    name_history: tuple[NameHistoryItem, ...] = ()
    naics_classification: tuple[dict[str, str], ...] = ()


class BusinessReport(Document):
    """The register's full profile, as far as it publishes one."""

    people: tuple[Person, ...] = ()
    addresses: tuple[Address, ...] = ()
    details: BusinessReportDetails
    report_url: str | None = None
    report_url_expires_at: Instant | None = None


class BusinessMatch(Document):
    """One element of `businesses`."""

    legal_name: ScoredName
    match: MatchExplanation
    registration_numbers: tuple[RegistrationNumber, ...]
    match_id: UUID
    entity_type: str | None
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
    as_of: date | None
    retrieved_at: Instant


class RegulatoryMatch(Document):
    """One element of a `regulatory` key."""

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
    as_of: date | None
    retrieved_at: Instant


class ScreenedName(Document):
    """The listed entity's main name, which of its names matched best, and the score of each that came near."""

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


class SanctionsMatch(Document):
    """One element of `sanctions.matches`."""

    legal_name: ScreenedName
    match: MatchExplanation
    alternate_names: tuple[str, ...]
    entity_type: EntityKind
    details: ListingDetails
    source_urls: tuple[str, ...]
    source: str
    as_of: date | None
    retrieved_at: Instant


class ScreenedList(Document):
    """One list that was screened: how old it is and how many it lists."""

    source: str
    as_of: date | None
    retrieved_at: Instant
    entries: int


class Screening(Document):
    """The sanctions part of a search, and the answer of a screening."""

    query: str
    total_matches: int
    matches: tuple[SanctionsMatch, ...]
    lists: tuple[ScreenedList, ...]
