"""The lock that a writer of a SQLite database holds, within the process and between processes.

SQLite itself polls the lock of its file, at intervals that grow to a tenth of a second, and gives it to whoever polls first: a
process that writes all the time would then delay the writes of the others by far more than a write takes.
"""

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

LOCK_SUFFIX, NEXT_SUFFIX = "-writer", "-next-writer"
POLL_S = 0.001
"""Between two attempts while another process writes."""
_MODE = 0o600


class WriteLock:
    """The lock of one process and event loop. Waiting writers of the process are served in the order of their arrival.

    Where the files cannot be locked (a full disk, a network file system), and for programs that do not know the lock, SQLite's own
    lock still excludes other writers.
    """

    def __init__(self, database: Path) -> None:
        self._within = asyncio.Lock()
        self._writing = _FileLock(database.with_name(database.name + LOCK_SUFFIX))
        self._next = _FileLock(database.with_name(database.name + NEXT_SUFFIX))
        """Held by the process that waits to write next: one that writes all the time must wait for it."""

    @asynccontextmanager
    async def hold(self, within_s: float) -> AsyncIterator[None]:
        """Hold the lock while the block runs. Raises `TimeoutError` if other writers hold it for too long."""
        async with asyncio.timeout(within_s):
            await self._within.acquire()
            try:
                await self._lock_files()
            except BaseException:
                self._within.release()
                raise
        try:
            yield
        finally:
            self._writing.unlock()
            self._within.release()

    def close(self) -> None:
        """Close the files of the lock."""
        self._writing.close()
        self._next.close()

    async def _lock_files(self) -> None:
        await self._next.lock()
        try:
            await self._writing.lock()
        finally:
            self._next.unlock()


class _FileLock:
    """A lock on a file, by one process. The kernel releases it when the process ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    async def lock(self) -> None:
        while not self._try_to_lock():  # noqa: ASYNC110 - the other writer is another process
            await asyncio.sleep(POLL_S)

    def unlock(self) -> None:
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _try_to_lock(self) -> bool:
        """Whether no other process holds the lock now."""
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _MODE)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            self.close()
        return True
