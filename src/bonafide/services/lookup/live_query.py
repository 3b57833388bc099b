"""Query a live source within its rate limit and deadline, and keep every raw response.

The source has its timeout to respond. A query waits for slots at most as long again, and never exceeds the deadline of its search.
The connector of the source interprets the responses.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Generic, TypeVar

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.concurrency.work_limiter import wait_outside
from bonafide.errors import (
    BonafideError,
    SourceError,
    SourceNotFound,
    SourceRateLimited,
    SourceTimeout,
    SourceUnavailable,
    UnknownSourceFailure,
)
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.net.throttle import SourceThrottle
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.loading.source_terms import find_acceptance_blocker
from bonafide.services.lookup.shared_throttle import ThrottledSource, create_throttle_store
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import LiveContext, SendRequest

RESPONSE_RESERVE_S = 2.0
"""Seconds before the deadline of a search at which it stops waiting for a slot, so that the source has time to respond."""
T = TypeVar("T")
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class LiveResponse(Generic[T]):
    """The interpreted value, the raw responses that it was read from, notes for the operator, and the time of the response."""

    value: T
    answers: tuple[SourceResponse, ...]
    notes: tuple[Message, ...]
    responded_at: datetime


class LiveQueryFailed(Exception):
    """A query failed: the error, and the responses before it. It never leaves `services`."""

    def __init__(self, error: SourceError, answers: tuple[SourceResponse, ...]) -> None:
        super().__init__(error.message)
        self.error = error
        self.answers = answers


def find_live_query_blocker(runtime: Runtime, world: World, source: Source) -> Message | None:
    """Why a source can't be queried live; None if it can. A source without a connector is never queried."""
    live = source.metadata.live
    if source.live is None or live is None:
        return Message("{source} doesn’t allow automated queries.", source=source.metadata.title)
    refusal = find_acceptance_blocker(runtime, source.key, live.terms)
    if refusal is not None:
        return refusal
    if not runtime.settings.ask_live:
        return Message("Live lookups are disabled (`ask_live`).")
    if world not in runtime.fetchers:
        return Message("The sandbox isn’t running, so its live registers can’t be queried.")
    return None


async def query_live_source(
    runtime: Runtime,
    world: World,
    source: Source,
    query: Callable[[LiveContext], Awaitable[T]],
    by: Deadline = NO_DEADLINE,
    attempts: int = 1,
) -> LiveResponse[T]:
    """Query a live source within the deadline. Raises `LiveQueryFailed` for every failure.

    A request that the source refuses because of its rate limit is sent up to `attempts` times, each after the pause, if there is
    time. With one attempt, the caller has to repeat the query after the error's `retry_after_s`.
    """
    live = source.metadata.live
    assert live is not None  # noqa: S101 - called only after `find_live_query_blocker`
    answers: list[SourceResponse] = []
    limit = _QueryTimeLimit(live.timeout_s, by)
    try:
        async with limit.timeout:
            context = LiveContext(
                source.metadata,
                _create_throttled_fetch(runtime, world, source, limit, attempts, answers),
                _get_source_key(runtime, source),
            )
            value = await query(context)
    except TimeoutError as error:
        timeout = build_timeout_error(source, limit.response_s)
        if limit.is_full:
            await get_throttle(runtime, world, source).record_failure(timeout)
        raise LiveQueryFailed(timeout, tuple(answers)) from error
    except SourceNotFound as error:
        # A connector returns None for an unknown business; here the address of the register was not found.
        raise LiveQueryFailed(SourceUnavailable(error.message), tuple(answers)) from error
    except SourceError as error:
        raise LiveQueryFailed(error, tuple(answers)) from error
    except BonafideError as error:
        message = Message("{source}: {problem}", source=source.metadata.title, problem=error.message)
        raise LiveQueryFailed(SourceUnavailable(message), tuple(answers)) from error
    except Exception as error:
        _log.exception("live_query.failed", source=source.key)
        fault = UnknownSourceFailure(
            Message("The lookup in {source} failed because of an internal error.", source=source.metadata.title)
        )
        raise LiveQueryFailed(fault, tuple(answers)) from error
    report = context.words.report
    unknown = [Message("Unknown term: {term}", term=term) for term in report.unknown_terms]
    return LiveResponse(value, tuple(answers), (*map(Message.untranslated, report.notes), *unknown), runtime.clock())


class _QueryTimeLimit:
    """The time limit of one query. Waits for slots are not time that the source has taken to respond."""

    def __init__(self, timeout_s: float, by: Deadline) -> None:
        self._timeout_s = timeout_s
        self._by = by
        self._began = asyncio.get_running_loop().time()
        self._waited_s = 0.0
        self._is_waiting = False
        self.timeout = asyncio.timeout_at(self._ends_at)
        """Ends the query."""

    @property
    def response_s(self) -> float:
        """The seconds that the source has to respond."""
        return self._ends_at - self._began - self._waited_s

    @property
    def is_full(self) -> bool:
        """Whether the source has had its full timeout, and not only what the search had left."""
        return not self._is_waiting and self._ends_at < self._by.at

    @property
    def _ends_at(self) -> float:
        return min(self._began + self._timeout_s + self._waited_s, self._by.at)

    async def wait_for_slot(self, throttle: SourceThrottle) -> None:
        """Wait for a slot of the source. Raises the error of the throttle if there is none in time."""
        now = asyncio.get_running_loop().time
        began, self._is_waiting = now(), True
        self.timeout.reschedule(self._by.at if self._by != NO_DEADLINE else None)
        within_s = min(self._timeout_s - self._waited_s, self._by.remaining_s - RESPONSE_RESERVE_S)
        await throttle.wait_for_slot(max(within_s, 0.0))
        self._waited_s, self._is_waiting = self._waited_s + now() - began, False
        self.timeout.reschedule(self._ends_at)


def build_timeout_error(source: Source, limit_s: float) -> SourceTimeout:
    """The error of a source that did not respond within its limit."""
    return SourceTimeout(Message("{source} did not respond within {seconds:.3g} s.", source=source.metadata.title, seconds=limit_s))


def get_throttle(runtime: Runtime, world: World, source: Source) -> SourceThrottle:
    """The throttle of a live source: one per process, with a state that all nodes share if possible."""
    live = source.metadata.live
    assert live is not None  # noqa: S101 - called only after `find_live_query_blocker`
    throttle = runtime.throttles.get((world, source.key))
    if throttle is None:
        throttle = SourceThrottle(
            source.metadata.title, create_throttle_store(runtime, ThrottledSource(world, source.key, 60 / live.rate_per_minute))
        )
        runtime.throttles[world, source.key] = throttle
    return throttle


def _create_throttled_fetch(
    runtime: Runtime, world: World, source: Source, limit: _QueryTimeLimit, attempts: int, answers: list[SourceResponse]
) -> SendRequest:
    """The function with which a connector sends requests: throttled, and each response is kept."""
    throttle, fetcher = get_throttle(runtime, world, source), runtime.fetchers[world]

    async def send(call: SourceRequest) -> SourceResponse:
        for attempt in count(1):
            with wait_outside():
                await limit.wait_for_slot(throttle)
            try:
                with wait_outside():
                    response = await fetcher.send(call)
            except SourceError as error:
                await throttle.record_failure(error)
                if not isinstance(error, SourceRateLimited) or attempt >= attempts:
                    raise
            else:
                await throttle.record_success()
                answers.append(response)
                return response
        raise AssertionError("the loop either returns or raises")

    return send


def _get_source_key(runtime: Runtime, source: Source) -> str | None:
    key = runtime.settings.source_keys.get(source.key)
    return key.get_secret_value() if key is not None else None
