"""Requests of API keys are counted in memory, written down in batches, and lost by nobody's fault but a crash."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.errors import ServerBusy
from bonafide.model.accounts.organizations import Principal
from bonafide.runtime import Runtime, open_runtime
from bonafide.services.accounts.api_key_usage import DAYS_SHOWN, KeyUsageCounter, read_usage, write_counts
from bonafide.settings import Settings
from bonafide.store.database.engine import Store
from bonafide.store.tenants.key_usage import RequestTotals
from tests.support.services.runtimes import ManualClock, principal_of

pytestmark = pytest.mark.anyio


class AwayStore(Store):
    """A database that can't be written to."""

    @asynccontextmanager
    async def write(self, *, is_effect: bool = True, durable: bool = True) -> AsyncIterator[AsyncConnection]:  # noqa: ARG002 - the store's signature
        raise ServerBusy
        yield


class WatchedStore(Store):
    """A database that counts how often it is written to."""

    writes = 0

    @asynccontextmanager
    async def write(self, *, is_effect: bool = True, durable: bool = True) -> AsyncIterator[AsyncConnection]:
        self.writes += 1
        async with super().write(is_effect=is_effect, durable=durable) as connection:
            yield connection


@pytest.fixture
async def caller(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north")


async def shown(runtime: Runtime, caller: Principal) -> list[RequestTotals]:
    usage = await read_usage(runtime, caller.organization_id, [caller.key_id])
    return [requests for _, requests in usage[caller.key_id].days]


async def test_counting_writes_nothing_and_all_is_written_at_once(
    empty_runtime: Runtime, caller: Principal, database_url: str
) -> None:
    other = await principal_of(empty_runtime, "south")
    store = WatchedStore.open(database_url)
    watched = replace(empty_runtime, store=store)
    counter = KeyUsageCounter(watched)
    for number in range(100):
        counter.count(caller, watched.clock(), refused=number >= 90)
        counter.count(other, watched.clock(), refused=False)
    assert store.writes == 0
    await write_counts(watched)
    assert store.writes == 1
    assert (await shown(watched, caller))[-1] == RequestTotals(100, 10)
    assert (await shown(watched, other))[-1] == RequestTotals(100, 0)
    await store.close()


async def test_days_without_a_request_are_noughts_and_older_ones_are_not_shown(
    empty_runtime: Runtime, caller: Principal, clock: ManualClock
) -> None:
    counter = KeyUsageCounter(empty_runtime)
    for days in (0, 1, DAYS_SHOWN - 1, 1):
        clock.now += timedelta(days=days)
        counter.count(caller, clock.now, refused=False)
    await write_counts(empty_runtime)
    seen = await shown(empty_runtime, caller)
    assert len(seen) == DAYS_SHOWN
    assert [index for index, requests in enumerate(seen) if requests.made] == [DAYS_SHOWN - 2, DAYS_SHOWN - 1]


async def test_what_can_not_be_written_is_written_with_the_next(
    empty_runtime: Runtime, caller: Principal, database_url: str
) -> None:
    opened = AwayStore.open(database_url)
    away = replace(empty_runtime, store=opened)
    counter = KeyUsageCounter(away)
    counter.count(caller, away.clock(), refused=False)
    await write_counts(away)
    counter.count(caller, away.clock(), refused=True)
    await write_counts(replace(away, store=empty_runtime.store))
    assert (await shown(empty_runtime, caller))[-1] == RequestTotals(2, 1)
    await opened.close()


async def test_another_organization_is_told_nothing_of_the_key(empty_runtime: Runtime, caller: Principal) -> None:
    stranger = await principal_of(empty_runtime, "south")
    KeyUsageCounter(empty_runtime).count(caller, empty_runtime.clock(), refused=False)
    await write_counts(empty_runtime)
    usage = await read_usage(empty_runtime, stranger.organization_id, [caller.key_id])
    assert usage[caller.key_id].total == RequestTotals()
    assert usage[caller.key_id].most == 0


async def test_what_was_counted_last_is_written_down_when_the_process_ends(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    async with open_runtime(settings) as runtime:
        caller = await principal_of(runtime, "north")
        KeyUsageCounter(runtime).count(caller, runtime.clock(), refused=False)
    async with open_runtime(settings) as runtime:
        assert sum(requests.made for requests in await shown(runtime, caller)) == 1
