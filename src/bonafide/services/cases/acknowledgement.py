"""Acknowledge alerts: a person has looked at what an event reports. The items of cases that the alerts opened are settled.

Every acknowledgement is recorded in the audit log of the business record. Of two people who acknowledge an alert at once, the
second one gets an error that names the first.
"""

from collections.abc import Collection, Sequence
from uuid import UUID

from bonafide.errors import Conflict, NotFound
from bonafide.i18n.message import Message
from bonafide.model.base import format_instant
from bonafide.model.cases.case import CaseItemStatus
from bonafide.model.events.alerts import AlertAcknowledgement
from bonafide.model.events.event import Event
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.cases.case_changes import CaseTransaction
from bonafide.services.cases.causes import SETTLED_BY_ACKNOWLEDGEMENT
from bonafide.services.events.alerts import AlertDecision, acknowledge_events
from bonafide.services.events.feed import UNKNOWN_EVENT, to_event
from bonafide.services.events.recording import record_events
from bonafide.store.cases import case_parts
from bonafide.store.database.engine import Connection
from bonafide.store.records import events
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditLogState
from bonafide.store.work.pending_key import complete_key


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
        done = AlertAcknowledgement(event_id=event_id, acknowledged_at=at, acknowledged_by=author.actor, note=note)
        await complete_key(connection, done)
        await _acknowledge(connection, organization_id, ledger, [to_event(row)], AlertDecision(author, at, note))
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
            chosen = [to_event(row) for row in rows]
            await _acknowledge(connection, organization_id, ledger, chosen, AlertDecision(author, at, note))
    return len(rows)


async def _acknowledge(
    connection: Connection, organization_id: UUID, ledger: AuditLogState, chosen: Sequence[Event], decision: AlertDecision
) -> None:
    ledger = await acknowledge_events(connection, organization_id, ledger, chosen, decision)
    items = await case_parts.list_open_of_events(connection, organization_id, [event.sequence for event in chosen])
    changes = CaseTransaction(connection, organization_id, ledger, decision.at, decision.author)
    settled = [item for item in items if item.kind in SETTLED_BY_ACKNOWLEDGEMENT]
    await changes.settle(settled, CaseItemStatus.SETTLED, decision.author.actor)
    await changes.finish()
    await record_events(connection, organization_id, changes.events, changes.at)
