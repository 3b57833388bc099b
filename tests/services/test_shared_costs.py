"""What it costs to count one request, wherever it is counted: figures for ADR 13, measured and never asserted."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median
from time import perf_counter

import pytest

from bonafide.api.protocol.rate_limit import MemoryRateLimiter, RateLimiter
from tests.support.recorded_figures import FIGURES
from tests.support.services.rate_limiters import WINDOW_S, limiter_over

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
HITS, AT_ONCE = 500, 32
NOON = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)


async def _cost(limiter: RateLimiter) -> str:
    """The median of one after another, and how many a second at once from one process."""
    alone = []
    for number in range(HITS):
        started = perf_counter()
        await limiter.hit(f"key:{number % 50}", HITS, NOON)
        alone.append(perf_counter() - started)
    for _ in range(2):  # the first time connects
        started = perf_counter()
        await asyncio.gather(*(_hits(limiter, worker) for worker in range(AT_ONCE)))
        rate = HITS // AT_ONCE * AT_ONCE / (perf_counter() - started)
    return f"{1000 * median(alone):7.3f} ms one after another, {rate:8.0f} a second {AT_ONCE} at once"


async def _hits(limiter: RateLimiter, worker: int) -> None:
    for number in range(HITS // AT_ONCE):
        await limiter.hit(f"key:{worker} {number % 3}", HITS, NOON)


async def test_cost_of_counting_in_memory(record_property: Callable[[str, object], None]) -> None:
    record_property(FIGURES, f"one request counted in memory    : {await _cost(MemoryRateLimiter(WINDOW_S))}")


async def test_cost_of_counting_where_all_nodes_do(shared_address: str, record_property: Callable[[str, object], None]) -> None:
    place = shared_address.split(":", maxsplit=1)[0].split("+", maxsplit=1)[0]
    async with limiter_over(shared_address) as limiter:
        await limiter.hit("key:0", HITS, NOON)  # connects
        record_property(FIGURES, f"one request counted in {place:10}: {await _cost(limiter)}")
