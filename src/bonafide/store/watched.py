"""A transaction that is measured: how long it waited to begin, how long it lasted, and a span in the trace that it belongs to.

No statement is noted, and no value of one.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from time import perf_counter
from typing import TypeVar

from bonafide.metrics import Metrics
from bonafide.tracing import span

READ, WRITE = "read", "write"
T = TypeVar("T")


@asynccontextmanager
async def watched(begun: AbstractAsyncContextManager[T], mode: str, metrics: Metrics) -> AsyncIterator[T]:
    """A transaction: what is entered begins it, and ends it."""
    asked, began = perf_counter(), None
    try:
        with span("transaction", {"bonafide.mode": mode}):
            async with begun as connection:
                began = perf_counter()
                yield connection
    finally:
        if began is not None:
            metrics.observe_transaction(mode, began - asked, perf_counter() - began)
