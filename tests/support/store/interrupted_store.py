"""A store whose process ends after a commit, or stops for a while before a write, at the place that a test names."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.autocommit import PlannedWrite, WriteStatement
from bonafide.store.database.engine import Store


class Killed(BaseException):
    """The process ended: not an error, which the code under test would handle."""


class InterruptedStore(Store):
    """Counts the writes of effects from the moment at which a test says when to end or to stop."""

    _written = 0
    _kill_after: int | None = None
    _pause_from: int | None = None

    @classmethod
    def on(cls, database_url: str) -> "InterruptedStore":
        """An open store on a database."""
        opened = cls.open(database_url)
        assert isinstance(opened, cls)
        opened.paused, opened.continued = asyncio.Event(), asyncio.Event()
        return opened

    paused: asyncio.Event
    """Set when a write waits."""
    continued: asyncio.Event
    """Set it, and the writes go on."""

    def kill_after(self, commits: int) -> None:
        """End the process after so many commits: that one is the last thing it does."""
        self._written, self._kill_after = 0, commits

    def pause_from(self, write: int) -> None:
        """Stop the process before this write, counted from 0, and all that follow."""
        self._written, self._pause_from = 0, write

    @asynccontextmanager
    async def write(self, *, is_effect: bool = True, durable: bool = True) -> AsyncIterator[AsyncConnection]:
        """A transaction."""
        await self._before(is_effect=is_effect)
        async with super().write(is_effect=is_effect, durable=durable) as connection:
            yield connection
        self._after(is_effect=is_effect)

    async def change(self, statement: WriteStatement, values: Mapping[str, Any], *, durable: bool = True) -> int:
        """A single statement."""
        await self._before(is_effect=True)
        changed = await super().change(statement, values, durable=durable)
        self._after(is_effect=True)
        return changed

    async def change_together(self, first: PlannedWrite, others: Sequence[PlannedWrite]) -> int:
        """Several statements in one transaction."""
        await self._before(is_effect=True)
        changed = await super().change_together(first, others)
        self._after(is_effect=True)
        return changed

    async def _before(self, *, is_effect: bool) -> None:
        if is_effect and self._kill_after is not None and self._written >= self._kill_after:
            raise Killed
        if is_effect and self._pause_from is not None and self._written >= self._pause_from:
            self.paused.set()
            await self.continued.wait()

    def _after(self, *, is_effect: bool) -> None:
        self._written += is_effect
        if is_effect and self._kill_after is not None and self._written >= self._kill_after:
            raise Killed
