"""Do partitions of a batch in other processes: an interface, and the processes of this machine."""

from abc import ABC, abstractmethod
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from bonafide.errors import BonafideError
from bonafide.i18n.message import Message
from bonafide.model.batches.batch import BatchKind
from bonafide.model.batches.rows import BatchInputRow
from bonafide.services.batches.partition_runner import open_process_runner, run_in_process
from bonafide.services.batches.row_checks import BatchTask
from bonafide.settings import Settings

PENDING_PER_PROCESS = 2
"""Partitions that are queued for each process, so that none is idle while the rows of another are read."""
_PROCESS_DIED = Message("A process was terminated, possibly for lack of memory. Run the same command again to continue.")


class PartitionPool(ABC):
    """Processes that do partitions."""

    @abstractmethod
    def submit(self, rows: list[BatchInputRow]) -> Future[bytes]:
        """Do the rows of a partition when a process is free; `wait_for` returns their results."""

    @abstractmethod
    def wait_for(self, results: Future[bytes]) -> bytes:
        """The results of a partition as Parquet. Raises `BonafideError` if they can't be computed."""

    @abstractmethod
    def count_processes(self) -> int:
        """The number of processes that can work now."""

    @abstractmethod
    def close(self) -> None:
        """End the work. Partitions that are not begun are cancelled."""

    def get_capacity(self) -> int:
        """How many partitions to submit before the first of them is waited for."""
        return self.count_processes() * (1 + PENDING_PER_PROCESS)


class ProcessPartitionPool(PartitionPool):
    """Processes of this machine, which use its data directory."""

    def __init__(self, settings: Settings, kind: BatchKind, task: BatchTask, processes: int) -> None:
        self._processes = processes
        # Not forked: a forked process with threads may hang.
        self._executor = ProcessPoolExecutor(processes, get_context("spawn"), open_process_runner, (settings, kind, task))

    def submit(self, rows: list[BatchInputRow]) -> Future[bytes]:
        """Do the rows of a partition."""
        try:
            return self._executor.submit(run_in_process, rows)
        except BrokenProcessPool as error:
            raise BonafideError(_PROCESS_DIED) from error

    def wait_for(self, results: Future[bytes]) -> bytes:
        """The results of a partition."""
        try:
            return results.result()
        except BrokenProcessPool as error:
            raise BonafideError(_PROCESS_DIED) from error

    def count_processes(self) -> int:
        """The number of processes."""
        return self._processes

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(cancel_futures=True)
