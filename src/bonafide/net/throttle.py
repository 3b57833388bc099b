"""Limit how often a live source is queried, and pause after refusals and repeated failures.

A caller waits for its slot, and for the end of a pause after a refusal, as long as its time allows. A longer wait is an error with
the time to retry, and so is every pause of a source that does not respond.

`transition` is pure: it computes the next state of a source, and when it may be queried next, from its state and an event. A
`ThrottleStore` keeps the state, in this process or shared by all nodes (`services/lookup/shared_throttle`). `SourceThrottle` sleeps
until the query may be sent; it does not know HTTP.
"""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf
from typing import Protocol

from bonafide.errors import SourceError, SourceRateLimited, SourceTimeout, SourceUnavailable
from bonafide.i18n.message import Message

BURST = 5
"""Requests that may be sent without an interval after a pause: one lookup takes two or three."""
FIRST_PAUSE_S = 5.0
"""The pause after a refusal without a `Retry-After`; each further refusal doubles it."""
MAX_PAUSE_S = 300.0
MAX_DOUBLINGS = 16
"""Far longer than any pause, and small enough to compute with."""
MAX_FAILURES = 3
"""Consecutive failures to reach a source before requests to it are paused."""
FAILURE_PAUSE_S = 30.0
Seconds = Callable[[], float]
"""A monotonic clock."""


class ThrottleEvent(StrEnum):
    """An event of a source."""

    WANTED = "wanted"
    """A caller requests a slot, at most `seconds` from now."""
    DUE = "due"
    """A slot that a caller has waited for is due. It is lost if the source has refused requests in the meantime."""
    ANSWERED = "answered"
    REFUSED = "refused"
    """The source refused a request: for `seconds`, or without a time (`NO_RETRY_AFTER`)."""
    SILENT = "silent"
    """The source could not be reached, or did not respond."""


class ThrottleDecisionKind(StrEnum):
    """The decision on a requested slot."""

    TURN = "turn"
    """The slot is granted in this many seconds."""
    TAKEN = "taken"
    """No slot is free in time; the next one is in this many seconds."""
    ASKED_TO_REST = "asked to rest"
    """The source refused requests; the pause lasts this many seconds."""
    SILENT = "silent"
    """The source does not respond; the pause lasts this many seconds."""


NO_RETRY_AFTER = -1.0
"""The seconds of a refusal without a `Retry-After`."""


@dataclass(frozen=True, slots=True)
class ThrottleState:
    """The throttle state of a source. Instants are in seconds of the store's clock."""

    free_at: float = -inf
    """When the next evenly spaced request would be due; at most `BURST` requests in the past."""
    rests_until: float = -inf
    is_silent: bool = False
    """Why requests are paused: the source does not respond (true), or it refused requests."""
    refusals: int = 0
    failures: int = 0


@dataclass(frozen=True, slots=True)
class ThrottleDecision:
    """The decision and its seconds; an immediate slot for an event that requests none."""

    verdict: ThrottleDecisionKind = ThrottleDecisionKind.TURN
    seconds: float = 0.0


def transition(
    standing: ThrottleState, event: ThrottleEvent, seconds: float, now: float, interval_s: float
) -> tuple[ThrottleState, ThrottleDecision]:
    """The state after an event, and the decision. `interval_s` is the interval between evenly spaced requests."""
    match event:
        case ThrottleEvent.WANTED:
            return _request_slot(standing, seconds, now, interval_s)
        case ThrottleEvent.DUE:
            return standing, _find_pause(standing, now) or ThrottleDecision()
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
    pause = _find_pause(standing, now)
    if pause is not None and (standing.is_silent or pause.seconds > within_s):
        return standing, pause
    # Slots continue after the pause, starting with a burst.
    opens_at = max(standing.rests_until, now)
    wait_s = max(standing.free_at, opens_at) - now
    if wait_s > within_s:
        return standing, ThrottleDecision(ThrottleDecisionKind.TAKEN, wait_s)
    free_at = max(standing.free_at, opens_at - (BURST - 1) * interval_s) + interval_s
    return replace(standing, free_at=free_at), ThrottleDecision(ThrottleDecisionKind.TURN, wait_s)


def _find_pause(standing: ThrottleState, now: float) -> ThrottleDecision | None:
    """The pause of the source; None without one."""
    if standing.rests_until <= now:
        return None
    reason = ThrottleDecisionKind.SILENT if standing.is_silent else ThrottleDecisionKind.ASKED_TO_REST
    return ThrottleDecision(reason, standing.rests_until - now)


class ThrottleStore(Protocol):
    """Stores the state of one source."""

    async def record_event(self, event: ThrottleEvent, seconds: float = 0.0) -> ThrottleDecision:
        """Apply an event to the state and return the decision. Events of all processes are applied one at a time."""


class MemoryThrottleStore:
    """Keeps the state in this process."""

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
        """Wait for a slot. Raises at once, with the time to retry, if there is none in time or the source does not respond.

        If a pause has begun while the caller waited, the caller waits for another slot, within what is left of the time.
        """
        while True:
            word = await self._place.record_event(ThrottleEvent.WANTED, within_s)
            if word.verdict is not ThrottleDecisionKind.TURN:
                raise self._refusal(word)
            if word.seconds == 0:
                return
            await asyncio.sleep(word.seconds)
            within_s = max(within_s - word.seconds, 0.0)
            if (await self._place.record_event(ThrottleEvent.DUE)).verdict is ThrottleDecisionKind.TURN:
                return

    async def record_success(self) -> None:
        """Record that the source has responded."""
        await self._place.record_event(ThrottleEvent.ANSWERED)

    async def record_failure(self, error: SourceError) -> None:
        """Record a failure. Refusals and repeated failures start a pause."""
        if isinstance(error, SourceRateLimited):
            await self._place.record_event(
                ThrottleEvent.REFUSED, error.retry_after_s if error.retry_after_s is not None else NO_RETRY_AFTER
            )
        elif isinstance(error, SourceTimeout | SourceUnavailable):
            await self._place.record_event(ThrottleEvent.SILENT)

    def _refusal(self, word: ThrottleDecision) -> SourceError:
        again = Message("Requests resume in {seconds} s.", seconds=max(math.ceil(word.seconds), 1))
        error: SourceError
        match word.verdict:
            case ThrottleDecisionKind.SILENT:
                error = SourceUnavailable(
                    Message("{source} has not responded several times in a row. {retry}", source=self._title, retry=again)
                )
            case ThrottleDecisionKind.ASKED_TO_REST:
                error = SourceRateLimited(Message("{source} limits the rate of requests. {retry}", source=self._title, retry=again))
            case _:
                error = SourceRateLimited(
                    Message(
                        "{source} is at the limit of requests that we allow ourselves. {retry}", source=self._title, retry=again
                    )
                )
        error.retry_after_s = word.seconds
        return error
