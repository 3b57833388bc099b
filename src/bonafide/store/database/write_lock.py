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

LOCK_SUFFIX = "-writer"
POLL_S = 0.001
"""Between two attempts while another process writes."""
_MODE = 0o600


class WriteLock:
    """The lock of one process and event loop. Waiting writers of the process are served in the order of their arrival.

    The kernel releases the lock of a process that ends. Where the file cannot be locked (a full disk, a network file system), and
    for programs that do not know the lock, SQLite's own lock still excludes other writers.
    """

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + LOCK_SUFFIX)
        self._within = asyncio.Lock()
        self._file: int | None = None

    @asynccontextmanager
    async def hold(self, within_s: float) -> AsyncIterator[None]:
        """Hold the lock while the block runs. Raises `TimeoutError` if other writers hold it for too long."""
        async with asyncio.timeout(within_s):
            await self._within.acquire()
            try:
                await self._lock_file()
            except BaseException:
                self._within.release()
                raise
        try:
            yield
        finally:
            if self._file is not None:
                fcntl.flock(self._file, fcntl.LOCK_UN)
            self._within.release()

    def close(self) -> None:
        """Close the file of the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    async def _lock_file(self) -> None:
        while not self._try_to_lock_file():  # noqa: ASYNC110 - the other writer is another process
            await asyncio.sleep(POLL_S)

    def _try_to_lock_file(self) -> bool:
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
