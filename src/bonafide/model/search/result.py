"""The result of a search: the one document that is stored, sent, selected from and printed."""

from datetime import date
from enum import StrEnum
from operator import not_
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from bonafide.errors import SourceErrorCode
from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.query import SearchParams
from bonafide.model.risk.rating import RiskAssessment
from bonafide.model.search.match import Baseline, BusinessMatch, FieldMatch, ListingMatch, RegulatoryMatch, Screening
from bonafide.model.search.website import WebsiteAnalysis

_OMITTED = ("match_selection", "comparison", "listings", "risk")
"""Sections of a result that are left out where others would be null."""


class SearchStatus(StrEnum):
    """`meta.status`."""

    LOADING = "loading"
    COMPLETED = "completed"
    COMPLETED_WITH_ERRORS = "completed-with-errors"
    ERROR = "error"


class CoverageStatus(StrEnum):
    """Whether a source was looked at: "nothing found" and "nobody could look" are never the same answer."""

    SEARCHED = "searched"
    STALE = "stale"
    FAILED = "failed"
    NOT_AVAILABLE = "not_available"
    NOT_REQUESTED = "not_requested"


class Coverage(Document):
    """One row of `meta.coverage`: one source, and whether it could be asked."""

    source: str
    """Key of the source."""
    kind: str
    """Kind of the source."""
    jurisdiction: Jurisdiction | None
    """Jurisdiction of the source."""
    status: CoverageStatus
    """Whether the source was searched."""
    route: Route | None = None
    """How the source was searched; null if it was unavailable."""
    as_of: date | None
    """Date of the source's data."""
    retrieved_at: Instant | None = None
    """When the data was retrieved, or when a live source responded; null if it was unavailable."""
    matches: int
    """Number of matches from the source."""
    duration_ms: int
    """Duration in milliseconds."""
    note: Message | None
    """Why the source was not searched, or is incomplete."""


class CheckError(Document):
    """Why a check is incomplete; `errors.<check>`."""

    code: SourceErrorCode
    """Error code."""
    message: Message
    """Explanation of the error."""
    retryable: bool
    """Whether a retry may succeed."""


class CheckErrors(Document):
    """`errors`: null for each check that had none."""

    business_registry: CheckError | None = None
    """Error of the business registry check."""
    regulatory_registry: CheckError | None = None
    """Error of the regulatory registry check."""
    sanctions_screening: CheckError | None = None
    """Error of the sanctions screening."""
    website_analysis: CheckError | None = None
    """Error of the website analysis."""
    general: CheckError | None = None
    """Error of the search as a whole."""

    def any(self) -> bool:
        """Whether there is an error at all."""
        return any(getattr(self, name) is not None for name in type(self).model_fields)


class Submitted(Document):
    """The query as it was understood, defaults applied."""

    name: str | None
    """Name that was searched."""
    website: str | None
    """Website of the search."""
    business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])] = None
    """ID of the stored business record that the search refers to."""
    params: SearchParams
    """Parameters that applied, including defaults."""
    removed_characters: Annotated[tuple[str, ...], Field(examples=[["U+202E"]], exclude_if=not_)] = ()
    """Invisible characters that were removed from the name, as code points; omitted if there were none."""


class SearchWarning(Document):
    """Something in the request that looks wrong though it was accepted: where it is, and why."""

    path: Annotated[str, Field(examples=["registrationNumber"])]
    """Path of the field."""
    message: Annotated[Message, Field(examples=["The check digit is wrong."])]
    """What looks wrong."""


class SearchMeta(Document):
    """Who searched for what, when, and what was looked at. `duration` is in whole milliseconds."""

    search_id: UUID
    """ID of the search."""
    searched_at: Instant
    """When the search was created."""
    searched_by: str
    """Who ran the search."""
    submitted: Submitted
    """The query with defaults applied."""
    status: SearchStatus
    """Status of the search."""
    duration: int
    """Duration in milliseconds."""
    coverage: tuple[Coverage, ...]
    """Each source, and whether it was searched."""
    warnings: tuple[SearchWarning, ...] = ()
    """Accepted parts of the request that look wrong."""


class SelectionStatus(StrEnum):
    """The outcome of match selection."""

    AUTO_SELECTED = "auto_selected"
    NEEDS_REVIEW = "needs_review"
    NO_MATCH_FOUND = "no_match_found"
    SELECTED = "selected"
    NO_SELECTION = "no_selection"


class MatchSelection(Document):
    """Which registry match stands for the business, or that none does."""

    status: SelectionStatus
    """Outcome of match selection."""
    selected_match_id: UUID | None
    """ID of the selected match; null without one."""
    reason: Annotated[Message | None, Field(examples=[None])] = None
    """Registers that were not searched, if that is why a search without a match needs a review; null otherwise."""
    status_url: str
    """Path of the search."""
    selection_url: str
    """Path of the selection endpoint."""


class Comparison(Document):
    """The stored record against the selected match or, failing that, the best one.

    A field that agrees only in part is a discrepancy; one that the record or the register does not have is not checked.
    """

    match_id: Annotated[UUID, Field(examples=["2b1c7c1e-0f1d-4a57-8a57-5d2f6f4b8f33"])]
    """ID of the match that was compared with the record."""
    baseline: Annotated[Baseline, Field(examples=["record"])]
    """What the match was compared with."""
    fields: tuple[FieldMatch, ...]
    """Compared fields."""
    matched_count: Annotated[int, Field(examples=[3])]
    """Number of matching fields."""
    discrepancy_count: Annotated[int, Field(examples=[1])]
    """Number of discrepancies."""
    not_checked_count: Annotated[int, Field(examples=[2])]
    """Number of fields that were not compared."""


class SearchResult(Document):
    """The answer of a search, stored once and read by everything after it.

    Omitted from the wire form are `match_selection` when it did not run, `comparison` when no record is linked or no match was
    found, `listings` when none could be looked at, and `risk` without active rules; every other empty section is null.
    """

    meta: SearchMeta
    """Details of the search."""
    businesses: tuple[BusinessMatch, ...] | None
    """Registry matches, best first; null if the registry check did not run."""
    regulatory: dict[str, tuple[RegulatoryMatch, ...]]
    """Regulatory matches by source. An empty array means no matches."""
    sanctions: Screening | None
    """Sanctions screening; null if it is not enabled."""
    website: WebsiteAnalysis | None = None
    """Website analysis; null if there is none."""
    errors: CheckErrors | None
    """Errors by check; null if all checks succeeded."""
    match_selection: MatchSelection | None = None
    """Match selection; omitted if it did not run."""
    comparison: Comparison | None = None
    """Comparison with the stored business record; omitted without a record or a match."""
    listings: dict[str, tuple[ListingMatch, ...]] | None = None
    """Unverified listings by source: trade names that are not registrations. Omitted if no listing was searched."""
    risk: RiskAssessment | None = None
    """Risk rating by the facts of this search; omitted if the organization has no active risk rules."""

    def _dump(self, context: dict[str, Any] | None) -> str:
        omitted = {name for name in _OMITTED if getattr(self, name) is None}
        return self.model_dump_json(by_alias=True, exclude=omitted, context=context)


class HistoryItem(Document):
    """One past search in a list."""

    id: UUID
    """ID of the search."""
    query: str
    """Name that was searched."""
    website: Annotated[str | None, Field(examples=["https://bakery.sandbox.example"])]
    """Website of the search."""
    timestamp: Instant
    """When the search was created."""
    status: SearchStatus
    """Status of the search."""
    archived: bool
    """Whether the search is archived."""
    errors: CheckErrors | None
    """Errors by check; null if all checks succeeded."""


class Pagination(Document):
    """Where a page stands in its list."""

    total: int
    """Total number of items."""
    limit: int
    """Maximum number of items on a page."""
    offset: int
    """Number of skipped items."""
    has_more: bool
    """Whether there are further items."""


class SearchHistory(Document):
    """A page of past searches, newest first."""

    searches: tuple[HistoryItem, ...]
    """Searches, newest first."""
    pagination: Pagination
    """Position of the page."""


class Candidate(Document):
    """One canonical business offered while a person types."""

    name: str
    """Legal name."""
    jurisdiction: Jurisdiction
    """Jurisdiction code."""
    jurisdiction_label: str
    """Full name of the jurisdiction."""
    registration_number: str | None
    """Registration number."""
    status: str | None
    """Status in the registry's own words."""
    entity_type: str | None
    """Entity type in the registry's own words."""
    city: str | None
    """City of the business."""
    province: str | None
    """Province or territory of the business."""
    score: float
    """Score of the suggestion."""


class Prefill(Document):
    """The answer of `GET /prefill`."""

    candidates: tuple[Candidate, ...]
    """Suggestions, best first."""
