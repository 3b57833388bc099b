"""Do partitions of a batch without a service, with what is loaded on this machine, in this process or in a process of a pool."""

import asyncio
import signal
from contextlib import AsyncExitStack

from bonafide.concurrency.executors import exit_with_parent
from bonafide.concurrency.process_tuning import freeze_gc
from bonafide.model.batches.batch import BatchKind
from bonafide.model.batches.rows import BatchInputRow
from bonafide.model.entry import SourceKind
from bonafide.observability import log
from bonafide.runtime import open_runtime
from bonafide.services.batches.checker_opening import open_plain_checker
from bonafide.services.batches.partition_files import write_results
from bonafide.services.batches.row_checks import BatchTask, check_rows
from bonafide.services.indexing.combined_index import compute_generation_identity, get_current_generations
from bonafide.services.indexing.index_sync import pull_published
from bonafide.settings import Settings


class PartitionRunner:
    """What rows are compared with, open in one process. The thread that opens it also uses and closes it.

    It has an event loop of its own, so that thread must not run another one.
    """

    def __init__(self, settings: Settings, kind: BatchKind, task: BatchTask) -> None:
        self._kind = kind
        self._task = task
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        try:
            self._runtime = self._runner.run(self._stack.enter_async_context(open_runtime(settings)))
        except BaseException:
            self._runner.close()
            raise

    def close(self) -> None:
        """Close the runtime."""
        self._runner.run(self._stack.aclose())
        self._runner.close()

    def synchronize(self) -> None:
        """Pull the newest generations of a shared index; without one, nothing. Raises `ServerBusy`."""
        self._runner.run(pull_published(self._runtime))

    def describe_data(self) -> tuple[tuple[str, str], ...]:
        """The registers and lists that are loaded, each with the identity of its data, which is the same on all machines."""
        compared = (SourceKind.REGISTRY, SourceKind.SANCTIONS)
        sources = [source for source in self._runtime.sources.values() if source.metadata.kind in compared]
        current = get_current_generations(self._runtime, self._task.world, sources)
        return tuple((key, compute_generation_identity(generation)) for key, generation in sorted(current.items()))

    def run(self, rows: list[BatchInputRow]) -> bytes:
        """Do the rows of a partition with what is loaded now, and return their results as Parquet."""
        checker = self._runner.run(open_plain_checker(self._runtime, self._kind, self._task))
        results = check_rows(checker, rows)
        return write_results(results, checker.coverage.build())


_opened: PartitionRunner
"""The runner of a process of a pool."""


def open_process_runner(settings: Settings, kind: BatchKind, task: BatchTask) -> None:
    """Open the runner of this process, which ends with its parent: the initializer of a pool."""
    global _opened  # noqa: PLW0603 - the only state of an executor's process
    # Only the process that writes the results handles an interrupt; it then ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    log.configure("ERROR")
    exit_with_parent()
    _opened = PartitionRunner(settings, kind, task)
    freeze_gc()


def run_in_process(rows: list[BatchInputRow]) -> bytes:
    """Do the rows of a partition with the runner of this process, and return their results as Parquet."""
    return _opened.run(rows)
