"""The instant by which an answer is needed, passed down to every step.

A deadline only shortens what a step may take by itself. It cancels nothing but what runs within its `timeout`.
"""

import asyncio
from dataclasses import dataclass
from math import inf
from time import monotonic


@dataclass(frozen=True, slots=True)
class Deadline:
    """An instant of the monotonic clock, which is also the event loop's."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """So many seconds from now."""
        return cls(monotonic() + seconds)

    @property
    def remaining_s(self) -> float:
        """What is left, 0 when it has passed."""
        return max(0.0, self.at - monotonic())

    def within(self, limit_s: float) -> float:
        """What a step that may take `limit_s` by itself has: no more than is left."""
        return min(limit_s, self.remaining_s)

    def timeout(self) -> asyncio.Timeout:
        """An asynchronous context manager that raises `TimeoutError` at the deadline."""
        return asyncio.timeout_at(None if self.at == inf else self.at)

    def less(self, seconds: float) -> "Deadline":
        """So much earlier, for what has to be done afterwards."""
        return Deadline(self.at - seconds)


NO_DEADLINE = Deadline(inf)
"""Nobody waits."""
