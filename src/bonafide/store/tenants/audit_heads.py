"""The head of an organization's audit log: one row that serializes the changes of its records.

It gives the changes of an organization one order, the order of their commits, and holds the length and last hash of the audit log.
Hold it for a short transaction only: other writers of the organization wait.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.dialect import insert
from bonafide.store.database.rows import from_row, to_columns, to_value
from bonafide.store.database.tables import ledgers

GENESIS = "0" * 64
"""The hash before the first entry of an audit log."""
MIN_INTERVAL = timedelta(milliseconds=1)
"""The least that two changes lie apart: instants go out with milliseconds."""
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_ROW = select(ledgers.c.changed_at, ledgers.c.entries, ledgers.c.head).where(
    ledgers.c.organization_id == bindparam("organization_id")
)
_HELD_ROW = _ROW.with_for_update()
_SAVED = update(ledgers).where(ledgers.c.organization_id == bindparam("of"))


@dataclass(frozen=True, slots=True)
class AuditLogState:
    """When the organization's records last changed, how many entries its audit log has, and the hash of the last one."""

    changed_at: datetime
    entries: int
    head: str

    def next_instant(self, now: datetime) -> datetime:
        """The instant of the next change: now in whole milliseconds, or the first after the last change if that isn't earlier.

        Clocks are set back, and differ from machine to machine; the order of changes must not.
        """
        return max(now.replace(microsecond=now.microsecond // 1000 * 1000), self.changed_at + MIN_INTERVAL)


async def lock(connection: AsyncConnection, organization_id: UUID) -> AuditLogState:
    """The head, locked until the transaction ends; created when the organization has none."""
    key = {"organization_id": organization_id}
    row = (await connection.execute(_HELD_ROW, key)).one_or_none()
    if row is None:
        first = insert(connection, ledgers).values(organization_id=organization_id, changed_at=_BEGINNING, entries=0, head=GENESIS)
        await connection.execute(first.on_conflict_do_nothing())
        row = (await connection.execute(_HELD_ROW, key)).one()
    return to_value(AuditLogState, row)


async def get(connection: AsyncConnection, organization_id: UUID) -> AuditLogState | None:
    """The head, without locking it; None when nothing was ever changed."""
    return from_row(AuditLogState, (await connection.execute(_ROW, {"organization_id": organization_id})).one_or_none())


async def save(connection: AsyncConnection, organization_id: UUID, ledger: AuditLogState) -> None:
    """Write back the head that is locked."""
    await connection.execute(_SAVED, {"of": organization_id, **to_columns(ledger)})
