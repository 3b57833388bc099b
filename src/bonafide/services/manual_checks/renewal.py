"""Open a new manual check for each monitored record whose result has become too old.

The new check and the mark that the old one was renewed are written in one transaction, so that a process that is killed, or two
workers at once, neither lose a check nor open it twice.
"""

from dataclasses import replace
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.model.events.event import EventBusiness, NewEvent
from bonafide.model.manual_checks.manual_check import ManualCheckOrigin
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.manual_checks.check_rows import parse_content
from bonafide.services.manual_checks.opening import BY_MANUAL_CHECKS, NeededCheck, open_check, read_due_period
from bonafide.services.records.business_records import load_record
from bonafide.store.cases import manual_checks
from bonafide.store.cases.manual_checks import DueRenewal, StoredManualCheck
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log

RENEWAL_LIMIT = 100
"""Results of one run; the next run renews the rest."""


async def renew_results(runtime: Runtime) -> int:
    """Open the checks that renew results of all organizations; returns how many were opened."""
    now, opened = runtime.clock(), 0
    if not await manual_checks.is_any_renewal_due(runtime.store, now):
        return 0
    async with runtime.store.read() as connection:
        due = await manual_checks.list_due_renewals(connection, now, RENEWAL_LIMIT)
    for one in due:
        opened += await _renew(runtime, one)
    return opened


async def _renew(runtime: Runtime, due: DueRenewal) -> bool:
    """Renew one result; False if another worker has, or if nobody needs it."""
    organization_id = due.organization_id
    is_enabled, due_after = await read_due_period(runtime, organization_id)
    async with runtime.store.write() as connection:
        await audit_log.lock_head(connection, organization_id)
        row = await manual_checks.get(connection, organization_id, due.id)
        now = runtime.clock()
        if row is None or row.renew_at is None or row.renew_at > now:
            return False
        await manual_checks.replace(connection, organization_id, replace(row, renew_at=None))
        record = await _find_monitored_record(connection, organization_id, row)
        if not is_enabled or record is None or await _has_newer_result(connection, organization_id, row):
            return False
        needed = _build_needed(runtime, row, record)
        if needed is None:
            return False
        opened = await open_check(connection, organization_id, needed, due_after, now, BY_MANUAL_CHECKS)
        events: list[NewEvent] = [opened.event] if opened.event is not None else []
        await record_events(connection, organization_id, events, opened.row.opened_at)
    return opened.event is not None


async def _find_monitored_record(connection: Connection, organization_id: UUID, row: StoredManualCheck) -> BusinessRecord | None:
    if row.business_id is None:
        return None
    try:
        record = await load_record(connection, organization_id, row.business_id, None)
    except NotFound:
        return None
    return record if record.is_monitored and not record.is_archived else None


async def _has_newer_result(connection: Connection, organization_id: UUID, row: StoredManualCheck) -> bool:
    assert row.business_id is not None  # noqa: S101 - the caller has found its record
    assert row.seen_at is not None  # noqa: S101 - only a check with a result is renewed
    newest = await manual_checks.list_newest_of_record(connection, organization_id, row.business_id, row.seen_at)
    return row.source in newest and newest[row.source].id != row.id


def _build_needed(runtime: Runtime, row: StoredManualCheck, record: BusinessRecord) -> NeededCheck | None:
    """The check that renews the result; None if the source no longer exists."""
    source, content = runtime.sources.get(row.source), parse_content(row)
    if source is None:
        return None
    is_same_register = record.jurisdiction is row.jurisdiction
    return NeededCheck(
        source=source,
        jurisdiction=row.jurisdiction,
        origin=ManualCheckOrigin.RENEWAL,
        opened_by=BY_MANUAL_CHECKS.actor,
        business=EventBusiness.from_record(record),
        name=record.name if record.name is not None else content.name,
        registration_number=(
            record.registration_number
            if is_same_register and record.registration_number is not None
            else content.registration_number
        ),
    )
