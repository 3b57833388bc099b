"""The `data` of each type of event. It has codes, numbers and IDs, never sentences, so it is the same in every language.

Apart from values before a change, everything in an event is also in the documents to which it refers.
"""

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field

from bonafide.errors import SourceErrorCode
from bonafide.model.base import Document, Instant
from bonafide.model.batches.batch import BatchKind
from bonafide.model.cases.case import CaseOutcome
from bonafide.model.cases.policy import CaseItemKind, CasePriority
from bonafide.model.entity import StatusCode
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadProblem
from bonafide.model.manual_checks.manual_check import ManualCheckOrigin
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.model.monitoring.website_snapshots import WebsiteChangeKind
from bonafide.model.ownership.discrepancies import DiscrepancyStatus
from bonafide.model.ownership.owner_comparison import DifferenceKind
from bonafide.model.ownership.statement import Claimant
from bonafide.model.search.match import Score, SubjectRole
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.model.search.website import WebsiteStatus
from bonafide.model.verification.results import ResultStatus
from bonafide.model.webhooks import DeliveryError, DisabledReason


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


class DiscrepancyAcceptedData(EventData):
    """A discrepancy of a verification that a person has accepted."""

    verification_id: UUID
    """ID of the verification."""
    field: Annotated[str, Field(examples=["legalName"])]
    """The compared field, as `acceptedDiscrepancies` of the verification names it."""
    reason_code: str
    """Code of the reason."""
    open_count: Annotated[int, Field(examples=[0])]
    """Number of discrepancies of the verification that nobody has accepted."""
    changed_by: str
    """Who accepted it."""


class AcceptanceRevokedData(EventData):
    """A discrepancy of a verification that is no longer accepted."""

    verification_id: UUID
    """ID of the verification."""
    field: Annotated[str, Field(examples=["legalName"])]
    """The compared field, as `acceptedDiscrepancies` of the verification names it."""
    open_count: Annotated[int, Field(examples=[1])]
    """Number of discrepancies of the verification that nobody has accepted."""
    changed_by: str
    """Who revoked the decision."""


class ManualCheckOpenedData(EventData):
    """A register that a person has to look at."""

    manual_check_id: UUID
    """ID of the manual check."""
    search_id: UUID | None
    """ID of the search that needed the register; null without one."""
    verification_id: UUID | None
    """ID of the verification that needed the register; null without one."""
    origin: ManualCheckOrigin
    """What the check was opened for."""
    due_at: Instant | None
    """When it is due; null without a due date."""
    changed_by: str
    """Who opened it: who ran the search or the verification, or created the check."""


class ManualCheckCompletedData(EventData):
    """What a person has seen in a register. The document has the details."""

    manual_check_id: UUID
    """ID of the manual check."""
    search_id: UUID | None
    """ID of the search that needed the register; null without one."""
    verification_id: UUID | None
    """ID of the verification that needed the register; null without one."""
    found: bool
    """Whether the register has the business."""
    status_code: StatusCode
    """Common code of the status; `unknown` for a business that was not found."""
    report_id: UUID | None
    """ID of the business report that was made from it; null for a business that was not found."""
    retrieved_at: Instant
    """When the person looked."""
    expires_at: Instant | None
    """When the result becomes too old to be used; null for never."""
    changed_by: str
    """Who looked."""


class ManualCheckCancelledData(EventData):
    """A manual check that nobody has to do any more."""

    manual_check_id: UUID
    """ID of the manual check."""
    search_id: UUID | None
    """ID of the search that needed the register; null without one."""
    verification_id: UUID | None
    """ID of the verification that needed the register; null without one."""
    changed_by: str
    """Who cancelled it; `system:manual_checks` if a program could query the register after all."""


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
    """A hit of a stored screening, search or verification, compared with the hits that were known before."""

    screening_id: UUID
    """ID of the screening, search or verification. `links.resource` is its path."""
    previous_screening_id: UUID | None
    """ID of the screening, search or verification in which the hit was found, or last found changed; null if the hit is new."""
    screened: ScreenedPartyData
    """The name that was screened."""
    score: Score | None
    """Score of the hit; null if it is gone."""
    previous_score: Score | None
    """Score in that screening; null if the hit is new."""


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


class DismissalRevokedData(EventData):
    """A dismissal that was revoked."""

    dismissal_id: UUID
    """ID of the dismissal."""
    subject: str
    """Name that was screened."""
    dismissed_by: str
    """Who dismissed the hit."""
    revoked_by: str
    """Who revoked the dismissal."""


class DismissalExpiredData(EventData):
    """A dismissal whose end has passed."""

    dismissal_id: UUID
    """ID of the dismissal."""
    subject: str
    """Name that was screened."""
    dismissed_by: str
    """Who dismissed the hit."""
    until: Instant
    """When the hit was open again."""


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


class RiskBandChangedData(EventData):
    """The rating of a business record after the change."""

    band: str
    """Name of the band."""
    previous_band: str | None
    """Name of the band before; null for the first rating."""
    points: int
    """Sum of the points of all rules."""
    version: int
    """Version of the rules."""
    previous_version: int | None
    """Version of the rules of the earlier rating; null for the first rating. If it differs, the rules have changed."""
    is_complete: bool
    """Whether every rule could be evaluated."""
    rule_ids: tuple[str, ...]
    """IDs of the rules that give points, including those that could not be evaluated."""


class RegistryEntryData(EventData):
    """An entry of a register that is linked to a monitored record."""

    entry_id: str
    """ID of the entry in its source."""
    status_code: StatusCode
    """Status of the registration, in common terms."""
    previous_status_code: StatusCode | None
    """Status before the change; null if it did not change."""


class LicenceData(EventData):
    """A regulator's entry about a monitored record."""

    entry_id: str
    """ID of the entry in its source."""
    status: str | None
    """Status in the regulator's own words; null if the regulator does not publish one, and if the entry is gone."""
    status_code: StatusCode
    """Status in common terms."""
    previous_status_code: StatusCode | None
    """Status before the change; null for a new entry, and if it did not change."""


class WebsiteChangedData(EventData):
    """The website of a monitored record that has changed."""

    url: str
    """Address of the website in the record."""
    kinds: Annotated[tuple[WebsiteChangeKind, ...], Field(examples=[["moved", "name_changed"]])]
    """What has changed. `owner_changed`: the domain was registered anew, so that somebody else may own it."""
    status: WebsiteStatus
    """Outcome of the reading that found it."""
    failing_since: Instant | None
    """First reading in a row that did not reach the site; null if it is reached."""
    is_name_of_record: bool | None
    """Whether the name on the website is a name of the record, whatever its spelling and its legal form; null if it states none."""


class EvaluationOverdueData(EventData):
    """An evaluation of a monitored record that is overdue."""

    kind: MonitoringKind | None
    """`verificationAge` if the record is to be verified again, `registry` or `website` if its register or its website could not be
    queried for twice the interval; null if a queued evaluation of the record has not been done."""
    due_at: Instant
    """When it was due."""
    last_at: Instant | None
    """When the record was last verified, or last queried; null if it never was, and for a queued evaluation."""


class CaseOpenedData(EventData):
    """A case that was opened."""

    case_id: UUID
    """ID of the case."""
    number: Annotated[int, Field(examples=[42])]
    """Number of the case."""
    kinds: tuple[CaseItemKind, ...]
    """Kinds of the items with which it was opened."""
    priority: CasePriority
    """Priority of the case."""
    due_at: Instant | None
    """When it is due; null without a due date."""


class CaseAssignedData(EventData):
    """A case that was given to a member, or taken from one."""

    case_id: UUID
    """ID of the case."""
    number: Annotated[int, Field(examples=[42])]
    """Number of the case."""
    assignee: str | None
    """E-mail of the member who works on it now; null for nobody."""
    changed_by: str
    """Who changed it."""


class CaseDecidedData(EventData):
    """A case that has ended."""

    case_id: UUID
    """ID of the case."""
    number: Annotated[int, Field(examples=[42])]
    """Number of the case."""
    outcome: CaseOutcome
    """How it ended: `settled` if every item was settled before anybody had taken the case."""
    reason_code: str | None
    """Code of the reason of the decision; null for a settled case."""
    decided_by: tuple[str, ...]
    """Who decided, the second reviewer last; empty for a settled case."""


class CaseDueData(EventData):
    """A case whose due date has passed."""

    case_id: UUID
    """ID of the case."""
    number: Annotated[int, Field(examples=[42])]
    """Number of the case."""
    due_at: Instant
    """When it was due."""
    priority: CasePriority
    """Priority of the case."""
    assignee: str | None
    """E-mail of the member who works on it; null for nobody."""


class ReportReadyData(EventData):
    """A new business report."""

    report_id: UUID
    """ID of the report."""


class PackReadyData(EventData):
    """An examiner's pack that can be downloaded."""

    pack_id: UUID
    """ID of the pack."""
    from_: Instant | None = Field(alias="from")
    """Beginning of the period; null for the pack of a business."""
    to: Instant | None
    """End of the period, exclusive; null for the pack of a business."""
    sha256: str
    """SHA-256 of the ZIP file."""
    size: int
    """Size of the ZIP file in bytes."""


class BatchCompletedData(EventData):
    """A batch of which every row is done."""

    batch_id: UUID
    """ID of the batch."""
    batch_kind: BatchKind
    """What was done with each row."""
    rows: int
    """Number of rows."""
    failed: int
    """Rows with errors."""


class BatchFailedData(EventData):
    """A batch that could not be done."""

    batch_id: UUID
    """ID of the batch."""
    batch_kind: BatchKind
    """What was to be done with each row."""
    done: int
    """Rows that were done, whose results can be downloaded."""
    problem: str
    """Why it failed, in the language of the batch."""


class SourceConditionData(EventData):
    """The condition of a source, and the age of its data in use."""

    kind: SourceKind
    """Kind of the source."""
    jurisdiction: Jurisdiction | None
    """Jurisdiction of the source; null for a source of several."""
    problem: LoadProblem | None
    """Why it can't be loaded: `failed` if its files could not be fetched or read, `drifted` if they have another structure or size
    than expected; null if the last load succeeded."""
    error_code: SourceErrorCode | None
    """Code of the error of the load; null if it has none, or if the event is not about a load."""
    is_stale: bool
    """Whether the data is older than it should be."""
    age_days: int
    """Age of the data in days."""
    max_age_days: int | None
    """Age in days up to which the data is not too old; null for a source without a limit."""


class ChangelogEntryData(EventData):
    """An entry of the API changelog. The changelog has its text."""

    entry_id: Annotated[str, Field(examples=["3f1d9c0b7a52"])]
    """ID of the entry, as in the feed of the changelog."""
    released_on: date
    """Date of the release."""
    operations: Annotated[tuple[str, ...], Field(examples=[["GET /v1/example"]])]
    """Operations and parameters that the entry names."""
    deprecated_on: date | None
    """Date from which they are deprecated; null for a change that is not a deprecation."""
    sunset_on: date | None
    """Date from which they may no longer work; null if none is announced."""


class WebhookTestData(EventData):
    """A test of a webhook endpoint. The event is delivered to this endpoint only, whatever its filter."""

    endpoint_id: UUID
    """ID of the endpoint."""
    requested_by: str
    """Who sent the test."""


class WebhookFailingData(EventData):
    """A webhook endpoint to which every delivery has failed for two days."""

    endpoint_id: UUID
    """ID of the endpoint."""
    failing_since: Instant
    """First failed attempt since the last delivery."""
    disabled_at: Instant
    """When the endpoint will be disabled if its deliveries keep failing."""
    last_error: DeliveryError
    """Why the last attempt failed."""
    last_status: Annotated[int | None, Field(examples=[503])]
    """HTTP status of the last attempt; null without a response."""


class WebhookDisabledData(EventData):
    """A webhook endpoint that the service has disabled."""

    endpoint_id: UUID
    """ID of the endpoint."""
    reason: DisabledReason
    """Why: `gone` if it has returned 410, `failing` if every delivery has failed for four days."""
    failing_since: Instant
    """First failed attempt since the last delivery."""


class DataErasedData(EventData):
    """Data that was erased on request. What it was is not stated."""

    erasure_id: UUID
    """ID of the erasure."""
    requested_at: Instant
    """When the erasure was requested."""
    requested_by: str
    """Who requested it."""
