"""Turns of a live source that several nodes share: one rule, wherever it is kept, and by itself where the shared place is away."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bonafide.errors import SourceRateLimited, SourceUnavailable
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.net.circuit_breaker import COOLDOWN_S, OptionalDependency
from bonafide.net.throttle import (
    BURST,
    MAX_FAILURES,
    NO_RETRY_AFTER,
    MemoryThrottleStore,
    SourceThrottle,
    ThrottleDecisionKind,
    ThrottleEvent,
    ThrottleState,
    ThrottleStore,
    transition,
)
from bonafide.net.valkey_store import ValkeyStore
from bonafide.services.lookup.shared_throttle import (
    RULE,
    DatabaseThrottleStore,
    FallbackThrottleStore,
    ThrottledSource,
    ValkeyThrottleStore,
)
from bonafide.store.database.engine import Store
from tests.support.servers.valkey import ValkeyServer, running_server
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
HOUR = ThrottledSource(World.LIVE, "nl", 3600.0)
"""Turns so far apart that a slow machine can't come upon the next."""
NODES, CALLS = 3, 10


def _unexpected(use: str) -> None:
    raise AssertionError(f"{use} had to do without")


@pytest.fixture
async def places(shared_address: str) -> AsyncIterator[list[ThrottleStore]]:
    """Of several nodes, in Valkey and in each database."""
    async with AsyncExitStack() as stack:
        yield [_place(shared_address, stack) for _ in range(NODES)]


def _place(address: str, stack: AsyncExitStack) -> ThrottleStore:
    if address.startswith("valkey"):
        shared = ValkeyStore.open(address, is_cluster=False, timeout_s=TIMEOUT_S, failed=_unexpected)
        stack.push_async_callback(shared.close)
        return ValkeyThrottleStore(shared, HOUR)
    store = Store.open(address)
    stack.push_async_callback(store.close)
    return DatabaseThrottleStore(store, HOUR, OptionalDependency("The database", TIMEOUT_S, _unexpected))


async def test_nodes_that_ask_at_once_have_one_burst_together(places: list[ThrottleStore]) -> None:
    words = await asyncio.gather(*(place.record_event(ThrottleEvent.WANTED, 0) for _ in range(CALLS) for place in places))
    verdicts = [word.verdict for word in words]
    assert (verdicts.count(ThrottleDecisionKind.TURN), verdicts.count(ThrottleDecisionKind.TAKEN)) == (BURST, NODES * CALLS - BURST)
    assert all(3000 < word.seconds <= 3600 for word in words if word.verdict is ThrottleDecisionKind.TAKEN)


async def test_who_waits_has_a_turn_that_nobody_else_has(places: list[ThrottleStore]) -> None:
    waits = [(await place.record_event(ThrottleEvent.WANTED, 1e9)).seconds for _ in range(4) for place in places]
    assert [round(wait / 3600) for wait in waits] == [0] * BURST + list(range(1, 4 * NODES - BURST + 1))


async def test_a_rest_that_one_node_is_asked_for_is_every_nodes(places: list[ThrottleStore]) -> None:
    paces = [SourceThrottle("The register", place) for place in places]
    refused = SourceRateLimited(Message("slow down"))
    refused.retry_after_s = 200
    await paces[0].record_failure(refused)
    for pace in paces:
        with pytest.raises(SourceRateLimited, match="limits the rate of requests") as caught:
            await pace.wait_for_slot(within_s=1)
        assert caught.value.retry_after_s is not None
        assert caught.value.retry_after_s <= 200


async def test_slots_that_are_granted_during_a_rest_follow_it(places: list[ThrottleStore]) -> None:
    await places[0].record_event(ThrottleEvent.REFUSED, 300)
    waits = [(await place.record_event(ThrottleEvent.WANTED, 1e9)).seconds for _ in range(3) for place in places]
    assert all(0 < wait <= 300 for wait in waits[:BURST])
    assert [round(wait / 3600) for wait in waits[BURST:]] == list(range(1, 3 * NODES - BURST + 1))
    assert (await places[1].record_event(ThrottleEvent.DUE)).verdict is ThrottleDecisionKind.ASKED_TO_REST


async def test_a_slot_that_is_due_is_still_there_without_a_rest(places: list[ThrottleStore]) -> None:
    assert (await places[0].record_event(ThrottleEvent.DUE)).verdict is ThrottleDecisionKind.TURN


async def test_failures_of_all_nodes_add_up_to_silence(places: list[ThrottleStore]) -> None:
    paces = [SourceThrottle("The register", place) for place in places]
    for number in range(MAX_FAILURES):
        await paces[number % NODES].record_failure(SourceUnavailable(Message("nothing")))
    with pytest.raises(SourceUnavailable, match="several times in a row"):
        await paces[0].wait_for_slot(within_s=1e6)


async def test_an_answer_to_one_node_ends_the_count_of_all(places: list[ThrottleStore]) -> None:
    paces = [SourceThrottle("The register", place) for place in places]
    for _ in range(3):
        await paces[0].record_failure(SourceUnavailable(Message("nothing")))
        await paces[1].record_success()
    await paces[2].wait_for_slot(within_s=0)


async def test_without_the_shared_place_a_node_keeps_its_own_pace_and_comes_back_to_it(tmp_path: Path) -> None:
    failures: list[str] = []
    now = asyncio.get_running_loop().time
    with running_server(tmp_path) as server:
        shared = ValkeyStore.open(server.url, is_cluster=False, timeout_s=TIMEOUT_S, failed=failures.append)
        place = FallbackThrottleStore(ValkeyThrottleStore(shared, HOUR), MemoryThrottleStore(HOUR.interval_s, now))
        verdicts = [(await place.record_event(ThrottleEvent.WANTED)).verdict for _ in range(2)]
        server.kill()
        # It goes on with what it has itself asked.
        verdicts += [(await place.record_event(ThrottleEvent.WANTED)).verdict for _ in range(BURST - 1)]
        assert verdicts == [ThrottleDecisionKind.TURN] * BURST + [ThrottleDecisionKind.TAKEN]
        assert failures == ["pace"] * (BURST - 1)
        server.start()
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                if (await place.record_event(ThrottleEvent.WANTED)).verdict is ThrottleDecisionKind.TURN:
                    break
                await asyncio.sleep(COOLDOWN_S / 10)
        await shared.close()


EVENTS = st.tuples(
    st.one_of(
        st.tuples(st.just(ThrottleEvent.WANTED), st.floats(0, 400)),
        st.tuples(st.sampled_from([ThrottleEvent.ANSWERED, ThrottleEvent.SILENT, ThrottleEvent.DUE]), st.just(0.0)),
        st.tuples(st.just(ThrottleEvent.REFUSED), st.one_of(st.just(NO_RETRY_AFTER), st.floats(0, 1000))),
    ),
    st.floats(0, 120),
)


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(EVENTS, max_size=30), st.floats(0.01, 60), st.floats(1.7e9, 2.2e9))
def test_the_script_says_what_the_rule_says(
    valkey_server: ValkeyServer, events: list[tuple[tuple[ThrottleEvent, float], float]], interval_s: float, began: float
) -> None:
    with closing(valkey_server.client()) as client:
        client.flushall()
        script = client.register_script(f"local now = tonumber(ARGV[4])\n{RULE}")
        standing, now = ThrottleState(), began
        for (event, seconds), passes in events:
            now += passes
            standing, word = transition(standing, event, seconds, now, interval_s)
            verdict, wait = script(keys=["pace"], args=[event, repr(seconds), repr(interval_s), repr(now)])
            assert (verdict.decode(), float(wait)) == (word.verdict, word.seconds)
