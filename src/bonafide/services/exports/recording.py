"""Record in the audit log who exports which table."""

from datetime import datetime
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.model.base import format_instant
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.exports.table_columns import ExportedTable
from bonafide.services.exports.table_files import ExportedTableFormat
from bonafide.store.tenants import audit_log

EXPORT_FIELD = "export"
"""The field of an audit entry."""


async def record_table_export(
    runtime: Runtime,
    organization_id: UUID,
    table: ExportedTable,
    since: datetime | None,
    table_format: ExportedTableFormat,
    author: Author,
) -> None:
    """Record an export, before its first row is read."""
    exported: dict[str, JsonValue] = {
        "table": table.value,
        "since": format_instant(since) if since is not None else None,
        "format": table_format.value,
    }
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        change = FieldChange(EXPORT_FIELD, None, exported)
        entry = audit_log.AuditChange(uuid4(), ledger.next_instant(runtime.clock()), author, [change])
        await audit_log.record_change(connection, organization_id, ledger, entry)
