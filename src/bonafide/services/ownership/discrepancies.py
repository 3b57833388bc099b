"""Open discrepancies from a comparison or by hand, list them, and decide about them.

A change is one short transaction with its audit entries. It locks the organization's audit head first, so that of two people who
decide at once, the second one gets an error that says what the first one has decided.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from pydantic import JsonValue

from bonafide.errors import Conflict, NotFound, StaleWrite, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.base import StoredDocument, format_instant
from bonafide.model.events.event import EventBusiness, NewEvent
from bonafide.model.ownership.discrepancies import (
    Acknowledgement,
    Discrepancy,
    DiscrepancyChange,
    DiscrepancyDecision,
    DiscrepancyPage,
    DiscrepancyRecord,
    DiscrepancyStatus,
)
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.model.search.result import Pagination
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.ownership.ownership_events import build_decision_event
from bonafide.services.records import business_records
from bonafide.services.records.documents import load_documents
from bonafide.store.database.engine import Connection
from bonafide.store.records import discrepancies
from bonafide.store.records.discrepancies import StoredDiscrepancy
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditLogState

REMIND_BEFORE = timedelta(days=7)
"""How long before the due date a reminder is recorded."""
UNKNOWN_DISCREPANCY = Message("We couldn’t find that discrepancy.")
_DECIDED = {
    DiscrepancyStatus.RESOLVED: Message("{who} resolved this discrepancy on {when}."),
    DiscrepancyStatus.REPORTED: Message("{who} recorded the report of this discrepancy on {when}."),
}
OPENED, CHANGED, RESOLVED, REPORTED, REOPENED, DUE = (
    f"discrepancy.{what}" for what in ("opened", "changed", "resolved", "reported", "reopened", "due")
)
"""The fields of audit entries, named as events."""


def compute_reminder(due_at: datetime | None, now: datetime) -> datetime | None:
    """When the first reminder of an open discrepancy is to be recorded: before the due date, or on it."""
    if due_at is None:
        return None
    return due_at - REMIND_BEFORE if now < due_at else due_at


def plan_reminder(row: StoredDiscrepancy, old: DiscrepancyRecord, new: DiscrepancyRecord, now: datetime) -> datetime | None:
    """When the next reminder of a changed discrepancy is to be recorded. None of a due date is recorded twice."""
    if new.status is not DiscrepancyStatus.OPEN or new.due_at is None:
        return None
    if new.due_at != old.due_at:
        return compute_reminder(new.due_at, now)
    if row.decided_at is None:
        return row.reminder_at
    if row.decided_at >= new.due_at:
        # It was overdue when it was decided, and the last reminder had been recorded.
        return None
    return new.due_at if now >= new.due_at - REMIND_BEFORE else new.due_at - REMIND_BEFORE


# ------------------------------------------------------------------------------------------------------------- reading


async def list_discrepancies(
    runtime: Runtime, organization_id: UUID, business_id: UUID, status: DiscrepancyStatus | None, limit: int, offset: int
) -> DiscrepancyPage:
    """A page of the discrepancies of a business, newest first. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await business_records.load_record(connection, organization_id, business_id, None)
        documents, total = await discrepancies.list_page(connection, organization_id, business_id, status, limit, offset)
    return _build_page(runtime, documents, (total, limit, offset))


async def list_open_discrepancies(runtime: Runtime, organization_id: UUID, limit: int, offset: int) -> DiscrepancyPage:
    """A page of the open discrepancies of the organization, the first due first."""
    async with runtime.store.read() as connection:
        documents, total = await discrepancies.list_open(connection, organization_id, limit, offset)
    return _build_page(runtime, documents, (total, limit, offset))


def _build_page(runtime: Runtime, documents: Sequence[str], place: tuple[int, int, int]) -> DiscrepancyPage:
    total, limit, offset = place
    return DiscrepancyPage(
        discrepancies=tuple(send_discrepancy(runtime, parse_discrepancy(document)) for document in documents),
        pagination=Pagination(total=total, limit=limit, offset=offset, has_more=offset + len(documents) < total),
    )


async def read_discrepancy(runtime: Runtime, organization_id: UUID, business_id: UUID, discrepancy_id: UUID) -> Discrepancy:
    """One discrepancy of a business. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        return send_discrepancy(runtime, (await _load(connection, organization_id, business_id, discrepancy_id))[1])


async def _load(
    connection: Connection, organization_id: UUID, business_id: UUID, discrepancy_id: UUID
) -> tuple[StoredDiscrepancy, DiscrepancyRecord]:
    row = await discrepancies.get(connection, organization_id, discrepancy_id)
    if row is None or row.business_id != business_id:
        raise NotFound(UNKNOWN_DISCREPANCY)
    return row, parse_discrepancy(row.document)


def parse_discrepancy(document: str) -> DiscrepancyRecord:
    """The discrepancy of a stored document."""
    return StoredDocument.from_text(document).parse(DiscrepancyRecord)


def send_discrepancy(runtime: Runtime, record: DiscrepancyRecord) -> Discrepancy:
    """A discrepancy as it is now."""
    return Discrepancy(**dict(record), overdue=record.is_overdue(runtime.clock()))


# ------------------------------------------------------------------------------------------------------------- deciding


async def change_discrepancy(
    runtime: Runtime, organization_id: UUID, business_id: UUID, discrepancy_id: UUID, change: DiscrepancyChange, author: Author
) -> Discrepancy:
    """Resolve, report, reclassify or reopen a discrepancy.

    Raises `NotFound`, `StaleWrite` if it isn't the version that the caller expects, `Conflict` if somebody has decided already, and
    `ValidationFailed` for a document that the business doesn't have.
    """
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        row, old = await _load(connection, organization_id, business_id, discrepancy_id)
        _check_change(runtime, old, change)
        await load_documents(connection, organization_id, business_id, change.document_ids, "documentIds")
        if change.acknowledgement is not None:
            ids = [change.acknowledgement.document_id]
            await load_documents(connection, organization_id, business_id, ids, "acknowledgement.documentId")
        now = runtime.clock()
        new = _apply_change(old, change, author, ledger.next_instant(now))
        await discrepancies.replace(connection, organization_id, build_row(new, plan_reminder(row, old, new, now)))
        audited = [FieldChange(_name_change(old, new), _describe(old), _describe(new))]
        done = audit_log.AuditChange(row.business_id, new.updated_at, author, audited)
        record = await business_records.load_record(connection, organization_id, business_id, None)
        event = build_decision_event(EventBusiness.from_record(record), old, new, author)
        await record_changes(connection, organization_id, ledger, done, [event] if event is not None else [])
    return send_discrepancy(runtime, new)


def _check_change(runtime: Runtime, old: DiscrepancyRecord, change: DiscrepancyChange) -> None:
    if old.status is not DiscrepancyStatus.OPEN and change.status is not DiscrepancyStatus.OPEN:
        decided = old.decisions[-1]
        raise Conflict(_DECIDED[old.status].fill(who=decided.by, when=format_instant(decided.at)))
    if change.expected_updated_at is not None and change.expected_updated_at != old.updated_at:
        raise StaleWrite(Message("The discrepancy has changed since you read it."))
    if old.status is DiscrepancyStatus.OPEN and change.status is DiscrepancyStatus.OPEN and change.kind is None:
        raise Conflict(Message("The discrepancy is open."))
    if change.status is None and change.kind is old.kind:
        raise ValidationFailed.of_field("kind", Message("is the class that the discrepancy has"))
    if change.acknowledgement is not None and change.acknowledgement.received_at > runtime.clock():
        raise ValidationFailed.of_field("acknowledgement.receivedAt", Message("must not be in the future"))


def _apply_change(old: DiscrepancyRecord, change: DiscrepancyChange, author: Author, at: datetime) -> DiscrepancyRecord:
    status = change.status if change.status is not None else old.status
    kind = change.kind if change.kind is not None else old.kind
    given = change.acknowledgement
    acknowledged = Acknowledgement(**dict(given), recorded_at=at, recorded_by=author.actor) if given is not None else None
    decision = DiscrepancyDecision(
        at=at,
        by=author.actor,
        status=status,
        kind=kind,
        resolution=change.resolution,
        document_ids=change.document_ids,
        acknowledgement=acknowledged,
    )
    return old.model_copy(
        update={
            "kind": kind,
            "due_at": old.compute_due_at(kind),
            "status": status,
            "resolution": change.resolution if status is not DiscrepancyStatus.OPEN else None,
            "acknowledgement": acknowledged,
            "decisions": (*old.decisions, decision),
            "updated_at": at,
        }
    )


def build_row(record: DiscrepancyRecord, reminder_at: datetime | None) -> StoredDiscrepancy:
    """The row of a discrepancy, with the instant of its next reminder."""
    return StoredDiscrepancy(
        id=record.id,
        business_id=record.business_id,
        status=record.status,
        opened_at=record.opened_at,
        due_at=record.due_at,
        decided_at=record.decisions[-1].at if record.status is not DiscrepancyStatus.OPEN else None,
        reminder_at=reminder_at,
        document=record.to_stored().to_text(),
    )


def _name_change(old: DiscrepancyRecord, new: DiscrepancyRecord) -> str:
    if new.status is old.status:
        return CHANGED
    names = {DiscrepancyStatus.RESOLVED: RESOLVED, DiscrepancyStatus.REPORTED: REPORTED, DiscrepancyStatus.OPEN: REOPENED}
    return names[new.status]


_AUDITED = {"id", "kind", "status", "due_at", "resolution", "acknowledgement"}


def _describe(record: DiscrepancyRecord) -> JsonValue:
    described: JsonValue = record.model_dump(mode="json", by_alias=True, include=_AUDITED)
    return described


async def record_changes(
    connection: Connection, organization_id: UUID, ledger: AuditLogState, change: audit_log.AuditChange, events: Sequence[NewEvent]
) -> None:
    """Record what happened to the discrepancies of a business, in the transaction in which it happened: audit entries and events.

    Every change of a discrepancy passes through here.
    """
    await audit_log.record_change(connection, organization_id, ledger, change)
    await record_events(connection, organization_id, events, change.at)
