"""Rate limiters of one node, over a database or Valkey."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bonafide.api.protocol.rate_limit import SharedRateLimiter
from bonafide.net.circuit_breaker import OptionalDependency
from bonafide.net.valkey_store import ValkeyStore
from bonafide.services.operations.rate_counters import DatabaseRateCounter, ValkeyRateCounter
from bonafide.store.database.engine import Store
from tests.support.waiting import TIMEOUT_S

WINDOW_S = 60
SECRET = b"north"


@asynccontextmanager
async def limiter_over(address: str) -> AsyncIterator[SharedRateLimiter]:
    """The limiter of one node that counts at `address`. A failed counter fails the test."""
    if address.startswith("valkey"):
        shared = ValkeyStore.open(address, is_cluster=False, timeout_s=TIMEOUT_S, failed=fail_unavailable)
        yield SharedRateLimiter(ValkeyRateCounter(shared, WINDOW_S), WINDOW_S, SECRET)
        await shared.close()
        return
    store = Store.open(address)
    yield SharedRateLimiter(
        DatabaseRateCounter(store, OptionalDependency("The database", TIMEOUT_S, fail_unavailable)), WINDOW_S, SECRET
    )
    await store.close()


def fail_unavailable(use: str) -> None:
    """Fail the test: the service was to do without a dependency."""
    raise AssertionError(f"{use} was not available")
