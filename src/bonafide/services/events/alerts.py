"""Acknowledge alerts in a transaction of the caller.

`services/cases/acknowledgement` acknowledges alerts for a person, and settles the items of cases that they opened.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.model.events.event import Event
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.store.database.engine import Connection
from bonafide.store.records import events
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditChange, AuditLogState

ACKNOWLEDGED = "alert.acknowledged"
"""The field of an audit entry. Its new value has the event and the note."""


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
