"""Events of cases. Pure."""

from collections.abc import Iterable, Sequence

from bonafide.model.cases.case import CaseDecision, CaseOutcome, CaseRecord
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.events.event import EventChange, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import CaseAssignedData, CaseDecidedData, CaseDueData, CaseOpenedData
from bonafide.model.records.business_record import Author

CASES_PATH = "/v1/cases"


def build_opened_event(case: CaseRecord, kinds: Iterable[CaseItemKind]) -> NewEvent:
    """The event of a case that was opened with items of these kinds."""
    data = CaseOpenedData(
        case_id=case.id, number=case.number, kinds=tuple(sorted(set(kinds))), priority=case.priority, due_at=case.due_at
    )
    return _build_event(EventType.CASE_OPENED, case, data)


def build_assigned_event(old: CaseRecord, new: CaseRecord, author: Author) -> NewEvent:
    """The event of a case that was given to a member, or taken from one."""
    data = CaseAssignedData(case_id=new.id, number=new.number, assignee=new.assignee, changed_by=author.actor)
    changes = (EventChange(field="assignee", from_=old.assignee, to=new.assignee),)
    return _build_event(EventType.CASE_ASSIGNED, new, data, changes)


def build_decided_event(old: CaseRecord, new: CaseRecord, outcome: CaseOutcome, decisions: Sequence[CaseDecision]) -> NewEvent:
    """The event of a case that has ended. `decisions` are those that ended it: none if its items were settled."""
    data = CaseDecidedData(
        case_id=new.id,
        number=new.number,
        outcome=outcome,
        reason_code=decisions[-1].reason_code if decisions else None,
        decided_by=tuple(decision.decided_by for decision in decisions),
    )
    changes = (EventChange(field="status", from_=old.status.value, to=new.status.value),)
    return _build_event(EventType.CASE_DECIDED, new, data, changes)


def build_due_event(case: CaseRecord) -> NewEvent:
    """The event of a case whose due date has passed."""
    assert case.due_at is not None  # noqa: S101 - only a case with a due date is due
    data = CaseDueData(case_id=case.id, number=case.number, due_at=case.due_at, priority=case.priority, assignee=case.assignee)
    return _build_event(EventType.CASE_DUE, case, data)


def _build_event(
    event_type: EventType,
    case: CaseRecord,
    data: CaseOpenedData | CaseAssignedData | CaseDecidedData | CaseDueData,
    changes: tuple[EventChange, ...] = (),
) -> NewEvent:
    return NewEvent(
        event_type,
        EventSubject(kind=EventSubjectKind.CASE, id=case.id, name=case.name),
        data,
        business=case.business,
        changes=changes,
        resource=f"{CASES_PATH}/{case.id}",
    )
