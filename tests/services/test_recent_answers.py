"""Answers of live sources that serve again: to whom, for how long, and what is never kept."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse

from bonafide.concurrency.ttl_cache import TtlCache
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import Coverage, CoverageStatus, SearchResult
from bonafide.model.verification.registry_report import ReportRequest
from bonafide.runtime import Runtime, build_valkey_store
from bonafide.services.lookup.live_cache import MAX_ANSWER_BYTES
from bonafide.services.manual_checks.report_requests import get_business_report
from bonafide.settings import Settings
from tests.support.loaded_sandbox import LOADED_AT
from tests.support.servers.valkey import ValkeyServer, running_server
from tests.support.services.live_register import KEY, Register, with_register
from tests.support.services.runtimes import ManualClock, principal_of, search
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
NAME = "Cod and Capelin"


@pytest.fixture
def register() -> Register:
    return Register()


@pytest.fixture
async def live(empty_runtime: Runtime, register: Register) -> AsyncIterator[Runtime]:
    """A runtime with one live register."""
    async with with_register(empty_runtime, register) as runtime:
        yield runtime


@pytest.fixture
async def north(live: Runtime) -> Principal:
    return await principal_of(live, "north", World.LIVE)


@asynccontextmanager
async def nodes(runtime: Runtime, url: str) -> AsyncIterator[list[Runtime]]:
    """Two nodes with one Valkey."""
    address = Settings.model_validate({"valkey_url": url}).valkey_url
    settings = runtime.settings.model_copy(update={"valkey_url": address, "valkey_timeout_s": TIMEOUT_S})
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(2):
            shared = build_valkey_store(settings, runtime.metrics)
            assert shared is not None
            stack.push_async_callback(shared.close)
            found.append(replace(runtime, settings=settings, valkey=shared, live_cache=TtlCache(0), throttles={}))
        yield found


def matched(result: SearchResult) -> list[tuple[str, str]]:
    assert result.businesses is not None
    return [(match.legal_name.name, match.retrieved_at.isoformat()) for match in result.businesses]


def row(result: SearchResult) -> Coverage:
    return next(row for row in result.meta.coverage if row.source == KEY)


async def test_the_same_question_is_asked_once_and_its_answer_keeps_its_date(
    live: Runtime, north: Principal, register: Register, clock: ManualClock
) -> None:
    first = await search(live, north, name=NAME)
    clock.advance(seconds=59)
    again = await search(live, north, name=f"  {NAME.upper()} ")
    assert len(register.asked) == 1
    assert {instant for _, instant in matched(again)} == {LOADED_AT.isoformat()}
    assert [name for name, _ in matched(again)] == [name for name, _ in matched(first)]
    counted = live.metrics.exposition().decode()
    assert 'bonafide_cache_requests_total{cache="live_answers",outcome="hit"} 1.0' in counted
    assert 'bonafide_cache_requests_total{cache="live_answers",outcome="miss"} 1.0' in counted
    assert 'bonafide_cache_requests_total{cache="api_key",outcome="miss"} 1.0' in counted


async def test_after_its_time_it_is_asked_anew(live: Runtime, north: Principal, register: Register, clock: ManualClock) -> None:
    await search(live, north, name=NAME)
    clock.advance(seconds=live.settings.live_cache_s)
    again = await search(live, north, name=NAME)
    assert len(register.asked) == 2
    assert {instant for _, instant in matched(again)} == {clock().isoformat()}


async def test_an_answer_from_the_future_is_none(live: Runtime, north: Principal, register: Register, clock: ManualClock) -> None:
    await search(live, north, name=NAME)
    clock.advance(seconds=-1)
    await search(live, north, name=NAME)
    assert len(register.asked) == 2


async def test_another_question_and_another_organization_are_asked_anew(
    live: Runtime, north: Principal, register: Register
) -> None:
    await search(live, north, name=NAME)
    await search(live, north, name="Cod Tongue")
    await search(live, north, name=NAME, registrationNumber="77001")
    await search(live, await principal_of(live, "south", World.LIVE), name=NAME)
    assert len(register.asked) == 4


async def test_nothing_found_is_an_answer_as_well(live: Runtime, north: Principal, register: Register) -> None:
    register.names = {}
    for _ in range(2):
        result = await search(live, north, name=NAME)
        assert row(result).status is CoverageStatus.SEARCHED
    assert len(register.asked) == 1


async def test_a_failure_is_never_kept(live: Runtime, north: Principal, register: Register) -> None:
    register.broken = PlainTextResponse("", 503)
    assert row(await search(live, north, name=NAME)).status is CoverageStatus.FAILED
    register.broken = None
    assert row(await search(live, north, name=NAME)).status is CoverageStatus.SEARCHED
    assert len(register.asked) == 2


async def test_the_sandbox_and_a_setting_of_0_ask_each_time(live: Runtime, north: Principal, register: Register) -> None:
    tester = await principal_of(live, "north", World.SANDBOX)
    off = replace(live, settings=live.settings.model_copy(update={"live_cache_s": 0.0}))
    for _ in range(2):
        await search(live, tester, name=NAME)
        await search(off, north, name=NAME)
    assert len(register.asked) == 4


async def test_an_answer_that_is_too_large_is_asked_for_again(live: Runtime, north: Principal, register: Register) -> None:
    register.names = {"77001": f"Cod and Capelin {'x' * MAX_ANSWER_BYTES}"}
    for _ in range(2):
        await search(live, north, name=NAME)
    assert len(register.asked) == 2


async def test_a_report_is_the_registers_own_word(live: Runtime, north: Principal, register: Register, clock: ManualClock) -> None:
    wanted = ReportRequest(jurisdiction=Jurisdiction.NL, registration_number="77001", max_age=0)
    for _ in range(2):
        await get_business_report(live, north, wanted)
        clock.advance(seconds=1)
    assert len(register.asked) == 2


async def test_nodes_with_one_valkey_share_answers_and_it_knows_no_name(
    live: Runtime, north: Principal, register: Register, empty_valkey: ValkeyServer
) -> None:
    async with nodes(live, empty_valkey.url) as (one, other):
        first = await search(one, north, name=NAME)
        again = await search(other, north, name=NAME)
    assert len(register.asked) == 1
    assert matched(again) == matched(first)
    with empty_valkey.client() as client:
        [key] = [key for key in client.scan_iter() if b":answer:" in key]
        assert 0 < client.ttl(key) <= live.settings.live_cache_s
        assert b"cod" not in key.lower()
        client.set(key, b'{"from": "another version"}', ex=60)
    async with nodes(live, empty_valkey.url) as (one, _):
        assert matched(await search(one, north, name=NAME)) == matched(first)
    assert len(register.asked) == 2


async def test_without_its_valkey_a_search_asks_the_register(
    live: Runtime, north: Principal, register: Register, tmp_path: Path
) -> None:
    with running_server(tmp_path) as server:
        async with nodes(live, server.url) as (one, _):
            await search(one, north, name=NAME)
            server.kill()
            result = await search(one, north, name=NAME)
    assert (row(result).status, len(register.asked)) == (CoverageStatus.SEARCHED, 2)
    assert 'failures_total{use="live_answers"}' in live.metrics.exposition().decode()


def test_a_short_memory_is_bounded_in_bytes() -> None:
    memory = TtlCache(10)
    clock = ManualClock()
    until = clock()
    clock.advance(seconds=-1)
    for key in "abc":
        memory.put(key, b"1234", until)
    memory.put("large", b"x" * 11, until)
    memory.put("c", b"12345", until)
    assert [memory.get(key, clock()) for key in ("a", "b", "c", "large")] == [None, b"1234", b"12345", None]
    assert memory.get("c", until) is None
