"""The instant by which a response is needed, passed down to every step.

A deadline only shortens the time limit of a step. It cancels only what runs within its `timeout`.
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
        """A deadline this many seconds from now."""
        return cls(monotonic() + seconds)

    @property
    def remaining_s(self) -> float:
        """The seconds left, 0 when it has passed."""
        return max(0.0, self.at - monotonic())

    def within(self, limit_s: float) -> float:
        """The time limit of a step: `limit_s`, but no more than is left."""
        return min(limit_s, self.remaining_s)

    def timeout(self) -> asyncio.Timeout:
        """An asynchronous context manager that raises `TimeoutError` at the deadline."""
        return asyncio.timeout_at(None if self.at == inf else self.at)

    def less(self, seconds: float) -> "Deadline":
        """An earlier deadline, to reserve time for later steps."""
        return Deadline(self.at - seconds)


NO_DEADLINE = Deadline(inf)
"""Without a deadline."""
