"""Count the requests of each API key per day, in memory, and write the counts to the database periodically.

No request waits for it or fails because of it. What a process has counted since it last wrote is lost when it is killed: at most
the requests of `WRITE_EVERY_S`, or of all the time that the database was away. Requests without a valid key are nobody's and are
not counted. Nothing is decided by these numbers; the rate limit has its own.
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
"""One statement a process, however many requests there were; none where there was no request."""
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
            # In a context of its own: it writes for all requests, and belongs to none.
            self._timer = asyncio.get_running_loop().call_later(WRITE_EVERY_S, self._begin_to_write, context=Context())

    def _begin_to_write(self) -> None:
        loop = asyncio.get_running_loop()
        if self._writing is not None and not self._writing.done():
            # The database is slow; two statements for the same rows would only wait for each other.
            self._timer = loop.call_later(WRITE_EVERY_S, self._begin_to_write)
            return
        self._timer = None
        self._writing = loop.create_task(write_counts(self._runtime))


async def write_counts(runtime: Runtime) -> None:
    """Write down what this process has counted; where the database is away it stays in memory, to be written with the next."""
    try:
        await key_usage.write_counts(runtime.store, runtime.request_counts)
    except BonafideError as error:
        _log.warning("requests not written down", problem=error.message)


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """The requests of one key on each of the last days, the oldest first, days without any included."""

    days: tuple[tuple[date, RequestTotals], ...]

    @property
    def total(self) -> RequestTotals:
        """Of all the days."""
        return sum((requests for _, requests in self.days), RequestTotals())

    @property
    def most(self) -> int:
        """Requests of the busiest day."""
        return max(requests.made for _, requests in self.days)


async def read_usage(runtime: Runtime, organization_id: UUID, key_ids: list[UUID]) -> dict[UUID, KeyUsage]:
    """What each of these keys of the organization has done in the last days (UTC), as far as processes have written it down."""
    last = runtime.clock().date()
    days = [last - timedelta(days=ago) for ago in reversed(range(DAYS_SHOWN))]
    async with runtime.store.read() as connection:
        found = await key_usage.list_daily_requests(connection, organization_id, days[0], last)
    return {key: KeyUsage(tuple((day, found.get(key, {}).get(day, RequestTotals())) for day in days)) for key in key_ids}
