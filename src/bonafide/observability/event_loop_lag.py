"""Measure how late the event loop of this process runs its tasks.

A task sleeps and measures how much longer it slept.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bonafide.observability.metrics import Metrics

INTERVAL_S = 0.25


@asynccontextmanager
async def monitor_event_loop(metrics: Metrics) -> AsyncIterator[None]:
    """Measure while the block runs."""
    watching = asyncio.create_task(_measure_loop(metrics))
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _measure_loop(metrics: Metrics) -> None:
    now = asyncio.get_running_loop().time
    while True:
        due = now() + INTERVAL_S
        await asyncio.sleep(INTERVAL_S)
        metrics.observe_lag(max(now() - due, 0.0))
