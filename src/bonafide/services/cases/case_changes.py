"""Change cases in a transaction that has locked the organization's audit head: rows, audit entries and events together.

A `CaseTransaction` collects the changes. `finish` writes them, because events are appended after all other locks.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.model.cases.case import CaseItemContent, CaseItemStatus, CaseOutcome, CaseStatus
from bonafide.model.cases.policy import CaseItemKind, CasePriority, CaseSettings
from bonafide.model.events.event import Event, EventBusiness, NewEvent
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.services.cases.case_events import build_decided_event, build_opened_event
from bonafide.services.cases.case_rows import CaseContent, set_due_date, to_record
from bonafide.services.cases.causes import ItemOpening, build_subject
from bonafide.store.cases import case_parts, case_positions, cases
from bonafide.store.cases.case_parts import StoredCaseItem
from bonafide.store.cases.cases import StoredCase
from bonafide.store.database.engine import Connection
from bonafide.store.records.searches import fold_text
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditLogState

BY_CASES = Author("system:cases")
"""The author of what the service itself changes."""
OPENED, ITEM_OPENED, ITEM_SETTLED, CHANGED, NOTED, ATTACHED, DECIDED, DUE = (
    f"case.{what}" for what in ("opened", "item_opened", "item_settled", "changed", "noted", "attached", "decided", "due")
)
"""The fields of audit entries."""


@dataclass(frozen=True, slots=True)
class CaseSubject:
    """What a case gathers, by its `key`: a business record, or a document without one."""

    key: str
    business: EventBusiness | None
    name: str | None

    @classmethod
    def from_event(cls, event: Event) -> "CaseSubject":
        """What the event is about."""
        business = event.business
        return cls(build_subject(event), business, business.name if business is not None else event.subject.name)

    @classmethod
    def from_case(cls, case: StoredCase) -> "CaseSubject":
        """The same as of an earlier case."""
        content = CaseContent.model_validate_json(case.document)
        return cls(case.subject, content.business, content.name)


@dataclass(slots=True)
class _ChangedCase:
    """A case before and after the transaction, with what is recorded about it."""

    old: StoredCase | None
    new: StoredCase
    fields: list[FieldChange] = field(default_factory=list)
    opened_kinds: list[CaseItemKind] = field(default_factory=list)


class CaseTransaction:
    """The changes of cases in one transaction. `ledger` is the locked audit head; `at` is the time of all changes."""

    def __init__(
        self, connection: Connection, organization_id: UUID, ledger: AuditLogState, now: datetime, author: Author = BY_CASES
    ) -> None:
        self.at = ledger.next_instant(now)
        self.events: list[NewEvent] = []
        self.organization_id = organization_id
        self._connection, self._ledger, self._author = connection, ledger, author
        self._changed: dict[UUID, _ChangedCase] = {}

    async def open_item(
        self, event: Event, opening: ItemOpening, settings: CaseSettings, subject: CaseSubject | None = None
    ) -> None:
        """Open an item in the case of its subject, and the case if it has none. A fact that is open is not opened again.

        Without a `subject` it is that of the event.

        The new item makes the case more urgent at most. It returns a case that waits, and one of which a decision is to be
        confirmed: nobody has decided about the new item.
        """
        policy = settings.items.find(opening.kind)
        if not settings.enabled or not policy.enabled:
            return
        due_at = opening.due_at
        if due_at is None and policy.due_after is not None:
            due_at = event.occurred_at + policy.due_after
        priority = policy.priority.max_with(opening.priority)
        case = await self._find_or_open(subject if subject is not None else CaseSubject.from_event(event), priority, due_at)
        known = await case_parts.list_open_with_cause(self._connection, self.organization_id, opening.cause)
        if any(item.case_id == case.new.id for item in known):
            self._make_urgent(case, priority, opening.due_at)
            return
        self._make_urgent(case, priority, due_at)
        if case.new.status in {CaseStatus.WAITING, CaseStatus.IN_SECOND_REVIEW}:
            case.new = replace(case.new, status=CaseStatus.OPEN, pending_decision_id=None)
        content = CaseItemContent(ref=opening.ref, event_id=event.id, summary=opening.summary)
        item = StoredCaseItem(
            id=uuid4(),
            case_id=case.new.id,
            kind=opening.kind,
            cause=opening.cause,
            status=CaseItemStatus.OPEN,
            opened_at=event.occurred_at,
            settled_at=None,
            settled_by=None,
            sequence=event.sequence,
            document=content.to_stored().to_text(),
        )
        await case_parts.add_item(self._connection, self.organization_id, item)
        case.opened_kinds.append(opening.kind)
        case.fields.append(FieldChange(ITEM_OPENED, None, _describe_item(item) | {"ref": opening.ref, "eventId": str(event.id)}))

    async def settle(self, items: Sequence[StoredCaseItem], status: CaseItemStatus, by: str) -> None:
        """Settle open items of any cases."""
        if not items:
            return
        ids = [item.id for item in items]
        await case_parts.settle_items(self._connection, self.organization_id, ids, status, by, self.at)
        for item in items:
            case = await self.load(item.case_id)
            described = _describe_item(item) | {"status": status.value, "by": by}
            case.fields.append(FieldChange(ITEM_SETTLED, {"status": item.status.value}, described))

    async def load(self, case_id: UUID) -> _ChangedCase:
        """A case that is about to be changed. Raises `KeyError` for an unknown one."""
        if case_id not in self._changed:
            row = await cases.get(self._connection, self.organization_id, case_id)
            if row is None:
                raise KeyError(case_id)
            self._changed[case_id] = _ChangedCase(row, row)
        return self._changed[case_id]

    def change(self, old: StoredCase, new: StoredCase, fields: Sequence[FieldChange]) -> None:
        """Replace a case, and record the fields in the audit log."""
        case = self._changed.setdefault(old.id, _ChangedCase(old, old))
        case.new = new
        case.fields += fields

    async def finish(self) -> AuditLogState:
        """Write the cases and their audit entries; returns the new audit head. The caller records `events` afterwards."""
        for case in self._changed.values():
            if case.old is None:
                self.events.append(build_opened_event(to_record(case.new), case.opened_kinds))
            await self._end_if_settled(case)
            # Each case has an instant of its own, so that the feed has cases in the order in which they were opened.
            instant = self._ledger.next_instant(self.at)
            case.new = replace(case.new, updated_at=instant)
            await cases.replace(self._connection, self.organization_id, case.new)
            change = audit_log.AuditChange(case.new.id, instant, self._author, case.fields)
            self._ledger = await audit_log.record_change(self._connection, self.organization_id, self._ledger, change)
        return self._ledger

    async def _find_or_open(self, subject: CaseSubject, priority: CasePriority, due_at: datetime | None) -> _ChangedCase:
        open_cases = (case for case in self._changed.values() if case.new.decided_at is None)
        known = next((case for case in open_cases if case.new.subject == subject.key), None)
        if known is not None:
            return known
        row = await cases.find_undecided(self._connection, self.organization_id, subject.key)
        if row is not None:
            return await self.load(row.id)
        business, name = subject.business, subject.name
        new = StoredCase(
            id=uuid4(),
            number=await case_positions.take_number(self._connection, self.organization_id),
            business_id=business.id if business is not None else None,
            subject=subject.key,
            status=CaseStatus.OPEN,
            outcome=None,
            priority=priority,
            assignee=None,
            opened_at=self.at,
            due_at=due_at,
            reminder_at=due_at,
            decided_at=None,
            updated_at=self.at,
            pending_decision_id=None,
            document=CaseContent(business=business, name=name).to_json(),
            folded_name=fold_text(name or ""),
        )
        await cases.add(self._connection, self.organization_id, new)
        opened = FieldChange(OPENED, None, describe_case(new) | {"number": new.number, "subject": subject.key})
        self._changed[new.id] = _ChangedCase(None, new, [opened])
        return self._changed[new.id]

    def _make_urgent(self, case: _ChangedCase, priority: CasePriority, due_at: datetime | None) -> None:
        before = case.new
        case.new = replace(before, priority=before.priority.max_with(priority))
        if due_at is not None and (before.due_at is None or due_at < before.due_at):
            case.new = set_due_date(case.new, due_at)
        if case.new != before:
            case.fields.append(FieldChange(CHANGED, describe_case(before), describe_case(case.new)))

    async def _end_if_settled(self, case: _ChangedCase) -> None:
        """End a case that nobody has taken when nothing is left to decide. One that somebody works on is theirs to decide."""
        if case.new.status is not CaseStatus.OPEN or case.new.assignee is not None or not _has_settled(case.fields):
            return
        if await case_parts.list_open_of_case(self._connection, self.organization_id, case.new.id):
            return
        before = case.new
        case.new = end_case(before, CaseOutcome.SETTLED, self.at)
        case.fields.append(FieldChange(DECIDED, describe_case(before), describe_case(case.new)))
        self.events.append(build_decided_event(to_record(before), to_record(case.new), CaseOutcome.SETTLED, ()))


def end_case(case: StoredCase, outcome: CaseOutcome, at: datetime) -> StoredCase:
    """The case after its end."""
    return replace(case, status=CaseStatus.DECIDED, outcome=outcome, decided_at=at, reminder_at=None, pending_decision_id=None)


def describe_case(case: StoredCase) -> dict[str, JsonValue]:
    """A case in the audit log."""
    included = {"status", "outcome", "priority", "assignee", "due_at", "pending_decision_id"}
    described: dict[str, JsonValue] = to_record(case).model_dump(mode="json", by_alias=True, include=included)
    return described


def _describe_item(item: StoredCaseItem) -> dict[str, JsonValue]:
    return {"id": str(item.id), "kind": item.kind.value}


def _has_settled(fields: Collection[FieldChange]) -> bool:
    return any(change.field == ITEM_SETTLED for change in fields)
