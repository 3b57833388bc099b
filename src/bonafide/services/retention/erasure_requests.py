"""Erase a business or a check on request.

The request itself deletes the record, or the check, in one transaction with the audit entry and the job that erases what else
there is (`erasing`). From then on its ID is unknown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from uuid import UUID, uuid4

from sqlalchemy import Table

from bonafide.errors import Conflict, NotFound
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.accounts.retention import ErasureAccepted, ErasureRequest
from bonafide.model.records.business_record import Author, BusinessRecord, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import parse_settings
from bonafide.services.records.business_records import load_record
from bonafide.services.retention.erased_rows import erase_reports, erase_rows, remove_covering_packs
from bonafide.services.retention.erasure_jobs import enqueue_erasure
from bonafide.services.retention.file_removal import remove_rows_with_files
from bonafide.services.retention.stored_files import list_files
from bonafide.store.database.engine import Connection
from bonafide.store.database.schema.case_tables import cases
from bonafide.store.database.schema.pack_tables import packs
from bonafide.store.database.tables import businesses, extracts, metadata, screenings, searches, verifications
from bonafide.store.retention import erasures, file_deletions, legal_holds, removal
from bonafide.store.retention.erasures import Erasure
from bonafide.store.retention.removal import ROWS_OF_A_BUSINESS
from bonafide.store.tenants import audit_log, organizations
from bonafide.store.tenants.audit_log import AuditChange, AuditLogState
from bonafide.store.work.pending_key import complete_key

REQUESTED = "erasure.requested"
"""The field of the audit entry of a request. Its new value has the reason."""
HOLD = Message("A legal hold is in place: nothing may be erased until it is lifted in the settings.")
RECORD_HOLD = Message("A legal hold is in place on this business: nothing of it may be erased until it is lifted.")
UNKNOWN_CHECK = Message("There is nothing with this ID to erase.")


class ErasableCheck(StrEnum):
    """What can be erased without a business record."""

    SEARCH = "search"
    VERIFICATION = "verification"
    SCREENING = "screening"
    REPORT = "report"
    CASE = "case"

    @property
    def table(self) -> Table:
        """The table of its rows."""
        return _TABLES[self]


_TABLES = MappingProxyType({
    ErasableCheck.SEARCH: searches,
    ErasableCheck.VERIFICATION: verifications,
    ErasableCheck.SCREENING: screenings,
    ErasableCheck.REPORT: extracts,
    ErasableCheck.CASE: cases,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _StartedErasure:
    """An erasure whose transaction holds the audit head."""

    id: UUID
    at: datetime
    """In the order of the organization's changes, so that it may be later than now."""
    ledger: AuditLogState
    now: datetime


async def erase_business(
    runtime: Runtime, organization_id: UUID, business_id: UUID, request: ErasureRequest, author: Author
) -> ErasureAccepted:
    """Delete a business record, and erase everything about it.

    Raises `NotFound`, and `Conflict` during a legal hold on the organization or the record.
    """
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        record = await load_record(connection, organization_id, business_id, None)
        await _check_hold(connection, organization_id, business_id)
        erasure = await _begin(runtime, connection, organization_id, ledger, author)
        for table in ROWS_OF_A_BUSINESS:
            condition = removal.has_business(organization_id, table, business_id)
            await remove_covering_packs(connection, organization_id, table, condition, erasure.now)
        deleted = await removal.remove_business(connection, organization_id, business_id)
        deleted[extracts.name] = await _remove_reports(connection, organization_id, record, erasure.now)
        subjects = {business_id, *(one for ids in deleted.values() for one in ids)}
        await erasures.add_subjects(connection, organization_id, erasure.id, subjects)
        files = list_files(businesses, [business_id])
        for name, ids in deleted.items():
            files += list_files(metadata.tables[name], ids)
        await file_deletions.add(connection, organization_id, files, erasure.now)
        return await _accept(connection, organization_id, erasure, request, author)


async def erase_check(
    runtime: Runtime, organization_id: UUID, check: tuple[ErasableCheck, UUID], request: ErasureRequest, author: Author
) -> ErasureAccepted:
    """Delete a search, verification, screening, report or case, and erase what was recorded about it.

    The packs of its business are deleted with it. Raises `NotFound`, and `Conflict` during a legal hold on the organization or on
    the record of the check.
    """
    kind, check_id = check
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        found = await removal.find_check(connection, organization_id, kind.table, check_id)
        if found is None:
            raise NotFound(UNKNOWN_CHECK)
        if found.business_id is not None:
            await _check_hold(connection, organization_id, found.business_id)
        erasure = await _begin(runtime, connection, organization_id, ledger, author, found.business_id)
        if await erase_rows(connection, organization_id, erasure.id, kind.table, [check_id], erasure.now) == 0:
            raise NotFound(UNKNOWN_CHECK)
        if found.business_id is not None:
            packed = await removal.list_packs_of_business(connection, organization_id, found.business_id)
            await remove_rows_with_files(connection, organization_id, packs, packed, erasure.now)
        return await _accept(connection, organization_id, erasure, request, author)


async def read_erasure(runtime: Runtime, organization_id: UUID, erasure_id: UUID) -> Erasure:
    """An erasure, which does not have what is erased. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        erasure = await erasures.get(connection, organization_id, erasure_id)
    if erasure is None:
        raise NotFound(Message("We couldn’t find that erasure."))
    return erasure


async def _check_hold(connection: Connection, organization_id: UUID, business_id: UUID) -> None:
    """Raise `Conflict` if a record is held."""
    if await legal_holds.get(connection, organization_id, business_id) is not None:
        raise Conflict(RECORD_HOLD)


async def _begin(
    runtime: Runtime,
    connection: Connection,
    organization_id: UUID,
    ledger: AuditLogState,
    author: Author,
    business_id: UUID | None = None,
) -> _StartedErasure:
    """Store a new erasure; of a check, with its record. Raises `Conflict` during a legal hold on the organization."""
    if parse_settings(await organizations.get_settings(connection, organization_id)).legal_hold:
        raise Conflict(HOLD)
    now = runtime.clock()
    erasure = _StartedErasure(uuid4(), ledger.next_instant(now), ledger, now)
    await erasures.add(connection, organization_id, Erasure(erasure.id, erasure.at, author.actor, business_id=business_id))
    return erasure


async def _accept(
    connection: Connection, organization_id: UUID, erasure: _StartedErasure, request: ErasureRequest, author: Author
) -> ErasureAccepted:
    """Record the request in the audit log, and enqueue the job."""
    requested = FieldChange(REQUESTED, None, {"reason": request.reason})
    change = AuditChange(erasure.id, erasure.at, author, [requested])
    await audit_log.record_change(connection, organization_id, erasure.ledger, change)
    await enqueue_erasure(connection, organization_id, erasure.id, erasure.now)
    accepted = ErasureAccepted(erasure_id=erasure.id, requested_at=erasure.at)
    await complete_key(connection, accepted)
    return accepted


async def _remove_reports(connection: Connection, organization_id: UUID, record: BusinessRecord, now: datetime) -> Sequence[UUID]:
    """Delete what registers published of the record's registration. No other record can have this number."""
    number = record.registration_number
    keys = build_number_keys(number) if number is not None else frozenset()
    if record.jurisdiction is None or not keys:
        return []
    return await erase_reports(connection, organization_id, record.jurisdiction, min(keys), now)
