"""Labels and colours of the codes of events."""

from types import MappingProxyType

from bonafide.console.businesses.record_fields import get_field_label
from bonafide.i18n.message import Message, context_message
from bonafide.model.cases.case import CaseOutcome, CaseStatus
from bonafide.model.cases.policy import CasePriority
from bonafide.model.events.event import EventSeverity, EventSubjectKind, EventType
from bonafide.model.loading import LoadProblem
from bonafide.services.monitoring.query_planning import WEBSITE_SOURCE

TITLE = MappingProxyType({
    EventType.SEARCH_COMPLETED: Message("Search completed"),
    EventType.SEARCH_MATCH_SELECTED: Message("Match selection changed"),
    EventType.VERIFICATION_COMPLETED: Message("Verification completed"),
    EventType.VERIFICATION_FAILED: Message("Verification failed"),
    EventType.ACCEPTANCE_CREATED: Message("Discrepancy of a verification accepted"),
    EventType.ACCEPTANCE_REVOKED: Message("Discrepancy of a verification no longer accepted"),
    EventType.MANUAL_CHECK_OPENED: Message("Manual check opened"),
    EventType.MANUAL_CHECK_COMPLETED: Message("Manual check done"),
    EventType.MANUAL_CHECK_CANCELLED: Message("Manual check cancelled"),
    EventType.BUSINESS_CREATED: Message("Business record created"),
    EventType.BUSINESS_UPDATED: Message("Business record changed"),
    EventType.BUSINESS_ARCHIVED: Message("Business record archived"),
    EventType.SCREENING_HIT_FOUND: Message("New hit on a sanctions list"),
    EventType.SCREENING_HIT_CHANGED: Message("Hit on a sanctions list changed"),
    EventType.SCREENING_HIT_CLEARED: Message("Hit on a sanctions list no longer exists"),
    EventType.DISMISSAL_CREATED: Message("Hit on a sanctions list dismissed"),
    EventType.DISMISSAL_EXPIRED: Message("Dismissal of a hit expired"),
    EventType.DISMISSAL_REVOKED: Message("Dismissal of a hit revoked"),
    EventType.OWNERSHIP_CHANGED: Message("Ownership statement changed"),
    EventType.DISCREPANCY_OPENED: Message("Ownership discrepancy opened"),
    EventType.DISCREPANCY_DUE: Message("Ownership discrepancy due"),
    EventType.DISCREPANCY_RESOLVED: Message("Ownership discrepancy resolved or reported"),
    EventType.CASE_OPENED: Message("Case opened"),
    EventType.CASE_ASSIGNED: Message("Case assigned"),
    EventType.CASE_DECIDED: Message("Case ended"),
    EventType.CASE_DUE: Message("Case overdue"),
    EventType.RISK_BAND_CHANGED: Message("Risk rating moved to another band"),
    EventType.REPORT_READY: Message("Business report stored"),
    EventType.PACK_READY: Message("Examiner’s pack ready"),
    EventType.BATCH_COMPLETED: Message("Batch completed"),
    EventType.BATCH_FAILED: Message("Batch failed"),
    EventType.REGISTRY_STATUS_CHANGED: Message("Status in the register changed"),
    EventType.REGISTRY_NAME_CHANGED: Message("Name in the register changed"),
    EventType.REGISTRY_ADDRESS_CHANGED: Message("Address in the register changed"),
    EventType.REGISTRY_PEOPLE_CHANGED: Message("People in the register changed"),
    EventType.REGISTRY_ENTRY_GONE: Message("Entry no longer in the register"),
    EventType.LICENCE_GRANTED: Message("New entry of a regulator"),
    EventType.LICENCE_CHANGED: Message("Entry of a regulator changed"),
    EventType.LICENCE_LAPSED: Message("Entry of a regulator no longer exists"),
    EventType.WEBSITE_CHANGED: Message("Website changed"),
    EventType.MONITORING_EVALUATION_OVERDUE: Message("Evaluation of a monitored record overdue"),
    EventType.WEBHOOK_TEST: Message("Test event sent to a webhook endpoint"),
    EventType.WEBHOOK_FAILING: Message("Deliveries to a webhook endpoint fail"),
    EventType.WEBHOOK_DISABLED: Message("Webhook endpoint disabled"),
    EventType.SOURCE_FAILED: Message("Source could not be loaded"),
    EventType.SOURCE_STALE: Message("Data of a source too old"),
    EventType.SOURCE_DRIFTED: Message("Files of a source changed their structure or size"),
    EventType.SOURCE_RECOVERED: Message("Source loaded again"),
    EventType.CHANGELOG_BREAKING: Message("Breaking change of the API"),
    EventType.CHANGELOG_DEPRECATED: Message("Deprecation in the API"),
    EventType.DATA_ERASED: Message("Data erased on request"),
})  # fmt: skip
TYPE_GROUPS = (
    (Message("Searches"), (EventType.SEARCH_COMPLETED, EventType.SEARCH_MATCH_SELECTED)),
    (
        Message("Verifications"),
        (
            EventType.VERIFICATION_COMPLETED,
            EventType.VERIFICATION_FAILED,
            EventType.ACCEPTANCE_CREATED,
            EventType.ACCEPTANCE_REVOKED,
        ),
    ),
    (
        Message("Manual checks"),
        (EventType.MANUAL_CHECK_OPENED, EventType.MANUAL_CHECK_COMPLETED, EventType.MANUAL_CHECK_CANCELLED),
    ),
    (Message("Businesses"), (EventType.BUSINESS_CREATED, EventType.BUSINESS_UPDATED, EventType.BUSINESS_ARCHIVED)),
    (
        Message("Sanctions"),
        (
            EventType.SCREENING_HIT_FOUND,
            EventType.SCREENING_HIT_CHANGED,
            EventType.SCREENING_HIT_CLEARED,
            EventType.DISMISSAL_CREATED,
            EventType.DISMISSAL_EXPIRED,
            EventType.DISMISSAL_REVOKED,
        ),
    ),
    (
        Message("Ownership"),
        (
            EventType.OWNERSHIP_CHANGED,
            EventType.DISCREPANCY_OPENED,
            EventType.DISCREPANCY_DUE,
            EventType.DISCREPANCY_RESOLVED,
        ),
    ),
    (Message("Cases"), (EventType.CASE_OPENED, EventType.CASE_ASSIGNED, EventType.CASE_DECIDED, EventType.CASE_DUE)),
    (
        Message("Registers"),
        (
            EventType.REGISTRY_STATUS_CHANGED,
            EventType.REGISTRY_NAME_CHANGED,
            EventType.REGISTRY_ADDRESS_CHANGED,
            EventType.REGISTRY_PEOPLE_CHANGED,
            EventType.REGISTRY_ENTRY_GONE,
        ),
    ),
    (Message("Regulators"), (EventType.LICENCE_GRANTED, EventType.LICENCE_CHANGED, EventType.LICENCE_LAPSED)),
    (Message("Websites"), (EventType.WEBSITE_CHANGED,)),
    (Message("Monitoring"), (EventType.MONITORING_EVALUATION_OVERDUE,)),
    (Message("Risk"), (EventType.RISK_BAND_CHANGED,)),
    (Message("Reports"), (EventType.REPORT_READY, EventType.PACK_READY)),
    (Message("Batches"), (EventType.BATCH_COMPLETED, EventType.BATCH_FAILED)),
    (Message("Webhooks"), (EventType.WEBHOOK_TEST, EventType.WEBHOOK_FAILING, EventType.WEBHOOK_DISABLED)),
    (
        Message("Sources"),
        (EventType.SOURCE_FAILED, EventType.SOURCE_STALE, EventType.SOURCE_DRIFTED, EventType.SOURCE_RECOVERED),
    ),
    (Message("API changelog"), (EventType.CHANGELOG_BREAKING, EventType.CHANGELOG_DEPRECATED)),
    (Message("Erasure"), (EventType.DATA_ERASED,)),
)
"""The types in the groups of the filter."""
MIN_SEVERITY = MappingProxyType({
    EventSeverity.LOW: Message("Low and above"),
    EventSeverity.MEDIUM: Message("Medium and above"),
    EventSeverity.HIGH: Message("High and above"),
    EventSeverity.CRITICAL: Message("Critical only"),
})  # fmt: skip
"""The choices of the filter; every event is at least informational."""
SEVERITY_COLOUR = MappingProxyType({EventSeverity.HIGH: "warn", EventSeverity.CRITICAL: "bad"})
LOAD_PROBLEM = MappingProxyType({
    None: Message("Succeeded"),
    LoadProblem.FAILED: Message("Failed"),
    LoadProblem.DRIFTED: Message("Files refused"),
})  # fmt: skip
DATA_AGE = MappingProxyType({False: Message("Up to date"), True: Message("Too old")})
REACHABLE = MappingProxyType({True: Message("Yes"), False: Message("No")})
SOURCE_TITLES = MappingProxyType({WEBSITE_SOURCE: Message("the website and its domain registry")})
"""The titles of sources of events that are in no catalog."""
CASE_STATUS = MappingProxyType({
    CaseStatus.OPEN: context_message("cases", "Open"),
    CaseStatus.WAITING: context_message("cases", "Waiting for information"),
    CaseStatus.IN_SECOND_REVIEW: context_message("cases", "In second review"),
    CaseStatus.DECIDED: context_message("cases", "Ended"),
})  # fmt: skip
CASE_OUTCOME = MappingProxyType({
    CaseOutcome.APPROVED: context_message("cases", "Approved"),
    CaseOutcome.REJECTED: context_message("cases", "Rejected"),
    CaseOutcome.SETTLED: context_message("cases", "Everything settled"),
})  # fmt: skip
CASE_PRIORITY = MappingProxyType({
    CasePriority.LOW: context_message("case priority", "Low"),
    CasePriority.NORMAL: context_message("case priority", "Normal"),
    CasePriority.HIGH: context_message("case priority", "High"),
    CasePriority.URGENT: context_message("case priority", "Urgent"),
})  # fmt: skip
_FIELDS = MappingProxyType({
    (EventSubjectKind.SEARCH, "matchSelection.status"): Message("Match selection"),
    (EventSubjectKind.SEARCH, "matchSelection.selectedMatchId"): Message("Selected match"),
    (EventSubjectKind.LISTED_PARTY, "digest"): Message("Listing"),
    (EventSubjectKind.LISTED_PARTY, "score"): Message("Score"),
    (EventSubjectKind.OWNERSHIP, "asOf"): Message("As of"),
    (EventSubjectKind.OWNERSHIP, "declaredBy"): Message("Stated by"),
    (EventSubjectKind.DISCREPANCY, "status"): Message("Status"),
    (EventSubjectKind.CASE, "status"): Message("Status"),
    (EventSubjectKind.CASE, "assignee"): Message("Assigned to"),
    (EventSubjectKind.BUSINESS, "risk.band"): Message("Risk"),
    (EventSubjectKind.BUSINESS, "risk.points"): Message("Points"),
    **{
        (kind, field): label
        for kind in (EventSubjectKind.REGISTRY_ENTRY, EventSubjectKind.LICENCE)
        for field, label in (
            ("status", Message("Status")),
            ("legalName", Message("Legal name")),
            ("alternateNames", Message("Other names")),
            ("registrationNumbers", Message("Registration numbers")),
            ("entityType", Message("Entity type")),
            ("goodStanding", Message("Good standing")),
            ("addresses", Message("Addresses")),
            ("people", Message("People")),
        )
    },
    (EventSubjectKind.WEBSITE, "isReachable"): Message("Reachable"),
    (EventSubjectKind.WEBSITE, "domain"): Message("Leads to the domain"),
    (EventSubjectKind.WEBSITE, "domainCreatedOn"): Message("Domain registered"),
    (EventSubjectKind.WEBSITE, "legalName"): Message("Stated name"),
    (EventSubjectKind.WEBSITE, "registrations"): Message("Stated numbers"),
    (EventSubjectKind.WEBSITE, "contacts"): Message("Contact details"),
    (EventSubjectKind.SOURCE, "problem"): Message("Last load"),
    (EventSubjectKind.SOURCE, "isStale"): Message("Age of the data"),
})  # fmt: skip


def get_change_label(kind: EventSubjectKind, field: str) -> Message:
    """The label of a changed field of a subject of this kind; the name of an unknown field."""
    label = _FIELDS.get((kind, field))
    if label is not None:
        return label
    return get_field_label(field) if kind is EventSubjectKind.BUSINESS else Message.untranslated(field)
