"""Do the rows of a table in memory as those of a batch, with what is loaded on this machine."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import World
from bonafide.model.batches.batch import BatchCoverage, BatchKind, BatchMapping, BatchParameters
from bonafide.model.batches.rows import BatchInputRow
from bonafide.services.batches.column_mapping import list_mapped, map_row, resolve_mapping
from bonafide.services.batches.local import PARTITION_ROWS
from bonafide.services.batches.partition_files import add_coverage, get_result_schema, read_coverage, read_table, split_rows
from bonafide.services.batches.partition_pools import ProcessPartitionPool
from bonafide.services.batches.partition_runner import PartitionRunner
from bonafide.services.batches.row_checks import BatchTask, merge_coverage
from bonafide.services.batches.row_files import open_table
from bonafide.settings import Settings


@dataclass(frozen=True, slots=True)
class TableBatch:
    """What is done with the rows of a table."""

    settings: Settings
    world: World
    kind: BatchKind
    mapping: BatchMapping
    parameters: BatchParameters
    language: Language
    processes: int


def check_table(batch: TableBatch, table: Any) -> Any:
    """Do the rows of a pyarrow table, and return a table of their results, whose metadata has the coverage as JSON.

    Raises `BatchFileInvalid` for repeated columns, `ValidationFailed` for a missing one, and `BonafideError` if a process was
    killed.
    """
    import pyarrow as pa  # noqa: PLC0415 - takes a quarter of a second

    file = open_table(table)
    mapped = list_mapped(resolve_mapping(batch.kind, file.columns, batch.mapping))
    rows = (map_row(number, raw, mapped) for number, raw in enumerate(file.rows, start=1))
    task = BatchTask(UUID(int=0), batch.world, batch.parameters, batch.language, datetime.now(UTC).date())
    results: list[Any] = []
    coverage: tuple[BatchCoverage, ...] = ()
    for content in _run_partitions(batch, task, split_rows(rows, PARTITION_ROWS[batch.kind])):
        part = read_table(content)
        coverage = merge_coverage(coverage, read_coverage(part))
        results.append(part.replace_schema_metadata(None))
    whole = pa.concat_tables(results) if results else get_result_schema().empty_table()
    return add_coverage(whole, coverage)


def _run_partitions(batch: TableBatch, task: BatchTask, partitions: Iterable[list[BatchInputRow]]) -> Iterator[bytes]:
    opening = (batch.settings, batch.kind, task)
    if batch.processes == 1:
        yield from _run_in_thread(opening, partitions)
        return
    with closing(ProcessPartitionPool(*opening, batch.processes)) as pool:
        waiting: deque[Future[bytes]] = deque()
        for rows in partitions:
            waiting.append(pool.submit(rows))
            if len(waiting) > pool.get_capacity():
                yield pool.wait_for(waiting.popleft())
        while waiting:
            yield pool.wait_for(waiting.popleft())


def _run_in_thread(opening: tuple[Settings, BatchKind, BatchTask], partitions: Iterable[list[BatchInputRow]]) -> Iterator[bytes]:
    """Do partitions in a thread of their own: the caller's may run an event loop, as that of a notebook does."""
    with ThreadPoolExecutor(1, "bonafide-table") as thread:
        runner = thread.submit(PartitionRunner, *opening).result()
        try:
            for rows in partitions:
                yield thread.submit(runner.run, rows).result()
        finally:
            thread.submit(runner.close).result()
