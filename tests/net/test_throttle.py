"""Turns of a live source, on the event loop's own clock; waits are short enough for a test and long enough to be seen."""

import asyncio

import pytest

from bonafide.errors import SourceRateLimited, SourceTimeout, SourceUnavailable, UpstreamFailed
from bonafide.i18n.message import Message
from bonafide.net.throttle import (
    BURST,
    FAILURE_PAUSE_S,
    FIRST_PAUSE_S,
    MAX_FAILURES,
    MAX_PAUSE_S,
    MemoryThrottleStore,
    SourceThrottle,
    ThrottleDecisionKind,
    ThrottleEvent,
)

pytestmark = pytest.mark.anyio
PER_MINUTE = 60


class Clock:
    """A clock that only the test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pace(clock: Clock) -> SourceThrottle:
    return SourceThrottle("The register", MemoryThrottleStore(60 / PER_MINUTE, clock))


def refused(retry_after_s: float | None) -> SourceRateLimited:
    error = SourceRateLimited(Message("slow down"))
    error.retry_after_s = retry_after_s
    return error


async def test_a_few_calls_may_follow_each_other_and_the_next_waits_for_its_turn(pace: SourceThrottle) -> None:
    for _ in range(BURST):
        await pace.wait_for_slot(within_s=0)
    with pytest.raises(SourceRateLimited, match="at the limit of requests that we allow") as caught:
        await pace.wait_for_slot(within_s=0.5)
    assert caught.value.retry_after_s == pytest.approx(60 / PER_MINUTE)


async def test_a_refused_turn_takes_none(pace: SourceThrottle, clock: Clock) -> None:
    for _ in range(BURST):
        await pace.wait_for_slot(within_s=0)
    for _ in range(3):
        with pytest.raises(SourceRateLimited):
            await pace.wait_for_slot(within_s=0.5)
    clock.now += 60 / PER_MINUTE
    await pace.wait_for_slot(within_s=0)


async def test_a_long_pause_saves_up_no_more_than_the_burst(pace: SourceThrottle, clock: Clock) -> None:
    clock.now += 3600
    for _ in range(BURST):
        await pace.wait_for_slot(within_s=0)
    with pytest.raises(SourceRateLimited):
        await pace.wait_for_slot(within_s=0)


async def test_over_a_minute_the_rate_is_kept(pace: SourceThrottle, clock: Clock) -> None:
    calls = 0
    for _ in range(6000):
        try:
            await pace.wait_for_slot(within_s=0)
            calls += 1
        except SourceRateLimited:
            pass
        clock.now += 0.01
    assert PER_MINUTE <= calls <= PER_MINUTE + BURST


async def test_a_wait_within_the_time_left_is_waited_for() -> None:
    loop = asyncio.get_running_loop()
    quick = SourceThrottle("The register", MemoryThrottleStore(60 / 1200, loop.time))
    started = loop.time()
    for _ in range(BURST + 2):
        await quick.wait_for_slot(within_s=5)
    assert loop.time() - started >= 0.09


async def test_a_source_that_names_a_time_is_left_alone_for_it(pace: SourceThrottle, clock: Clock) -> None:
    await pace.record_failure(refused(12))
    with pytest.raises(SourceRateLimited, match="limits the rate of requests") as caught:
        await pace.wait_for_slot(within_s=11.9)
    assert caught.value.retry_after_s == 12
    clock.now += 12
    await pace.wait_for_slot(within_s=0)


async def test_refusals_without_a_time_double_the_rest_until_the_source_answers(pace: SourceThrottle, clock: Clock) -> None:
    for expected in (FIRST_PAUSE_S, FIRST_PAUSE_S * 2, FIRST_PAUSE_S * 4):
        await pace.record_failure(refused(None))
        with pytest.raises(SourceRateLimited) as caught:
            await pace.wait_for_slot(within_s=1)
        assert caught.value.retry_after_s == expected
        clock.now += expected
    await pace.record_success()
    await pace.record_failure(refused(None))
    with pytest.raises(SourceRateLimited) as caught:
        await pace.wait_for_slot(within_s=1)
    assert caught.value.retry_after_s == FIRST_PAUSE_S


async def test_no_rest_is_longer_than_the_longest(pace: SourceThrottle) -> None:
    await pace.record_failure(refused(100_000))
    with pytest.raises(SourceRateLimited) as caught:
        await pace.wait_for_slot(within_s=1)
    assert caught.value.retry_after_s == MAX_PAUSE_S


async def test_a_rest_that_ends_in_time_is_waited_for() -> None:
    loop = asyncio.get_running_loop()
    pace = SourceThrottle("The register", MemoryThrottleStore(60 / PER_MINUTE, loop.time))
    await pace.record_failure(refused(0.1))
    ends_at = loop.time() + 0.1
    await pace.wait_for_slot(within_s=600)
    assert loop.time() >= ends_at - 0.01


async def test_a_rest_that_begins_while_a_slot_is_waited_for_is_kept_too(clock: Clock) -> None:
    store = MemoryThrottleStore(60 / PER_MINUTE, clock)
    for _ in range(BURST):
        await store.record_event(ThrottleEvent.WANTED)
    pace = SourceThrottle("The register", store)
    clock.now += 0.95
    waiting = asyncio.create_task(pace.wait_for_slot(within_s=600))
    await asyncio.sleep(0)
    await pace.record_failure(refused(MAX_PAUSE_S))
    clock.now += 0.1
    assert (await store.record_event(ThrottleEvent.DUE)).verdict is ThrottleDecisionKind.ASKED_TO_REST
    waiting.cancel()


@pytest.mark.parametrize(("rest_s", "shown_s"), [(0.2, 1), (1.0, 1), (1.2, 2), (59.5, 60)])
async def test_the_time_to_retry_is_rounded_up(pace: SourceThrottle, rest_s: float, shown_s: int) -> None:
    await pace.record_failure(refused(rest_s))
    with pytest.raises(SourceRateLimited, match=f"Requests resume in {shown_s} s"):
        await pace.wait_for_slot(within_s=0)


async def test_a_silent_source_is_not_waited_for(pace: SourceThrottle, clock: Clock) -> None:
    for _ in range(MAX_FAILURES):
        await pace.record_failure(SourceTimeout(Message("nothing")))
    clock.now += FAILURE_PAUSE_S - 0.01
    with pytest.raises(SourceUnavailable, match="Requests resume in 1 s"):
        await pace.wait_for_slot(within_s=600)


@pytest.mark.parametrize("silence", [SourceTimeout, SourceUnavailable])
async def test_a_silent_source_is_left_alone_after_several_tries(
    pace: SourceThrottle, clock: Clock, silence: type[SourceTimeout | SourceUnavailable]
) -> None:
    for _ in range(MAX_FAILURES - 1):
        await pace.record_failure(silence(Message("nothing")))
    await pace.wait_for_slot(within_s=0)
    await pace.record_failure(silence(Message("nothing")))
    with pytest.raises(SourceUnavailable, match="has not responded several times in a row") as caught:
        await pace.wait_for_slot(within_s=1e6)
    assert caught.value.retry_after_s == FAILURE_PAUSE_S
    clock.now += FAILURE_PAUSE_S
    await pace.wait_for_slot(within_s=0)


async def test_answers_and_errors_of_one_question_are_no_silence(pace: SourceThrottle) -> None:
    for _ in range(2 * MAX_FAILURES):
        await pace.record_failure(SourceTimeout(Message("nothing")))
        await pace.record_success()
        await pace.record_failure(UpstreamFailed(Message("HTTP 500")))
    await pace.wait_for_slot(within_s=60)
