"""One thread whose time waiting callers share by their weights, so that one caller's burst does not delay the others.

This is start-time fair queueing: each caller has a virtual time that grows by the seconds used, divided by its weight, and the
caller with the smallest one is next. A caller that was idle starts at the current virtual time, so that idle time earns no credit.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from time import perf_counter
from typing import Any, TypeVar

T = TypeVar("T")
_MAX_IDLE_CALLERS = 1000
"""Idle callers whose virtual time is stored; beyond that, those that have nothing to make up for are dropped."""


class FairThread:
    """Runs functions in one thread, the waiting callers in turn."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, name)
        self._lock = Lock()
        self._queues: dict[str, deque[tuple[Future[Any], Callable[[], Any], float]]] = {}
        """The functions of the callers that wait, each with its future and the caller's weight."""
        self._used_s: dict[str, float] = {}
        """The virtual time of each caller."""
        self._now_s = 0.0
        """The virtual time of the caller that started last."""

    def submit(self, work: Callable[[], T], caller: str, weight: float = 1.0) -> Future[T]:
        """Queue a function for this caller. A future that is cancelled in time is not run."""
        future: Future[T] = Future()
        with self._lock:
            if caller not in self._queues:
                self._queues[caller] = deque()
                self._used_s[caller] = max(self._used_s.get(caller, 0.0), self._now_s)
            self._queues[caller].append((future, work, weight))
        # One call for each queued function; which one it runs is decided when the thread is free.
        self._executor.submit(self._run_next)
        return future

    def _run_next(self) -> None:
        with self._lock:
            caller = min(self._queues, key=self._used_s.__getitem__)
            future, work, weight = self._queues[caller].popleft()
            if not self._queues[caller]:
                del self._queues[caller]
            self._now_s = self._used_s[caller]
        if not future.set_running_or_notify_cancel():
            return
        began = perf_counter()
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - the caller raises it
            self._charge(caller, (perf_counter() - began) / weight)
            future.set_exception(error)
        else:
            self._charge(caller, (perf_counter() - began) / weight)
            future.set_result(result)

    def _charge(self, caller: str, seconds: float) -> None:
        with self._lock:
            self._used_s[caller] += seconds
            if not self._queues:
                # Nobody waits: all begin again together.
                self._used_s, self._now_s = {}, 0.0
            elif len(self._used_s) > _MAX_IDLE_CALLERS:
                self._used_s = {name: used for name, used in self._used_s.items() if name in self._queues or used > self._now_s}
