"""When monitored records were evaluated, against what and with which outcome."""

from datetime import date
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.entry import EntityKind
from bonafide.model.monitoring.policy import MonitoringKind, MonitoringPolicy


class EvaluationOutcome(StrEnum):
    """What an evaluation has found."""

    NO_CHANGE = "no_change"
    CHANGED = "changed"
    NOT_EVALUATED = "not_evaluated"


class MonitoringStatus(StrEnum):
    """Whether a record is monitored, and whether its evaluations are up to date."""

    CURRENT = "current"
    OVERDUE = "overdue"
    NEVER_EVALUATED = "never_evaluated"
    OFF = "off"


class Evaluation(Document):
    """The last evaluation of a record against one source."""

    kind: Annotated[MonitoringKind, Field(examples=["sanctions"])]
    """What was evaluated."""
    source: Annotated[str | None, Field(examples=["ca-sanctions-autonomous"])]
    """Key of the source, `website` for a website; null if no source is involved."""
    as_of: Annotated[date | None, Field(examples=["2026-11-20"])]
    """Date of the source's data, of the last response if it is queried; null if there is none."""
    evaluated_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:00.125Z"])]
    """When the record was last evaluated; null if it never was."""
    outcome: Annotated[EvaluationOutcome, Field(examples=["no_change"])]
    """What the evaluation has found."""
    reason: Annotated[Message | None, Field(examples=["No data is loaded."])] = None
    """Why the record was not evaluated, or why the data may be out of date; null without a reason."""


class RecordMonitoringAnswer(Document):
    """The monitoring of a business record (`GET /businesses/{id}/monitoring`)."""

    business_id: Annotated[UUID, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])]
    """ID of the record."""
    status: Annotated[MonitoringStatus, Field(examples=["current"])]
    """Whether the record is monitored, and whether its evaluations are up to date."""
    policy: MonitoringPolicy
    """The policy that applies to the record: that of the organization with the record's overrides."""
    is_queued: Annotated[bool, Field(examples=[False])]
    """Whether an evaluation of the record is queued."""
    evaluations: tuple[Evaluation, ...]
    """The last evaluation against each source; empty if the record is not monitored."""


class MonitoringCounts(Document):
    """The number of records with `isMonitored` by status."""

    current: Annotated[int, Field(examples=[1184])]
    """Records whose evaluations are up to date."""
    overdue: Annotated[int, Field(examples=[14])]
    """Records with an overdue evaluation or verification."""
    never_evaluated: Annotated[int, Field(examples=[2])]
    """Records that have never been evaluated."""
    off: Annotated[int, Field(examples=[0])]
    """Records that are not monitored because monitoring is switched off in the account settings."""


class MonitoredKindState(Document):
    """One kind of monitoring in the organization."""

    kind: Annotated[MonitoringKind, Field(examples=["sanctions"])]
    """What records are watched for."""
    enabled: Annotated[bool, Field(examples=[True])]
    """Whether the account settings enable it."""
    sources: Annotated[int, Field(examples=[10])]
    """Number of sources that records are evaluated against."""
    not_evaluated: Annotated[int, Field(examples=[1])]
    """Number of these sources against which a record could not be evaluated."""


class MonitoredSource(Document):
    """A source that records are evaluated against."""

    source: Annotated[str, Field(examples=["ca-sanctions-autonomous"])]
    """Key of the source; `website` for the websites of records."""
    kind: Annotated[MonitoringKind, Field(examples=["sanctions"])]
    """What is evaluated against it."""
    as_of: Annotated[date | None, Field(examples=["2026-11-20"])]
    """Date of the data that all records were last evaluated against; null if the source does not publish one."""
    evaluated_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:00.125Z"])]
    """When that evaluation began, or the oldest of the last responses if the source is queried; null if there was none."""
    is_evaluating: Annotated[bool, Field(examples=[False])]
    """Whether the evaluation against newer data is not finished, or a query is due."""
    records_not_evaluated: Annotated[int, Field(examples=[0])]
    """Number of records that could not be evaluated against the source: all monitored records if it is a list without data."""
    reason: Annotated[Message | None, Field(examples=["The data is older than it should be."])] = None
    """Why the source holds evaluations up; null if it does not."""


class MonitoringOverview(Document):
    """The monitoring of an organization (`GET /monitoring`)."""

    counts: MonitoringCounts
    """Number of records by status."""
    kinds: tuple[MonitoredKindState, ...]
    """What records are watched for."""
    queued: Annotated[int, Field(examples=[0])]
    """Number of records whose evaluation is queued."""
    due_queries: Annotated[int, Field(examples=[0])]
    """Number of queries about records that are due: of registers that are not loaded, and of websites."""
    oldest_evaluation_at: Annotated[Instant | None, Field(examples=["2026-10-05T09:12:44.010Z"])]
    """When the record that has gone longest without an evaluation of its own was evaluated; null without one."""
    sources: tuple[MonitoredSource, ...]
    """Sources that records are evaluated against. Those that hold evaluations up have a reason."""


class StoredSourceEvaluation(Document):
    """The evaluation of a record by itself against one source, as it is stored."""

    kind: MonitoringKind
    source: str | None
    as_of: date | None
    outcome: EvaluationOutcome


class StoredRecordEvaluation(Document):
    """The evaluation of a record by itself, as it is stored."""

    sources: tuple[StoredSourceEvaluation, ...] = ()


class WatchedParty(Document):
    """A party of a record that is watched on sanctions lists."""

    name: str
    entity_type: EntityKind | None = None
    countries: tuple[str, ...] = ()
    date_of_birth: str | None = None


class WatchedParties(Document):
    """What is watched of a record, as it is stored: parties on sanctions lists, names and numbers on the lists of regulators."""

    parties: tuple[WatchedParty, ...] = ()
    names: tuple[str, ...] = ()
    own_numbers: tuple[str, ...] = ()
    joined_numbers: tuple[str, ...] = ()
