"""The result of a search: the one document that is stored, sent, selected from and printed."""

from datetime import date
from enum import StrEnum
from typing import Any
from uuid import UUID

from bonafide.errors import SourceErrorCode
from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.query import SearchParams
from bonafide.model.search.match import Baseline, BusinessMatch, FieldMatch, ListingMatch, RegulatoryMatch, Screening
from bonafide.model.search.website import WebsiteAnalysis

_OMITTED = ("match_selection", "comparison", "listings")
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
    kind: str
    jurisdiction: Jurisdiction | None
    status: CoverageStatus
    route: Route | None = None
    """How it was looked at; null where nobody could look."""
    as_of: date | None
    retrieved_at: Instant | None = None
    """When its data was fetched or, live, when it answered; null where nobody could look."""
    matches: int
    duration_ms: int
    note: Message | None


class CheckError(Document):
    """Why a check is incomplete; `errors.<check>`."""

    code: SourceErrorCode
    message: Message
    retryable: bool


class CheckErrors(Document):
    """`errors`: null for each check that had none."""

    business_registry: CheckError | None = None
    regulatory_registry: CheckError | None = None
    sanctions_screening: CheckError | None = None
    website_analysis: CheckError | None = None
    general: CheckError | None = None

    def any(self) -> bool:
        """Whether there is an error at all."""
        return any(getattr(self, name) is not None for name in type(self).model_fields)


class Submitted(Document):
    """The query as it was understood, defaults applied."""

    name: str | None
    website: str | None
    business_id: UUID | None = None
    """The stored record that the search refers to, by whichever of its ids; what the request did not say is from it."""
    params: SearchParams


class SearchWarning(Document):
    """Something in the request that looks wrong though it was accepted: where it is, and why."""

    path: str
    message: Message


class SearchMeta(Document):
    """Who searched for what, when, and what was looked at. `duration` is in whole milliseconds."""

    search_id: UUID
    searched_at: Instant
    searched_by: str
    submitted: Submitted
    status: SearchStatus
    duration: int
    coverage: tuple[Coverage, ...]
    warnings: tuple[SearchWarning, ...] = ()


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
    selected_match_id: UUID | None
    status_url: str
    selection_url: str


class Comparison(Document):
    """The stored record against the selected match or, failing that, the best one.

    A field that agrees only in part is a discrepancy; one that the record or the register does not have is not checked.
    """

    match_id: UUID
    baseline: Baseline
    fields: tuple[FieldMatch, ...]
    matched_count: int
    discrepancy_count: int
    not_checked_count: int


class SearchResult(Document):
    """The answer of a search, stored once and read by everything after it.

    Omitted from the wire form are `match_selection` when it did not run, `comparison` when no record is linked or no match was
    found, and `listings` when none could be looked at; every other empty section is null.
    """

    meta: SearchMeta
    businesses: tuple[BusinessMatch, ...] | None
    regulatory: dict[str, tuple[RegulatoryMatch, ...]]
    sanctions: Screening | None
    website: WebsiteAnalysis | None = None
    errors: CheckErrors | None
    match_selection: MatchSelection | None = None
    comparison: Comparison | None = None
    listings: dict[str, tuple[ListingMatch, ...]] | None = None
    """Weak evidence, by the source that lists it: trade names, which are neither `businesses` nor under supervision."""

    def _dump(self, context: dict[str, Any] | None) -> str:
        omitted = {name for name in _OMITTED if getattr(self, name) is None}
        return self.model_dump_json(by_alias=True, exclude=omitted, context=context)


class HistoryItem(Document):
    """One past search in a list."""

    id: UUID
    query: str
    website: str | None
    timestamp: Instant
    status: SearchStatus
    archived: bool
    errors: CheckErrors | None


class Pagination(Document):
    """Where a page stands in its list."""

    total: int
    limit: int
    offset: int
    has_more: bool


class SearchHistory(Document):
    """A page of past searches, newest first."""

    searches: tuple[HistoryItem, ...]
    pagination: Pagination


class Candidate(Document):
    """One canonical business offered while a person types."""

    name: str
    jurisdiction: Jurisdiction
    jurisdiction_label: str
    registration_number: str | None
    status: str | None
    entity_type: str | None
    city: str | None
    province: str | None
    score: float


class Prefill(Document):
    """The answer of `GET /prefill`."""

    candidates: tuple[Candidate, ...]
