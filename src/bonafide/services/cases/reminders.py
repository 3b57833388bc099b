"""Record the due dates of cases that have passed, once each.

The event and the mark that it was recorded are written in one transaction, so that a process that is killed, or two workers at
once, neither lose an event nor record it twice.
"""

from dataclasses import replace
from uuid import UUID

from bonafide.model.base import format_instant
from bonafide.model.records.business_record import FieldChange
from bonafide.runtime import Runtime
from bonafide.services.cases.case_changes import DUE, CaseTransaction
from bonafide.services.cases.case_events import build_due_event
from bonafide.services.cases.case_rows import to_record
from bonafide.services.events.recording import record_events
from bonafide.store.cases import cases
from bonafide.store.tenants import audit_log

DUE_LIMIT = 100
"""Cases of one run; the next run records the rest."""


async def record_due_cases(runtime: Runtime) -> int:
    """Record the due dates of the cases of all organizations that have passed; returns how many."""
    now, recorded = runtime.clock(), 0
    if not await cases.is_any_due(runtime.store, now):
        return 0
    async with runtime.store.read() as connection:
        due = await cases.list_due(connection, now, DUE_LIMIT)
    for one in due:
        recorded += await _record_due(runtime, one.organization_id, one.id)
    return recorded


async def _record_due(runtime: Runtime, organization_id: UUID, case_id: UUID) -> bool:
    """Record one due date; False if another worker has, or if the case has ended or has another due date meanwhile."""
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        row = await cases.get(connection, organization_id, case_id)
        now = runtime.clock()
        if row is None or row.due_at is None or row.reminder_at is None or row.reminder_at > now:
            return False
        changes = CaseTransaction(connection, organization_id, ledger, now)
        changes.change(row, replace(row, reminder_at=None), [FieldChange(DUE, None, {"dueAt": format_instant(row.due_at)})])
        await changes.finish()
        changes.events.append(build_due_event(to_record(row)))
        await record_events(connection, organization_id, changes.events, changes.at)
    return True
