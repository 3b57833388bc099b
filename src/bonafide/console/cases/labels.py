"""Labels and colours of the codes of cases. Those that events show too are in `console/events/labels`."""

from types import MappingProxyType

from bonafide.i18n.message import Message, context_message
from bonafide.model.cases.case import CaseOutcome, CaseStatus
from bonafide.model.cases.policy import CaseDecisionKind, CaseItemKind, CasePriority
from bonafide.model.records.timeline import TimelineEntryKind
from bonafide.services.cases import case_changes

KIND = MappingProxyType({
    CaseItemKind.SANCTIONS_HIT: Message("Sanctions hits"),
    CaseItemKind.MATCH_SELECTION: Message("Matches to select"),
    CaseItemKind.VERIFICATION_DISCREPANCY: Message("Verification discrepancies"),
    CaseItemKind.OWNERSHIP_DISCREPANCY: Message("Ownership discrepancies"),
    CaseItemKind.ALERT: Message("Alerts"),
    CaseItemKind.MANUAL_CHECK: Message("Manual checks"),
    CaseItemKind.EXPIRY: Message("Expired dismissals"),
})  # fmt: skip
KIND_OF_ONE = MappingProxyType({
    CaseItemKind.SANCTIONS_HIT: Message("Sanctions hit"),
    CaseItemKind.MATCH_SELECTION: Message("Match to select"),
    CaseItemKind.VERIFICATION_DISCREPANCY: Message("Verification discrepancy"),
    CaseItemKind.OWNERSHIP_DISCREPANCY: Message("Ownership discrepancy"),
    CaseItemKind.ALERT: Message("Alert"),
    CaseItemKind.MANUAL_CHECK: Message("Manual check"),
    CaseItemKind.EXPIRY: Message("Expired dismissal"),
})  # fmt: skip
KIND_COLOUR = MappingProxyType({CaseItemKind.SANCTIONS_HIT: "bad"})
"""Of the kinds, only hits are red."""
EVIDENCE = MappingProxyType({
    CaseItemKind.SANCTIONS_HIT: Message("Compare the hit"),
    CaseItemKind.MATCH_SELECTION: Message("Open the search"),
    CaseItemKind.VERIFICATION_DISCREPANCY: Message("Open the verification"),
    CaseItemKind.OWNERSHIP_DISCREPANCY: Message("Open the discrepancy"),
    CaseItemKind.ALERT: Message("Open the evidence"),
    CaseItemKind.MANUAL_CHECK: Message("Open the check"),
    CaseItemKind.EXPIRY: Message("Open the dismissal"),
})  # fmt: skip
STATUS_COLOUR = MappingProxyType({
    CaseStatus.WAITING: "note",
    CaseStatus.IN_SECOND_REVIEW: "warn",
})  # fmt: skip
OUTCOME_COLOUR = MappingProxyType({CaseOutcome.APPROVED: "good", CaseOutcome.REJECTED: "bad"})
PRIORITY_COLOUR = MappingProxyType({CasePriority.HIGH: "warn", CasePriority.URGENT: "bad"})
DECISION = MappingProxyType({
    CaseDecisionKind.APPROVE: Message("Approve"),
    CaseDecisionKind.REJECT: Message("Reject"),
    CaseDecisionKind.REQUEST_INFORMATION: Message("Request information"),
    CaseDecisionKind.ESCALATE: Message("Escalate"),
})  # fmt: skip
DECISION_EFFECT = MappingProxyType({
    CaseDecisionKind.APPROVE: Message("Ends the case. The open items are decided, and their alerts acknowledged."),
    CaseDecisionKind.REJECT: Message("Ends the case. The open items are decided, and their alerts acknowledged."),
    CaseDecisionKind.REQUEST_INFORMATION: Message("The case waits until the information arrives, or something new is found."),
    CaseDecisionKind.ESCALATE: Message("Raises the priority and takes the case from its assignee."),
})  # fmt: skip
DECIDED = MappingProxyType({
    CaseDecisionKind.APPROVE: Message("Approved by {who}"),
    CaseDecisionKind.REJECT: Message("Rejected by {who}"),
    CaseDecisionKind.REQUEST_INFORMATION: Message("Information requested by {who}"),
    CaseDecisionKind.ESCALATE: Message("Escalated by {who}"),
})  # fmt: skip
FIRST_DECISION = MappingProxyType({
    CaseDecisionKind.APPROVE: Message("{who} wants to approve this case"),
    CaseDecisionKind.REJECT: Message("{who} wants to reject this case"),
})  # fmt: skip
ENDED = MappingProxyType({
    CaseOutcome.APPROVED: Message("{who} approved this case"),
    CaseOutcome.REJECTED: Message("{who} rejected this case"),
})  # fmt: skip
HISTORY = MappingProxyType({
    case_changes.OPENED: context_message("case history", "Case opened"),
    case_changes.ITEM_OPENED: context_message("case history", "New item"),
    case_changes.ITEM_SETTLED: context_message("case history", "Item closed"),
    case_changes.CHANGED: context_message("case history", "Case changed"),
    case_changes.NOTED: context_message("case history", "Note added"),
    case_changes.ATTACHED: context_message("case history", "File attached"),
    case_changes.DECIDED: context_message("case history", "Decision"),
    case_changes.DUE: context_message("case history", "Due date passed"),
})  # fmt: skip
"""What the audit log of a case records."""
ENTRY_KIND = MappingProxyType({
    TimelineEntryKind.EVENT: context_message("timeline", "Change"),
    TimelineEntryKind.CHECK: context_message("timeline", "Check"),
    TimelineEntryKind.DECISION: context_message("timeline", "Decision"),
})  # fmt: skip
