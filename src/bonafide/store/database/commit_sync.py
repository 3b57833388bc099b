"""Wait until commits of a SQLite database are on the disk: one write-out for all commits that wait (group commit).

A commit appends to the write-ahead log without waiting for the disk (`synchronous = NORMAL`), and its caller then waits here for
the log to be written out. This gives the guarantee of `synchronous = FULL`, but no writer holds the lock of the database during a
write-out, and one write-out serves all writers that wait. A power failure can lose only commits that nobody has been told of, and
always the last ones: SQLite recovers the log up to the first frame that is damaged or missing.
"""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LOG_SUFFIX = "-wal"
_write_out = getattr(os, "fdatasync", os.fsync)  # not every system has `fdatasync`


class CommitSyncFailed(Exception):
    """The log could not be written out. It never leaves `store`."""


class CommitSync:
    """The write-outs of one database, for one event loop."""

    def __init__(self, database: Path) -> None:
        self._log = database.with_name(database.name + LOG_SUFFIX)
        self._thread = ThreadPoolExecutor(1, "commit-sync")
        self._running: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def wait(self) -> None:
        """Return when all commits that have ended before are on the disk. Raises `CommitSyncFailed`."""
        if self._next is None:
            self._next = asyncio.create_task(self._run(self._running))
            # If all callers have been cancelled, nobody else reads its error.
            self._next.add_done_callback(_retrieve_error)
        # One caller's cancellation must not affect the others.
        await asyncio.shield(self._next)

    async def close(self) -> None:
        """Wait for the running write-out, and end the thread."""
        await asyncio.to_thread(self._thread.shutdown)

    async def _run(self, previous: asyncio.Task[None] | None) -> None:
        if previous is not None:
            await asyncio.wait({previous})
        # Commits from here on may come too late for this write-out, so they wait for another one.
        self._running, self._next = self._next, None
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write_out_log)

    def _write_out_log(self) -> None:
        # Opened each time: SQLite deletes the log when the last connection is closed, and creates another one. Closing it releases
        # none of SQLite's locks, which are on the database and on the shared memory.
        try:
            log = os.open(self._log, os.O_RDWR)
        except FileNotFoundError:
            return  # SQLite has merged the log into the database, and has written that out.
        except OSError as error:
            raise CommitSyncFailed from error
        try:
            _write_out(log)
        except OSError as error:
            raise CommitSyncFailed from error
        finally:
            os.close(log)


def _retrieve_error(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()
