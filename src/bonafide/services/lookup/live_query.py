"""Query a live source: whether it may be queried, within its rate limit and deadline, keeping every raw response.

A question never outlasts its source's deadline, whatever the source does. What the answers mean is the connector's business.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.errors import BonafideError, SourceError, SourceNotFound, SourceTimeout, SourceUnavailable, UnknownSourceFailure
from bonafide.model.accounts.organizations import World
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.net.throttle import SourceThrottle
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.loading.source_terms import find_acceptance_blocker
from bonafide.services.lookup.shared_throttle import ThrottledSource, create_throttle_store
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import LiveContext, SendRequest

T = TypeVar("T")
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class LiveResponse(Generic[T]):
    """What a source has said: the meaning, every answer it was taken from, what the operator should know, and when it was said."""

    value: T
    answers: tuple[SourceResponse, ...]
    notes: tuple[str, ...]
    responded_at: datetime


class LiveQueryFailed(Exception):
    """A question that came to nothing: why, and the answers that came before. It never leaves `services`."""

    def __init__(self, error: SourceError, answers: tuple[SourceResponse, ...]) -> None:
        super().__init__(error.message)
        self.error = error
        self.answers = answers


def find_live_query_blocker(runtime: Runtime, world: World, source: Source) -> str | None:
    """What keeps a source from being asked live; None when nothing does. A source without a connector is never asked."""
    live = source.metadata.live
    if source.live is None or live is None:
        return f"No program may ask {source.metadata.title}"
    refusal = find_acceptance_blocker(runtime, source.key, live.terms)
    if refusal is not None:
        return refusal
    if not runtime.settings.ask_live:
        return "This installation asks no source live (ask_live)"
    if world not in runtime.fetchers:
        return "No sandbox is served, so none of its live registers can be asked"
    return None


async def query_live_source(
    runtime: Runtime,
    world: World,
    source: Source,
    question: Callable[[LiveContext], Awaitable[T]],
    by: Deadline = NO_DEADLINE,
) -> LiveResponse[T]:
    """Query a live source within the deadline. Raises `LiveQueryFailed` for every failure."""
    live = source.metadata.live
    assert live is not None  # noqa: S101 - asked only after `find_live_query_blocker`
    answers: list[SourceResponse] = []
    limit_s = by.within(live.timeout_s)
    try:
        async with asyncio.timeout(limit_s) as deadline:
            context = LiveContext(
                source.metadata,
                _create_throttled_fetch(runtime, world, source, deadline, answers),
                _get_source_key(runtime, source),
            )
            value = await question(context)
    except TimeoutError as error:
        silence = SourceTimeout(f"{source.metadata.title} did not answer within {limit_s:.3g} s")
        if limit_s == live.timeout_s:  # it had all the time that it may take
            await get_throttle(runtime, world, source).record_failure(silence)
        raise LiveQueryFailed(silence, tuple(answers)) from error
    except SourceNotFound as error:
        # A connector says None for a business that is not there; what can't be found is the register.
        raise LiveQueryFailed(SourceUnavailable(error.message), tuple(answers)) from error
    except SourceError as error:
        raise LiveQueryFailed(error, tuple(answers)) from error
    except BonafideError as error:
        raise LiveQueryFailed(SourceUnavailable(f"{source.metadata.title}: {error.message}"), tuple(answers)) from error
    except Exception as error:
        _log.exception("live source failed", source=source.key)
        fault = UnknownSourceFailure(f"{source.metadata.title} could not be asked because of a fault of this service")
        raise LiveQueryFailed(fault, tuple(answers)) from error
    report = context.words.report
    unknown = [f"A word that is not known: {word}" for word in report.unknown_terms]
    return LiveResponse(value, tuple(answers), (*report.notes, *unknown), runtime.clock())


def get_throttle(runtime: Runtime, world: World, source: Source) -> SourceThrottle:
    """The pace of a live source; one for all who ask it in this process, which all nodes share where they can."""
    live = source.metadata.live
    assert live is not None  # noqa: S101 - asked only after `find_live_query_blocker`
    pace = runtime.throttles.get((world, source.key))
    if pace is None:
        pace = SourceThrottle(
            source.metadata.title, create_throttle_store(runtime, ThrottledSource(world, source.key, 60 / live.rate_per_minute))
        )
        runtime.throttles[world, source.key] = pace
    return pace


def _create_throttled_fetch(
    runtime: Runtime, world: World, source: Source, deadline: asyncio.Timeout, answers: list[SourceResponse]
) -> SendRequest:
    """The way to ask that a connector is given: in turn, and every answer kept."""
    pace, fetcher = get_throttle(runtime, world, source), runtime.fetchers[world]

    async def polite(call: SourceRequest) -> SourceResponse:
        ends_at = deadline.when()
        left_s = ends_at - asyncio.get_running_loop().time() if ends_at is not None else 0.0
        await pace.wait_for_slot(left_s)
        try:
            answer = await fetcher.send(call)
        except SourceError as error:
            await pace.record_failure(error)
            raise
        await pace.record_success()
        answers.append(answer)
        return answer

    return polite


def _get_source_key(runtime: Runtime, source: Source) -> str | None:
    key = runtime.settings.source_keys.get(source.key)
    return key.get_secret_value() if key is not None else None
