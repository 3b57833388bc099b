"""Requests counted by several processes at once: exactly as many pass as may, on each database and on Valkey."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select

from bonafide.api.protocol.rate_limit import SharedRateLimiter
from bonafide.net.circuit_breaker import OptionalDependency
from bonafide.services.operations.rate_counters import DatabaseRateCounter, pseudonymize
from bonafide.store.database import engine
from bonafide.store.database.engine import Store
from bonafide.store.database.schema.shared_tables import rate_windows as table
from bonafide.store.work import shared_state
from tests.support.servers.valkey import ValkeyServer
from tests.support.services.rate_limiters import SECRET, WINDOW_S, fail_unavailable, limiter_over
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
NOON = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)
NOON_S = int(NOON.timestamp())
CALLER = "address:192.0.2.1"
NODES, HITS, LIMIT = 3, 40, 50
PROCESSES = 2
"""Each takes seconds to start."""

NODE = """
import asyncio, sys
from datetime import UTC, datetime
from bonafide.api.protocol.rate_limit import SharedRateLimiter
from bonafide.net.circuit_breaker import OptionalDependency
from bonafide.services.operations.rate_counters import DatabaseRateCounter, ValkeyRateCounter
from bonafide.net.valkey_store import ValkeyStore
from bonafide.store.database import engine
from bonafide.store.database.engine import Store

async def passed(address, hits, limit, now, patience_s):
    failed = []
    engine.POOL_TIMEOUT_S = patience_s
    if address.startswith("valkey"):
        store = ValkeyStore.open(address, is_cluster=False, timeout_s=patience_s, failed=failed.append)
        counter = ValkeyRateCounter(store, 60)
    else:
        store = Store.open(address)
        counter = DatabaseRateCounter(store, OptionalDependency("it", patience_s, failed.append))
    limiter = SharedRateLimiter(counter, 60, b"north")
    usages = await asyncio.gather(*(limiter.hit("key:1", limit, now) for _ in range(hits)))
    await store.close()
    assert failed == []
    return sum(not usage.is_over for usage in usages)

hits, limit, noon_s, patience_s = map(int, sys.argv[1:])
print("ready", flush=True)
for address in sys.stdin:
    print(asyncio.run(passed(address.strip(), hits, limit, datetime.fromtimestamp(noon_s, UTC), patience_s)), flush=True)
"""


@pytest.fixture(scope="module")
def processes() -> Iterator[list["subprocess.Popen[str]"]]:
    """Processes that count requests at the address that they are sent a line with."""
    command = [sys.executable, "-W", "error", "-c", NODE, *map(str, (HITS, LIMIT, NOON_S, int(TIMEOUT_S)))]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(command, **pipes) for _ in range(PROCESSES)]  # noqa: S603
    assert [said(process) for process in started] == ["ready"] * PROCESSES
    yield started
    for process in started:
        process.communicate(timeout=TIMEOUT_S)


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.fixture
async def nodes(shared_address: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[SharedRateLimiter]]:
    """The limiters of several nodes over one place, which wait for one another as long as it takes."""
    monkeypatch.setattr(engine, "POOL_TIMEOUT_S", TIMEOUT_S)
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(limiter_over(shared_address)) for _ in range(NODES)]


def at(second: float) -> datetime:
    return datetime.fromtimestamp(NOON_S + second, UTC)


async def test_of_many_requests_at_once_exactly_as_many_pass_as_may(nodes: list[SharedRateLimiter]) -> None:
    usages = await asyncio.gather(*(node.hit(CALLER, LIMIT, NOON) for _ in range(HITS) for node in nodes))
    assert sorted(usage.used for usage in usages) == list(range(1, NODES * HITS + 1))
    assert sum(not usage.is_over for usage in usages) == LIMIT
    assert {usage.resets_at for usage in usages} == {NOON_S + WINDOW_S}


def test_so_it_is_across_processes(shared_address: str, processes: list["subprocess.Popen[str]"]) -> None:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(f"{shared_address}\n")
        process.stdin.flush()
    assert sum(int(said(process)) for process in processes) == LIMIT


async def test_a_new_window_begins_at_its_second_and_each_caller_has_its_own(nodes: list[SharedRateLimiter]) -> None:
    one, other, _ = nodes
    assert (await one.hit(CALLER, LIMIT, at(59.9))).used == 1
    assert (await other.hit(CALLER, LIMIT, at(59.99))).used == 2
    next_one = await one.hit(CALLER, LIMIT, at(60))
    assert (next_one.used, next_one.resets_at) == (1, NOON_S + 2 * WINDOW_S)
    assert (await other.hit("key:other", LIMIT, at(60))).used == 1


async def test_a_node_whose_clock_is_a_second_slow_counts_in_the_window_that_is_there(nodes: list[SharedRateLimiter]) -> None:
    quick, slow, _ = nodes
    used = [(await node.hit(CALLER, LIMIT, moment)).used for node, moment in [(quick, at(60)), (slow, at(59)), (quick, at(60.1))]]
    assert used == [1, 2, 3]
    late = await slow.hit(CALLER, LIMIT, at(59.2))
    assert (late.used, late.resets_at) == (4, NOON_S + 2 * WINDOW_S)


async def test_a_clock_that_is_set_back_gives_nobody_a_fresh_window(nodes: list[SharedRateLimiter]) -> None:
    one, other, _ = nodes
    await one.hit(CALLER, LIMIT, at(0))
    assert (await one.hit(CALLER, LIMIT, at(-3600))).used == 2
    assert (await other.hit(CALLER, LIMIT, at(-3600))).used == 3


async def test_valkey_forgets_a_window_by_itself_and_knows_no_address(empty_valkey: ValkeyServer) -> None:
    async with AsyncExitStack() as stack:
        limiter = await stack.enter_async_context(limiter_over(empty_valkey.url))
        await limiter.hit(CALLER, LIMIT, NOON)
        client = stack.enter_context(empty_valkey.client())
        [key] = client.keys()
        assert key == f"bonafide:rate:{{{pseudonymize(SECRET, CALLER)}}}".encode()
        assert 0 < client.ttl(key) <= 2 * WINDOW_S
        assert b"192.0.2.1" not in key + b"".join(client.hgetall(key).values())


async def test_the_database_keeps_no_address_and_the_sweep_forgets_what_is_over(store: Store) -> None:
    limiter = SharedRateLimiter(
        DatabaseRateCounter(store, OptionalDependency("The database", TIMEOUT_S, fail_unavailable)), WINDOW_S, SECRET
    )
    seconds = (-WINDOW_S - shared_state.EXPIRY_GRACE_S - 1, -WINDOW_S, 0, 3600)
    for second in seconds:
        await limiter.hit(f"{CALLER} {second}", LIMIT, at(second))
    assert await _callers(store) == {pseudonymize(SECRET, f"{CALLER} {second}") for second in seconds}
    async with store.write() as connection:
        await shared_state.purge_rate_windows(connection, NOON_S, WINDOW_S)
    # What an hour from now has begun, a clock that was wrong has begun.
    assert await _callers(store) == {pseudonymize(SECRET, f"{CALLER} {second}") for second in (-WINDOW_S, 0)}


async def _callers(store: Store) -> set[str]:
    async with store.read() as connection:
        return set(await connection.scalars(select(table.c.caller)))


async def test_a_secret_makes_the_digest() -> None:
    assert pseudonymize(b"one", CALLER) != pseudonymize(b"other", CALLER)
    assert len(pseudonymize(b"one", CALLER)) == 64
