"""The `data` of each type of event. It has codes, numbers and IDs, never sentences, so it is the same in every language.

Apart from values before a change, everything in an event is also in the documents to which it refers.
"""

from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field

from bonafide.model.base import Document, Instant
from bonafide.model.ownership.discrepancies import DiscrepancyStatus
from bonafide.model.ownership.owner_comparison import DifferenceKind
from bonafide.model.ownership.statement import Claimant
from bonafide.model.search.match import Score, SubjectRole
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.model.verification.results import ResultStatus


class EventData(Document):
    """Base of the data of all types. The descriptions of its schema are the docstrings of the fields."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class SearchCompletedData(EventData):
    """The outcome of a search."""

    search_id: UUID
    """ID of the search."""
    status: SearchStatus
    """Status of the search."""
    matches: int | None
    """Number of registry matches; null if no registry was searched."""
    selection: SelectionStatus | None
    """Outcome of match selection; null if it did not run."""
    selected_match_id: UUID | None
    """ID of the selected match; null without one."""
    open_hits: int | None
    """Number of hits on sanctions lists that are not dismissed; null if no list was screened."""


class MatchSelectedData(EventData):
    """A person's choice among the matches of a search."""

    search_id: UUID
    """ID of the search."""
    selection: SelectionStatus
    """Outcome of match selection."""
    selected_match_id: UUID | None
    """ID of the selected match; null if none was selected."""
    selected_by: str | None
    """Who selected it; null if the choice was reverted."""
    open_hits: int | None
    """Number of hits on sanctions lists that are not dismissed, those of the selected match included; null if no list was
    screened."""


class VerificationCompletedData(EventData):
    """The outcome of a verification."""

    verification_id: UUID
    """ID of the verification."""
    external_id: str | None
    """Your own reference of the verification."""
    status: ResultStatus
    """Outcome of the verification."""
    discrepancy_count: int
    """Number of discrepancies."""
    open_hits: int | None
    """Number of hits on sanctions lists that are not dismissed; null if no list was screened."""


class VerificationFailedData(EventData):
    """A verification that could not be completed. The document says why."""

    verification_id: UUID
    """ID of the verification."""
    external_id: str | None
    """Your own reference of the verification."""


class BusinessChangedData(EventData):
    """A change of a business record by a user or a program. Changes that the service makes have events of their own."""

    changed_by: str
    """Who made the change."""
    request_id: str | None
    """ID of the request; null for changes in the console and on the command line."""
    version: Instant
    """`updatedAt` of the record after the change."""


class ScreenedPartyData(EventData):
    """The name that was screened."""

    name: str
    """Name that was screened."""
    role: SubjectRole | None
    """What the party is to the business; null for the name that the request gives."""


class ScreeningHitData(EventData):
    """A hit of a stored screening, compared with the previous one."""

    screening_id: UUID
    """ID of the screening."""
    previous_screening_id: UUID | None
    """ID of the screening that it was compared with; null if it was the first."""
    screened: ScreenedPartyData
    """The name that was screened."""
    score: Score | None
    """Score of the hit; null if it is gone."""
    previous_score: Score | None
    """Score in the previous screening; null if the hit is new."""


class DismissalCreatedData(EventData):
    """A dismissed hit."""

    dismissal_id: UUID
    """ID of the dismissal."""
    subject: str
    """Name that was screened."""
    dismissed_by: str
    """Who dismissed the hit."""
    until: Instant | None
    """When the hit reopens; null for a dismissal without an end date."""


class OwnershipChangedData(EventData):
    """A statement about the owners of a business that was recorded, replaced or withdrawn."""

    claimed_by: Claimant
    """Whose statement it is."""
    changed_fields: Annotated[tuple[str, ...], Field(examples=[["interests", "parties"]])]
    """Fields of the statement that changed."""
    parties: int
    """Number of parties after the change."""
    interests: int
    """Number of interests after the change."""
    is_withdrawn: bool
    """Whether the statement was withdrawn."""
    changed_by: str
    """Who recorded the change."""


class DiscrepancyOpenedData(EventData):
    """A difference between the declared owners and the register, found or reopened."""

    discrepancy_id: UUID
    """ID of the discrepancy."""
    review_id: UUID
    """ID of the review that found it first."""
    kind: DifferenceKind
    """Class of the difference."""
    is_reportable: bool
    """Whether the business was a federal corporation of high risk."""
    due_at: Instant | None
    """When it must be resolved or reported; null if no report is due."""
    changed_by: str
    """Who recorded or reopened it."""


class DiscrepancyDueData(EventData):
    """A reminder of an open discrepancy."""

    discrepancy_id: UUID
    """ID of the discrepancy."""
    kind: DifferenceKind
    """Class of the difference."""
    due_at: Instant
    """When it must be resolved or reported."""
    overdue: bool
    """Whether the due date has passed."""


class DiscrepancyResolvedData(EventData):
    """The decision about a discrepancy."""

    discrepancy_id: UUID
    """ID of the discrepancy."""
    kind: DifferenceKind
    """Class of the difference."""
    status: DiscrepancyStatus
    """`resolved` or `reported`."""
    changed_by: str
    """Who decided."""


class ReportReadyData(EventData):
    """A new business report."""

    report_id: UUID
    """ID of the report."""
