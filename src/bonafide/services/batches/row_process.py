"""Read the rows of a sent workbook or table in a separate process, which is ended when it exceeds a limit.

The libraries for them keep other threads of their process from running while they read, and a small file may need any amount of
memory. Lines of text are read in this process, a few at a time.
"""

import os
import pickle
import resource
import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import BoundedSemaphore
from typing import Any, BinaryIO

from bonafide.concurrency.executors import exit_with_parent, limit_memory
from bonafide.errors import BatchFileInvalid
from bonafide.i18n.message import Message
from bonafide.model.batches.batch import BatchFormat
from bonafide.services.batches.row_files import RawRow, RowFile, open_rows

MEMORY_BYTES = 2 * 1024**3
TIME_LIMIT_S = 600
GROUP_ROWS = 500
"""Rows that are in memory at a time in this process."""
AT_ONCE = 2
"""Files that are read at once; further ones wait."""
_IN_PROCESS = frozenset({BatchFormat.CSV, BatchFormat.JSONL})
_TOO_LARGE = Message("Reading the file takes too much memory or time. Send CSV, or divide the file.")
_slots = BoundedSemaphore(AT_ONCE)


def open_sent_rows(path: Path, file_format: BatchFormat, limit: int) -> RowFile:
    """Open a file that somebody sent, of which up to `limit` rows are read, as `open_rows` does. Blocks.

    Raises `BatchFileInvalid`, here or while rows are read.
    """
    if file_format in _IN_PROCESS:
        file = open_rows(path, file_format)
        return RowFile(file.columns, islice(file.rows, limit), file.close)
    with ExitStack() as stack:
        copy = Path(stack.enter_context(TemporaryDirectory(prefix="bonafide-rows-"))) / "rows"
        _run_reader(path, file_format, copy, limit)
        stream = stack.enter_context(copy.open("rb"))
        columns = _load_next(stream)
        return RowFile(columns, _read_groups(stream), stack.pop_all().close)


def _run_reader(path: Path, file_format: BatchFormat, copy: Path, limit: int) -> None:
    with _slots:
        reader = get_context("spawn").Process(target=_copy_rows, args=(path, file_format, copy, limit, MEMORY_BYTES), daemon=True)
        reader.start()
        try:
            reader.join(TIME_LIMIT_S)
        finally:
            reader.kill()
            reader.join()
    if reader.exitcode != 0:
        raise BatchFileInvalid(_TOO_LARGE)


def _read_groups(stream: BinaryIO) -> Iterator[RawRow]:
    while group := _load_next(stream):
        yield from group


def _load_next(stream: BinaryIO) -> Any:
    """What the reader has written next: the columns, or rows. Raises what it raised."""
    found = pickle.load(stream)  # noqa: S301 - written by a process of this program
    if isinstance(found, BatchFileInvalid):
        raise found
    return found


# ------------------------------------------------------------------------------------------------------------ reader


def _copy_rows(path: Path, file_format: BatchFormat, copy: Path, limit: int, memory_bytes: int) -> None:
    """Write the columns, rows in groups, and an empty group; or the exception in the place of any of them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exit_with_parent()
    # Arrow's default allocator reserves a gigabyte, which would count as memory in use.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit_memory(memory_bytes)
    with copy.open("wb") as stream:
        try:
            with closing(open_rows(path, file_format)) as file:
                pickle.dump(file.columns, stream)
                rows = islice(file.rows, limit)
                while group := list(islice(rows, GROUP_ROWS)):
                    pickle.dump(group, stream)
                pickle.dump([], stream)
        except BatchFileInvalid as error:
            pickle.dump(error, stream)
        except MemoryError:
            pickle.dump(BatchFileInvalid(_TOO_LARGE), stream)
