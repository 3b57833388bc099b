"""So much at once, so much that waits, the rest refused at once; whoever goes away leaves its place."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from bonafide.concurrency.work_limiter import ShareExceeded, WorkLimiter
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
