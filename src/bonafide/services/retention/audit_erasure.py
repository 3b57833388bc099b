"""Erase the content of entries of the audit log, in a transaction that holds the audit head.

The log then lists the erased entries with their hashes, so that the chain can still be verified (`services/records/audit_check`).
"""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from bonafide.model.records.business_record import Author, FieldChange
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import ENTRIES_ERASED, AuditChange, AuditLogState

ENTRIES_AT_ONCE = 200
"""The most entries that one entry lists."""


async def erase_audit_entries(
    connection: Connection,
    organization_id: UUID,
    ledger: AuditLogState,
    subjects: Collection[UUID],
    erasure: tuple[UUID, datetime, Author],
) -> tuple[AuditLogState, list[datetime]]:
    """Erase up to `ENTRIES_AT_ONCE` entries about these subjects; returns the new head and the times of the erased entries.

    `erasure` is the ID that becomes the subject of the erased entries, the time and the author.
    """
    erasure_id, now, author = erasure
    found = await audit_log.list_erasable(connection, organization_id, subjects, ENTRIES_AT_ONCE)
    if not found:
        return ledger, []
    await audit_log.erase_entries(connection, organization_id, [entry.id for entry in found], erasure_id)
    listed = FieldChange(ENTRIES_ERASED, None, {"entries": [[entry.id, entry.hash] for entry in found]})
    change = AuditChange(erasure_id, ledger.next_instant(now), author, [listed])
    return await audit_log.record_change(connection, organization_id, ledger, change), [entry.at for entry in found]
