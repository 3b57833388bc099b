"""The time that all processes of an installation share: that of their PostgreSQL.

Leases, deadlines and due times compare instants of different machines, so a machine with a wrong clock would end the work of others
or delay it. Each process reads the clock of the database periodically and counts on with its monotonic clock. With SQLite the
machine's clock is used.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from time import monotonic

from sqlalchemy import DateTime, func, select

from bonafide.errors import BonafideError
from bonafide.observability.log import get_logger
from bonafide.store.database.engine import Store

SYNCHRONIZE_EVERY_S = 5.0
MAX_ROUND_TRIP_S = 0.5
"""Longer round trips are ignored: the time may be that of their beginning or of their end."""
WARN_OFFSET_S = 2.0
"""The difference from which a wrong clock of the machine is logged."""
_NOW = select(func.clock_timestamp(type_=DateTime(timezone=True)))
_log = get_logger(__name__)


def system_clock() -> datetime:
    """The machine's clock."""
    return datetime.now(UTC)


class DatabaseClock:
    """The time of the database as this process knows it; the machine's until it is first read."""

    def __init__(self, own: Callable[[], datetime] = system_clock, steady: Callable[[], float] = monotonic) -> None:
        self._own, self._steady = own, steady
        self._known: tuple[datetime, float] | None = None
        self._is_wrong = False

    def __call__(self) -> datetime:
        """The current time, in UTC."""
        if self._known is None:
            return self._own()
        instant, moment = self._known
        return instant + timedelta(seconds=self._steady() - moment)

    async def synchronize(self, store: Store) -> None:
        """Read the time of the database. Raises `ServerBusy`."""
        async with store.read() as connection:
            before = self._steady()
            present: datetime = (await connection.execute(_NOW)).scalar_one()
            after = self._steady()
        if self._known is None or after - before <= MAX_ROUND_TRIP_S:
            self._known = present.astimezone(UTC), (before + after) / 2
        off_s = (self._own() - self()).total_seconds()
        was_wrong, self._is_wrong = self._is_wrong, abs(off_s) > WARN_OFFSET_S
        if self._is_wrong and not was_wrong:
            _log.warning("clock.differs", seconds=round(off_s, 3))


@asynccontextmanager
async def open_clock(store: Store) -> AsyncIterator[Callable[[], datetime]]:
    """The shared clock, kept up to date while the block runs. Raises `ServerBusy`."""
    if not store.is_server:
        yield system_clock
        return
    clock = DatabaseClock()
    await clock.synchronize(store)
    looking = asyncio.create_task(_synchronize_loop(clock, store))
    try:
        yield clock
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


async def _synchronize_loop(clock: DatabaseClock, store: Store) -> None:
    while True:
        await asyncio.sleep(SYNCHRONIZE_EVERY_S)
        with suppress(BonafideError):  # the database is unavailable: the monotonic clock continues
            await clock.synchronize(store)
