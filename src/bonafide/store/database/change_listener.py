"""Wait for changes that other transactions commit, in this process or another one, without polling the database.

PostgreSQL notifies listeners of a channel. With SQLite the time of the write-ahead log is watched,
because a write transaction for each look would delay other writers. Behind a pooler in transaction mode neither is possible, and
`wait` returns often. A notification may be lost with its connection, so callers also look from time to time without one.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic

from psycopg import AsyncConnection as PsycopgConnection
from psycopg import Error as PsycopgError
from sqlalchemy import URL, NullPool, func, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bonafide.observability.log import get_logger

POLL_S = 0.1
"""Between two looks at the log of SQLite; the longest `wait` where nothing notifies."""
IDLE_POLL_S, IDLE_AFTER_S = 0.5, 5.0
"""The same once nothing has changed for a while: each look wakes the processor."""
CHECK_CONNECTION_S = 15.0
"""After this time without a notification the connection is tested: a server that has vanished sends nothing."""
RECONNECT_S = 1.0
_WAL_SUFFIX = "-wal"
_log = get_logger(__name__)


class ChangeListener:
    """Whether something may have changed since the last `wait`. One task waits at a time."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()
        self._is_notified = False

    def wake(self) -> None:
        """End the current `wait`, or the next one."""
        self._changed.set()

    async def wait(self, timeout_s: float) -> None:
        """Return once something may have changed, at the latest after `timeout_s` seconds."""
        limit_s = timeout_s if self._is_notified else min(timeout_s, POLL_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self._changed.wait()
        self._changed.clear()

    async def watch_file(self, database: Path) -> None:
        """Watch a SQLite database until cancelled."""
        wal = database.with_name(database.name + _WAL_SUFFIX)
        seen, changed_at = None, monotonic()
        self._is_notified = True
        while True:
            stamp = _read_stamp(wal)
            if stamp != seen:
                seen, changed_at = stamp, monotonic()
                self.wake()
            await asyncio.sleep(POLL_S if monotonic() - changed_at < IDLE_AFTER_S else IDLE_POLL_S)

    async def listen(self, engine: AsyncEngine, channel: str) -> None:
        """Listen on a channel of PostgreSQL until cancelled, and connect again after failures."""
        while True:
            try:
                async with engine.connect() as connection:
                    await connection.execute(text(f"LISTEN {channel}"))
                    self._is_notified = True
                    await self._wake_on_notifications(connection)
            except (PsycopgError, SQLAlchemyError, OSError) as error:
                if self._is_notified:
                    _log.warning("notifications.interrupted", problem=type(error).__name__)
                self._is_notified = False
            self.wake()
            await asyncio.sleep(RECONNECT_S)

    async def _wake_on_notifications(self, connection: AsyncConnection) -> None:
        """Return when the connection ends. Raises `psycopg.Error` or SQLAlchemy's errors."""
        driver = (await connection.get_raw_connection()).driver_connection
        assert isinstance(driver, PsycopgConnection)  # noqa: S101 - the driver that the store sets
        # What was committed before the connection listened is not notified.
        self.wake()
        while True:
            async for _notification in driver.notifies(timeout=CHECK_CONNECTION_S):
                self.wake()
            await connection.execute(text("SELECT 1"))


def _read_stamp(file: Path) -> tuple[int, int] | None:
    """The time of the last write and the size; None without the file."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


@asynccontextmanager
async def open_change_listener(url: URL, channel: str, *, pooled: bool) -> AsyncIterator[ChangeListener]:
    """A listener that is kept up to date while the block runs. `pooled`: PostgreSQL is behind a pooler in transaction mode."""
    listener = ChangeListener()
    if pooled:
        yield listener
        return
    if url.get_backend_name() == "sqlite":
        task = asyncio.create_task(listener.watch_file(Path(str(url.database))))
    else:
        # Without a pool: the connection is the listener's own.
        engine = create_async_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True)
        task = asyncio.create_task(listener.listen(engine, channel))
    try:
        yield listener
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def notify_listeners(connection: AsyncConnection, channel: str) -> None:
    """Wake the listeners of a channel, in all processes, when the caller's transaction commits. SQLite's need no notification."""
    if connection.dialect.name == "postgresql":
        await connection.execute(select(func.pg_notify(channel, "")))
