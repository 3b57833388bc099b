"""How late the event loop of this process is: what blocks it delays every request that it serves.

A task sleeps for a while and notes how much longer it slept. It says that something blocks, not what.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bonafide.metrics import Metrics

EVERY_S = 0.25


@asynccontextmanager
async def watched_loop(metrics: Metrics) -> AsyncIterator[None]:
    """Measure while the block runs."""
    watching = asyncio.create_task(_watch(metrics))
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _watch(metrics: Metrics) -> None:
    now = asyncio.get_running_loop().time
    while True:
        due = now() + EVERY_S
        await asyncio.sleep(EVERY_S)
        metrics.observe_lag(max(now() - due, 0.0))
