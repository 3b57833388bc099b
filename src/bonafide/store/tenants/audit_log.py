"""The audit log: who changed which field of what, when, from what to what. Rows are added and never deleted.

The hash of an entry covers the entry and the hash before it, so that an entry that was edited, removed or inserted is detected. The
head of an organization's log is one row with its length and last hash, so that a missing end is detected too. Locking it gives the
changes of the organization's records one order, that of their commits. Hold it for a short transaction only: other writers of the
organization wait.

The only change to a row is the erasure of its content. The row keeps its ID and its hash, which the hash of the next entry covers,
and a later entry (`ENTRIES_ERASED`) lists both, so that the chain can still be verified and no row can be erased unnoticed.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any
from uuid import UUID

from sqlalchemy import Insert, Row, bindparam, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.records.business_record import AuditEntry, AuditPage, Author, FieldChange
from bonafide.model.search.result import Pagination
from bonafide.store.database.engine import Connection
from bonafide.store.database.rows import build_insert, count_rows, from_row, select_json_rows, to_columns, to_value
from bonafide.store.database.tables import audit_entries, ledgers

GENESIS = "0" * 64
"""The hash before the first entry of an audit log."""
MIN_INTERVAL = timedelta(milliseconds=1)
"""The minimum distance of two changes: instants have milliseconds on the wire."""
ENTRIES_ERASED = "audit.entries_erased"
"""The field of an entry whose new value lists erased entries: `{"entries": [[<id>, <hash>], …]}`."""
NO_CONTENT = "null"
"""The old and the new value of an erased entry."""
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_HEAD = select(ledgers.c.changed_at, ledgers.c.entries, ledgers.c.head).where(
    ledgers.c.organization_id == bindparam("organization_id")
)
_HELD_HEAD = _HEAD.with_for_update()
_SAVED_HEAD = update(ledgers).where(ledgers.c.organization_id == bindparam("of"))
_CELLS = {column.name: column.type for column in audit_entries.c if column.name in {"id", "field", "old", "new", "hash"}}
"""The values that differ between the entries of one change."""
_encode_json = json.JSONEncoder(ensure_ascii=False).encode
_SHARED = ("organization_id", "subject", "at", "actor", "request_id")


@dataclass(frozen=True, slots=True)
class AuditLogState:
    """The time of the organization's last change, the number of entries of its audit log, and the hash of the last one."""

    changed_at: datetime
    entries: int
    head: str

    def next_instant(self, now: datetime) -> datetime:
        """The instant of the next change: now in whole milliseconds, or the first after the last change if that isn't earlier.

        Clocks are set back and differ between machines; the order of changes must not.
        """
        return max(now.replace(microsecond=now.microsecond // 1000 * 1000), self.changed_at + MIN_INTERVAL)


async def lock_head(connection: AsyncConnection, organization_id: UUID) -> AuditLogState:
    """The head, locked until the transaction ends; created when the organization has none."""
    key = {"organization_id": organization_id}
    row = (await connection.execute(_HELD_HEAD, key)).one_or_none()
    if row is None:
        first = build_insert(connection, ledgers).values(
            organization_id=organization_id, changed_at=_BEGINNING, entries=0, head=GENESIS
        )
        await connection.execute(first.on_conflict_do_nothing())
        row = (await connection.execute(_HELD_HEAD, key)).one()
    return to_value(AuditLogState, row)


async def get_head(connection: AsyncConnection, organization_id: UUID) -> AuditLogState | None:
    """The head, without a lock; None without any change."""
    return from_row(AuditLogState, (await connection.execute(_HEAD, {"organization_id": organization_id})).one_or_none())


async def save_head(connection: AsyncConnection, organization_id: UUID, ledger: AuditLogState) -> None:
    """Store the locked head."""
    await connection.execute(_SAVED_HEAD, {"of": organization_id, **to_columns(ledger)})


@cache
def _build_insert(dialect: str) -> Insert:
    shared = [bindparam(name, type_=audit_entries.c[name].type) for name in _SHARED]
    return insert(audit_entries).from_select([*_SHARED, *_CELLS], select(*shared, *select_json_rows(dialect, "rows", _CELLS)))


@dataclass(frozen=True, slots=True)
class AuditChange:
    """A change: the subject (a record, or the organization for its settings), the time, the author, and the fields."""

    subject: UUID
    at: datetime
    author: Author
    fields: Sequence[FieldChange]


@dataclass(frozen=True, slots=True)
class StoredAuditEntry:
    """One row of the audit log; `old` and `new` are JSON."""

    organization_id: UUID
    id: int
    subject: UUID
    at: datetime
    actor: str
    request_id: str | None
    field: str
    old: str
    new: str
    hash: str
    erased: bool = False

    def hash_after(self, previous: str) -> str:
        """The expected hash of the entry after `previous`."""
        shared = {name: getattr(self, name) for name in _SHARED}
        return _compute_hash(
            previous, _serialize_shared(shared), {"id": self.id, "field": self.field, "old": self.old, "new": self.new}
        )


@dataclass(frozen=True, slots=True)
class ErasableEntry:
    """What stays of an entry whose content is erased."""

    id: int
    at: datetime
    hash: str


async def record_change(
    connection: AsyncConnection, organization_id: UUID, ledger: AuditLogState, change: AuditChange
) -> AuditLogState:
    """Add a change to the audit log and write the head, which the caller has locked; returns the new head."""
    author = change.author
    values = (organization_id, change.subject, change.at, author.actor, author.request_id)
    shared = dict(zip(_SHARED, values, strict=True))
    circumstances, head, rows = _serialize_shared(shared), ledger.head, []
    for number, field in enumerate(change.fields, ledger.entries + 1):
        cells = {"id": number, "field": field.field, "old": _encode_json(field.old), "new": _encode_json(field.new)}
        head = _compute_hash(head, circumstances, cells)
        rows.append({**cells, "hash": head})
    if rows:
        await connection.execute(_build_insert(connection.dialect.name), {**shared, "rows": json.dumps(rows)})
    after = AuditLogState(change.at, ledger.entries + len(rows), head)
    await save_head(connection, organization_id, after)
    return after


def _serialize_shared(shared: Mapping[str, Any]) -> str:
    """The common part of the entries of one change, for their hashes."""
    instant = shared["at"].astimezone(UTC).isoformat(timespec="microseconds")
    return json.dumps([str(shared["organization_id"]), str(shared["subject"]), instant, shared["actor"], shared["request_id"]])


def _compute_hash(previous: str, circumstances: str, cells: Mapping[str, Any]) -> str:
    content = [previous, circumstances, cells["id"], cells["field"], cells["old"], cells["new"]]
    return sha256(json.dumps(content).encode()).hexdigest()


async def list_for_subject(connection: AsyncConnection, organization_id: UUID, subject: UUID, limit: int, offset: int) -> AuditPage:
    """A page of the entries of one subject, oldest first."""
    mine = (audit_entries.c.organization_id == organization_id, audit_entries.c.subject == subject)
    total = await count_rows(connection, audit_entries, *mine)
    page = await connection.execute(select(audit_entries).where(*mine).order_by(audit_entries.c.id).limit(limit).offset(offset))
    entries = tuple(_to_audit_entry(row) for row in page)
    pagination = Pagination(total=total, limit=limit, offset=offset, has_more=offset + len(entries) < total)
    return AuditPage(entries=entries, pagination=pagination)


async def list_latest_by_field(connection: AsyncConnection, organization_id: UUID, subject: UUID) -> list[AuditEntry]:
    """The last change of each field of a subject."""
    mine = (audit_entries.c.organization_id == organization_id, audit_entries.c.subject == subject)
    latest = select(func.max(audit_entries.c.id)).where(*mine).group_by(audit_entries.c.field)
    chosen = select(audit_entries).where(audit_entries.c.organization_id == organization_id, audit_entries.c.id.in_(latest))
    return [_to_audit_entry(row) for row in await connection.execute(chosen)]


async def list_after(connection: AsyncConnection, organization_id: UUID, entry_id: int, limit: int) -> list[StoredAuditEntry]:
    """The entries of an organization after the one of this id, in their order."""
    following = (
        select(audit_entries)
        .where(audit_entries.c.organization_id == organization_id, audit_entries.c.id > entry_id)
        .order_by(audit_entries.c.id)
        .limit(limit)
    )
    return [to_value(StoredAuditEntry, row) for row in await connection.execute(following)]


async def list_erasable(
    connection: AsyncConnection, organization_id: UUID, subjects: Collection[UUID], limit: int
) -> list[ErasableEntry]:
    """The entries of these subjects that are not erased, oldest first. Lists of erased entries are left out."""
    mine = (
        audit_entries.c.organization_id == organization_id,
        audit_entries.c.subject.in_(subjects),
        audit_entries.c.field != ENTRIES_ERASED,
        audit_entries.c.erased.is_(False),
    )
    columns = audit_entries.c.id, audit_entries.c.at, audit_entries.c.hash
    found = select(*columns).where(*mine).order_by(audit_entries.c.id).limit(limit)
    return [to_value(ErasableEntry, row) for row in await connection.execute(found)]


async def erase_entries(connection: AsyncConnection, organization_id: UUID, ids: Collection[int], subject: UUID) -> None:
    """Erase the content of entries, and give them another subject. The caller holds the head, and records `ENTRIES_ERASED`."""
    mine = audit_entries.c.organization_id == organization_id, audit_entries.c.id.in_(ids)
    erased = update(audit_entries).where(*mine)
    await connection.execute(erased.values(subject=subject, old=NO_CONTENT, new=NO_CONTENT, request_id=None, erased=True))


def _to_audit_entry(row: Row[Any]) -> AuditEntry:
    return to_value(AuditEntry, row, old=json.loads(row.old), new=json.loads(row.new))


async def record_field_change(
    connection: Connection, organization_id: UUID, subject: UUID, author: Author, change: FieldChange, now: datetime
) -> None:
    """Add a change to the audit log of the organization. `subject` is what changed: a user, an invitation, a key.

    The audit head is locked from here on, so other writers of the organization wait: call this late in a short transaction.
    """
    ledger = await lock_head(connection, organization_id)
    await record_change(connection, organization_id, ledger, AuditChange(subject, ledger.next_instant(now), author, [change]))
