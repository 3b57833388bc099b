"""Read the files of a load in a separate process, which is killed when it exceeds a limit of the source.

A damaged or malicious file can make a parser run for hours, exhaust the memory or crash. In a process of its own it can neither
stop nor slow the service. A process reads one load at a time. It is used again for small loads that follow at once, because its
start takes as long as reading thousands of rows, and ends when it has had nothing to read for a while.

    parent                                   reader
    ReadOrder                      ->
                                   <-        list of documents, many times
                                   <-        ReadResult, or the exception
"""

import gc
import os
import pickle
import resource
import signal
import tempfile
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from bonafide.concurrency.executors import exit_with_parent, limit_memory
from bonafide.errors import BonafideError
from bonafide.index import IndexDocument
from bonafide.observability import log
from bonafide.services.loading.file_reading import ReadOrder, ReadResult, read_files

BATCH_DOCUMENTS = 500
BATCH_BYTES = 1024**2
"""The size of the entries of a batch, above which it is sent."""
MAX_REUSED_ROWS = 100_000
"""A process that has read more rows is not used again: its memory has grown."""
IDLE_S = 60.0
"""How long a process waits for the next load."""
REUSED_WITHIN_S = 30.0
"""How long its parent uses it for the next load; shorter, so that no order reaches a process that is about to end."""
STOP_TIMEOUT_S = 10
"""How long to wait for a process that was killed."""
_PICKLE_PROTOCOL = 5
_COLLECT_AFTER = 50_000
"""Objects created between two runs of the garbage collector, which would otherwise take a seventh of the time of a large load."""


class ReaderFailed(Exception):
    """An unexpected error in the reader process, with its traceback."""


@dataclass(frozen=True, slots=True)
class _ReaderFailure:
    """An exception that was raised while the files were read, and the traceback of an unexpected one."""

    error: Exception
    traceback: str | None = None


# ------------------------------------------------------------------------------------------------------------ parent


class FileReader:
    """A reader process, as its parent uses it."""

    def __init__(self) -> None:
        context = get_context("spawn")  # a forked copy of a process with threads may hang
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve_orders, args=(theirs,), name="file reader", daemon=True)
        self._process.start()
        theirs.close()
        self._is_reading = False
        self._rows = 0
        self._idle_since = monotonic()
        _running.add(self)

    @property
    def is_reusable(self) -> bool:
        """Whether the process can read the next load."""
        is_recent = monotonic() - self._idle_since < REUSED_WITHIN_S
        return is_recent and not self._is_reading and self._rows <= MAX_REUSED_ROWS and self._process.is_alive()

    def read(self, order: ReadOrder) -> Iterator[list[IndexDocument] | ReadResult]:
        """Yield the documents in batches, and at last the result.

        Raises the errors of the parsers, and `LoadLimitExceeded`. The time limit applies to the waiting for the process.
        """
        self._is_reading = True
        with tempfile.TemporaryDirectory(prefix="bonafide-load-", ignore_cleanup_errors=True) as folder:
            try:
                self._send((order, Path(folder)))
                yield from self._receive_all(order)
            finally:
                if self._is_reading:  # before the folder is removed, in which the process may still write
                    self._kill()

    def _receive_all(self, order: ReadOrder) -> Iterator[list[IndexDocument] | ReadResult]:
        left_s = float(order.source.metadata.limits.seconds)
        while True:
            started = monotonic()
            received = self._receive(order, left_s)
            left_s -= monotonic() - started
            if isinstance(received, list):
                yield received
                continue
            self._is_reading = False
            self._idle_since = monotonic()
            if isinstance(received, _ReaderFailure):
                cause = ReaderFailed(received.traceback) if received.traceback is not None else None
                raise received.error from cause
            self._rows += received.report.rows
            yield received
            return

    def stop(self) -> None:
        """Kill the process and wait for its end."""
        self._kill()
        self._connection.close()
        _running.discard(self)

    def _kill(self) -> None:
        self._process.kill()
        self._process.join(STOP_TIMEOUT_S)

    def _send(self, order: tuple[ReadOrder, Path]) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # the next `_receive` reports the end of the process
            self._connection.send_bytes(pickle.dumps(order, _PICKLE_PROTOCOL))

    def _receive(self, order: ReadOrder, timeout_s: float) -> list[IndexDocument] | ReadResult | _ReaderFailure:
        limits = order.source.metadata.limits
        try:
            if not self._connection.poll(max(timeout_s, 0)):
                raise limits.build_time_error(order.file_names)
            content = self._connection.recv_bytes()
        except (EOFError, ConnectionResetError) as error:
            raise self._build_end_error(order) from error
        received: list[tuple[Any, ...]] | ReadResult | _ReaderFailure = pickle.loads(content)  # noqa: S301 - from our own process
        return [IndexDocument(*values) for values in received] if isinstance(received, list) else received

    def _build_end_error(self, order: ReadOrder) -> Exception:
        """The error for a process that has ended."""
        self._process.join(STOP_TIMEOUT_S)
        status = self._process.exitcode
        if status is None or status >= 0:
            return ReaderFailed(f"the process ended with status {status}")
        name = signal.Signals(-status).name
        return order.source.metadata.limits.build_crash_error(order.file_names, name)


_running: set[FileReader] = set()
_idle: list[FileReader] = []
_idle_lock = Lock()


@contextmanager
def open_reader() -> Iterator[FileReader]:
    """A reader process for one load. It is killed at the end if the load was not read to its end."""
    reader = _take_idle_reader() or FileReader()
    try:
        yield reader
    finally:
        if reader.is_reusable:
            with _idle_lock:
                _idle.append(reader)
        else:
            reader.stop()


def prepare_reader() -> None:
    """Start a process if none is idle, so that it is ready when the files are."""
    with _idle_lock:
        if not _idle:
            _idle.append(FileReader())


def _take_idle_reader() -> FileReader | None:
    with _idle_lock:
        while _idle:
            reader = _idle.pop()
            if reader.is_reusable:
                return reader
            reader.stop()
    return None


def _stop_all_readers() -> None:
    for reader in list(_running):
        reader.stop()


def _forget_readers() -> None:
    _running.clear()
    _idle.clear()


# At exit, before `multiprocessing` waits for the processes; and a forked process must not use those of its parent.
Finalize(None, _stop_all_readers, exitpriority=100)
os.register_at_fork(after_in_child=_forget_readers)


# ------------------------------------------------------------------------------------------------------------ reader


def _serve_orders(connection: Connection) -> None:
    """Read the files of each order until the parent closes the connection, ends, or has no order for a while."""
    # A service manager signals all processes at once, and the parent decides when this one ends.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    exit_with_parent()
    log.configure("ERROR")
    # Arrow's default allocator reserves a gigabyte, which would count as memory in use.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER)
    while connection.poll(IDLE_S):
        try:
            order, folder = pickle.loads(connection.recv_bytes())  # noqa: S301 - from the parent
        except EOFError:
            return
        tempfile.tempdir = str(folder)
        limit_memory(order.source.metadata.limits.memory_bytes)
        answer = _read_order(connection, order)
        limit_memory(None)
        _send(connection, answer)


def _read_order(connection: Connection, order: ReadOrder) -> ReadResult | _ReaderFailure:
    """Send the documents of the order, and return what to send at last."""
    try:
        result, documents = read_files(order)
        for batch in _group_documents(documents):
            _send(connection, batch)
    except MemoryError:
        return _ReaderFailure(order.source.metadata.limits.build_memory_error(order.file_names))
    except Exception as error:  # noqa: BLE001 - every error is the parent's to handle
        return _build_failure(error)
    return result


def _build_failure(error: Exception) -> _ReaderFailure:
    """The failure of an error; one that can't be sent is replaced by its text."""
    if isinstance(error, BonafideError):
        return _ReaderFailure(error)
    text = "".join(traceback.format_exception(error))
    try:
        pickle.loads(pickle.dumps(error, _PICKLE_PROTOCOL))  # noqa: S301 - our own error
    except Exception:  # noqa: BLE001 - the constructor of any exception may have parameters of its own
        return _ReaderFailure(ReaderFailed(f"{type(error).__name__}: {error}"), text)
    return _ReaderFailure(error, text)


def _group_documents(documents: Iterable[IndexDocument]) -> Iterator[list[tuple[Any, ...]]]:
    """The documents in batches, as plain tuples, which are packed three times as fast as named ones."""
    batch: list[tuple[Any, ...]] = []
    size = 0
    for document in documents:
        batch.append(tuple(document))
        size += len(document.payload)
        if len(batch) == BATCH_DOCUMENTS or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _send(connection: Connection, message: object) -> None:
    connection.send_bytes(pickle.dumps(message, _PICKLE_PROTOCOL))
