"""What an event means for cases: the items that it opens, and those that it settles. Pure.

An item has a cause, a text that names the fact that it is about. The same fact has the same cause whenever it is reported, so that
it is open once, and is settled by the event that reports its end.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter

from bonafide.i18n.message import Message
from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.transliteration import transliterate
from bonafide.model.base import Instant
from bonafide.model.cases.policy import CaseItemKind, CasePriority
from bonafide.model.events.event import AlertStatus, Event, EventSeverity, EventSubjectKind, EventType
from bonafide.model.ownership.owner_comparison import DifferenceKind
from bonafide.model.search.result import SelectionStatus
from bonafide.model.verification.results import ResultStatus

_INSTANT: TypeAdapter[datetime] = TypeAdapter(Instant)
_MANUAL = Message("The register could not be checked for “{name}”.")
_VERIFICATIONS = MappingProxyType({
    ResultStatus.DISCREPANCIES: Message("The verification of “{name}” has discrepancies: {count}."),
    ResultStatus.NOT_FOUND: Message("The verification of “{name}” has not found the registration."),
    ResultStatus.INACTIVE: Message("The verification of “{name}” has found that the business is not active."),
})  # fmt: skip
_DIFFERENCES = MappingProxyType({
    DifferenceKind.MISSING_OWNER: Message("The register does not have a declared owner of “{name}”."),
    DifferenceKind.EXTRA_OWNER: Message("The register has an owner of “{name}” who is not declared."),
    DifferenceKind.CONTRADICTING: Message("The register contradicts what is declared of an owner of “{name}”."),
    DifferenceKind.IMMATERIAL: Message("The register and the declaration differ slightly about an owner of “{name}”."),
})  # fmt: skip
_ALERTS = MappingProxyType({
    EventType.REGISTRY_STATUS_CHANGED: Message("The status of “{name}” in the register has changed."),
    EventType.REGISTRY_NAME_CHANGED: Message("The name of “{name}” in the register has changed."),
    EventType.REGISTRY_ADDRESS_CHANGED: Message("An address of “{name}” in the register has changed."),
    EventType.REGISTRY_PEOPLE_CHANGED: Message("The people of “{name}” in the register have changed."),
    EventType.REGISTRY_ENTRY_GONE: Message("The register no longer has “{name}”."),
    EventType.LICENCE_CHANGED: Message("The entry of a regulator about “{name}” has changed."),
    EventType.LICENCE_LAPSED: Message("A regulator no longer lists “{name}”."),
    EventType.WEBSITE_CHANGED: Message("The website of “{name}” has changed."),
    EventType.RISK_BAND_CHANGED: Message("The risk rating of “{name}” has moved to another band."),
    EventType.MONITORING_EVALUATION_OVERDUE: Message("An evaluation of “{name}” is overdue."),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemOpening:
    """An item to open, unless its cause is open already. A priority or a due date adds to those of the policy."""

    kind: CaseItemKind
    cause: str
    summary: Message
    ref: str
    priority: CasePriority | None = None
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ItemSettlement:
    """Items to settle: those with the cause, in the case of the event's subject or in all cases."""

    cause: str
    by: str | None
    in_all_cases: bool = False


@dataclass(frozen=True, slots=True)
class HitDismissal:
    """A dismissal: hits with the cause are settled where it holds, which their documents show."""

    cause: str
    by: str


@dataclass(frozen=True, slots=True)
class HitReopening:
    """The end of a dismissal: hits with the cause that it settled are open again where their documents show it."""

    cause: str
    dismissed_by: str


CaseEffect = ItemOpening | ItemSettlement | HitDismissal | HitReopening


def build_subject(event: Event) -> str:
    """What a case gathers: the record of the event, or the document that it is about."""
    if event.business is not None:
        return str(event.business.id)
    if event.subject.kind is EventSubjectKind.MANUAL_CHECK:
        # Without a record, a check belongs to what needed it.
        if event.data["verificationId"] is not None:
            return f"/v1/verify/{event.data['verificationId']}"
        if event.data["searchId"] is not None:
            return f"/v1/search/{event.data['searchId']}"
    return event.links.resource if event.links.resource is not None else event.links.self_


def build_hit_cause(source: str | None, entry_id: str | None, screened: str) -> str:
    """The cause of a hit: the listed party, and the normal form of the name that was screened, as dismissals compare names."""
    words = normalise(transliterate(screened)).tokens or (screened.casefold(),)
    return f"hit:{source or ''}:{entry_id or ''}:{' '.join(words)}"


def list_effects(event: Event) -> list[CaseEffect]:
    """What the event does to cases, in this order."""
    find = _EFFECTS.get(event.type)
    return find(event) if find is not None else []


def _find_hit_effects(event: Event) -> list[CaseEffect]:
    data, party = event.data, event.subject
    screened = _get_text(data, "screened", "name")
    cause = build_hit_cause(party.source, party.entry_id, screened)
    if event.type is EventType.SCREENING_HIT_CLEARED:
        return [ItemSettlement(cause, None)]
    opened = ItemOpening(
        CaseItemKind.SANCTIONS_HIT,
        cause,
        Message("“{screened}” may be “{party}” of the list {source}.", screened=screened, party=party.name, source=party.source),
        _get_ref(event),
    )
    # A hit that has changed is another one for a person: the earlier item refers to an earlier listing.
    return [opened] if event.type is EventType.SCREENING_HIT_FOUND else [ItemSettlement(cause, None), opened]


def _find_dismissal_effects(event: Event) -> list[CaseEffect]:
    party, by = event.subject, _get_text(event.data, "dismissedBy")
    cause = build_hit_cause(party.source, party.entry_id, _get_text(event.data, "subject"))
    if event.type is EventType.DISMISSAL_CREATED:
        return [HitDismissal(cause, by), ItemSettlement(f"expiry:{cause}", by, in_all_cases=event.business is None)]
    if event.type is EventType.DISMISSAL_REVOKED:
        return [HitReopening(cause, by)]
    if not _is_open_alert(event):
        return []
    summary = Message(
        "The dismissal of “{party}” of the list {source} for “{subject}” has expired.",
        party=party.name,
        source=party.source,
        subject=_get_text(event.data, "subject"),
    )
    return [ItemOpening(CaseItemKind.EXPIRY, f"expiry:{cause}", summary, _get_ref(event))]


def _find_search_effects(event: Event) -> list[CaseEffect]:
    cause = f"selection:{_get_text(event.data, 'searchId')}"
    if event.data["selection"] != SelectionStatus.NEEDS_REVIEW:
        by = event.data.get("selectedBy")
        is_choice = event.type is EventType.SEARCH_MATCH_SELECTED
        return [ItemSettlement(cause, by if isinstance(by, str) else None)] if is_choice else []
    summary = Message("A match for “{name}” has to be selected.", name=event.subject.name)
    return [ItemOpening(CaseItemKind.MATCH_SELECTION, cause, summary, _get_ref(event))]


def _find_verification_effects(event: Event) -> list[CaseEffect]:
    """A verification takes the place of an earlier one of the same registration."""
    claim = event.subject
    registration = f"{claim.jurisdiction}:{claim.registration_number}"
    cause, unchecked = f"verification:{registration}", f"unchecked:{registration}"
    if event.type is EventType.VERIFICATION_FAILED:
        return [ItemOpening(CaseItemKind.MANUAL_CHECK, unchecked, _MANUAL.fill(name=claim.name), _get_ref(event))]
    settled: list[CaseEffect] = [ItemSettlement(unchecked, None), ItemSettlement(cause, None)]
    status = ResultStatus(_get_text(event.data, "status"))
    if status is ResultStatus.VERIFIED:
        return settled
    summary = _VERIFICATIONS[status].fill(name=claim.name, count=event.data["discrepancyCount"])
    return [*settled, ItemOpening(CaseItemKind.VERIFICATION_DISCREPANCY, cause, summary, _get_ref(event))]


def _find_acceptance_effects(event: Event) -> list[CaseEffect]:
    """A verification of which every discrepancy is accepted needs nobody any more, until a decision is revoked."""
    claim, count = event.subject, event.data["openCount"]
    cause = f"verification:{claim.jurisdiction}:{claim.registration_number}"
    if count == 0:
        return [ItemSettlement(cause, _get_text(event.data, "changedBy"))]
    if event.type is EventType.ACCEPTANCE_CREATED:
        return []
    summary = _VERIFICATIONS[ResultStatus.DISCREPANCIES].fill(name=claim.name, count=count)
    return [ItemOpening(CaseItemKind.VERIFICATION_DISCREPANCY, cause, summary, _get_ref(event))]


def _find_manual_check_effects(event: Event) -> list[CaseEffect]:
    """The cause is that of a verification that has failed, so that the register is open once."""
    check = event.subject
    cause = f"manual:{check.source}"
    if check.registration_number is not None:
        cause = f"unchecked:{check.jurisdiction}:{check.registration_number}"
    if event.type is not EventType.MANUAL_CHECK_OPENED:
        return [ItemSettlement(cause, _get_text(event.data, "changedBy"))]
    due = event.data["dueAt"]
    due_at = _INSTANT.validate_python(due) if due is not None else None
    return [ItemOpening(CaseItemKind.MANUAL_CHECK, cause, _MANUAL.fill(name=check.name), _get_ref(event), due_at=due_at)]


def _find_discrepancy_effects(event: Event) -> list[CaseEffect]:
    data = event.data
    cause = f"discrepancy:{_get_text(data, 'discrepancyId')}"
    if event.type is EventType.DISCREPANCY_RESOLVED:
        return [ItemSettlement(cause, _get_text(data, "changedBy"))]
    due_at = _INSTANT.validate_python(data["dueAt"]) if data["dueAt"] is not None else None
    summary = _DIFFERENCES[DifferenceKind(_get_text(data, "kind"))].fill(name=event.subject.name)
    priority = CasePriority.URGENT if event.severity is EventSeverity.CRITICAL else None
    return [ItemOpening(CaseItemKind.OWNERSHIP_DISCREPANCY, cause, summary, _get_ref(event), priority, due_at)]


def _find_alert_effects(event: Event) -> list[CaseEffect]:
    if not _is_open_alert(event):
        return []
    name = event.business.name if event.business is not None else event.subject.name
    summary = _ALERTS[event.type].fill(name=name)
    priority = CasePriority.HIGH if event.severity.is_at_least(EventSeverity.HIGH) else None
    return [ItemOpening(CaseItemKind.ALERT, f"alert:{event.id}", summary, event.links.self_, priority)]


_EFFECTS: Mapping[EventType, Callable[[Event], list[CaseEffect]]] = {
    EventType.SCREENING_HIT_FOUND: _find_hit_effects,
    EventType.SCREENING_HIT_CHANGED: _find_hit_effects,
    EventType.SCREENING_HIT_CLEARED: _find_hit_effects,
    EventType.DISMISSAL_CREATED: _find_dismissal_effects,
    EventType.DISMISSAL_EXPIRED: _find_dismissal_effects,
    EventType.DISMISSAL_REVOKED: _find_dismissal_effects,
    EventType.SEARCH_COMPLETED: _find_search_effects,
    EventType.SEARCH_MATCH_SELECTED: _find_search_effects,
    EventType.VERIFICATION_COMPLETED: _find_verification_effects,
    EventType.VERIFICATION_FAILED: _find_verification_effects,
    EventType.ACCEPTANCE_CREATED: _find_acceptance_effects,
    EventType.ACCEPTANCE_REVOKED: _find_acceptance_effects,
    EventType.MANUAL_CHECK_OPENED: _find_manual_check_effects,
    EventType.MANUAL_CHECK_COMPLETED: _find_manual_check_effects,
    EventType.MANUAL_CHECK_CANCELLED: _find_manual_check_effects,
    EventType.DISCREPANCY_OPENED: _find_discrepancy_effects,
    EventType.DISCREPANCY_DUE: _find_discrepancy_effects,
    EventType.DISCREPANCY_RESOLVED: _find_discrepancy_effects,
    **dict.fromkeys(_ALERTS, _find_alert_effects),
}
CAUSING_TYPES = frozenset(_EFFECTS)
"""The types of events that can open or settle an item."""
SETTLED_BY_ACKNOWLEDGEMENT = frozenset({CaseItemKind.ALERT, CaseItemKind.EXPIRY})
"""The kinds of items that are settled when their alert is acknowledged."""


def _is_open_alert(event: Event) -> bool:
    """Whether somebody still has to acknowledge the event."""
    return event.alert is not None and event.alert.status is AlertStatus.OPEN


def _get_ref(event: Event) -> str:
    return event.links.resource if event.links.resource is not None else event.links.self_


def _get_text(data: Mapping[str, Any], *path: str) -> str:
    """A text of the data of an event, whose schema requires it."""
    value: Any = data
    for name in path:
        value = value[name]
    return str(value)
