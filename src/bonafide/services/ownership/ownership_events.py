"""Events of ownership statements and discrepancies. Pure."""

from collections.abc import Sequence
from datetime import datetime

from bonafide.model.events.event import (
    EventBusiness,
    EventChange,
    EventSeverity,
    EventSubject,
    EventSubjectKind,
    EventType,
    NewEvent,
)
from bonafide.model.events.event_data import (
    DiscrepancyDueData,
    DiscrepancyOpenedData,
    DiscrepancyResolvedData,
    OwnershipChangedData,
)
from bonafide.model.ownership.discrepancies import DiscrepancyRecord, DiscrepancyStatus
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.records.business_record import Author, BusinessRecord, FieldChange

_COUNTED = frozenset({"parties", "interests"})
"""Fields of a statement of which an event has the size only: the statement may have thousands of parties."""


def build_statement_event(
    record: BusinessRecord, statement: OwnershipStatement, changes: Sequence[FieldChange], author: Author
) -> NewEvent:
    """The event of a statement that was recorded or replaced; without parties, it was withdrawn.

    The fields of `changes` are those of the audit log, `ownership.<claimant>.<field>`.
    """
    changed = {change.field.rpartition(".")[2]: change for change in changes}
    return NewEvent(
        EventType.OWNERSHIP_CHANGED,
        EventSubject(kind=EventSubjectKind.OWNERSHIP, id=record.id, name=record.name),
        OwnershipChangedData(
            claimed_by=statement.claimed_by,
            changed_fields=tuple(changed),
            parties=len(statement.parties),
            interests=len(statement.interests),
            is_withdrawn=not statement.parties,
            changed_by=author.actor,
        ),
        business=EventBusiness.from_record(record),
        changes=tuple(
            EventChange(field=field, from_=change.old, to=change.new) for field, change in changed.items() if field not in _COUNTED
        ),
        resource=f"/v1/businesses/{record.id}/ownership",
    )


def build_opening_event(
    business: EventBusiness, new: DiscrepancyRecord, author: Author, old: DiscrepancyRecord | None = None
) -> NewEvent:
    """The event of a discrepancy that was found, or reopened after `old`."""
    return NewEvent(
        EventType.DISCREPANCY_OPENED,
        _build_subject(business, new),
        DiscrepancyOpenedData(
            discrepancy_id=new.id,
            review_id=new.review_id,
            kind=new.kind,
            is_reportable=new.is_reportable,
            due_at=new.due_at,
            changed_by=author.actor,
        ),
        business=business,
        changes=(_build_status_change(old.status if old is not None else None, new.status),),
        resource=_build_path(new),
        severity=EventSeverity.HIGH if new.due_at is not None else EventSeverity.MEDIUM,
    )


def build_decision_event(
    business: EventBusiness, old: DiscrepancyRecord, new: DiscrepancyRecord, author: Author
) -> NewEvent | None:
    """The event of a changed discrepancy; None if its status did not change."""
    if new.status is old.status:
        return None
    if new.status is DiscrepancyStatus.OPEN:
        return build_opening_event(business, new, author, old)
    return NewEvent(
        EventType.DISCREPANCY_RESOLVED,
        _build_subject(business, new),
        DiscrepancyResolvedData(discrepancy_id=new.id, kind=new.kind, status=new.status, changed_by=author.actor),
        business=business,
        changes=(_build_status_change(old.status, new.status),),
        resource=_build_path(new),
    )


def build_reminder_event(business: EventBusiness, record: DiscrepancyRecord, due_at: datetime, *, overdue: bool) -> NewEvent:
    """The event of a reminder."""
    return NewEvent(
        EventType.DISCREPANCY_DUE,
        _build_subject(business, record),
        DiscrepancyDueData(discrepancy_id=record.id, kind=record.kind, due_at=due_at, overdue=overdue),
        business=business,
        resource=_build_path(record),
        severity=EventSeverity.CRITICAL if overdue else EventSeverity.HIGH,
    )


def _build_status_change(old: DiscrepancyStatus | None, new: DiscrepancyStatus) -> EventChange:
    return EventChange(field="status", from_=old.value if old is not None else None, to=new.value)


def _build_subject(business: EventBusiness, record: DiscrepancyRecord) -> EventSubject:
    return EventSubject(kind=EventSubjectKind.DISCREPANCY, id=record.id, name=business.name)


def _build_path(record: DiscrepancyRecord) -> str:
    return f"/v1/businesses/{record.business_id}/discrepancies/{record.id}"
