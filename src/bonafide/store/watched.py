"""A transaction that is measured: how long it waited to begin, how long it lasted, and a span in the trace that it belongs to.

No statement is noted, and no value of one.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bonafide.metrics import Metrics
from bonafide.tracing import span

READ, WRITE = "read", "write"


@asynccontextmanager
async def watched(engine: AsyncEngine, mode: str, metrics: Metrics) -> AsyncIterator[AsyncConnection]:
    """A transaction of the engine; commits at the end, or rolls back on an exception."""
    asked, began = perf_counter(), None
    try:
        with span("transaction", {"bonafide.mode": mode}):
            async with engine.begin() as connection:
                began = perf_counter()
                yield connection
    finally:
        if began is not None:
            metrics.observe_transaction(mode, began - asked, perf_counter() - began)
