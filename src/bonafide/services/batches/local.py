"""Do a batch without a service, in processes of this machine or on a cluster, and continue one that was interrupted.

The results of each partition are stored in a folder beside the destination and renamed into place, so that a process may be killed
at any time. The same command continues with the partitions that are left; the file is written when all are done.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from bonafide.errors import BonafideError
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.batches.batch import BatchCoverage, BatchFormat, BatchKind, BatchMapping, BatchParameters
from bonafide.model.batches.rows import BatchInputRow, BatchRowStatus
from bonafide.services.batches.cluster_pool import ClusterPartitionPool
from bonafide.services.batches.column_mapping import list_mapped, map_row, resolve_mapping
from bonafide.services.batches.partition_files import read_coverage, read_table, split_rows
from bonafide.services.batches.partition_pools import PartitionPool, ProcessPartitionPool
from bonafide.services.batches.partition_runner import PartitionRunner
from bonafide.services.batches.result_files import create_writer
from bonafide.services.batches.row_checks import BatchTask, merge_coverage
from bonafide.services.batches.row_files import open_rows
from bonafide.services.lists.spreadsheet import MAX_SHEET_ROWS
from bonafide.settings import Settings

PARTITION_ROWS = {BatchKind.SCREEN: 2000, BatchKind.VERIFY: 2000, BatchKind.SEARCH: 200}
"""Rows of a partition, which is lost when the process is killed: about a second of work."""
_HASHED_BYTES = 1024**2
_IDENTITY = "batch.json"
MAX_SHOWN_ERRORS = 10
_SAME_FILE = Message("{file} has the rows. Choose another file for the results.")
_TOO_MANY_ROWS = Message("A workbook has up to {limit:,} rows. Choose a file that ends in .csv, .jsonl or .parquet.")
_IN_USE = Message("Another process is writing {folder}.")
_OTHER_BATCH = Message("{folder} has the results of another batch. Delete it, or choose another file for the results.")
OnRows = Callable[[int, int], None]
"""Called after each partition with the number of rows that are done, and the number of all rows."""


@dataclass(frozen=True, slots=True)
class LocalBatch:
    """A batch of a file. The results are written to `destination`."""

    settings: Settings
    world: World
    kind: BatchKind
    source: Path
    format: BatchFormat
    destination: Path
    result_format: BatchFormat
    mapping: BatchMapping
    parameters: BatchParameters
    language: Language
    processes: int
    cluster: str | None = None
    """The address of the scheduler of a Dask cluster whose nodes do the rows; None for this machine."""


@dataclass(frozen=True, slots=True)
class LocalRowError:
    """A row with an error: its number from 1, its line, and the reason."""

    row: int
    line: int
    reason: str


@dataclass(slots=True)
class LocalSummary:
    """What came of the rows: their number by status, the sources that they were compared with, and the first rows with errors."""

    statuses: Counter[str] = field(default_factory=Counter)
    coverage: tuple[BatchCoverage, ...] = ()
    first_errors: list[LocalRowError] = field(default_factory=list)
    resumed: int = 0
    """Rows that an earlier process has done."""

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.statuses.total()

    @property
    def errors(self) -> int:
        """The number of rows with errors."""
        return self.statuses[BatchRowStatus.ERROR]


def run_local_batch(batch: LocalBatch, on_rows: OnRows) -> LocalSummary:
    """Do a batch, or what is left of it, and write its results.

    Raises `BatchFileInvalid`, `ValidationFailed` for a missing column, and `BonafideError` if the results can't be written to the
    destination, the folder of partial results belongs to another batch or is in use, or a process was killed.
    """
    if batch.destination.exists() and batch.destination.samefile(batch.source):
        raise BonafideError(_SAME_FILE.fill(file=str(batch.source)))
    with closing(open_rows(batch.source, batch.format)) as file:
        total = sum(1 for _ in file.rows)
    if batch.result_format is BatchFormat.XLSX and total >= MAX_SHEET_ROWS:
        raise BonafideError(_TOO_MANY_ROWS.fill(limit=MAX_SHEET_ROWS - 1))
    with closing(open_rows(batch.source, batch.format)) as file:
        mapped = list_mapped(resolve_mapping(batch.kind, file.columns, batch.mapping))
        rows = (map_row(number, raw, mapped) for number, raw in enumerate(file.rows, start=1))
        folder = batch.destination.with_name(f"{batch.destination.name}.partial")
        with _lock_folder(folder):
            return _do_rows(batch, _PartialResults(folder, split_rows(rows, PARTITION_ROWS[batch.kind])), total, on_rows)


def _do_rows(batch: LocalBatch, work: "_PartialResults", total: int, on_rows: OnRows) -> LocalSummary:
    """Do the partitions that are left, and write the results of all. The caller has locked the folder of partial results."""
    day = _claim_folder(batch, work.folder).date()
    task, resumed = BatchTask(UUID(int=0), batch.world, batch.parameters, batch.language, day), 0
    for done, is_new in _run_partitions(batch, task, work):
        if is_new:
            on_rows(work.rows_done, total)
        else:
            resumed += done
    summary = _write_file(batch, work)
    summary.resumed = resumed
    shutil.rmtree(work.folder)
    return summary


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Create the folder of partial results, and keep other processes from it. Raises `BonafideError` while one uses it."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BonafideError(_IN_USE.fill(folder=str(folder))) from None
    finally:
        os.close(descriptor)


def _claim_folder(batch: LocalBatch, folder: Path) -> datetime:
    """Check that the folder of partial results is of this batch, or of none yet; returns when the batch was begun."""
    digest = hashlib.sha256()
    with batch.source.open("rb") as content:
        while piece := content.read(_HASHED_BYTES):
            digest.update(piece)
    identity = {
        "sha256": digest.hexdigest(),
        "kind": batch.kind.value,
        "world": batch.world.value,
        "format": batch.format.value,
        "mapping": batch.mapping.to_json(),
        "parameters": batch.parameters.to_json(),
        "language": batch.language.value,
        "partitionRows": PARTITION_ROWS[batch.kind],
    }
    path = folder / _IDENTITY
    if path.exists():
        stored = json.loads(path.read_text(encoding="utf-8"))
        begun_at = datetime.fromisoformat(stored.pop("begunAt"))
        if stored != identity:
            raise BonafideError(_OTHER_BATCH.fill(folder=str(folder)))
        return begun_at
    begun_at = datetime.now(UTC)
    _write_whole(path, json.dumps({**identity, "begunAt": begun_at.isoformat()}).encode())
    return begun_at


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file that is either complete or absent."""
    written = path.with_name(f"{path.name}.new")
    with written.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    written.replace(path)


class _PartialResults:
    """The partitions of a file, and the folder with the results of those that are done."""

    def __init__(self, folder: Path, partitions: Iterator[list[BatchInputRow]]) -> None:
        self.folder = folder
        self._partitions = enumerate(partitions)
        self.count = 0
        self.rows_done = 0

    def get_path(self, number: int) -> Path:
        """The file of the results of a partition."""
        return self.folder / f"{number}.parquet"

    def take(self) -> tuple[int, list[BatchInputRow]] | None:
        """The next partition; None at the end."""
        found = next(self._partitions, None)
        if found is not None:
            self.count = found[0] + 1
        return found

    def is_done(self, number: int) -> bool:
        """Whether the results of a partition are stored."""
        return self.get_path(number).exists()

    def store(self, number: int, rows: int, content: bytes) -> None:
        """Store the results of a partition."""
        _write_whole(self.get_path(number), content)
        self.rows_done += rows


def _run_partitions(batch: LocalBatch, task: BatchTask, work: _PartialResults) -> Iterator[tuple[int, bool]]:
    """Do the partitions that are left; returns the rows of each, and whether they were done now."""
    first: list[tuple[int, list[BatchInputRow]]] = []
    while len(first) < 2 and (taken := work.take()) is not None:  # noqa: PLR2004 - a single partition needs no other process
        if work.is_done(taken[0]):
            work.rows_done += len(taken[1])
            yield len(taken[1]), False
        else:
            first.append(taken)
    left = _skip_done(work, first)
    if not first or (batch.cluster is None and (batch.processes == 1 or len(first) < 2)):  # noqa: PLR2004
        yield from _run_alone(batch, task, work, left)
    else:
        with closing(_open_pool(batch, task)) as pool:
            yield from _run_in_pool(pool, work, left)


def _skip_done(
    work: _PartialResults, first: list[tuple[int, list[BatchInputRow]]]
) -> Iterator[tuple[int, list[BatchInputRow], bool]]:
    """The partitions, with whether they are to be done."""
    for number, rows in first:
        yield number, rows, True
    while (taken := work.take()) is not None:
        yield *taken, not work.is_done(taken[0])


def _run_alone(
    batch: LocalBatch, task: BatchTask, work: _PartialResults, left: Iterator[tuple[int, list[BatchInputRow], bool]]
) -> Iterator[tuple[int, bool]]:
    opened: PartitionRunner | None = None
    try:
        for number, rows, is_left in left:
            if is_left:
                opened = opened if opened is not None else PartitionRunner(batch.settings, batch.kind, task)
                work.store(number, len(rows), opened.run(rows))
            else:
                work.rows_done += len(rows)
            yield len(rows), is_left
    finally:
        if opened is not None:
            opened.close()


def _open_pool(batch: LocalBatch, task: BatchTask) -> PartitionPool:
    if batch.cluster is not None:
        return ClusterPartitionPool(batch.cluster, batch.settings, batch.kind, task)
    return ProcessPartitionPool(batch.settings, batch.kind, task, batch.processes)


def _run_in_pool(
    pool: PartitionPool, work: _PartialResults, left: Iterator[tuple[int, list[BatchInputRow], bool]]
) -> Iterator[tuple[int, bool]]:
    waiting: deque[tuple[int, int, Future[bytes]]] = deque()
    for number, rows, is_left in left:
        if not is_left:
            work.rows_done += len(rows)
            yield len(rows), False
            continue
        waiting.append((number, len(rows), pool.submit(rows)))
        if len(waiting) > pool.get_capacity():
            yield _store_first(pool, work, waiting)
    while waiting:
        yield _store_first(pool, work, waiting)


def _store_first(pool: PartitionPool, work: _PartialResults, waiting: deque[tuple[int, int, Future[bytes]]]) -> tuple[int, bool]:
    number, rows, results = waiting.popleft()
    work.store(number, rows, pool.wait_for(results))
    return rows, True


def _write_file(batch: LocalBatch, work: _PartialResults) -> LocalSummary:
    """Write the results of all partitions to the destination."""
    summary, writer = LocalSummary(), create_writer(batch.result_format)
    written = batch.destination.with_name(f"{batch.destination.name}.new")
    with written.open("wb") as file:
        file.write(writer.begin())
        for number in range(work.count):
            table = read_table(work.get_path(number).read_bytes())
            summary.statuses.update(table.column("status").to_pylist())
            summary.coverage = merge_coverage(summary.coverage, read_coverage(table))
            summary.first_errors += _list_errors(table, MAX_SHOWN_ERRORS - len(summary.first_errors))
            file.write(writer.write(table))
        file.write(writer.finish(summary.coverage))
    written.replace(batch.destination)
    return summary


def _list_errors(table: Any, limit: int) -> list[LocalRowError]:
    """The first rows with errors of a table of results."""
    if not limit:
        return []
    columns = (table.column(name).to_pylist() for name in ("row", "line", "error"))
    errors = (LocalRowError(row, line, error) for row, line, error in zip(*columns, strict=True) if error is not None)
    return list(islice(errors, limit))
