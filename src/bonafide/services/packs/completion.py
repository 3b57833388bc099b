"""The end of an examiner's pack: it is ready, it has failed, or its files are deleted."""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from pydantic import JsonValue

from bonafide.i18n.message import Message
from bonafide.model.events.event import EventBusiness, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import PackReadyData
from bonafide.model.packs.pack import PackContent, StoredPackFile
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.events.recording import record_events
from bonafide.services.packs.pack_files import build_attempt_folder, build_pack_folder
from bonafide.services.packs.requests import PACK_JOB
from bonafide.store.database.engine import Connection
from bonafide.store.packs import packs
from bonafide.store.packs.packs import FinishedPack, StoredPack
from bonafide.store.records import businesses
from bonafide.store.retention import file_deletions
from bonafide.store.tenants import audit_log
from bonafide.store.work.jobs import Job

COMPLETED = "pack.completed"
"""The field of an audit entry. Its new value has the ID of the pack and the digests of its files."""
BY_PACK = Author("system:pack")
PACKS_AT_ONCE = 100
HOLD_CHECK = timedelta(days=1)
"""How long a pack of an organization with a legal hold is kept until the hold is looked at again."""
INTERRUPTED = Message("The work was interrupted too often. Request a new pack.")
_log = get_logger(__name__)


async def complete_pack(runtime: Runtime, organization_id: UUID, row: StoredPack, content: PackContent) -> bool:
    """Offer the files of an attempt, with an audit entry that has their digests, and an event.

    False if another attempt has begun, or the pack was erased: the files are then deleted.
    """
    assert row.build_id is not None  # noqa: S101 - the attempt has begun
    assert content.pdf is not None and content.zip is not None  # noqa: S101, PT018 - both files are stored
    keep = await _compute_keeping_time(runtime, organization_id)
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        at = ledger.next_instant(runtime.clock())
        finished = FinishedPack(at, at + keep, content.to_json())
        if not await packs.finish(connection, organization_id, row.id, row.build_id, finished):
            left = build_attempt_folder(row.id, row.build_id)
            await file_deletions.add(connection, organization_id, [left], runtime.clock())
            return False
        digests: dict[str, JsonValue] = {"id": str(row.id), "pdf": content.pdf.sha256, "zip": content.zip.sha256}
        subject = row.business_id if row.business_id is not None else row.id
        change = audit_log.AuditChange(subject, at, BY_PACK, [FieldChange(COMPLETED, None, digests)])
        await audit_log.record_change(connection, organization_id, ledger, change)
        event = await _build_ready_event(connection, organization_id, row, content.zip)
        await record_events(connection, organization_id, [event], at)
    _log.info("pack.completed", pack=str(row.id), items=content.items, bytes=content.zip.size)
    return True


async def _compute_keeping_time(runtime: Runtime, organization_id: UUID) -> timedelta:
    """How long the files are kept: as the installation says, and no longer than the organization keeps its reports."""
    retention = (await read_settings(runtime, organization_id)).retention
    days = [runtime.settings.pack_keep_days, *([retention.reports] if retention.reports is not None else [])]
    return timedelta(days=min(days))


async def _build_ready_event(connection: Connection, organization_id: UUID, row: StoredPack, file: StoredPackFile) -> NewEvent:
    content = PackContent.model_validate_json(row.document)
    business_id, business = row.business_id, None
    if business_id is not None and await businesses.list_known_ids(connection, organization_id, [business_id]):
        business = EventBusiness(id=business_id, external_id=None, name=content.business_name)
    return NewEvent(
        EventType.PACK_READY,
        EventSubject(kind=EventSubjectKind.PACK, id=row.id, name=content.business_name),
        PackReadyData(pack_id=row.id, from_=row.from_at, to=row.to_at, sha256=file.sha256, size=file.size),
        business=business,
        resource=f"/v1/packs/{row.id}",
    )


async def fail_pack(runtime: Runtime, organization_id: UUID, row: StoredPack, problem: Message) -> None:
    """Fail a pack, unless it is finished, and delete its files."""
    async with runtime.store.write() as connection:
        await _fail(runtime, connection, organization_id, row.id, problem)


async def fail_interrupted(runtime: Runtime, connection: Connection, dead: Iterable[Job]) -> None:
    """Fail the packs whose jobs have become dead letters, in the transaction that makes them."""
    for job in dead:
        if job.kind == PACK_JOB:
            await _fail(runtime, connection, job.organization_id, UUID(job.key), INTERRUPTED)


async def _fail(runtime: Runtime, connection: Connection, organization_id: UUID, pack_id: UUID, problem: Message) -> None:
    if await packs.fail(connection, organization_id, pack_id, problem):
        await file_deletions.add(connection, organization_id, [build_pack_folder(pack_id)], runtime.clock())


async def expire_packs(runtime: Runtime) -> int:
    """Withdraw the packs whose time is over, and delete their files; returns how many packs. A legal hold postpones it."""
    count = 0
    while await packs.is_any_purge_due(runtime.store, runtime.clock()):
        async with runtime.store.read() as connection:
            due = await packs.list_due(connection, runtime.clock(), PACKS_AT_ONCE)
        held = {one.organization_id for one in due if (await read_settings(runtime, one.organization_id)).legal_hold}
        async with runtime.store.write() as connection:
            for one in due:
                if one.is_held or one.organization_id in held:
                    await packs.postpone(connection, one.organization_id, one.id, runtime.clock() + HOLD_CHECK)
                elif await packs.expire(connection, one.organization_id, one.id):
                    count += 1
                    await file_deletions.add(connection, one.organization_id, [build_pack_folder(one.id)], runtime.clock())
    return count
