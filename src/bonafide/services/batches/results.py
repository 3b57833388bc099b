"""The results of batches as files, and the rows with errors."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import Conflict, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal
from bonafide.model.batches.batch import BatchErrorPage, BatchFormat, BatchRowError
from bonafide.model.batches.rows import BatchRowStatus
from bonafide.model.records.business_record import Cursor, FeedPagination
from bonafide.runtime import Runtime
from bonafide.services.batches.lifecycle import read_content
from bonafide.services.batches.partition_files import build_results_name, read_records, read_table
from bonafide.services.batches.requests import READ_SCOPES, load_batch
from bonafide.services.batches.result_files import MEDIA_TYPES, BatchResultWriter, create_writer
from bonafide.store.batches import batches, partitions
from bonafide.store.batches.batches import StoredBatch
from bonafide.store.batches.partitions import DonePartition

_CURSOR = re.compile(r"(\d{1,9})\.(\d{1,9})", re.ASCII)
"""The number of a partition, and of the last row that was returned."""
DELETED = Message("The results of this batch have been deleted. Request a new batch.")


@dataclass(frozen=True, slots=True)
class ResultDownload:
    """The results of a batch as a file."""

    name: str
    media_type: str
    parts: AsyncIterator[bytes]


async def open_results(runtime: Runtime, principal: Principal, batch_id: UUID, file_format: BatchFormat) -> ResultDownload:
    """The results of a batch that has ended; those of a cancelled or failed one have the rows that were done.

    Raises `NotFound`, `ScopeMissing`, and `Conflict` before the end and after the results have been deleted.
    """
    row, done = await _load(runtime, principal, batch_id)
    if row.status in batches.UNFINISHED:
        raise Conflict(Message("The batch has not ended. Its results can be downloaded then."))
    writer = create_writer(file_format)
    parts = _write_file(runtime, principal.organization_id, row, done, writer)
    return ResultDownload(f"batch-{row.id}.{file_format.value}", MEDIA_TYPES[file_format], parts)


async def _load(
    runtime: Runtime, principal: Principal, batch_id: UUID, after: int = -1, *, with_errors: bool = False
) -> tuple[StoredBatch, list[DonePartition]]:
    organization_id = principal.organization_id
    async with runtime.store.read() as connection:
        row = await load_batch(connection, organization_id, batch_id)
        principal.check_scope(READ_SCOPES[row.kind], "kind")
        if row.status not in batches.UNFINISHED and row.purge_at is None:
            raise Conflict(DELETED)
        return row, await partitions.list_done(connection, organization_id, batch_id, after, with_errors=with_errors)


async def _write_file(
    runtime: Runtime, organization_id: UUID, row: StoredBatch, done: list[DonePartition], writer: BatchResultWriter
) -> AsyncIterator[bytes]:
    yield writer.begin()
    for partition in done:
        name = build_results_name(row.id, partition.number, partition.attempt)
        table = await asyncio.to_thread(read_table, await runtime.files.get(organization_id, name))
        size = writer.slice_rows if writer.slice_rows is not None else max(table.num_rows, 1)
        for first in range(0, table.num_rows, size):
            with runtime.compute_for(organization_id):
                written = await run_cpu_bound(writer.write, table.slice(first, size))
            if written:
                yield written
    yield writer.finish(read_content(row).coverage)


async def list_errors(
    runtime: Runtime, principal: Principal, batch_id: UUID, limit: int, cursor: str | None = None
) -> BatchErrorPage:
    """A page of the rows with errors, in the order of the file; of those done so far while the batch runs.

    Raises `NotFound`, `ScopeMissing`, `ValidationFailed` for an invalid cursor, and `Conflict` after the results have been deleted.
    """
    first, last_row = _parse_cursor(cursor) if cursor is not None else (0, 0)
    row, found = await _load(runtime, principal, batch_id, first - 1, with_errors=True)
    errors: list[tuple[int, BatchRowError]] = []
    for partition in found:
        if len(errors) > limit:
            break
        name = build_results_name(row.id, partition.number, partition.attempt)
        content = await runtime.files.get(principal.organization_id, name)
        with runtime.compute_for(principal.organization_id):
            records = await run_cpu_bound(_select_errors, content, last_row)
        errors += [(partition.number, _to_error(record)) for record in records]
    shown = errors[:limit]
    end = f"{shown[-1][0]}.{shown[-1][1].row}" if shown else f"{first}.{last_row}"
    return BatchErrorPage(
        errors=tuple(error for _, error in shown),
        cursor=Cursor(next=end),
        pagination=FeedPagination(limit=limit, has_more=len(errors) > limit),
    )


def _parse_cursor(cursor: str) -> tuple[int, int]:
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise ValidationFailed.of_field("cursor", Message("is not a cursor of this list"))
    return int(found[1]), int(found[2])


def _select_errors(content: bytes, last_row: int) -> list[dict[str, Any]]:
    return [one for one in read_records(content) if one["status"] == BatchRowStatus.ERROR and one["row"] > last_row]


def _to_error(record: dict[str, Any]) -> BatchRowError:
    return BatchRowError(
        row=record["row"],
        line=record["line"],
        reference=record["reference"],
        name=record["name"] or None,
        reason=record["error"] or "",
    )
