"""Start batches one after the other, complete and fail them, and delete their files some time after they have ended.

Whoever starts or ends a batch holds the audit head of its organization, so that an organization has one running batch.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from bonafide.i18n.catalog import translate
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.base import StoredDocument
from bonafide.model.batches.batch import BatchContent, BatchStatus
from bonafide.model.events.event import EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import BatchCompletedData, BatchFailedData
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.batches.partition_files import build_batch_folder
from bonafide.services.events.recording import record_events
from bonafide.services.jobs.queue import JobContext
from bonafide.store.batches import batches, partitions
from bonafide.store.batches.batches import BatchEnd, StoredBatch
from bonafide.store.database.engine import Connection
from bonafide.store.retention import file_deletions
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditChange
from bonafide.store.work import jobs
from bonafide.store.work.jobs import Job

DIVIDE_JOB, PARTITION_JOB, FINISH_JOB = "batch-divide", "batch-partition", "batch-finish"
BATCH_JOBS = frozenset({DIVIDE_JOB, PARTITION_JOB, FINISH_JOB})
MAX_ATTEMPTS = 20
"""Attempts of a job whose worker is killed. Each partition has a job of its own."""
BY_BATCH = Author("system:batch")
BATCHES_AT_ONCE = 10
"""Batches whose partitions, up to ten thousand of each, are deleted in one transaction."""
DIVIDED_AT_ONCE = 2
"""Batches of an organization whose files are read at once, so that their jobs leave others a worker."""
HOLD_CHECK = timedelta(days=1)
"""How long the files of an organization with a legal hold are kept until the hold is looked at again."""
INTERRUPTED = Message("The work was interrupted too often. Request a new batch.")
FAILED = Message("An unexpected error occurred. Request a new batch.")
_STATUS_FIELD = "batch.status"
"""The field of an audit entry."""
_log = get_logger(__name__)


def read_content(row: StoredBatch) -> BatchContent:
    """What is stored of a batch besides its columns."""
    return StoredDocument.from_text(row.document).parse(BatchContent)


def compute_purge_time(runtime: Runtime, ended_at: datetime) -> datetime:
    """When the files of a batch that ends now are deleted."""
    return ended_at + timedelta(days=runtime.settings.batch_keep_days)


async def start_next(runtime: Runtime, connection: Connection, organization_id: UUID, world: World) -> None:
    """Start the oldest waiting batch of the organization, unless one is running, and divide the oldest ones that are not divided.

    The caller holds the audit head.
    """
    context = JobContext.current(world).to_json()
    for batch_id in await batches.list_undivided(connection, organization_id, DIVIDED_AT_ONCE):
        # Without an effect if it has this job already.
        job = jobs.NewJob(DIVIDE_JOB, str(batch_id), context, runtime.clock(), MAX_ATTEMPTS)
        await jobs.enqueue(connection, organization_id, job)
    row = await batches.find_next(connection, organization_id)
    if row is None:
        return
    first = await partitions.list_pending(connection, organization_id, row.id, runtime.settings.batch_parallelism)
    epoch = await batches.start(connection, organization_id, row.id, first[-1] if first else None, runtime.clock())
    for number in first:
        await enqueue_partition(runtime, connection, organization_id, world, (row.id, epoch, number))


async def enqueue_partition(
    runtime: Runtime, connection: Connection, organization_id: UUID, world: World, partition: tuple[UUID, int, int]
) -> None:
    """Enqueue the job of a partition, given the batch, its epoch and the number of the partition."""
    key = "/".join(map(str, partition))
    context = JobContext.current(world).to_json()
    await jobs.enqueue(connection, organization_id, jobs.NewJob(PARTITION_JOB, key, context, runtime.clock(), MAX_ATTEMPTS))


def build_status_change(row: StoredBatch, status: BatchStatus, at: datetime, author: Author) -> AuditChange:
    """The audit entry of a change of the status of a batch."""
    return AuditChange(row.id, at, author, [FieldChange(_STATUS_FIELD, row.status.value, status.value)])


async def finish_batch(runtime: Runtime, organization_id: UUID, batch_id: UUID, world: World) -> None:
    """Complete a batch whose partitions are all done, with an audit entry and an event, unless it has ended."""
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        row = await batches.lock(connection, organization_id, batch_id)
        if row is None or row.status not in batches.UNFINISHED or row.partitions_done != row.partitions:
            return
        at = ledger.next_instant(runtime.clock())
        ended = BatchEnd(BatchStatus.COMPLETED, at, compute_purge_time(runtime, at))
        await batches.end(connection, organization_id, batch_id, ended)
        change = build_status_change(row, ended.status, at, BY_BATCH)
        await audit_log.record_change(connection, organization_id, ledger, change)
        data = BatchCompletedData(batch_id=row.id, batch_kind=row.kind, rows=row.done, failed=row.failed)
        await record_events(connection, organization_id, [_build_event(EventType.BATCH_COMPLETED, row, data)], at)
        await start_next(runtime, connection, organization_id, world)
    _log.info("batch.completed", batch=str(batch_id), rows=row.done, failed=row.failed)


async def fail_batch(runtime: Runtime, organization_id: UUID, batch_id: UUID, world: World, problem: Message) -> None:
    """Fail a batch, with an audit entry and an event, unless it has ended."""
    async with runtime.store.write() as connection:
        await _fail(runtime, connection, organization_id, batch_id, world, problem)


async def fail_interrupted(runtime: Runtime, connection: Connection, dead: Iterable[Job]) -> None:
    """Fail the batches whose jobs have become dead letters, in the transaction that makes them."""
    # In the order of their organizations, so that two workers do not deadlock.
    for job in sorted(dead, key=lambda job: job.organization_id):
        if job.kind in BATCH_JOBS:
            world = JobContext.parse(job.payload).require_world()
            batch_id = UUID(job.key.partition("/")[0])
            await _fail(runtime, connection, job.organization_id, batch_id, world, INTERRUPTED)


async def _fail(
    runtime: Runtime, connection: Connection, organization_id: UUID, batch_id: UUID, world: World, problem: Message
) -> None:
    ledger = await audit_log.lock_head(connection, organization_id)
    row = await batches.lock(connection, organization_id, batch_id)
    if row is None or row.status not in batches.UNFINISHED:
        return
    at = ledger.next_instant(runtime.clock())
    ended = BatchEnd(BatchStatus.FAILED, at, compute_purge_time(runtime, at), problem)
    await batches.end(connection, organization_id, batch_id, ended)
    change = build_status_change(row, ended.status, at, BY_BATCH)
    await audit_log.record_change(connection, organization_id, ledger, change)
    written = translate(problem, read_content(row).language)
    data = BatchFailedData(batch_id=row.id, batch_kind=row.kind, done=row.done, problem=written)
    await record_events(connection, organization_id, [_build_event(EventType.BATCH_FAILED, row, data)], at)
    await start_next(runtime, connection, organization_id, world)


def _build_event(kind: EventType, row: StoredBatch, data: BatchCompletedData | BatchFailedData) -> NewEvent:
    subject = EventSubject(kind=EventSubjectKind.BATCH, id=row.id, name=read_content(row).file_name)
    return NewEvent(kind, subject, data, resource=f"/v1/batches/{row.id}")


async def expire_batches(runtime: Runtime) -> int:
    """Delete the files of the batches whose time is over; returns how many. A legal hold postpones it."""
    count = 0
    while await batches.is_any_purge_due(runtime.store, runtime.clock()):
        async with runtime.store.read() as connection:
            due = await batches.list_purge_due(connection, runtime.clock(), BATCHES_AT_ONCE)
        held = {one.organization_id for one in due if (await read_settings(runtime, one.organization_id)).legal_hold}
        async with runtime.store.write() as connection:
            for one in due:
                if one.organization_id in held:
                    await batches.set_purge(connection, one.organization_id, one.id, runtime.clock() + HOLD_CHECK)
                elif await batches.set_purge(connection, one.organization_id, one.id, None):
                    count += 1
                    await partitions.delete_all(connection, one.organization_id, one.id)
                    folder = build_batch_folder(one.id)
                    await file_deletions.add(connection, one.organization_id, [folder], runtime.clock())
    return count
