"""Labels and badge colours of the codes of monitoring."""

from types import MappingProxyType

from bonafide.console.events.labels import MIN_SEVERITY as SELECTIVE_SEVERITY
from bonafide.i18n.message import Message, context_message
from bonafide.model.events.severity import EventSeverity
from bonafide.model.monitoring.evaluations import EvaluationOutcome, MonitoringStatus
from bonafide.model.monitoring.policy import MonitoringKind

STATUS = MappingProxyType({
    MonitoringStatus.CURRENT: context_message("monitoring", "Current"),
    MonitoringStatus.OVERDUE: context_message("monitoring", "Overdue"),
    MonitoringStatus.NEVER_EVALUATED: context_message("monitoring", "Never evaluated"),
    MonitoringStatus.OFF: context_message("monitoring", "Not monitored"),
})  # fmt: skip
STATUS_COLOUR = MappingProxyType({
    MonitoringStatus.CURRENT: "good",
    MonitoringStatus.OVERDUE: "warn",
    MonitoringStatus.NEVER_EVALUATED: "bad",
})  # fmt: skip
KIND = MappingProxyType({
    MonitoringKind.SANCTIONS: Message("Sanctions lists"),
    MonitoringKind.REGISTRY: Message("Register entry"),
    MonitoringKind.LICENCES: Message("Licences"),
    MonitoringKind.WEBSITE: Message("Website"),
    MonitoringKind.VERIFICATION_AGE: Message("Age of the verification"),
})  # fmt: skip
KIND_MEANING = MappingProxyType({
    MonitoringKind.SANCTIONS: Message("New, changed and removed hits of the business, its people and its owners."),
    MonitoringKind.REGISTRY: Message("Status, name, address and people in the business register."),
    MonitoringKind.LICENCES: Message("New, changed and lapsed entries of regulators."),
    MonitoringKind.WEBSITE: Message("Whether the website is gone, has another owner, or states another name or other numbers."),
    MonitoringKind.VERIFICATION_AGE: Message("Whether the business must be verified again."),
})  # fmt: skip
NOTHING_TO_COMPARE = MappingProxyType({
    MonitoringKind.SANCTIONS: Message("No sanctions list is available."),
    MonitoringKind.REGISTRY: Message("The record has no registration number in a register that can be watched."),
    MonitoringKind.LICENCES: Message("No list of a regulator is loaded."),
    MonitoringKind.WEBSITE: Message("The record has no website."),
    MonitoringKind.VERIFICATION_AGE: Message("No verification is required."),
})  # fmt: skip
"""Why a record has no evaluation of a kind that it is watched for."""
MIN_SEVERITY = MappingProxyType({EventSeverity.INFO: Message("All severities"), **SELECTIVE_SEVERITY})
"""The choices for the lowest severity of alerts and of events that are sent."""
OUTCOME = MappingProxyType({
    EvaluationOutcome.NO_CHANGE: context_message("evaluation", "No change"),
    EvaluationOutcome.CHANGED: context_message("evaluation", "Changed"),
    EvaluationOutcome.NOT_EVALUATED: context_message("evaluation", "Not evaluated"),
})  # fmt: skip
OUTCOME_COLOUR = MappingProxyType({
    EvaluationOutcome.NO_CHANGE: "good",
    EvaluationOutcome.CHANGED: "warn",
    EvaluationOutcome.NOT_EVALUATED: "bad",
})  # fmt: skip
VERIFICATION_OUTCOME = MappingProxyType({
    EvaluationOutcome.NO_CHANGE: context_message("verification age", "Recent enough"),
    EvaluationOutcome.CHANGED: context_message("verification age", "Verification due"),
    EvaluationOutcome.NOT_EVALUATED: context_message("verification age", "Never verified"),
})  # fmt: skip
"""The outcomes of `MonitoringKind.VERIFICATION_AGE`, whose evaluations have no source."""
VERIFICATION_OUTCOME_COLOUR = MappingProxyType({EvaluationOutcome.NO_CHANGE: "good", EvaluationOutcome.CHANGED: "warn"})
