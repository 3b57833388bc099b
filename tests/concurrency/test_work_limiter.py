"""So much at once, so much that waits, the rest refused at once; whoever goes away leaves its place."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from bonafide.concurrency import work_limiter
from bonafide.concurrency.work_limiter import ShareExceeded, WorkLimiter, wait_outside
from bonafide.errors import ServerBusy
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def taken(limiter: WorkLimiter, count: int) -> AsyncIterator[AsyncExitStack]:
    """So many turns under way."""
    async with AsyncExitStack() as stack:
        for _ in range(count):
            await stack.enter_async_context(limiter.slot("holder", TIMEOUT_S))
        yield stack


async def work(limiter: WorkLimiter, name: str, done: list[str], within_s: float = TIMEOUT_S) -> None:
    async with limiter.slot(name, within_s):
        done.append(name)


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_those_who_wait_are_served_in_their_order() -> None:
    limiter, done = WorkLimiter(1, 100), list[str]()
    async with taken(limiter, 1):
        waiting = [asyncio.create_task(work(limiter, f"{number}", done)) for number in range(20)]
        await settled()
        assert (limiter.under_way, limiter.waiting, done) == (1, 20, [])
    await asyncio.gather(*waiting)
    assert done == [f"{number}" for number in range(20)]
    assert (limiter.under_way, limiter.waiting) == (0, 0)


async def test_what_does_not_fit_is_refused_at_once_and_told_when_to_come_back() -> None:
    limiter = WorkLimiter(2, 0)
    async with taken(limiter, 2):
        with pytest.raises(ServerBusy) as refused:
            await work(limiter, "one too many", [])
    assert 1 <= int(refused.value.headers["Retry-After"]) <= 30
    await work(limiter, "afterwards", [])


async def test_one_caller_leaves_places_for_the_others() -> None:
    limiter, done = WorkLimiter(1, 4), list[str]()
    async with taken(limiter, 1):
        greedy = [asyncio.create_task(work(limiter, "greedy", done)) for _ in range(4)]
        await settled()
        assert limiter.waiting == 2
        with pytest.raises(ShareExceeded):
            limiter.check_share("greedy")
        limiter.check_share("modest")
        modest = asyncio.create_task(work(limiter, "modest", done))
        await settled()
        assert limiter.waiting == 3
    await asyncio.gather(*greedy, modest, return_exceptions=True)
    assert done == ["greedy", "modest", "greedy"]


async def test_whoever_would_wait_too_long_leaves_the_queue() -> None:
    limiter = WorkLimiter(1, 10)
    async with taken(limiter, 1):
        with pytest.raises(ServerBusy):
            await work(limiter, "impatient", [], within_s=0.51)  # a little more than a turn is believed to take
        assert limiter.waiting == 0
        with pytest.raises(ServerBusy):
            await work(limiter, "hopeless", [], within_s=0.01)


async def test_a_place_that_is_given_up_goes_to_the_next_even_at_the_last_moment() -> None:
    for late in (False, True):
        limiter, done = WorkLimiter(1, 10), list[str]()
        async with taken(limiter, 1) as holding:
            first = asyncio.create_task(work(limiter, "first", done))
            await settled()
            second = asyncio.create_task(work(limiter, "second", done))
            await settled()
            if late:
                # Its turn has come, and it is cancelled before it can notice.
                await holding.aclose()
            first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        await second
        assert done == ["second"]
        assert (limiter.under_way, limiter.waiting) == (0, 0)


async def test_one_caller_leaves_slots_for_the_others() -> None:
    limiter = WorkLimiter(4, 0)
    async with AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(limiter.slot("greedy", TIMEOUT_S))
        with pytest.raises(ServerBusy):
            await work(limiter, "greedy", [])
        await work(limiter, "modest", [])


async def test_a_free_slot_goes_to_whoever_runs_the_least() -> None:
    limiter, done = WorkLimiter(4, 100), list[str]()
    async with AsyncExitStack() as stack:
        for caller in ("greedy", "greedy", "greedy", "other"):
            await stack.enter_async_context(limiter.slot(caller, TIMEOUT_S))
        waiting = [asyncio.create_task(work(limiter, "greedy", done)) for _ in range(5)]
        await settled()
        waiting.append(asyncio.create_task(work(limiter, "modest", done)))
        await settled()
    await asyncio.gather(*waiting)
    assert done[0] == "modest"


async def test_slots_are_shared_by_weight() -> None:
    limiter, done = WorkLimiter(1, 100, {"heavy": 3}), list[str]()
    async with taken(limiter, 1):
        waiting = [asyncio.create_task(work(limiter, name, done)) for name in ("light", "heavy") for _ in range(12)]
        await settled()
    await asyncio.gather(*waiting)
    assert done[:16].count("heavy") == 12
    assert limiter.under_way == 0


async def test_a_full_queue_takes_a_place_from_whoever_has_the_most() -> None:
    limiter, done = WorkLimiter(1, 4), list[str]()
    async with taken(limiter, 1):
        waiting = [asyncio.create_task(work(limiter, name, done)) for name in ("one", "one", "two", "two")]
        await settled()
        late = asyncio.create_task(work(limiter, "late", done))
        await settled()
        assert limiter.waiting == 4
        with pytest.raises(ServerBusy):
            await work(limiter, "one", done)
    results = await asyncio.gather(*waiting, late, return_exceptions=True)
    assert [isinstance(result, ServerBusy) for result in results] == [False, True, False, False, False]
    assert sorted(done) == ["late", "one", "two", "two"]
    assert (limiter.under_way, limiter.waiting) == (0, 0)


async def test_while_others_are_active_a_caller_computes_one_request_at_a_time() -> None:
    limiter, done = WorkLimiter(8, 8), list[str]()
    async with limiter.slot("alone", TIMEOUT_S), limiter.slot("alone", TIMEOUT_S):
        assert limiter.under_way == 2
        async with limiter.slot("other", TIMEOUT_S):
            waiting = [asyncio.create_task(work(limiter, name, done)) for name in ("alone", "other", "third")]
            await settled()
            assert (limiter.waiting, done) == (2, ["third"])
    await asyncio.gather(*waiting)
    assert limiter.under_way == limiter.waiting == 0


async def test_a_request_that_waits_for_the_network_does_not_compute() -> None:
    limiter, done = WorkLimiter(8, 8), list[str]()
    await work(limiter, "other", done)
    async with limiter.slot("one", TIMEOUT_S):
        waiting = asyncio.create_task(work(limiter, "one", done))
        await settled()
        assert limiter.waiting == 1
        with wait_outside(), wait_outside():
            await settled()
            assert (limiter.waiting, done) == (0, ["other", "one"])
        again = asyncio.create_task(work(limiter, "one", done))
        await settled()
        assert limiter.waiting == 1
    await asyncio.gather(waiting, again)


async def test_a_request_that_ends_while_a_part_of_it_waits_frees_its_slot_once() -> None:
    limiter, done = WorkLimiter(8, 8), list[str]()
    await work(limiter, "other", done)
    ended = asyncio.Event()

    async def wait() -> None:
        with wait_outside():
            await ended.wait()

    async with limiter.slot("one", TIMEOUT_S):
        left_behind = asyncio.create_task(wait())
        await settled()
    ended.set()
    await left_behind
    await work(limiter, "one", done)
    async with limiter.slot("one", TIMEOUT_S):
        refused = asyncio.create_task(work(limiter, "one", done))
        await settled()
        assert limiter.waiting == 1
    await refused


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of the limiter, which the test changes."""
    now = [1000.0]
    monkeypatch.setattr(work_limiter, "monotonic", lambda: now[0])
    return now


async def test_a_caller_with_more_requests_gives_way_to_one_that_computes(clock: list[float]) -> None:
    limiter, done = WorkLimiter(8, 8), list[str]()
    async with limiter.slot("modest", TIMEOUT_S):
        async with limiter.slot("greedy", TIMEOUT_S):
            waiting = [asyncio.create_task(work(limiter, "greedy", done)) for _ in range(2)]
            await settled()
        await settled()
        assert (limiter.under_way, limiter.waiting) == (1, 2)
        # An end: several modest callers would otherwise exclude it together.
        clock[0] += 2 * work_limiter.MAX_GIVING_WAY_S
        await work(limiter, "third", [])
        await asyncio.gather(*waiting)
        assert done == ["greedy", "greedy"]


async def test_a_caller_with_waiting_requests_pauses_while_others_are_active(clock: list[float]) -> None:
    limiter, done = WorkLimiter(8, 8), list[str]()
    await work(limiter, "other", done)
    async with limiter.slot("one", TIMEOUT_S):
        waiting = [asyncio.create_task(work(limiter, "one", done)) for _ in range(3)]
        await settled()
        clock[0] += 1.0  # it computes for as long as that
    await settled()
    assert (limiter.under_way, limiter.waiting) == (0, 3)
    await work(limiter, "other", done)
    await asyncio.gather(*waiting)
    assert done == ["other", "other", "one", "one", "one"]
    assert (limiter.under_way, limiter.waiting) == (0, 0)


async def test_a_caller_alone_does_not_pause(clock: list[float]) -> None:
    limiter, done = WorkLimiter(1, 8), list[str]()
    async with limiter.slot("one", TIMEOUT_S):
        waiting = [asyncio.create_task(work(limiter, "one", done)) for _ in range(2)]
        await settled()
        clock[0] += 1.0
    await settled()
    assert done == ["one", "one"]
    await asyncio.gather(*waiting)
