"""Valkey as the nodes use it: what it answers, and what happens to whoever asks while it is away."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import structlog

from bonafide.errors import ConfigurationError
from bonafide.net.circuit_breaker import COOLDOWN_S, DependencyUnavailable, OptionalDependency
from bonafide.net.valkey_store import ValkeyScript, ValkeyStore
from bonafide.settings import Settings
from tests.support.servers.valkey import ValkeyServer, running_cluster, running_server
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
ECHO = ValkeyScript("redis.call('INCR', KEYS[1]) return ARGV[1]")


@asynccontextmanager
async def opened(
    url: str, failures: Counter[str] | None = None, *, is_cluster: bool = False, timeout_s: float = TIMEOUT_S
) -> AsyncIterator[ValkeyStore]:
    counted = failures if failures is not None else Counter[str]()
    store = ValkeyStore.open(url, is_cluster=is_cluster, timeout_s=timeout_s, failed=lambda use: counted.update([use]))
    try:
        yield store
    finally:
        await store.close()


async def when_back(store: ValkeyStore) -> None:
    """Wait until it is asked again."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            try:
                await store.get("waiting", "{nothing}")
            except DependencyUnavailable:
                await asyncio.sleep(COOLDOWN_S / 10)
            else:
                return


async def test_a_script_a_value_and_a_value_that_is_over(empty_valkey: ValkeyServer) -> None:
    async with opened(empty_valkey.url) as store:
        assert await store.run("test", ECHO, "{key}", "said") == b"said"
        await store.put("test", "{value}", "kept", 60)
        await store.put("test", "{gone}", "kept", 0.001)
        await asyncio.sleep(0.05)
        assert [await store.get("test", key) for key in ("{value}", "{gone}", "{other}")] == [b"kept", None, None]


async def test_redis_addresses_are_as_good(empty_valkey: ValkeyServer) -> None:
    async with opened(empty_valkey.url.replace("valkey:", "redis:")) as store:
        assert await store.get("test", "{key}") is None


@pytest.mark.parametrize("is_cluster", [False, True])
async def test_with_tls_a_server_must_prove_itself(empty_valkey: ValkeyServer, *, is_cluster: bool) -> None:
    failures = Counter[str]()
    async with opened(empty_valkey.url.replace("valkey:", "valkeys:"), failures, is_cluster=is_cluster, timeout_s=0.2) as store:
        with pytest.raises(DependencyUnavailable):
            await store.get("test", "{key}")
    assert failures["test"] == 1


@pytest.mark.slow
async def test_a_cluster_is_asked_where_the_key_is(tmp_path: Path) -> None:
    with running_cluster(tmp_path) as (one, other):
        async with opened(one.url, is_cluster=True) as store:
            said = [await store.run("test", ECHO, f"bonafide:{{{number}}}", number) for number in range(20)]
            await store.put("test", "bonafide:{value}", "kept", 60)
            assert await store.get("test", "bonafide:{value}") == b"kept"
        with one.client() as first, other.client() as second:
            assert min(first.dbsize(), second.dbsize()) > 0
    assert said == [str(number).encode() for number in range(20)]


async def test_while_it_is_down_nobody_waits_and_each_time_is_counted_and_then_it_is_back(tmp_path: Path) -> None:
    failures = Counter[str]()
    with running_server(tmp_path) as server, structlog.testing.capture_logs() as logged:
        async with opened(server.url.replace("//", "//north:secret-word@"), failures) as store:
            with pytest.raises(DependencyUnavailable):  # it has no such user
                await store.get("test", "{key}")
        async with opened(server.url, failures) as store:
            await store.put("test", "{key}", "lost", 60)
            server.kill()
            for _ in range(50):
                with pytest.raises(DependencyUnavailable):
                    await store.run("other", ECHO, "{key}", "said")
            server.start()
            await when_back(store)
            assert await store.run("test", ECHO, "{key}", "said") == b"said"
    assert (failures["test"], failures["other"]) == (1, 50)
    # Other threads of the process may log as well.
    events = [event["event"] for event in logged if event["event"].startswith("dependency.")]
    assert events == ["dependency.unavailable", "dependency.unavailable", "dependency.restored"]
    assert "secret-word" not in str(logged)


async def test_one_that_accepts_and_never_answers_is_not_asked_again_by_each_request() -> None:
    failures, asked, waiting = Counter[str](), Counter[str](), list[asyncio.Task[None] | None]()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.update(["connections"])
        waiting.append(asyncio.current_task())
        try:
            await reader.read()  # until the other side has had enough
        finally:
            writer.close()

    silent = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    async with opened(f"valkey://127.0.0.1:{port}", failures, timeout_s=0.05) as store:
        for _ in range(1000):
            with pytest.raises(DependencyUnavailable):
                await store.get("test", "{key}")
    assert failures["test"] == 1000
    assert asked["connections"] < 100
    silent.close()
    await asyncio.gather(*filter(None, waiting), return_exceptions=True)
    await silent.wait_closed()


async def test_who_gives_up_waiting_leaves_no_answer_to_the_next(empty_valkey: ValkeyServer) -> None:
    async with opened(empty_valkey.url) as store:
        for number in range(200):
            asking = asyncio.create_task(store.run("test", ECHO, "{key}", f"given up {number}"))
            for _ in range(number % 7):
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            assert await store.run("test", ECHO, "{key}", f"wanted {number}") == f"wanted {number}".encode()


async def test_many_at_once_wait_for_a_connection(empty_valkey: ValkeyServer) -> None:
    async with opened(empty_valkey.url) as store:
        said = await asyncio.gather(*(store.run("test", ECHO, "{key}", number) for number in range(500)))
    assert said == [str(number).encode() for number in range(500)]


@pytest.mark.slow
async def test_after_a_rest_one_finds_out_for_all() -> None:
    failures, asked = Counter[str](), 0
    dispensable = OptionalDependency("A test", TIMEOUT_S, lambda use: failures.update([use]))

    async def ask() -> None:
        nonlocal asked
        async with dispensable.attempt("test"):
            asked += 1
            await asyncio.sleep(0.01)
            raise OSError("down")

    for _ in range(2):
        await asyncio.gather(*(ask() for _ in range(10)), return_exceptions=True)
        await asyncio.sleep(COOLDOWN_S * 1.1)
    assert (asked, failures["test"]) == (11, 20)


def opened_at(url: str) -> ValkeyStore:
    """The store at an address that an operator may write."""
    given = Settings.model_validate({"valkey_url": url}).valkey_url
    assert given is not None
    return ValkeyStore.open(given.get_secret_value(), is_cluster=False, timeout_s=1, failed=print)


@pytest.mark.parametrize("url", ["http://valkey.example", "valkey://", "valkey://host:secret-word/0", "/secret-word"])
def test_an_address_that_is_none_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises((ValueError, ConfigurationError)) as refused:
        opened_at(url)
    assert "secret-word" not in str(refused.value)


def test_the_settings_keep_the_password_and_know_when_valkey_is_missing() -> None:
    settings = Settings.model_validate({"valkey_url": "valkeys://north:secret-word@valkey.example:6379/1"})
    assert "secret-word" not in f"{settings!r} {settings.model_dump_json()}"
    with pytest.raises(ValueError, match="needs valkey_url"):
        Settings.model_validate({"rate_limit_store": "valkey"})
