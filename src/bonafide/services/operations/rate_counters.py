"""Count the requests of each caller for all nodes: in Valkey or in the database.

A window is named by the Unix second at which it resets, and a caller's window only moves forward.
"""

import hmac
from hashlib import sha256
from typing import Protocol

from bonafide.net.circuit_breaker import OptionalDependency
from bonafide.net.valkey_store import ValkeyScript, ValkeyStore
from bonafide.runtime import Runtime
from bonafide.settings import RateLimitStore
from bonafide.store.database.engine import Store
from bonafide.store.work import shared_state

DATABASE_S = 1.0
"""The timeout of counting in the database. It is longer than Valkey's, because requests need the database anyway."""
USE = "rate_limit"
COUNT = ValkeyScript("""
local resets_at = tonumber(redis.call('HGET', KEYS[1], 'resets_at') or '0')
if tonumber(ARGV[1]) > resets_at then
  redis.call('HSET', KEYS[1], 'resets_at', ARGV[1], 'used', 1)
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  return {1, tonumber(ARGV[1])}
end
return {redis.call('HINCRBY', KEYS[1], 'used', 1), resets_at}
""")
"""Counts one request: the window's end and how long to keep it; returns the requests in it, and its end."""


class RateCounter(Protocol):
    """Counts requests of callers for all nodes."""

    async def count(self, caller: str, resets_at: int) -> tuple[int, int]:
        """Count one; returns the requests in the caller's window and when that resets. Raises `DependencyUnavailable`."""


class ValkeyRateCounter:
    """Counts in Valkey, which expires a window at most `window_s` after its end."""

    def __init__(self, shared: ValkeyStore, window_s: int) -> None:
        self._shared = shared
        self._keep_s = 2 * window_s

    async def count(self, caller: str, resets_at: int) -> tuple[int, int]:
        """Count one request, in one round trip. Raises `DependencyUnavailable`."""
        used, until = await self._shared.run(USE, COUNT, f"bonafide:rate:{{{caller}}}", resets_at, self._keep_s)
        return int(used), int(until)


class DatabaseRateCounter:
    """Counts in the database; the worker deletes expired windows."""

    def __init__(self, store: Store, available: OptionalDependency) -> None:
        self._store = store
        self._available = available

    async def count(self, caller: str, resets_at: int) -> tuple[int, int]:
        """Count one request, in one statement. Raises `DependencyUnavailable`."""
        async with self._available.attempt(USE), self._store.write(is_effect=False) as connection:
            return await shared_state.count_request(connection, caller, resets_at)


def create_shared_counter(runtime: Runtime) -> RateCounter | None:
    """The shared counter according to the settings; None to count in the memory of each process."""
    choice, shared = runtime.settings.rate_limit_store, runtime.valkey
    if choice in {RateLimitStore.AUTO, RateLimitStore.VALKEY} and shared is not None:
        return ValkeyRateCounter(shared, runtime.settings.rate_limit_window_s)
    if choice is RateLimitStore.DATABASE or (choice is RateLimitStore.AUTO and runtime.store.is_server):
        return DatabaseRateCounter(
            runtime.store, OptionalDependency("the database's counts", DATABASE_S, runtime.metrics.count_shared_failure)
        )
    return None


def pseudonymize(secret: bytes, caller: str) -> str:
    """The stored pseudonym of a caller: a keyed digest, so that addresses can't be found by trying all of them."""
    return hmac.new(secret, f"{USE} {caller}".encode(), sha256).hexdigest()
