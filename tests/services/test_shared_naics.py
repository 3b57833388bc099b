"""The classification of industries travels between machines as sources do."""

from dataclasses import replace
from pathlib import Path

import pytest

from bonafide.errors import RefreshRefused
from bonafide.model.accounts.organizations import World
from bonafide.net.fetch import Fetcher
from bonafide.runtime import IndexSyncState, Runtime
from bonafide.services.indexing.distribution import build_exclusively
from bonafide.services.indexing.index_sync import sync_once
from bonafide.services.indexing.naics_transfer import get_naics_folder
from bonafide.services.loading.naics import KEY, NaicsLoad, NaicsLoadRequest, get_loaded_naics, load_naics
from bonafide.store.blobs.object_store import ContentAddressedStore
from bonafide.store.database.engine import Store
from bonafide_sandbox.writers.naics import write_naics
from tests.support.services.runtimes import ManualClock, runtime_over

pytestmark = pytest.mark.anyio
SANDBOX = World.SANDBOX


@pytest.fixture
def machines(store: Store, tmp_path: Path, clock: ManualClock) -> tuple[Runtime, Runtime]:
    objects = ContentAddressedStore.open((tmp_path / "shared").as_uri(), {})
    north, south = (
        replace(runtime_over(store, tmp_path / name, clock), index_sync=IndexSyncState(objects, name)) for name in ("n", "s")
    )
    return north, south


async def loaded(runtime: Runtime, tables: Path) -> NaicsLoad:
    write_naics(tables)
    fetcher = Fetcher(runtime.settings, runtime.clock)
    try:
        files = tuple(tables / KEY / name for name in ("en-structure.csv", "en-elements.csv"))
        return await load_naics(runtime, fetcher, NaicsLoadRequest(SANDBOX, files), lambda *_: None)
    finally:
        await fetcher.close()


def files(runtime: Runtime) -> list[str]:
    return sorted(path.name for path in get_naics_folder(runtime.settings.data_dir, SANDBOX).iterdir())


@pytest.mark.slow
async def test_what_one_loads_the_others_have(machines: tuple[Runtime, Runtime], tmp_path: Path, clock: ManualClock) -> None:
    north, south = machines
    for _ in range(4):
        clock.advance(days=1)
        load = await loaded(north, tmp_path)
        await sync_once(south)
        assert get_loaded_naics(south, SANDBOX) == load
    assert [name for name in files(south) if name.startswith(".")] == []
    # The one in use and the one before it.
    assert len([name for name in files(south) if name.endswith(".npz")]) == 2


async def test_a_damaged_one_is_refused_and_the_last_good_one_stays(
    machines: tuple[Runtime, Runtime], tmp_path: Path, clock: ManualClock
) -> None:
    north, south = machines
    good = await loaded(north, tmp_path)
    await sync_once(south)
    clock.advance(days=1)
    await loaded(north, tmp_path)
    for path in (tmp_path / "shared" / SANDBOX / KEY).iterdir():
        path.write_bytes(bytes(path.stat().st_size))
    await sync_once(south)
    assert get_loaded_naics(south, SANDBOX) == good
    assert [name for name in files(south) if name.startswith(".")] == []


async def test_two_machines_do_not_load_it_at_once(machines: tuple[Runtime, Runtime], tmp_path: Path) -> None:
    north, south = machines
    async with build_exclusively(north, SANDBOX, KEY):
        with pytest.raises(RefreshRefused, match="Another machine"):
            await loaded(south, tmp_path)
    assert (await loaded(south, tmp_path)).classes > 0
