"""Record changes of members, invitations and keys in the audit log of an organization."""

from datetime import datetime
from uuid import UUID

from bonafide.model.records.business_record import Author, FieldChange
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_heads, audit_log
from bonafide.store.tenants.audit_log import AuditChange


async def record_change(
    connection: Connection, organization_id: UUID, subject: UUID, author: Author, change: FieldChange, now: datetime
) -> None:
    """Add a change to the audit log of the organization. `subject` is what changed: a user, an invitation, a key.

    The ledger is held from here on, so that the organization's other writers wait: let it come late in a short transaction.
    """
    ledger = await audit_heads.lock(connection, organization_id)
    await audit_log.record_change(
        connection, organization_id, ledger, AuditChange(subject, ledger.next_instant(now), author, [change])
    )
