"""Limits how many expensive requests run at once and how many may wait; the rest are refused.

Without it, a burst slows every request until all of them time out; with it, accepted requests take as long as usual. Slots are
shared between callers: one caller gets at most a share of them, and a free slot goes to the waiting caller that uses the least for
its weight. While several callers are active, each computes one request at a time, because every further one would delay the others
at each of their steps, begins none while a caller with fewer requests computes, and pauses between those that wait: otherwise the
processors would never be free when another caller's request arrives. Requests that wait for the network (`wait_outside`) do not
count. A slot is not a lock.
"""

import asyncio
import math
import random
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from time import monotonic

from bonafide.concurrency.executors import count_processors
from bonafide.errors import ServerBusy
from bonafide.i18n.message import Message

MAX_RUNNING_PER_PROCESSOR = 16
"""A search counts for some milliseconds and may then wait for live registers for seconds."""
MAX_WAITING_PER_RUNNING = 2
"""How many may wait for each running one."""
MAX_RUNNING_SHARE = 0.75
"""The share of the slots that one caller may use, rounded up. The rest is kept for callers that arrive later."""
MAX_WAITING_SHARE = 0.5
"""The share of the waiting places that one caller may use."""
MAX_GIVING_WAY_S = 0.25
"""How long after its last start a caller gives way to callers with fewer requests."""
MAX_PAUSE_S = 0.5
"""The longest pause after a request of a caller that has more of them waiting."""
ACTIVE_S = 10.0
"""How long a caller is active after its last request has started."""
DEFAULT_WEIGHT = 1.0
INITIAL_DURATION_S = 0.5
"""The assumed duration of a slot before any has ended."""
SMOOTHING = 0.1
"""The weight of the newest duration in their moving average."""
MAX_RETRY_S = 30
JITTER = 0.5
"""Random extra delay of `Retry-After`, so that clients do not return together."""


class ShareExceeded(ServerBusy):
    """The caller has used its own share."""


@dataclass(slots=True)
class _CallerState:
    """What one caller uses and waits for. `started` is its virtual time: slots granted, divided by its weight."""

    weight: float
    started: float
    running: int = 0
    computing: int = 0
    """How many of the running requests do not wait for the network."""
    is_paused: bool = False
    """Whether no request starts while other callers are active."""
    queue: deque[tuple[int, asyncio.Future[None]]] = field(default_factory=deque)
    """The waiting requests, each with the number of its arrival."""

    @property
    def turn(self) -> tuple[float, float, int]:
        """Order of waiting callers: the least running for its weight, then the least started, then the first to arrive."""
        return self.running / self.weight, self.started, self.queue[0][0]


class _Slot:
    """The slot of one request."""

    def __init__(self, limiter: "WorkLimiter", caller: str) -> None:
        self._limiter = limiter
        self._caller = caller
        self._waits = 0
        self._has_ended = False
        self._computed_s = 0.0
        self._computing_since = monotonic()

    @contextmanager
    def wait_outside(self) -> Iterator[None]:
        """The request does not compute while the block runs."""
        self._count_waits(1)
        try:
            yield
        finally:
            self._count_waits(-1)

    def end(self) -> tuple[bool, float]:
        """End the slot. Returns whether the request was computing, and for how many seconds it has computed."""
        self._has_ended = True
        is_computing = self._waits == 0
        return is_computing, self._computed_s + (monotonic() - self._computing_since if is_computing else 0.0)

    def _count_waits(self, change: int) -> None:
        was_computing = self._waits == 0
        self._waits += change
        if self._has_ended or was_computing is (self._waits == 0):
            return
        if was_computing:
            self._computed_s += monotonic() - self._computing_since
        self._computing_since = monotonic()
        self._limiter.count_computing(self._caller, -1 if was_computing else 1)


_current_slot: ContextVar[_Slot | None] = ContextVar("work_slot", default=None)


@contextmanager
def wait_outside() -> Iterator[None]:
    """Do not count the current request as computing during the block, which waits for a live source or another network service.

    Without a slot it does nothing.
    """
    slot = _current_slot.get()
    if slot is None:
        yield
        return
    with slot.wait_outside():
        yield


class WorkLimiter:
    """The slots of one process. The requests of one caller are served in the order of their arrival.

    `weights` are those of callers that do not have the default weight: a caller of weight 2 gets twice the slots of one of weight 1
    while both wait.
    """

    def __init__(
        self, max_running: int | None = None, max_waiting: int | None = None, weights: Mapping[str, float] | None = None
    ) -> None:
        self.max_running = max_running if max_running is not None else MAX_RUNNING_PER_PROCESSOR * count_processors()
        self.max_waiting = max_waiting if max_waiting is not None else MAX_WAITING_PER_RUNNING * self.max_running
        self._max_running_by_caller = math.ceil(self.max_running * MAX_RUNNING_SHARE)
        self._max_waiting_by_caller = max(1, math.floor(self.max_waiting * MAX_WAITING_SHARE))
        self._weights = weights if weights is not None else {}
        self._callers: dict[str, _CallerState] = {}
        """The callers that run or wait."""
        self._last_started: OrderedDict[str, float] = OrderedDict()
        """When each caller has started its last request, the oldest first, as long as it is active."""
        self._under_way = 0
        self._waiting = 0
        self._started = 0.0
        """The virtual time of the caller that started last: where a new caller begins, whatever it used before."""
        self._arrivals = count()
        self._typical_s = INITIAL_DURATION_S

    @property
    def under_way(self) -> int:
        """How many slots are in use."""
        return self._under_way

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return self._waiting

    def get_weight(self, caller: str) -> float:
        """The weight of a caller."""
        return self._weights.get(caller, DEFAULT_WEIGHT)

    def check_share(self, caller: str) -> None:
        """Raises `ShareExceeded` if the caller has as many waiting requests as it may have."""
        state = self._callers.get(caller)
        if state is not None and self.max_waiting > 0 and len(state.queue) >= self._max_waiting_by_caller:
            raise self._build_refusal(state, ShareExceeded)

    @asynccontextmanager
    async def slot(self, caller: str, within_s: float) -> AsyncIterator[None]:
        """Wait for a slot. Raises `ServerBusy` when that would take longer than `within_s`, or the queue is full."""
        await self._begin(caller, within_s)
        began, slot = monotonic(), _Slot(self, caller)
        token = _current_slot.set(slot)
        try:
            yield
        finally:
            _current_slot.reset(token)
            self._typical_s += SMOOTHING * (monotonic() - began - self._typical_s)
            is_computing, computed_s = slot.end()
            self._pause(caller, computed_s)
            self._end(caller, is_computing=is_computing)

    def count_computing(self, caller: str, change: int) -> None:
        """Change the number of requests of a caller that compute."""
        self._callers[caller].computing += change
        self._start_waiting()

    async def _begin(self, caller: str, within_s: float) -> None:
        state = self._callers.get(caller)
        if state is None:
            state = _CallerState(self.get_weight(caller), self._started)
        if self._has_slot(caller, state) and not state.queue:
            self._callers[caller] = state
            self._start(caller, state)
            return
        if len(state.queue) >= self._max_waiting_by_caller:
            raise self._build_refusal(state, ShareExceeded)
        if self._estimate_wait_s(state) > within_s or not self._has_waiting_place(state):
            raise self._build_refusal(state)
        self._callers[caller] = state
        await self._wait(caller, state, within_s)

    async def _wait(self, caller: str, state: _CallerState, within_s: float) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = (next(self._arrivals), place)
        state.queue.append(entry)
        self._waiting += 1
        try:
            async with asyncio.timeout(within_s):
                await place
        except BaseException as error:
            with suppress(ValueError):
                state.queue.remove(entry)
                self._waiting -= 1
            if place.done() and not place.cancelled() and place.exception() is None:
                # The slot was granted at the moment of the cancellation.
                self._end(caller)
            self._forget_idle(caller)
            if isinstance(error, TimeoutError):
                raise self._build_refusal(state) from error
            raise

    def _has_slot(self, caller: str, state: _CallerState) -> bool:
        if self._under_way >= self.max_running or state.running >= self._max_running_by_caller:
            return False
        if not self._has_other_active(caller):
            return True
        if state.computing >= max(1, math.floor(state.weight)) or state.is_paused:
            return False
        return not self._gives_way(caller, state)

    def _pause(self, caller: str, computed_s: float) -> None:
        """Let the only caller with waiting requests pause for as long as its request has computed, for its weight."""
        state = self._callers[caller]
        if 0 < len(state.queue) == self._waiting and self._has_other_active(caller):
            state.is_paused = True
            asyncio.get_running_loop().call_later(min(computed_s / state.weight, MAX_PAUSE_S), self._end_pause, state)

    def _end_pause(self, state: _CallerState) -> None:
        state.is_paused = False
        self._start_waiting()

    def _gives_way(self, caller: str, state: _CallerState) -> bool:
        """Whether a caller that has fewer requests computes now. Ends with that request, or after a while."""
        if monotonic() - self._last_started.get(caller, 0.0) > MAX_GIVING_WAY_S:
            return False
        mine = (state.running + max(1, len(state.queue))) / state.weight
        return any(
            other.computing > 0 and (other.running + len(other.queue)) / other.weight < mine for other in self._callers.values()
        )

    def _has_other_active(self, caller: str) -> bool:
        """Whether another caller runs, waits, or has started a request recently."""
        now = monotonic()
        while self._last_started and next(iter(self._last_started.values())) < now - ACTIVE_S:
            self._last_started.popitem(last=False)
        return any(len(known) > (caller in known) for known in (self._callers, self._last_started))

    def _start(self, caller: str, state: _CallerState) -> None:
        self._last_started[caller] = monotonic()
        self._last_started.move_to_end(caller)
        self._under_way += 1
        state.running += 1
        state.computing += 1
        state.started = max(state.started, self._started) + 1 / state.weight
        self._started = state.started - 1 / state.weight

    def _end(self, caller: str, *, is_computing: bool = True) -> None:
        """Free a slot, and pass free slots on to waiting callers."""
        self._under_way -= 1
        self._callers[caller].running -= 1
        self._callers[caller].computing -= is_computing
        self._start_waiting()
        self._forget_idle(caller)

    def _start_waiting(self) -> None:
        """Start the waiting requests that have a slot now."""
        while ready := [(name, state) for name, state in self._callers.items() if state.queue and self._has_slot(name, state)]:
            name, state = min(ready, key=lambda other: other[1].turn)
            _, place = state.queue.popleft()
            self._waiting -= 1
            if not place.done():
                self._start(name, state)
                place.set_result(None)

    def _forget_idle(self, caller: str) -> None:
        state = self._callers.get(caller)
        if state is not None and state.running == 0 and not state.queue:
            del self._callers[caller]

    def _has_waiting_place(self, state: _CallerState) -> bool:
        """Whether the caller may wait. If all places are in use, the caller with the most gives up its newest to one with fewer."""
        if self._waiting < self.max_waiting:
            return True
        largest = max(self._callers.values(), key=lambda other: len(other.queue) / other.weight)
        if len(largest.queue) / largest.weight <= (len(state.queue) + 1) / state.weight:
            return False
        _, place = largest.queue.pop()
        self._waiting -= 1
        if not place.done():
            place.set_exception(self._build_refusal(largest, ShareExceeded))
        return True

    def _estimate_wait_s(self, state: _CallerState) -> float:
        """The expected wait of the caller's next request, in seconds: the requests that start before it, at the usual rate."""
        mine = len(state.queue) + 1
        others = (other for other in self._callers.values() if other is not state)
        ahead = sum(min(len(other.queue), mine * other.weight / state.weight) for other in others)
        return self._typical_s * (mine + ahead) / self.max_running

    def _build_refusal(self, state: _CallerState, kind: type[ServerBusy] = ServerBusy) -> ServerBusy:
        wait_s = self._estimate_wait_s(state) * (1 + JITTER * random.random())  # noqa: S311 - nobody must not guess it
        return build_overload_error(min(max(1, math.ceil(wait_s)), MAX_RETRY_S), kind=kind)


def build_overload_error(retry_s: int, headers: Mapping[str, str] | None = None, kind: type[ServerBusy] = ServerBusy) -> ServerBusy:
    """The error for a refused request, with the seconds after which to retry."""
    message = Message("The service is at capacity. Retry in {seconds} s.", seconds=retry_s)
    return kind(message, headers={"Retry-After": str(retry_s), **(headers if headers is not None else {})})
