"""Record reminders of open discrepancies: seven days before their due date, and when it has passed, once each.

The reminder and the instant of the next one are written in one transaction, so that a process that is killed, or two workers at
once, neither lose a reminder nor record it twice.
"""

from uuid import UUID

from pydantic import JsonValue

from bonafide.model.events.event import EventBusiness
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.ownership.discrepancies import DUE, parse_discrepancy, record_changes
from bonafide.services.ownership.ownership_events import build_reminder_event
from bonafide.services.records.business_records import load_record
from bonafide.store.records import discrepancies
from bonafide.store.tenants import audit_log

BY_REMINDER = Author("system:discrepancies")
"""The author of reminders in the audit log."""
REMINDER_LIMIT = 100
"""Reminders of one run; the next run records the rest."""


async def record_due_reminders(runtime: Runtime) -> int:
    """Record the reminders of all organizations that are due; returns how many."""
    now, recorded = runtime.clock(), 0
    if not await discrepancies.is_any_reminder_due(runtime.store, now):
        return 0
    async with runtime.store.read() as connection:
        due = await discrepancies.list_due_reminders(connection, now, REMINDER_LIMIT)
    for reminder in due:
        recorded += await _record_reminder(runtime, reminder.organization_id, reminder.id)
    return recorded


async def _record_reminder(runtime: Runtime, organization_id: UUID, discrepancy_id: UUID) -> bool:
    """Record one reminder; False if another worker has, or if somebody has decided meanwhile."""
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        row = await discrepancies.get(connection, organization_id, discrepancy_id)
        now = runtime.clock()
        if row is None or row.due_at is None or row.reminder_at is None or row.reminder_at > now:
            return False
        is_overdue = row.due_at <= now
        await discrepancies.set_reminder(connection, organization_id, discrepancy_id, None if is_overdue else row.due_at)
        record = parse_discrepancy(row.document)
        described: dict[str, JsonValue] = record.model_dump(mode="json", by_alias=True, include={"id", "kind", "due_at"})
        field = FieldChange(DUE, None, described | {"overdue": is_overdue})
        change = audit_log.AuditChange(row.business_id, ledger.next_instant(now), BY_REMINDER, [field])
        business = EventBusiness.from_record(await load_record(connection, organization_id, row.business_id, None))
        event = build_reminder_event(business, record, row.due_at, overdue=is_overdue)
        await record_changes(connection, organization_id, ledger, change, [event])
    return True
