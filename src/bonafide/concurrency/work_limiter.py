"""Limits how many expensive requests run at once and how many may wait; the rest are refused.

Without it, a burst slows every request until all of them time out; with it, accepted requests take as long as usual. A slot is
not a lock.
"""

import asyncio
import math
import random
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import monotonic

from bonafide.concurrency.executors import count_processors
from bonafide.errors import ServerBusy
from bonafide.i18n.message import Message

MAX_RUNNING_PER_PROCESSOR = 16
"""A search counts for some milliseconds and may then wait for live registers for seconds."""
MAX_WAITING_PER_RUNNING = 2
"""How many may wait for each running one."""
MAX_CALLER_SHARE = 0.5
"""The share of the waiting places that one caller may use."""
INITIAL_DURATION_S = 0.5
"""The assumed duration of a slot before any has ended."""
SMOOTHING = 0.1
"""The weight of the newest duration in their moving average."""
MAX_RETRY_S = 30
JITTER = 0.5
"""Random extra delay of `Retry-After`, so that clients do not return together."""


class WorkLimiter:
    """The slots of one process. Waiting requests are served in the order of their arrival."""

    def __init__(self, max_running: int | None = None, max_waiting: int | None = None) -> None:
        self.max_running = max_running if max_running is not None else MAX_RUNNING_PER_PROCESSOR * count_processors()
        self.max_waiting = max_waiting if max_waiting is not None else MAX_WAITING_PER_RUNNING * self.max_running
        self._under_way = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._waiting_by_caller: Counter[str] = Counter()
        self._typical_s = INITIAL_DURATION_S

    @property
    def under_way(self) -> int:
        """How many slots are in use."""
        return self._under_way

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return len(self._queue)

    @asynccontextmanager
    async def slot(self, caller: str, within_s: float) -> AsyncIterator[None]:
        """Wait for a slot. Raises `ServerBusy` when that would take longer than `within_s`, or the queue is full."""
        await self._begin(caller, within_s)
        began = monotonic()
        try:
            yield
        finally:
            self._typical_s += SMOOTHING * (monotonic() - began - self._typical_s)
            self._end()

    async def _begin(self, caller: str, within_s: float) -> None:
        if self._under_way < self.max_running:
            self._under_way += 1
            return
        share = max(1, math.floor(self.max_waiting * MAX_CALLER_SHARE))
        if self.waiting >= self.max_waiting or self._waiting_by_caller[caller] >= share or self._expected_s() > within_s:
            raise self._refusal()
        self._waiting_by_caller[caller] += 1
        try:
            await self._wait(within_s)
        finally:
            self._waiting_by_caller[caller] -= 1
            self._waiting_by_caller += Counter()  # drops waiters that were cancelled

    async def _wait(self, within_s: float) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(place)
        try:
            async with asyncio.timeout(within_s):
                await place
        except BaseException as error:
            with suppress(ValueError):
                self._queue.remove(place)
            if place.done() and not place.cancelled():
                # The slot was granted at the moment of the cancellation.
                self._end()
            if isinstance(error, TimeoutError):
                raise self._refusal() from error
            raise

    def _end(self) -> None:
        """Pass the slot on to the next waiter, or free it."""
        while self._queue:
            place = self._queue.popleft()
            if not place.done():
                place.set_result(None)
                return
        self._under_way -= 1

    def _expected_s(self) -> float:
        """The expected wait of a new request, in seconds."""
        return self._typical_s * (self.waiting + 1) / self.max_running

    def _refusal(self) -> ServerBusy:
        wait_s = self._expected_s() * (1 + JITTER * random.random())  # noqa: S311 - nobody must not guess it
        retry_s = min(max(1, math.ceil(wait_s)), MAX_RETRY_S)
        return build_overload_error(retry_s)


def build_overload_error(retry_s: int) -> ServerBusy:
    """The error for a refused request, with the seconds after which to retry."""
    message = Message("The service is at capacity. Retry in {seconds} s.", seconds=retry_s)
    return ServerBusy(message, headers={"Retry-After": str(retry_s)})
