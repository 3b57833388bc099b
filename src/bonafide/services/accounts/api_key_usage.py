"""Count the requests of each API key per day, in memory, and write the counts to the database periodically.

No request waits for it or fails because of it. A process that is killed loses the counts since the last write: those of
`WRITE_EVERY_S`, or of the whole time that the database was unavailable. Requests without a valid key are not counted. These numbers
are for information only; the rate limit has its own.
"""

import asyncio
from contextvars import Context
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from bonafide.errors import BonafideError
from bonafide.model.accounts.organizations import Principal
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.store.tenants import key_usage
from bonafide.store.tenants.key_usage import KeyDay, RequestTotals

WRITE_EVERY_S = 3.0
"""Each write is one statement per process, and none if there were no requests."""
DAYS_SHOWN = 30
_log = get_logger(__name__)


class KeyUsageCounter:
    """Counts the requests of one application. A timer writes the counts a while after the first of them."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    def count(self, caller: Principal, now: datetime, *, refused: bool) -> None:
        """Count one request of a key; `refused` when it was over the key's limit."""
        self._runtime.request_counts.add(KeyDay(caller.organization_id, caller.key_id, now.date()), RequestTotals(1, int(refused)))
        if self._timer is None:
            # An empty context: the write is for all requests, so it has the context of none.
            self._timer = asyncio.get_running_loop().call_later(WRITE_EVERY_S, self._begin_to_write, context=Context())

    def _begin_to_write(self) -> None:
        loop = asyncio.get_running_loop()
        if self._writing is not None and not self._writing.done():
            # The database is slow, and two statements for the same rows would wait for each other.
            self._timer = loop.call_later(WRITE_EVERY_S, self._begin_to_write)
            return
        self._timer = None
        self._writing = loop.create_task(write_counts(self._runtime))


async def write_counts(runtime: Runtime) -> None:
    """Write the counts of this process. If the database is unavailable they stay in memory for the next write."""
    try:
        await key_usage.write_counts(runtime.store, runtime.request_counts)
    except BonafideError as error:
        _log.warning("key_usage.write_failed", problem=error.message)


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """The requests of one key on each of the last days, the oldest first, days without any included."""

    days: tuple[tuple[date, RequestTotals], ...]

    @property
    def total(self) -> RequestTotals:
        """The requests of all days."""
        return sum((requests for _, requests in self.days), RequestTotals())

    @property
    def most(self) -> int:
        """Requests of the busiest day."""
        return max(requests.made for _, requests in self.days)


async def read_usage(runtime: Runtime, organization_id: UUID, key_ids: list[UUID]) -> dict[UUID, KeyUsage]:
    """The recorded requests of each of these keys in the last days (UTC)."""
    last = runtime.clock().date()
    days = [last - timedelta(days=ago) for ago in reversed(range(DAYS_SHOWN))]
    async with runtime.store.read() as connection:
        found = await key_usage.list_daily_requests(connection, organization_id, days[0], last)
    return {key: KeyUsage(tuple((day, found.get(key, {}).get(day, RequestTotals())) for day in days)) for key in key_ids}
