"""The jobs of batches: divide what was sent into partitions, and do one partition after the other.

The results of a partition are stored first, and count from the transaction that settles the partition, which also enqueues the
next one. A job that is interrupted is repeated and changes nothing that was settled. Rows are done in slices of a few milliseconds,
between which the thread does what others wait for.
"""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

from bonafide.concurrency.executors import compute_for, run_cpu_bound
from bonafide.errors import BatchFileInvalid
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.batches.batch import BatchCoverage, BatchKind, BatchStatus
from bonafide.model.batches.rows import BatchInputRow, BatchResultRow
from bonafide.runtime import Runtime
from bonafide.services.batches.checker_opening import open_checker
from bonafide.services.batches.column_mapping import list_mapped, map_row
from bonafide.services.batches.lifecycle import (
    FAILED,
    FINISH_JOB,
    MAX_ATTEMPTS,
    enqueue_partition,
    fail_batch,
    read_content,
    start_next,
)
from bonafide.services.batches.partition_files import (
    PARQUET_TYPE,
    build_results_name,
    build_rows_name,
    read_rows,
    split_rows,
    write_results,
    write_rows,
)
from bonafide.services.batches.row_checks import BatchTask, RowChecker, check_slice, count_errors, merge_coverage
from bonafide.services.batches.row_process import open_sent_rows
from bonafide.services.batches.storage import copy_upload
from bonafide.services.jobs.queue import JobContext
from bonafide.store.batches import batches, partitions
from bonafide.store.batches.batches import BatchProgress, StoredBatch
from bonafide.store.batches.partitions import DonePartition
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log
from bonafide.store.work import jobs

PARTITION_ROWS = {BatchKind.SCREEN: 500, BatchKind.VERIFY: 500, BatchKind.SEARCH: 100}
"""Rows of a partition: less than a second of work."""
SLICE_S = 0.003
"""How long a slice of rows delays what else waits for the thread."""
SHARE = 0.1
"""The weight of a batch in the sharing of the thread, compared with the searches of its organization."""


async def divide_batch(runtime: Runtime, organization_id: UUID, batch_id: UUID, world: World, *, is_last_attempt: bool) -> None:
    """Divide what was sent into partitions, and start the batch if none is running. A failure fails the batch at last."""
    async with runtime.store.read() as connection:
        row = await batches.get(connection, organization_id, batch_id)
    if row is None or row.partitions is not None or row.status not in batches.UNFINISHED:
        return
    try:
        with TemporaryDirectory(prefix="bonafide-batch-") as folder, compute_for(f"{organization_id}:batch", SHARE):
            sizes = await _store_partitions(runtime, organization_id, row, Path(folder) / "rows")
    except BatchFileInvalid as error:
        await fail_batch(runtime, organization_id, batch_id, world, error.message)
        return
    except Exception:
        if is_last_attempt:
            await fail_batch(runtime, organization_id, batch_id, world, FAILED)
        raise
    async with runtime.store.write() as connection:
        await audit_log.lock_head(connection, organization_id)
        if await batches.set_size(connection, organization_id, batch_id, sum(sizes), len(sizes)):
            await partitions.add_all(connection, organization_id, batch_id, sizes)
            await start_next(runtime, connection, organization_id, world)


async def _store_partitions(runtime: Runtime, organization_id: UUID, row: StoredBatch, path: Path) -> list[int]:
    """Store the rows of each partition, and return their numbers. Raises `BatchFileInvalid`."""
    content = read_content(row)
    await copy_upload(runtime, organization_id, row.id, content.size, path)
    mapped = list_mapped(content.mapping)
    sizes: list[int] = []
    with closing(await asyncio.to_thread(open_sent_rows, path, row.format, runtime.settings.batch_max_rows + 1)) as file:
        rows = (map_row(number, raw, mapped) for number, raw in enumerate(file.rows, start=1))
        divided = split_rows(rows, PARTITION_ROWS[row.kind])
        while (packed := await run_cpu_bound(_write_next, divided)) is not None:
            size, written = packed
            await runtime.files.put(organization_id, build_rows_name(row.id, len(sizes)), written, PARQUET_TYPE)
            sizes.append(size)
            if sum(sizes) > runtime.settings.batch_max_rows:
                limit = runtime.settings.batch_max_rows
                raise BatchFileInvalid(Message("A batch has up to {limit:,} rows. Divide the file.", limit=limit))
    if not sizes:
        raise BatchFileInvalid(Message("The file has no rows."))
    return sizes


def _write_next(divided: Iterator[list[BatchInputRow]]) -> tuple[int, bytes] | None:
    rows = next(divided, None)
    return (len(rows), write_rows(rows)) if rows is not None else None


async def run_partition(runtime: Runtime, organization_id: UUID, key: str, world: World, *, is_last_attempt: bool) -> None:
    """Do the partition of a job, unless it is done, or the batch is not running any more. At last, a failure fails the batch."""
    parts = key.split("/")
    batch_id, epoch, number = UUID(parts[0]), int(parts[1]), int(parts[2])
    async with runtime.store.read() as connection:
        row = await batches.get(connection, organization_id, batch_id)
        if row is None or row.status is not BatchStatus.RUNNING or row.epoch != epoch:
            return
        if not await partitions.is_pending(connection, organization_id, batch_id, number):
            return  # it was settled before its worker was killed, and the next one is enqueued
    try:
        rows = read_rows(await runtime.files.get(organization_id, build_rows_name(batch_id, number)))
        checker = await open_checker(runtime, row.kind, build_task(row, world), organization_id)
        with compute_for(f"{organization_id}:batch", SHARE):
            results = await _check_all(checker, rows)
            written = await run_cpu_bound(write_results, results)
        attempt = uuid4()
        await runtime.files.put(organization_id, build_results_name(batch_id, number, attempt), written, PARQUET_TYPE)
        done = DonePartition(number, len(results), attempt, count_errors(results))
        await _settle(runtime, organization_id, batch_id, done, checker.coverage.build(), world)
    except Exception:
        if is_last_attempt:
            await fail_batch(runtime, organization_id, batch_id, world, FAILED)
        raise


def build_task(row: StoredBatch, world: World) -> BatchTask:
    """What the rows of a stored batch are compared with and how."""
    content = read_content(row)
    return BatchTask(row.id, world, content.parameters, content.language, row.created_at.date())


async def _check_all(checker: RowChecker, rows: list[BatchInputRow]) -> list[BatchResultRow]:
    results: list[BatchResultRow] = []
    while len(results) < len(rows):
        await run_cpu_bound(check_slice, checker, rows, results, SLICE_S)
    return results


async def _settle(
    runtime: Runtime,
    organization_id: UUID,
    batch_id: UUID,
    done: DonePartition,
    coverage: tuple[BatchCoverage, ...],
    world: World,
) -> None:
    """Count the results of a partition once, and enqueue what follows, in one transaction.

    A partition that was done by a job of an earlier epoch has another job in this one, which will find it settled. So whoever
    settles a partition that has a job in this epoch enqueues the next one.
    """
    async with runtime.store.write() as connection:
        row = await batches.lock(connection, organization_id, batch_id)
        if row is None or row.status not in batches.UNFINISHED:
            return  # the files of the batch are deleted together
        if not await partitions.settle(connection, organization_id, batch_id, done, runtime.clock()):
            return
        content = read_content(row)
        content = content.model_copy(update={"coverage": merge_coverage(content.coverage, coverage)})
        following = await _find_following(connection, organization_id, row, done.number)
        progress = BatchProgress(
            partitions_done=row.partitions_done + 1,
            last_enqueued=following if following is not None else row.last_enqueued,
            done=row.done + done.rows,
            failed=row.failed + done.failed,
            document=content.to_stored().to_text(),
        )
        await batches.advance(connection, organization_id, batch_id, progress)
        if progress.partitions_done == row.partitions:
            context = JobContext.current(world).to_json()
            await jobs.enqueue(
                connection, organization_id, jobs.NewJob(FINISH_JOB, str(batch_id), context, runtime.clock(), MAX_ATTEMPTS)
            )
        elif following is not None:
            await enqueue_partition(runtime, connection, organization_id, world, (batch_id, row.epoch, following))


async def _find_following(connection: Connection, organization_id: UUID, row: StoredBatch, number: int) -> int | None:
    """The partition that gets a job when this one is done; None if there is none, or this one has no job in the epoch."""
    if row.status is not BatchStatus.RUNNING or row.last_enqueued is None or number > row.last_enqueued:
        return None
    pending = await partitions.list_pending(connection, organization_id, row.id, 1, row.last_enqueued)
    return pending[0] if pending else None
