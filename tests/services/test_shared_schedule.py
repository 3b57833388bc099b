"""Workers on machines that share an index: what one has just loaded, or failed to load, no other tries at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bonafide.app import renewal
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import RunOutcome
from bonafide.net.fetch import Fetcher
from bonafide.runtime import IndexSyncState, Runtime
from bonafide.services.indexing.index_sync import sync_once
from bonafide.services.loading.load_history import list_runs
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.loading.schedule import find_due_sources
from bonafide.store.blobs.object_store import ContentAddressedStore
from bonafide.store.database.engine import Store
from bonafide_sandbox import demo
from bonafide_sandbox.publisher_faults import FaultRegistry, StatusFault
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.writers.framework.manifest import read_manifest
from tests.support.servers.asgi_server import served
from tests.support.services.loading import last_attempt
from tests.support.services.runtimes import ManualClock, runtime_over

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SANDBOX = World.SANDBOX
KEYS = ("agcoCannabis", "aglcCannabis")


def sharing(runtime: Runtime, shared: Path, node: str) -> Runtime:
    kept = {key: runtime.sources[key] for key in KEYS}
    return replace(runtime, sources=kept, index_sync=IndexSyncState(ContentAddressedStore.open(shared.as_uri(), {}), node))


@pytest.fixture
async def machines(own_runtime: Runtime, store: Store, tmp_path: Path, clock: ManualClock) -> tuple[Runtime, Runtime]:
    """One that had an index before, and one that has joined it."""
    (tmp_path / "south").mkdir()
    north = sharing(own_runtime, tmp_path / "shared", "north")
    south = sharing(runtime_over(store, tmp_path / "south", clock), tmp_path / "shared", "south")
    for one in (north, south):
        await sync_once(one)
    return north, south


@asynccontextmanager
async def fetching(runtime: Runtime, world: Path, faults: FaultRegistry) -> AsyncIterator[Runtime]:
    manifest = read_manifest(world)
    assert manifest is not None
    async with served(create_sandbox_app(world, demo._map_urls_to_files(runtime.sources, manifest), faults)) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        yield replace(runtime, fetchers={SANDBOX: fetcher})
        await fetcher.close()


async def test_a_machine_that_joins_knows_when_its_sources_were_loaded(machines: tuple[Runtime, Runtime]) -> None:
    north, south = machines
    for key in KEYS:
        source = south.sources[key]
        load = get_current_load(south, SANDBOX, source)
        assert load is not None
        assert load == get_current_load(north, SANDBOX, source)
        attempt = await last_attempt(south, SANDBOX, source)
        assert attempt is not None
        assert (attempt.attempted_at, attempt.problem) == (load.loaded_at, None)


async def test_of_two_workers_one_loads_a_source(machines: tuple[Runtime, Runtime], clock: ManualClock, live_world: Path) -> None:
    clock.advance(days=3)
    assert len(await find_due_sources(machines[0], SANDBOX)) == len(await find_due_sources(machines[1], SANDBOX)) > 0
    async with (
        fetching(machines[0], live_world, FaultRegistry()) as north,
        fetching(machines[1], live_world, FaultRegistry()) as south,
    ):
        await asyncio.gather(renewal.renew_once(north), renewal.renew_once(south))
        await renewal.renew_once(south)
        await renewal.renew_once(north)
    for key in KEYS:
        [run] = await list_runs(north, SANDBOX, key)
        assert run.outcome is RunOutcome.LOADED
    for one in (north, south):
        await sync_once(one)
        assert await find_due_sources(one, SANDBOX) == []
        loads = [get_current_load(one, SANDBOX, source) for source in one.sources.values()]
        assert [load.retrieved_at for load in loads if load is not None] == [clock.now] * len(KEYS)


async def test_what_one_failed_to_load_the_other_leaves_alone(
    machines: tuple[Runtime, Runtime], clock: ManualClock, live_world: Path
) -> None:
    clock.advance(days=3)
    faults = FaultRegistry()
    for source in machines[0].sources.values():
        faults.put(source.metadata.resources[0].url, StatusFault(404))
    async with fetching(machines[0], live_world, faults) as north, fetching(machines[1], live_world, faults) as south:
        await renewal.renew_once(north)
        await renewal.renew_once(south)
        for key in KEYS:
            assert [run.outcome for run in await list_runs(north, SANDBOX, key)] == [RunOutcome.FAILED]
        clock.advance(hours=1)
        await renewal.renew_once(south)
        await renewal.renew_once(north)
    for key in KEYS:
        assert len(await list_runs(north, SANDBOX, key)) == 2
        for one in (north, south):
            attempt = await last_attempt(one, SANDBOX, one.sources[key])
            assert attempt is not None
            assert attempt.failures == 2
            assert "404" in (attempt.problem or "")
