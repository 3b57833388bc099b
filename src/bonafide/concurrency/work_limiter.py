"""Limits how many expensive requests run at once and how many may wait; the rest is refused.

Without it a burst makes every request slow until all of them time out; with it those that are taken on end as they always do. A
turn is not a lock: what is done in one is nobody's business here.
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

MAX_RUNNING_PER_PROCESSOR = 16
"""A search counts for some milliseconds and may then wait for live registers for seconds."""
MAX_WAITING_PER_RUNNING = 2
"""How many may wait for each that is at work."""
MAX_CALLER_SHARE = 0.5
"""Of the places to wait, that one caller may have."""
INITIAL_DURATION_S = 0.5
"""How long a turn takes, before any has ended."""
SMOOTHING = 0.1
"""The weight of the newest turn in how long one takes."""
MAX_RETRY_S = 30
JITTER = 0.5
"""Up to so much longer is each told to wait, so that they do not come back together."""


class WorkLimiter:
    """The turns of one process. Those who wait are served in the order in which they came."""

    def __init__(self, max_running: int | None = None, max_waiting: int | None = None) -> None:
        self.max_running = max_running if max_running is not None else MAX_RUNNING_PER_PROCESSOR * count_processors()
        self.max_waiting = max_waiting if max_waiting is not None else MAX_WAITING_PER_RUNNING * self.max_running
        self._under_way = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._waiting_by_caller: Counter[str] = Counter()
        self._typical_s = INITIAL_DURATION_S

    @property
    def under_way(self) -> int:
        """How many are at work."""
        return self._under_way

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._queue)

    @asynccontextmanager
    async def slot(self, caller: str, within_s: float) -> AsyncIterator[None]:
        """Work when it is one's turn. Raises `ServerBusy` when that would take longer than `within_s`, or nobody more may wait."""
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
            self._waiting_by_caller += Counter()  # forgets those who wait for nothing

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
                # Its turn has come at the very moment at which it went away.
                self._end()
            if isinstance(error, TimeoutError):
                raise self._refusal() from error
            raise

    def _end(self) -> None:
        """Pass the turn on, or keep it for whoever comes next."""
        while self._queue:
            place = self._queue.popleft()
            if not place.done():
                place.set_result(None)
                return
        self._under_way -= 1

    def _expected_s(self) -> float:
        """How long whoever comes now would wait."""
        return self._typical_s * (self.waiting + 1) / self.max_running

    def _refusal(self) -> ServerBusy:
        wait_s = self._expected_s() * (1 + JITTER * random.random())  # noqa: S311 - nobody must not guess it
        retry_s = min(max(1, math.ceil(wait_s)), MAX_RETRY_S)
        return build_overload_error(retry_s)


def build_overload_error(retry_s: int) -> ServerBusy:
    """The refusal of whoever should come again after so many seconds."""
    sentence = f"The service has as much to do as it can: try again in {retry_s} s."
    return ServerBusy(sentence, headers={"Retry-After": str(retry_s)})
