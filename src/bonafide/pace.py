"""How often a live source is asked: calls spread over time, a rest when it asks for one, and another when it has fallen silent.

Each source of each world has a pace of its own in this process. It sleeps while a turn is awaited and knows nothing of HTTP.
"""

import asyncio
from collections.abc import Callable

from bonafide.errors import SourceError, SourceRateLimited, SourceTimeout, SourceUnavailable

BURST = 5
"""Calls that may follow each other at once after a pause: one question takes two or three."""
FIRST_REST_S = 5.0
"""After a refusal that names no time; each further refusal doubles it."""
MAX_REST_S = 300.0
MAX_FAILURES = 3
"""In a row, of a source that can't be reached or doesn't answer, before it is left alone for a while."""
SILENCE_S = 30.0
Seconds = Callable[[], float]
"""A clock that only goes forward."""


class Pace:
    """The turns of one source."""

    def __init__(self, title: str, per_minute: int, now: Seconds) -> None:
        self._title = title
        self._interval_s = 60 / per_minute
        self._now = now
        self._free_at = now() - BURST * self._interval_s
        """When the next call would have its turn if calls came evenly; it may lie `BURST` calls in the past."""
        self._rests_until = 0.0
        self._rest_reason: type[SourceRateLimited | SourceUnavailable] = SourceRateLimited
        self._refusals = 0
        self._failures = 0

    async def turn(self, within_s: float) -> None:
        """Wait for a turn. Raises at once, with the time to wait, when there will be none within the time that is left."""
        now = self._now()
        if self._rests_until > now:
            raise self._resting(self._rests_until - now)
        earliest = now - (BURST - 1) * self._interval_s
        wait_s = max(self._free_at - now, 0.0)
        if wait_s > within_s:
            raise _with_wait(SourceRateLimited(f"{self._title} is asked as often as we allow ourselves; try again shortly"), wait_s)
        self._free_at = max(self._free_at, earliest) + self._interval_s
        await asyncio.sleep(wait_s)

    def succeeded(self) -> None:
        """The source has answered."""
        self._refusals = self._failures = 0

    def failed(self, error: SourceError) -> None:
        """The source has not answered as it should; some failures are a reason to leave it alone."""
        if isinstance(error, SourceRateLimited):
            asked = error.retry_after_s if error.retry_after_s is not None else FIRST_REST_S * 2**self._refusals
            self._refusals += 1
            self._rest(asked, SourceRateLimited)
        elif isinstance(error, SourceTimeout | SourceUnavailable):
            self._failures += 1
            if self._failures >= MAX_FAILURES:
                self._rest(SILENCE_S, SourceUnavailable)

    def _rest(self, seconds: float, reason: type[SourceRateLimited | SourceUnavailable]) -> None:
        self._rests_until = self._now() + min(seconds, MAX_REST_S)
        self._rest_reason = reason

    def _resting(self, seconds: float) -> SourceError:
        said = "has asked us to slow down" if self._rest_reason is SourceRateLimited else "has not answered several times in a row"
        return _with_wait(self._rest_reason(f"{self._title} {said}; it is asked again in {seconds:.0f} s"), seconds)


def _with_wait(error: SourceError, seconds: float) -> SourceError:
    error.retry_after_s = seconds
    return error
