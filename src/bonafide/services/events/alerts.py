"""Acknowledge alerts: a person has looked at what an event reports.

Every acknowledgement is recorded in the audit log of the business record. Of two people who acknowledge an alert at once, the
second one gets an error that names the first.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.errors import Conflict, NotFound
from bonafide.i18n.message import Message
from bonafide.model.base import format_instant
from bonafide.model.cases.case import CaseItemStatus
from bonafide.model.events.alerts import AlertAcknowledgement
from bonafide.model.events.event import Event
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.cases.case_changes import CaseTransaction
from bonafide.services.cases.causes import SETTLED_BY_ACKNOWLEDGEMENT
from bonafide.services.events.feed import UNKNOWN_EVENT, to_event
from bonafide.services.events.recording import record_events
from bonafide.store.database.engine import Connection
from bonafide.store.records import case_parts, events
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditChange, AuditLogState
from bonafide.store.work.pending_key import complete_key

MAX_COUNTED = 100
"""Open alerts are counted up to this number."""
ACKNOWLEDGED = "alert.acknowledged"
"""The field of an audit entry. Its new value has the event and the note."""


async def count_open_alerts(runtime: Runtime, organization_id: UUID) -> int:
    """The number of open alerts, up to `MAX_COUNTED`."""
    return await events.count_open_alerts(runtime.store, organization_id, MAX_COUNTED)


async def acknowledge_alert(
    runtime: Runtime, organization_id: UUID, event_id: UUID, note: str | None, author: Author
) -> AlertAcknowledgement:
    """Acknowledge an alert. Raises `NotFound`, and `Conflict` if the event is no alert or has been acknowledged already."""
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        row = await events.get(connection, organization_id, event_id)
        if row is None:
            raise NotFound(UNKNOWN_EVENT)
        if not row.is_alert:
            raise Conflict(Message("This event is not an alert, so nobody has to acknowledge it."))
        if row.acknowledged_at is not None:
            when = format_instant(row.acknowledged_at)
            raise Conflict(Message("{who} acknowledged this alert on {when}.", who=row.acknowledged_by or "", when=when))
        at = ledger.next_instant(runtime.clock())
        await _acknowledge(connection, organization_id, ledger, [to_event(row)], AlertDecision(author, at, note))
        done = AlertAcknowledgement(event_id=event_id, acknowledged_at=at, acknowledged_by=author.actor, note=note)
        await complete_key(connection, done)
    return done


async def acknowledge_alerts(
    runtime: Runtime, organization_id: UUID, event_ids: Collection[UUID], note: str | None, author: Author
) -> int:
    """Acknowledge those of the events that are open alerts of the organization; returns how many there were."""
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        rows = await events.list_open_alerts(connection, organization_id, event_ids)
        if rows:
            at = ledger.next_instant(runtime.clock())
            await _acknowledge(
                connection, organization_id, ledger, [to_event(row) for row in rows], AlertDecision(author, at, note)
            )
    return len(rows)


@dataclass(frozen=True, slots=True)
class AlertDecision:
    """Who acknowledges, when and with which note."""

    author: Author
    at: datetime
    note: str | None


async def acknowledge_events(
    connection: Connection, organization_id: UUID, ledger: AuditLogState, chosen: Sequence[Event], decision: AlertDecision
) -> AuditLogState:
    """Acknowledge open alerts in a transaction that has locked the audit head; returns the new head."""
    for event in chosen:
        subject = event.business.id if event.business is not None else event.id
        field = FieldChange(ACKNOWLEDGED, None, {"eventId": str(event.id), "type": event.type.value, "note": decision.note})
        change = AuditChange(subject, decision.at, decision.author, [field])
        ledger = await audit_log.record_change(connection, organization_id, ledger, change)
    sequences = [event.sequence for event in chosen]
    await events.acknowledge(connection, organization_id, sequences, decision.author.actor, decision.at, decision.note)
    return ledger


async def _acknowledge(
    connection: Connection, organization_id: UUID, ledger: AuditLogState, chosen: Sequence[Event], decision: AlertDecision
) -> None:
    """Acknowledge alerts, and settle their items of cases."""
    ledger = await acknowledge_events(connection, organization_id, ledger, chosen, decision)
    sequences = [event.sequence for event in chosen]
    items = await case_parts.list_open_of_events(connection, organization_id, sequences)
    changes = CaseTransaction(connection, organization_id, ledger, decision.at, decision.author)
    settled = [item for item in items if item.kind in SETTLED_BY_ACKNOWLEDGEMENT]
    await changes.settle(settled, CaseItemStatus.SETTLED, decision.author.actor)
    await changes.finish()
    await record_events(connection, organization_id, changes.events, changes.at)
