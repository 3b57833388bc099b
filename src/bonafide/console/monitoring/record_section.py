"""The section of a record's page about its monitoring."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bonafide.i18n.message import Message
from bonafide.model.monitoring.evaluations import Evaluation, EvaluationOutcome, MonitoringStatus, RecordMonitoringAnswer
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.model.records.business_record import BusinessRecord

NOT_SWITCHED_ON = Message("This record isn’t monitored. No alerts are raised when something changes.")
ARCHIVED = Message("The record is marked to be monitored, but it is archived.")
OVERRIDDEN = Message("The record is marked to be monitored, but its own settings turn monitoring off.")
ORGANIZATION_OFF = Message("The record is marked to be monitored, but the settings of the organization turn monitoring off.")


@dataclass(frozen=True, slots=True)
class WatchedKind:
    """What a record is watched for, with its evaluations and their number by outcome."""

    kind: MonitoringKind
    evaluations: Sequence[Evaluation]
    counts: Mapping[EvaluationOutcome, int]

    @property
    def needs_attention(self) -> bool:
        """Whether any evaluation has found a change, could not be done, or was done with data that may be out of date."""
        return any(item.outcome is not EvaluationOutcome.NO_CHANGE or item.reason is not None for item in self.evaluations)


@dataclass(frozen=True, slots=True)
class MonitoringSection:
    """The monitoring of a record, by kind, and why it is off; None if it is not."""

    answer: RecordMonitoringAnswer
    watched: Sequence[WatchedKind]
    not_watched: Sequence[MonitoringKind]
    off_reason: Message | None


def build_monitoring_section(record: BusinessRecord, answer: RecordMonitoringAnswer) -> MonitoringSection:
    """Group the evaluations of a record by kind."""
    watched = [kind for kind in MonitoringKind if answer.policy.watches(kind)]
    return MonitoringSection(
        answer=answer,
        watched=[_build_kind(kind, answer.evaluations) for kind in watched],
        not_watched=[kind for kind in MonitoringKind if kind not in watched],
        off_reason=_explain_off(record) if answer.status is MonitoringStatus.OFF else None,
    )


def _build_kind(kind: MonitoringKind, evaluations: Sequence[Evaluation]) -> WatchedKind:
    own = [item for item in evaluations if item.kind is kind]
    counted = Counter(item.outcome for item in own)
    return WatchedKind(kind, own, {outcome: counted[outcome] for outcome in EvaluationOutcome if counted[outcome]})


def _explain_off(record: BusinessRecord) -> Message:
    if not record.is_monitored:
        return NOT_SWITCHED_ON
    if record.is_archived:
        return ARCHIVED
    return OVERRIDDEN if record.monitoring.enabled is False else ORGANIZATION_OFF
