"""Limits over HTTP with several nodes, and what happens to requests while Valkey or the database that counts is away."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from bonafide.api.protocol.rate_limit import MemoryRateLimiter, SharedRateLimiter, create_rate_limiter
from bonafide.app.application import create_app
from bonafide.net.circuit_breaker import COOLDOWN_S
from bonafide.observability.metrics import Metrics
from bonafide.runtime import Runtime, build_valkey_store
from bonafide.settings import RateLimitStore, Settings
from tests.support.api.clients import BASE, NOON, NewKey
from tests.support.servers.valkey import ValkeyServer, running_server
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
LIMIT = 6
HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
RESETS_AT = int(NOON.timestamp()) + 60


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as opened:
        yield opened


async def node(runtime: Runtime, stack: AsyncExitStack, url: str, key: str) -> tuple[Runtime, httpx2.AsyncClient]:
    """Another node of the service, which counts in this Valkey, and its client with the key."""
    settings = runtime.settings.model_copy(
        update=Settings.model_validate({"valkey_url": url}).model_dump(include={"valkey_url"}) | {"valkey_timeout_s": TIMEOUT_S}
    )
    metrics = Metrics()
    shared = build_valkey_store(settings, metrics)
    assert shared is not None
    stack.push_async_callback(shared.close)
    other = replace(runtime, settings=settings, metrics=metrics, valkey=shared)
    client = httpx2.AsyncClient(
        transport=httpx2.ASGITransport(create_app(other)), base_url=BASE, headers={"Authorization": f"Bearer {key}"}
    )
    return other, await stack.enter_async_context(client)


def headers(answer: httpx2.Response) -> list[int]:
    return [int(answer.headers[name]) for name in HEADERS]


async def test_two_nodes_count_together(
    runtime: Runtime, stack: AsyncExitStack, empty_valkey: ValkeyServer, new_key: NewKey
) -> None:
    key = await new_key(rate_limit=LIMIT)
    clients = [(await node(runtime, stack, empty_valkey.url, key))[1] for _ in range(2)]
    answers = await asyncio.gather(*(client.get("/v1/searches") for client in clients for _ in range(LIMIT)))
    assert sorted(answer.status_code for answer in answers) == [200] * LIMIT + [429] * LIMIT
    assert {answer.headers["X-RateLimit-Reset"] for answer in answers} == {str(RESETS_AT)}


async def test_without_valkey_nodes_on_one_postgresql_count_together(
    runtime: Runtime, new_key: NewKey, stack: AsyncExitStack
) -> None:
    key = await new_key(rate_limit=LIMIT)
    clients = []
    for _ in range(2):
        transport = httpx2.ASGITransport(create_app(replace(runtime, metrics=Metrics())))
        client = httpx2.AsyncClient(transport=transport, base_url=BASE, headers={"Authorization": f"Bearer {key}"})
        clients.append(await stack.enter_async_context(client))
    statuses = [(await clients[number % 2].get("/v1/searches")).status_code for number in range(2 * LIMIT)]
    # A file of SQLite is one machine's, and each process of it counts by itself.
    assert statuses.count(200) == (LIMIT if runtime.store.is_server else 2 * LIMIT)


@pytest.mark.slow
async def test_a_killed_valkey_fails_no_request_and_counts_again_when_it_is_back(
    runtime: Runtime, stack: AsyncExitStack, tmp_path: Path, new_key: NewKey
) -> None:
    key = await new_key(rate_limit=LIMIT)
    with running_server(tmp_path) as server:
        one, client = await node(runtime, stack, server.url, key)
        assert headers(await client.get("/v1/searches")) == [LIMIT, LIMIT - 1, RESETS_AT]
        server.kill()
        # This process goes on with what it has counted itself, and so still knows its limit.
        answers = [await client.get("/v1/searches") for _ in range(LIMIT)]
        assert [answer.status_code for answer in answers] == [200] * (LIMIT - 1) + [429]
        assert headers(answers[0]) == [LIMIT, LIMIT - 2, RESETS_AT]
        assert f'bonafide_shared_store_failures_total{{use="rate_limit"}} {LIMIT:.1f}' in one.metrics.exposition().decode()
        server.start()
        # It has forgotten the window, which then begins anew.
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                answer = await client.get("/v1/searches")
                if answer.status_code == 200:
                    break
                await asyncio.sleep(COOLDOWN_S / 10)
        assert headers(answer) == [LIMIT, LIMIT - 1, RESETS_AT]


async def test_where_requests_are_counted_is_a_setting(
    runtime: Runtime, stack: AsyncExitStack, empty_valkey: ValkeyServer, new_key: NewKey
) -> None:
    with_valkey, _ = await node(runtime, stack, empty_valkey.url, await new_key())

    def kind(settings: Settings, store: RateLimitStore) -> type[object]:
        return type(create_rate_limiter(replace(with_valkey, settings=settings.model_copy(update={"rate_limit_store": store}))))

    assert kind(with_valkey.settings, RateLimitStore.MEMORY) is MemoryRateLimiter
    for store in (RateLimitStore.AUTO, RateLimitStore.VALKEY, RateLimitStore.DATABASE):
        assert kind(with_valkey.settings, store) is SharedRateLimiter
    forced = replace(runtime, settings=runtime.settings.model_copy(update={"rate_limit_store": RateLimitStore.DATABASE}))
    limiter = create_rate_limiter(forced)
    assert [(await limiter.hit("key:1", LIMIT, NOON)).used for _ in range(2)] == [1, 2]
    assert (await create_rate_limiter(forced).hit("key:1", LIMIT, NOON)).used == 3


async def test_a_database_that_is_away_does_not_refuse_whom_memory_would_admit(runtime: Runtime) -> None:
    forced = replace(runtime, settings=runtime.settings.model_copy(update={"rate_limit_store": RateLimitStore.DATABASE}))
    limiter = create_rate_limiter(forced)
    await limiter.hit("key:1", LIMIT, NOON)
    await runtime.store.close()
    usage = await limiter.hit("key:1", LIMIT, NOON)
    assert (usage.used, usage.resets_at) == (2, RESETS_AT)
    assert b'failures_total{use="rate_limit"} 1.0' in forced.metrics.exposition()
