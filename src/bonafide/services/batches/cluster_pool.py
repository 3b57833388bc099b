"""Do partitions of a batch on the nodes of a Dask cluster, each with the data that it has loaded.

The scheduler of the cluster repeats the partitions of a node that is gone. A node needs this release, settings of its own, and the
data of the machine that sends the batch. With a shared index it pulls the newest generations first. It refuses to use other data.
"""

from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from bonafide import __version__
from bonafide.concurrency.process_tuning import freeze_gc
from bonafide.errors import BonafideError, ConfigurationError
from bonafide.i18n.message import Message, join_values
from bonafide.model.batches.batch import BatchKind
from bonafide.model.batches.rows import BatchInputRow
from bonafide.services.batches.partition_files import read_rows, write_rows
from bonafide.services.batches.partition_pools import PartitionPool
from bonafide.services.batches.partition_runner import PartitionRunner
from bonafide.services.batches.row_checks import BatchTask
from bonafide.settings import Settings

CONNECT_S = 30
"""How long to wait for the scheduler, and for the first node."""
_NOT_INSTALLED = Message("A cluster needs packages that are not installed: `pip install 'bonafide[cluster]'`")
_UNREACHABLE = Message("The cluster at {address} does not respond: {problem}")
_ENDED = Message("The cluster ended the work: {problem}. Run the same command again to continue.")
_OTHER_RELEASE = Message("A node of the cluster runs release {other} instead of {own}.")
_OTHER_DATA = Message("A node of the cluster has other data than this machine: {sources}")


@dataclass(frozen=True, slots=True)
class NodeTask:
    """What a node does: the kind and the task, the release, and the identity of the loaded data of each source."""

    kind: BatchKind
    task: BatchTask
    release: str
    data: tuple[tuple[str, str], ...]


class ClusterPartitionPool(PartitionPool):
    """The nodes of a cluster. Raises `ConfigurationError` without the packages, and `BonafideError` if no node can be reached."""

    def __init__(self, address: str, settings: Settings, kind: BatchKind, task: BatchTask) -> None:
        try:
            import distributed  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise ConfigurationError(_NOT_INSTALLED) from error
        own = PartitionRunner(settings, kind, task)
        try:
            own.synchronize()
            self._task = NodeTask(kind, task, __version__, own.describe_data())
        finally:
            own.close()
        try:
            client: Any = distributed.Client  # its methods have no types
            self._client = client(address, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError) as error:
            raise BonafideError(_UNREACHABLE.fill(address=address, problem=str(error))) from error
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_S)
        except TimeoutError as error:
            self._client.close()
            raise BonafideError(_UNREACHABLE.fill(address=address, problem=Message("it has no nodes"))) from error
        self._executor: Any = self._client.get_executor(pure=False)

    def submit(self, rows: list[BatchInputRow]) -> Future[bytes]:
        """Send the rows of a partition to a node."""
        with _translate_errors():
            future: Future[bytes] = self._executor.submit(run_on_node, self._task, write_rows(rows))
            return future

    def wait_for(self, results: Future[bytes]) -> bytes:
        """The results of a partition."""
        with _translate_errors():
            return results.result()

    def count_processes(self) -> int:
        """The number of processes of all nodes, each of which does one partition at a time."""
        with _translate_errors():
            return max(1, len(self._client.nthreads()))

    def close(self) -> None:
        """Disconnect. The cluster cancels what has not been done."""
        self._executor.shutdown(wait=False)
        self._client.close()


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise what the cluster raises, which has no common class, as `BonafideError`; those of nodes as they are."""
    try:
        yield
    except BonafideError:
        raise
    except (Exception, CancelledError) as error:
        raise BonafideError(_ENDED.fill(problem=f"{type(error).__name__}: {error}")) from error


# ------------------------------------------------------------------------------------------------------------ nodes

_lock = Lock()
_opened: tuple[NodeTask, PartitionRunner] | None = None
"""The runner of a node, and what it was opened for."""


def run_on_node(task: NodeTask, rows: bytes) -> bytes:
    """Do a partition on a node, and return its results; both as Parquet.

    Raises `BonafideError` if the node has another release, or other data than the machine that sent the batch.
    """
    with _lock:
        runner = _get_runner(task)
        results = runner.run(read_rows(rows))
        # Another process may have replaced the data of this machine in the meantime.
        _check_data(runner, task)
        return results


def _get_runner(task: NodeTask) -> PartitionRunner:
    global _opened  # noqa: PLW0603 - the only state of a node, which does many partitions of one batch
    if _opened is not None and _opened[0] == task:
        return _opened[1]
    if task.release != __version__:
        raise BonafideError(_OTHER_RELEASE.fill(other=__version__, own=task.release))
    if _opened is not None:
        _opened[1].close()
        _opened = None
    runner = PartitionRunner(Settings(), task.kind, task.task)
    try:
        runner.synchronize()
        _check_data(runner, task)
    except BaseException:
        runner.close()
        raise
    _opened = task, runner
    freeze_gc()
    return runner


def _check_data(runner: PartitionRunner, task: NodeTask) -> None:
    differences = {key for key, _ in set(runner.describe_data()) ^ set(task.data)}
    if differences:
        raise BonafideError(_OTHER_DATA.fill(sources=join_values(sorted(differences))))
