"""What the API's tests share: a clock that only the test moves, and makers of keys and clients."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import httpx2
from fastapi import FastAPI

from tests.support.log_watch import heed

NOON = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)
BASE = "http://bonafide.test"
HIGH_LIMIT = 1_000_000
"""For the tests that are not about the rate limit and send many requests."""


@dataclass
class ManualClock:
    """A clock that stands still until it is moved."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass(frozen=True)
class NewClient:
    """Makes clients of one application; `None` for one without a key."""

    app: FastAPI
    stack: AsyncExitStack

    async def __call__(self, key: str | None) -> httpx2.AsyncClient:
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        transport, hooks = httpx2.ASGITransport(self.app), {"request": [heed]}
        client = httpx2.AsyncClient(transport=transport, base_url=BASE, headers=headers, event_hooks=hooks)
        return await self.stack.enter_async_context(client)


NewKey = Callable[..., Awaitable[str]]
