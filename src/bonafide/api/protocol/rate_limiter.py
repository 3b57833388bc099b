"""Count requests of each caller in fixed windows, across nodes or in this process.

A window begins at a whole multiple of its length, so that it resets at an exact second which is the same for everyone. Where all
nodes count together is `services/operations/rate_counters`; while that is away each counts by itself, and no request fails for it.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Protocol

from bonafide.errors import RateLimited
from bonafide.net.circuit_breaker import DependencyUnavailable
from bonafide.runtime import Runtime
from bonafide.services.operations.rate_counters import RateCounter, create_shared_counter, pseudonymize

MAX_CALLERS = 100_000
"""Counted at once (about 20 MB); beyond that the one that was quiet longest is forgotten."""


@dataclass(frozen=True, slots=True)
class RateLimitUsage:
    """How much of its window a caller has used. `used` includes this request; `resets_at` is a Unix timestamp."""

    limit: int
    used: int
    resets_at: int

    @property
    def is_over(self) -> bool:
        """Whether this request exceeds the limit."""
        return self.used > self.limit

    @property
    def headers(self) -> dict[str, str]:
        """The three headers of every response."""
        remaining = max(0, self.limit - self.used)
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(remaining),
            "X-RateLimit-Reset": str(self.resets_at),
        }

    def check(self, now: datetime) -> None:
        """Raises `RateLimited`, which says how long to wait, when this request is one too many."""
        if self.is_over:
            wait = max(1, ceil(self.resets_at - now.timestamp()))
            raise RateLimited(
                f"More than {self.limit} requests in the window: wait {wait} s before the next.", headers={"Retry-After": str(wait)}
            )


class RateLimiter(Protocol):
    """Counts requests by caller."""

    async def hit(self, caller: str, limit: int, now: datetime) -> RateLimitUsage:
        """Count one request of `caller`, who may make `limit` a window."""


class MemoryRateLimiter:
    """Counts in this process. Windows are `window_s` seconds."""

    def __init__(self, window_s: int) -> None:
        self._window_s = window_s
        self._window = 0
        self._used: OrderedDict[str, int] = OrderedDict()

    async def hit(self, caller: str, limit: int, now: datetime) -> RateLimitUsage:
        """Count one request of `caller`, who may make `limit` a window."""
        self._advance_window(int(now.timestamp()) // self._window_s)
        used = self._used.pop(caller, 0) + 1
        self._used[caller] = used
        if len(self._used) > MAX_CALLERS:
            self._used.popitem(last=False)
        return RateLimitUsage(limit, used, (self._window + 1) * self._window_s)

    def _advance_window(self, window: int) -> None:
        # A clock that is set back must not give everyone a fresh window.
        if window > self._window:
            self._window = window
            self._used.clear()


class SharedRateLimiter:
    """Counts for all nodes; for this process alone while what they share is away, with what it has itself seen in the window."""

    def __init__(self, counter: RateCounter, window_s: int, secret: bytes) -> None:
        self._counter = counter
        self._window_s = window_s
        self._secret = secret
        self._own = MemoryRateLimiter(window_s)

    async def hit(self, caller: str, limit: int, now: datetime) -> RateLimitUsage:
        """Count one request of `caller`, who may make `limit` a window."""
        own = await self._own.hit(caller, limit, now)
        resets_at = (int(now.timestamp()) // self._window_s + 1) * self._window_s
        try:
            return RateLimitUsage(limit, *await self._counter.count(pseudonymize(self._secret, caller), resets_at))
        except DependencyUnavailable:
            return own


def create_rate_limiter(runtime: Runtime) -> RateLimiter:
    """The limiter that the settings name."""
    window_s, counter = runtime.settings.rate_limit_window_s, create_shared_counter(runtime)
    return SharedRateLimiter(counter, window_s, runtime.signing_key) if counter is not None else MemoryRateLimiter(window_s)
