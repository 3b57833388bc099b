"""Delete what is older than the retention policies of the organizations, a batch of each organization after another.

A batch is one transaction: it deletes rows, records their files for deletion, and adds an audit entry with its counts. It is
rolled back if the policy or a legal hold has changed since the rows were chosen. Files are deleted afterwards, so that no row
refers to a missing file.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.organizations import Organization
from bonafide.model.accounts.retention import RetentionKind
from bonafide.model.base import format_instant
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import list_organizations, parse_settings, read_settings
from bonafide.services.retention.audit_erasure import erase_audit_entries
from bonafide.services.retention.file_removal import remove_files, remove_rows_with_files
from bonafide.store.database.engine import Connection
from bonafide.store.database.schema.case_tables import cases
from bonafide.store.retention import expiring_rows, legal_holds
from bonafide.store.retention.expiring_rows import EXPIRING_ROWS, ExpiringRows, RowPosition
from bonafide.store.tenants import audit_log, organizations
from bonafide.store.tenants.audit_log import AuditChange

BY_RETENTION = Author("system:retention")
"""The author of what a retention policy deletes."""
DELETED = "retention.deleted"
"""The field of an audit entry of a batch. Its new value has the kind, the number of rows, and until when they were made."""
ROWS_AT_ONCE = 200
PAGES_AT_ONCE = 256
"""Pages of a SQLite file that are given back at once: 1 MB."""
CASES_AT_ONCE = 20
"""A case has many rows and audit entries."""
_log = get_logger(__name__)


@dataclass(slots=True)
class OrganizationRetention:
    """What a policy has deleted of an organization, or would delete."""

    organization: Organization
    has_legal_hold: bool
    rows: dict[RetentionKind, int] = field(default_factory=dict)
    """The number of rows by kind, of kinds that have a limit."""
    held: dict[RetentionKind, int] = field(default_factory=dict)
    """The number of rows that are old enough, and kept because their business record is held."""


@dataclass(slots=True)
class _Turn:
    """The rows of one table of an organization that are yet to be deleted."""

    retention: OrganizationRetention
    rows: ExpiringRows
    before: datetime
    position: RowPosition | None = None


class _PolicyChanged(Exception):
    """The policy or a legal hold has changed since the rows were chosen."""


async def preview_retention(runtime: Runtime, chosen: Sequence[Organization] | None = None) -> list[OrganizationRetention]:
    """Count what would be deleted now of the given organizations, or of all. Nothing is changed."""
    found: list[OrganizationRetention] = []
    for turn in await _plan_turns(runtime, chosen, found):
        async with runtime.store.read(at_length=True) as connection:
            counted = await expiring_rows.count_expired(connection, turn.rows, turn.retention.organization.id, turn.before)
        turn.retention.rows[turn.rows.kind] = turn.retention.rows.get(turn.rows.kind, 0) + counted
        await _count_held(runtime, turn)
    return found


async def run_retention(runtime: Runtime, chosen: Sequence[Organization] | None = None) -> list[OrganizationRetention]:
    """Delete what is due of the given organizations, or of all, and the files. Raises `ServerBusy`."""
    found: list[OrganizationRetention] = []
    planned = await _plan_turns(runtime, chosen, found)
    for turn in planned:
        await _count_held(runtime, turn)
    turns = deque(planned)
    while turns:
        turn = turns.popleft()
        if await _delete_batch(runtime, turn):
            turns.append(turn)
    await remove_files(runtime)
    if any(sum(one.rows.values()) for one in found):
        await free_space(runtime)
    return found


async def free_space(runtime: Runtime) -> None:
    """Give the space of deleted rows back to the file system, a few pages at a time. Raises `ServerBusy`."""
    while await runtime.store.free_pages(PAGES_AT_ONCE) == PAGES_AT_ONCE:
        pass


async def delete_expired(runtime: Runtime) -> int:
    """Delete what is due of all organizations; returns the number of rows."""
    return sum(sum(one.rows.values()) for one in await run_retention(runtime))


async def _plan_turns(runtime: Runtime, chosen: Sequence[Organization] | None, found: list[OrganizationRetention]) -> list[_Turn]:
    """The tables to delete from, one of each organization after another; `found` receives the organizations with a policy."""
    now, planned = runtime.clock(), list[list[_Turn]]()
    for organization in chosen if chosen is not None else await list_organizations(runtime):
        settings = await read_settings(runtime, organization.id)
        limited = dict(settings.retention.list_limited())
        if not limited:
            continue
        retention = OrganizationRetention(organization, settings.legal_hold, dict.fromkeys(limited, 0))
        found.append(retention)
        if settings.legal_hold:
            continue
        own = [_Turn(retention, rows, now - timedelta(days=days)) for kind, days in limited.items() for rows in EXPIRING_ROWS[kind]]
        planned.append(own)
    longest = max(map(len, planned), default=0)
    return [own[place] for place in range(longest) for own in planned if place < len(own)]


async def _count_held(runtime: Runtime, turn: _Turn) -> None:
    """Count the rows of a turn that are kept because their business record is held."""
    organization_id = turn.retention.organization.id
    async with runtime.store.read(at_length=True) as connection:
        if await legal_holds.is_any_held(connection, organization_id):
            counted = await expiring_rows.count_held(connection, turn.rows, organization_id, turn.before)
            turn.retention.held[turn.rows.kind] = turn.retention.held.get(turn.rows.kind, 0) + counted


async def _delete_batch(runtime: Runtime, turn: _Turn) -> bool:
    """Delete the next rows of a turn; returns whether there may be more."""
    organization_id, table = turn.retention.organization.id, turn.rows.table
    limit = CASES_AT_ONCE if table is cases else ROWS_AT_ONCE
    async with runtime.store.read() as connection:
        due = await expiring_rows.list_expired(connection, turn.rows, organization_id, turn.before, turn.position, limit)
    if not due:
        return False
    try:
        async with runtime.store.write() as connection:
            removed = await _delete_rows(runtime, connection, turn, [one.key for one in due])
    except _PolicyChanged:
        _log.info("retention.policy_changed", organization_id=str(organization_id), kind=turn.rows.kind.value)
        return False
    turn.position = due[-1]
    turn.retention.rows[turn.rows.kind] += removed
    runtime.metrics.count_deleted(turn.rows.kind.value, removed)
    return len(due) == limit


async def _delete_rows(runtime: Runtime, connection: Connection, turn: _Turn, keys: Sequence[UUID | int]) -> int:
    organization_id, table, now = turn.retention.organization.id, turn.rows.table, runtime.clock()
    if table is cases:
        # A case may be changed only by the holder of the audit head.
        await audit_log.lock_head(connection, organization_id)
    held = await legal_holds.list_held(connection, organization_id)
    keys = await expiring_rows.list_deletable(connection, turn.rows, organization_id, turn.before, keys)
    removed, _ = await remove_rows_with_files(connection, organization_id, table, keys, now)
    if removed == 0:
        return 0  # another worker has deleted them
    ledger = await audit_log.lock_head(connection, organization_id)
    _check_policy(parse_settings(await organizations.get_settings(connection, organization_id)), turn, now)
    if await legal_holds.list_held(connection, organization_id) - held:
        raise _PolicyChanged
    if table is cases:
        # The entries need another subject than the cases: a new ID, which refers to nothing.
        ids = [key for key in keys if isinstance(key, UUID)]
        erasure, is_done = (uuid4(), now, BY_RETENTION), False
        while not is_done:
            ledger, erased = await erase_audit_entries(connection, organization_id, ledger, ids, erasure)
            is_done = not erased
    described: dict[str, JsonValue] = {"kind": turn.rows.kind.value, "rows": removed, "before": format_instant(turn.before)}
    change = AuditChange(organization_id, ledger.next_instant(now), BY_RETENTION, [FieldChange(DELETED, None, described)])
    await audit_log.record_change(connection, organization_id, ledger, change)
    return removed


def _check_policy(settings: AccountSettings, turn: _Turn, now: datetime) -> None:
    """Raise `_PolicyChanged` unless the rows may still be deleted."""
    days = settings.retention.get_days(turn.rows.kind)
    if settings.legal_hold or days is None or now - timedelta(days=days) < turn.before:
        raise _PolicyChanged
