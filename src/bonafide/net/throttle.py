"""Limit how often a live source is queried, and pause after refusals and repeated failures.

`transition` is pure: it computes the next state of a source, and when it may be queried next, from its state and an event. A
`ThrottleStore` keeps the state, in this process or shared by all nodes (`services/lookup/shared_throttle`). `SourceThrottle` sleeps
until the query may be sent; it does not know HTTP.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf
from typing import Protocol

from bonafide.errors import SourceError, SourceRateLimited, SourceTimeout, SourceUnavailable

BURST = 5
"""Calls that may follow each other at once after a pause: one question takes two or three."""
FIRST_PAUSE_S = 5.0
"""After a refusal that names no time; each further refusal doubles it."""
MAX_PAUSE_S = 300.0
MAX_DOUBLINGS = 16
"""Far past the longest rest, and small enough to be reckoned with."""
MAX_FAILURES = 3
"""In a row, of a source that can't be reached or doesn't answer, before it is left alone for a while."""
FAILURE_PAUSE_S = 30.0
Seconds = Callable[[], float]
"""A clock that only goes forward."""


class ThrottleEvent(StrEnum):
    """What happens to a source."""

    WANTED = "wanted"
    """Somebody wants a turn, `seconds` from now at the latest."""
    ANSWERED = "answered"
    REFUSED = "refused"
    """It asked us to slow down: for `seconds`, or without naming a time (`NO_RETRY_AFTER`)."""
    SILENT = "silent"
    """It could not be reached, or did not answer."""


class ThrottleDecisionKind(StrEnum):
    """What is said to whoever wants a turn."""

    TURN = "turn"
    """In so many seconds it is yours."""
    TAKEN = "taken"
    """There is none in time; the next is in so many seconds."""
    ASKED_TO_REST = "asked to rest"
    """The source wants to be left alone for so many seconds."""
    SILENT = "silent"
    """It is left alone for so many seconds, because it does not answer."""


NO_RETRY_AFTER = -1.0
"""The seconds of a refusal that names none."""


@dataclass(frozen=True, slots=True)
class ThrottleState:
    """What is known of a source. Instants are seconds of the clock of whoever keeps it."""

    free_at: float = -inf
    """When the next call would have its turn if calls came evenly; what lies further back than `BURST` calls does not count."""
    rests_until: float = -inf
    is_silent: bool = False
    """Why it rests: it doesn't answer, or else it asked for it."""
    refusals: int = 0
    failures: int = 0


@dataclass(frozen=True, slots=True)
class ThrottleDecision:
    """The verdict, and the seconds that belong to it; a turn at once for what is no wish."""

    verdict: ThrottleDecisionKind = ThrottleDecisionKind.TURN
    seconds: float = 0.0


def transition(
    standing: ThrottleState, event: ThrottleEvent, seconds: float, now: float, interval_s: float
) -> tuple[ThrottleState, ThrottleDecision]:
    """What is known of a source after an event, and what is said. `interval_s` lies between two calls that come evenly."""
    match event:
        case ThrottleEvent.WANTED:
            return _request_slot(standing, seconds, now, interval_s)
        case ThrottleEvent.ANSWERED:
            return replace(standing, refusals=0, failures=0), ThrottleDecision()
        case ThrottleEvent.REFUSED:
            rest_s = seconds if seconds >= 0 else FIRST_PAUSE_S * 2 ** min(standing.refusals, MAX_DOUBLINGS)
            until = now + min(rest_s, MAX_PAUSE_S)
            return replace(standing, refusals=standing.refusals + 1, rests_until=until, is_silent=False), ThrottleDecision()
        case ThrottleEvent.SILENT:
            failed = replace(standing, failures=standing.failures + 1)
            rests = failed.failures >= MAX_FAILURES
            return replace(failed, rests_until=now + FAILURE_PAUSE_S, is_silent=True) if rests else failed, ThrottleDecision()


def _request_slot(
    standing: ThrottleState, within_s: float, now: float, interval_s: float
) -> tuple[ThrottleState, ThrottleDecision]:
    if standing.rests_until > now:
        reason = ThrottleDecisionKind.SILENT if standing.is_silent else ThrottleDecisionKind.ASKED_TO_REST
        return standing, ThrottleDecision(reason, standing.rests_until - now)
    wait_s = max(standing.free_at - now, 0.0)
    if wait_s > within_s:
        return standing, ThrottleDecision(ThrottleDecisionKind.TAKEN, wait_s)
    free_at = max(standing.free_at, now - (BURST - 1) * interval_s) + interval_s
    return replace(standing, free_at=free_at), ThrottleDecision(ThrottleDecisionKind.TURN, wait_s)


class ThrottleStore(Protocol):
    """Where the standing of one source is kept."""

    async def record_event(self, event: ThrottleEvent, seconds: float = 0.0) -> ThrottleDecision:
        """Apply an event to the state and return the decision. Events of all processes are applied one at a time."""


class MemoryThrottleStore:
    """In this process."""

    def __init__(self, interval_s: float, now: Seconds) -> None:
        self._interval_s = interval_s
        self._now = now
        self._standing = ThrottleState()

    async def record_event(self, event: ThrottleEvent, seconds: float = 0.0) -> ThrottleDecision:
        """Apply an event to the state and return the decision."""
        self._standing, word = transition(self._standing, event, seconds, self._now(), self._interval_s)
        return word


class SourceThrottle:
    """Spaces the requests to one source."""

    def __init__(self, title: str, place: ThrottleStore) -> None:
        self._title = title
        self._place = place

    async def wait_for_slot(self, within_s: float) -> None:
        """Wait for a slot. Raises at once, with the time to wait, if there is none within `within_s`."""
        word = await self._place.record_event(ThrottleEvent.WANTED, within_s)
        if word.verdict is not ThrottleDecisionKind.TURN:
            raise self._refusal(word)
        await asyncio.sleep(word.seconds)

    async def record_success(self) -> None:
        """Record that the source has answered."""
        await self._place.record_event(ThrottleEvent.ANSWERED)

    async def record_failure(self, error: SourceError) -> None:
        """Record a failure. Refusals and silence start a rest."""
        if isinstance(error, SourceRateLimited):
            await self._place.record_event(
                ThrottleEvent.REFUSED, error.retry_after_s if error.retry_after_s is not None else NO_RETRY_AFTER
            )
        elif isinstance(error, SourceTimeout | SourceUnavailable):
            await self._place.record_event(ThrottleEvent.SILENT)

    def _refusal(self, word: ThrottleDecision) -> SourceError:
        again = f"it is asked again in {word.seconds:.0f} s"
        error: SourceError
        match word.verdict:
            case ThrottleDecisionKind.SILENT:
                error = SourceUnavailable(f"{self._title} has not answered several times in a row; {again}")
            case ThrottleDecisionKind.ASKED_TO_REST:
                error = SourceRateLimited(f"{self._title} has asked us to slow down; {again}")
            case _:
                error = SourceRateLimited(f"{self._title} is asked as often as we allow ourselves; try again shortly")
        error.retry_after_s = word.seconds
        return error
