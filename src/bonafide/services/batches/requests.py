"""Request batches, list and read them, pause, resume and cancel them."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.errors import BatchFileInvalid, Conflict, NotFound, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.batches.batch import (
    Batch,
    BatchAction,
    BatchContent,
    BatchFormat,
    BatchKind,
    BatchMapping,
    BatchPage,
    BatchParameters,
    BatchRow,
    BatchStatus,
)
from bonafide.model.records.business_record import Author, Cursor, FeedPagination, FeedPosition, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.batches.column_mapping import resolve_mapping
from bonafide.services.batches.lifecycle import (
    build_status_change,
    compute_purge_time,
    read_content,
    start_next,
)
from bonafide.services.batches.partition_files import PART_BYTES, build_batch_folder
from bonafide.services.batches.row_process import open_sent_rows
from bonafide.services.batches.storage import store_upload
from bonafide.services.packs.requests import NEWEST
from bonafide.services.records.change_feed import decode_cursor, encode_cursor
from bonafide.store.batches import batches, partitions
from bonafide.store.batches.batches import BatchEnd, BatchPosition, StoredBatch
from bonafide.store.database.engine import Connection
from bonafide.store.retention import file_deletions
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

MAX_FILE_NAME_CHARACTERS = 200
MAX_UNFINISHED = 20
"""Batches of one organization that have not ended."""
UPLOAD_TIME = timedelta(days=1)
"""When the file of a request that was interrupted is deleted."""
RATE_PERIOD = timedelta(seconds=60)
UNKNOWN_BATCH = Message("We couldn’t find that batch.")
ENDED = Message("The batch has ended.")
WRITE_SCOPES: Mapping[BatchKind, Scope] = MappingProxyType({
    BatchKind.SEARCH: Scope.SEARCH_WRITE,
    BatchKind.VERIFY: Scope.VERIFY_WRITE,
    BatchKind.SCREEN: Scope.SANCTIONS_WRITE,
})  # fmt: skip
"""The scope to do each kind of batch."""
READ_SCOPES: Mapping[BatchKind, Scope] = MappingProxyType({
    BatchKind.SEARCH: Scope.SEARCH_READ,
    BatchKind.VERIFY: Scope.VERIFY_READ,
    BatchKind.SCREEN: Scope.SANCTIONS_READ,
})  # fmt: skip
"""The scope to read the results of each kind of batch."""
_PAUSABLE = frozenset({BatchStatus.QUEUED, BatchStatus.RUNNING})


@dataclass(frozen=True, slots=True)
class SubmittedBatch:
    """What was sent: a file on the local disk, with its name if it has one, and what is to be done with its rows."""

    path: Path
    file_name: str | None
    kind: BatchKind
    format: BatchFormat
    mapping: BatchMapping
    parameters: BatchParameters


def clean_file_name(name: str) -> str | None:
    """The printable end of the name of a sent file; None if nothing is left of it."""
    return "".join(filter(str.isprintable, name)).strip()[-MAX_FILE_NAME_CHARACTERS:] or None


def write_sent_rows(rows: tuple[BatchRow, ...], path: Path) -> None:
    """Write the rows of a request as JSON lines."""
    dumped = [row.model_dump(by_alias=True, exclude_none=True) for row in rows]
    # The columns of a file are those of its first lines, so these have what any row has.
    names = dict.fromkeys(name for row in dumped for name in row)
    lines = (json.dumps({name: row.get(name) for name in names}, ensure_ascii=False) for row in dumped)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_columns(submitted: SubmittedBatch) -> tuple[str, ...]:
    """The columns of the file. Blocks. Raises `ValidationFailed` for a file that can't be read."""
    try:
        with closing(open_sent_rows(submitted.path, submitted.format, 0)) as file:
            return file.columns
    except BatchFileInvalid as error:
        raise ValidationFailed.of_field("file", error.message) from error


async def create_batch(
    runtime: Runtime, principal: Principal, submitted: SubmittedBatch, language: Language, author: Author
) -> Batch:
    """Store a batch that workers will do, with its job and an audit entry.

    Raises `ScopeMissing` for a kind that the key may not do, `ValidationFailed` for a file that can't be read or lacks a column,
    and `Conflict` while as many batches have not ended as may be.
    """
    principal.check_scope(WRITE_SCOPES[submitted.kind], "kind")
    columns = await asyncio.to_thread(read_columns, submitted)
    mapping = resolve_mapping(submitted.kind, columns, submitted.mapping)
    upload = await store_pending_upload(runtime, principal.organization_id, submitted.path)
    return await begin_batch(runtime, principal, replace(submitted, mapping=mapping), upload, (language, author))


@dataclass(frozen=True, slots=True)
class PendingUpload:
    """A stored file that no batch has yet. It is deleted after a day; the batch that it becomes has its ID."""

    id: UUID
    size: int


async def store_pending_upload(runtime: Runtime, organization_id: UUID, path: Path) -> PendingUpload:
    """Store a file for a batch. Raises `ServerBusy`."""
    batch_id = uuid4()
    async with runtime.store.write(is_effect=False) as connection:
        # If this process dies before the batch is stored, nobody refers to its file.
        folder = build_batch_folder(batch_id)
        await file_deletions.add(connection, organization_id, [folder], runtime.clock() + UPLOAD_TIME)
    return PendingUpload(batch_id, await store_upload(runtime, organization_id, batch_id, path))


async def begin_batch(
    runtime: Runtime,
    principal: Principal,
    submitted: SubmittedBatch,
    upload: PendingUpload,
    requester: tuple[Language, Author],
) -> Batch:
    """Store the batch of a stored file. The caller has read the file and resolved the mapping.

    Raises `Conflict` while as many batches have not ended as may be, and for a file that is a batch already.
    """
    organization_id, (language, author) = principal.organization_id, requester
    content = BatchContent(
        file_name=submitted.file_name,
        mapping=submitted.mapping,
        parameters=submitted.parameters,
        language=language,
        size=upload.size,
        part_size=PART_BYTES,
        request_id=author.request_id,
    )
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        if await batches.get(connection, organization_id, upload.id) is not None:
            raise Conflict(Message("This file has been sent already."))
        if await batches.count_unfinished(connection, organization_id) >= MAX_UNFINISHED:
            raise Conflict(Message("{limit} batches have not ended. Wait until one of them has.", limit=MAX_UNFINISHED))
        at = ledger.next_instant(runtime.clock())
        row = _build_row(upload.id, submitted, content, author, at)
        await batches.add(connection, organization_id, row)
        await file_deletions.forget(connection, organization_id, [build_batch_folder(upload.id)])
        await start_next(runtime, connection, organization_id, principal.world)
        created: dict[str, JsonValue] = {"kind": row.kind.value, "fileName": content.file_name, "size": content.size}
        change = audit_log.AuditChange(row.id, at, author, [FieldChange("batch.created", None, created)])
        await audit_log.record_change(connection, organization_id, ledger, change)
        batch = to_batch(row, 0, runtime)
        await complete_key(connection, batch)
    return batch


def _build_row(batch_id: UUID, submitted: SubmittedBatch, content: BatchContent, author: Author, at: datetime) -> StoredBatch:
    return StoredBatch(
        id=batch_id,
        kind=submitted.kind,
        format=submitted.format,
        status=BatchStatus.QUEUED,
        created_at=at,
        created_by=author.actor,
        epoch=0,
        rows=None,
        partitions=None,
        partitions_done=0,
        last_enqueued=None,
        done=0,
        failed=0,
        started_at=None,
        resumed_at=None,
        finished_at=None,
        purge_at=None,
        problem=None,
        document=content.to_stored().to_text(),
    )


async def list_batches(runtime: Runtime, organization_id: UUID, limit: int, cursor: str | None = None) -> BatchPage:
    """A page of the batches of an organization, newest first. Raises `ValidationFailed` for an invalid cursor."""
    start = decode_cursor(cursor) if cursor is not None else NEWEST
    place = BatchPosition(start.updated_at, start.id)
    async with runtime.store.read() as connection:
        found = await batches.list_older(connection, organization_id, place, limit + 1)
        listed = found[:limit]
        recent = {row.id: await _count_recent(runtime, connection, organization_id, row) for row in listed}
    end = FeedPosition(listed[-1].created_at, listed[-1].id) if listed else start
    return BatchPage(
        batches=tuple(to_batch(row, recent[row.id], runtime) for row in listed),
        cursor=Cursor(next=encode_cursor(end)),
        pagination=FeedPagination(limit=limit, has_more=len(found) > limit),
    )


async def read_batch(runtime: Runtime, organization_id: UUID, batch_id: UUID) -> Batch:
    """A batch. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        row = await load_batch(connection, organization_id, batch_id)
        recent = await _count_recent(runtime, connection, organization_id, row)
    return to_batch(row, recent, runtime)


async def load_batch(connection: Connection, organization_id: UUID, batch_id: UUID) -> StoredBatch:
    """The row of a batch. Raises `NotFound`."""
    row = await batches.get(connection, organization_id, batch_id)
    if row is None:
        raise NotFound(UNKNOWN_BATCH)
    return row


async def change_batch(runtime: Runtime, principal: Principal, batch_id: UUID, action: BatchAction, author: Author) -> Batch:
    """Pause, resume or cancel a batch, with an audit entry. An action without an effect changes nothing.

    Raises `NotFound`, and `Conflict` for a batch that has ended, unless it is to be cancelled.
    """
    organization_id = principal.organization_id
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        row = await batches.lock(connection, organization_id, batch_id)
        if row is None:
            raise NotFound(UNKNOWN_BATCH)
        if row.status not in batches.UNFINISHED:
            if action is not BatchAction.CANCEL:
                raise Conflict(ENDED)
            return to_batch(row, 0, runtime)
        at = ledger.next_instant(runtime.clock())
        if action is BatchAction.CANCEL:
            ended = BatchEnd(BatchStatus.CANCELLED, at, compute_purge_time(runtime, at))
            await batches.end(connection, organization_id, batch_id, ended)
        elif action is BatchAction.PAUSE and row.status in _PAUSABLE:
            await batches.set_status(connection, organization_id, batch_id, BatchStatus.PAUSED)
        elif action is BatchAction.RESUME and row.status is BatchStatus.PAUSED:
            await batches.set_status(connection, organization_id, batch_id, BatchStatus.QUEUED)
        else:
            return to_batch(row, await _count_recent(runtime, connection, organization_id, row), runtime)
        await start_next(runtime, connection, organization_id, principal.world)
        changed = await load_batch(connection, organization_id, batch_id)
        change = build_status_change(row, changed.status, at, author)
        await audit_log.record_change(connection, organization_id, ledger, change)
    return to_batch(changed, 0, runtime)


async def _count_recent(runtime: Runtime, connection: Connection, organization_id: UUID, row: StoredBatch) -> int:
    """The number of rows that were done in the last minute, or since the batch was resumed."""
    if row.status is not BatchStatus.RUNNING or row.resumed_at is None:
        return 0
    since = max(row.resumed_at, runtime.clock() - RATE_PERIOD)
    return await partitions.count_rows_since(connection, organization_id, row.id, since)


def to_batch(row: StoredBatch, recent: int, runtime: Runtime) -> Batch:
    """The document of a row. `recent` is the number of rows that were done in the last minute."""
    content = read_content(row)
    rate = ends_at = None
    if recent > 0 and row.resumed_at is not None and row.rows is not None:
        now = runtime.clock()
        rate = recent / max((now - max(row.resumed_at, now - RATE_PERIOD)).total_seconds(), 0.001)
        ends_at = now + timedelta(seconds=(row.rows - row.done) / rate)
    return Batch(
        id=row.id,
        kind=row.kind,
        status=row.status,
        format=row.format,
        file_name=content.file_name,
        mapping=content.mapping,
        parameters=content.parameters,
        language=content.language,
        rows=row.rows,
        done=row.done,
        failed=row.failed,
        rate_per_second=round(rate, 1) if rate is not None else None,
        estimated_end_at=ends_at,
        created_at=row.created_at,
        created_by=row.created_by,
        started_at=row.started_at,
        finished_at=row.finished_at,
        results_expire_at=row.purge_at,
        coverage=content.coverage,
        problem=row.problem,
    )
