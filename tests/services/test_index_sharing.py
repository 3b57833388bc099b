"""An index that machines share: what one builds the others have, by content, and nothing that breaks takes good data away.

Each test runs with a folder and SQLite, and with a real S3 server and PostgreSQL.
"""

import asyncio
import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bonafide.errors import NotFound, RefreshRefused, SegmentCorrupt, ServerBusy
from bonafide.model.loading import REGISTERS, Inventory
from bonafide.services.indexing.combined_index import find_outdated_indexes, update_combined_indexes
from bonafide.services.indexing.distribution import build_exclusively
from bonafide.services.indexing.index_sync import sync_index
from bonafide.store.database.engine import Store
from bonafide.store.database.schema.shared_tables import published_generations
from bonafide.store.work import shared_state
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.servers.s3 import S3Server, running_server
from tests.support.services.index_machines import KEY, LIVE, Counted, Machine, Place, machine, names_of, objects_at
from tests.support.services.runtimes import ManualClock
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
AWAY: Place = (
    "s3://nowhere/at-all",
    {"endpoint": "http://127.0.0.1:9", "region": "ca-central-1", "access_key_id": "none", "secret_access_key": "none"},
)
FEW = ("Boulangerie du Parc", "Northern Bakery", "Quai 9")
MANY = tuple(f"Number {number} Holdings Inc." for number in range(40))
Make = Callable[[str], Machine]


@pytest.fixture(scope="session")
def sharing_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with running_server(tmp_path_factory.mktemp("sharing")) as server:
        yield server


@pytest.fixture
def place(database_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    """Where the machines share: a folder with SQLite, a bucket with PostgreSQL."""
    if database_url.startswith("sqlite"):
        return ((tmp_path / "shared").as_uri(), {})
    server: S3Server = request.getfixturevalue("sharing_server")
    return (f"s3://{server.bucket}/{server.empty_prefix()}", server.options)


@pytest.fixture
def make(store: Store, tmp_path: Path, clock: ManualClock, place: Place) -> Make:
    return lambda name: machine(store, tmp_path / name, clock, objects_at(place))


@pytest.fixture
def north(make: Make) -> Machine:
    return make("north")


@pytest.fixture
def south(make: Make) -> Machine:
    return make("south")


def away(one: Machine) -> None:
    """Let a machine no longer reach the storage."""
    sync = one.runtime.index_sync
    assert sync is not None
    sync.objects = objects_at(AWAY)


def restarted(one: Machine) -> Machine:
    """The machine with nothing open."""
    return machine(one.runtime.store, one.runtime.settings.data_dir, ManualClock(), one.objects)


def back(one: Machine) -> None:
    sync = one.runtime.index_sync
    assert sync is not None
    sync.objects = one.objects


async def names_of_objects(one: Machine) -> set[str]:
    return set(await one.objects.sizes(f"{LIVE}/{KEY}"))


async def wanted_objects(one: Machine, *descriptions: str) -> set[str]:
    inventories = [Inventory.model_validate_json(await one.objects.get(f"{LIVE}/{KEY}", name)) for name in descriptions]
    return {*descriptions, *(file.sha256 for inventory in inventories for file in inventory.files)}


# ------------------------------------------------------------------------------------------------------------ from one to all


async def test_what_one_builds_the_others_have(north: Machine, south: Machine) -> None:
    await north.builds(*FEW)
    assert await south.is_behind()
    await south.follows()
    assert south.names() == north.names() == sorted(FEW)
    assert (north.sequence, south.sequence) == (1, 1)
    assert south.litter() == north.litter() == []
    assert b'bonafide_index_sequence{source="qc",world="live"} 1.0' in south.runtime.metrics.exposition()


async def test_a_joint_index_is_made_by_one_and_is_that_of_all(north: Machine, south: Machine) -> None:
    await north.builds(*FEW)
    await north.builds(*MANY, key="on")
    await update_combined_indexes(north.runtime, LIVE)
    await south.follows()
    assert find_outdated_indexes(south.runtime, LIVE) == find_outdated_indexes(north.runtime, LIVE) == {}
    taken = south.runtime.combined_indexes[LIVE].current(REGISTERS)
    assert taken is not None
    assert len(taken.index) == len(FEW) + len(MANY)
    await south.builds(*FEW[:2])
    assert set(find_outdated_indexes(south.runtime, LIVE)) == {REGISTERS}


async def test_of_a_small_change_only_a_small_segment_travels(north: Machine, south: Machine) -> None:
    await north.builds(*MANY)
    await south.follows()
    sent, fetched = sum(north.objects.sent), sum(south.objects.fetched)
    await north.builds(*MANY[1:], "Quai 9")
    await south.follows()
    assert south.names() == sorted([*MANY[1:], "Quai 9"])
    generation = south.runtime.generations[LIVE].current(KEY)
    assert generation is not None
    [base, delta] = [south.home / "segments" / part.segment for part in generation.parts]
    small = sum(path.stat().st_size for path in delta.iterdir())
    rest = sum(path.stat().st_size for path in (south.home / "generations" / generation.id).iterdir())
    assert sum(south.objects.fetched) - fetched == small + rest
    # Files of the same content are sent once.
    assert 0 < sum(north.objects.sent) - sent <= small + rest
    assert sum(path.stat().st_size for path in base.iterdir()) > small


async def test_a_machine_that_joins_has_all_before_it_starts(north: Machine, make: Make) -> None:
    await north.builds(*FEW)
    await north.builds(*MANY)
    joined = make("joined")
    sync = joined.runtime.index_sync
    assert sync is not None
    assert not sync.caught_up
    async with sync_index(joined.runtime):
        assert sync.caught_up
        assert joined.names() == sorted(MANY)
    assert not [task for task in asyncio.all_tasks() if "follow" in repr(task.get_coro())]


async def test_each_process_sees_what_comes_while_it_runs(north: Machine, south: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = south.runtime.settings.model_copy(update={"index_poll_s": 0.02})
    south.runtime = Machine(south.runtime, south.objects).runtime
    object.__setattr__(south.runtime, "settings", quick)
    async with sync_index(south.runtime):
        assert south.names() == []
        await north.builds(*FEW)
        while south.sequence < 1:  # noqa: ASYNC110 - nothing tells the test but the pointer
            await asyncio.sleep(0.01)
        assert south.names() == sorted(FEW)


async def test_a_search_goes_on_with_what_it_has(north: Machine, south: Machine) -> None:
    await north.builds(*FEW)
    await south.follows()
    held = south.runtime.generations[LIVE].current(KEY)
    assert held is not None
    for names in (MANY, MANY[1:], MANY[2:]):
        await north.builds(*names)
        await south.follows()
    assert names_of(held) == sorted(FEW)
    assert south.names() == sorted(MANY[2:])


async def test_builds_on_different_machines_follow_one_another(north: Machine, south: Machine) -> None:
    """The second builds on what the first has published, and the ids of their own making never get into each other's way."""
    await north.builds(*MANY)
    await south.builds(*MANY[1:])
    await south.builds(*MANY[2:])
    await north.builds(*MANY[3:])
    await south.follows()
    assert (north.sequence, south.sequence) == (4, 4)
    assert north.names() == south.names() == sorted(MANY[3:])
    assert north.litter() == south.litter() == []


async def test_objects_that_nothing_names_are_removed(north: Machine, south: Machine) -> None:
    descriptions = []
    for names in (FEW, MANY, MANY[1:], FEW):
        await north.builds(*names)
        row = await north.published()
        assert row is not None
        descriptions.append(row.description)
    assert await names_of_objects(north) == await wanted_objects(north, *descriptions[-2:])
    last = await north.published()
    assert last is not None
    assert last.previous == descriptions[-2]
    await south.follows()
    assert south.names() == sorted(FEW)


# ------------------------------------------------------------------------------------------------------------ what breaks


async def test_a_damaged_object_is_refused_and_the_last_good_data_stays(north: Machine, south: Machine, place: Place) -> None:
    await north.builds(*FEW)
    await south.follows()
    await north.builds(*MANY)
    names = await names_of_objects(north)
    for name in names:
        await north.objects._storage.put_async(f"{LIVE}/{KEY}/{name}", b"x" * 7)
    for _ in range(2):
        await south.follows()
    assert south.names() == sorted(FEW)
    assert south.litter() == []
    assert south.objects.fetched == [] or south.names() == sorted(FEW)
    assert b'bonafide_index_fetch_failures_total{source="qc",world="live"} 1.0' in south.runtime.metrics.exposition()


async def test_a_file_of_the_right_size_and_another_content_is_refused(north: Machine, south: Machine) -> None:
    await north.builds(*FEW)
    row = await north.published()
    assert row is not None
    inventory = Inventory.model_validate_json(await north.objects.get(f"{LIVE}/{KEY}", row.description))
    payload = next(file for file in inventory.files if file.path.endswith("payload.bin"))
    await north.objects._storage.put_async(f"{LIVE}/{KEY}/{payload.sha256}", b"x" * payload.size)
    with pytest.raises(SegmentCorrupt, match="damaged"):
        await south.takes()
    assert south.names() == []
    assert south.litter() == []


async def test_a_missing_object_is_told_and_mended_by_the_next_load(north: Machine, south: Machine) -> None:
    await north.builds(*FEW)
    for name in await names_of_objects(north):
        row = await north.published()
        assert row is not None
        if name != row.description:
            await north.objects.delete(f"{LIVE}/{KEY}", name)
    with pytest.raises(NotFound):
        await south.takes()
    await north.builds(*FEW)
    await south.follows()
    assert south.names() == sorted(FEW)


async def test_a_damaged_segment_on_disk_is_fetched_again(north: Machine, south: Machine) -> None:
    await north.builds(*MANY)
    await south.follows()
    [segment] = (south.home / "segments").iterdir()
    payload = segment / "payload.bin"
    content = payload.read_bytes()
    payload.write_bytes(bytes(len(content)))
    await north.builds(*MANY[1:], "Quai 9")
    # The running process has the old segment open, and would not read it again.
    fresh = restarted(south)
    await fresh.follows()
    assert fresh.names() == sorted([*MANY[1:], "Quai 9"])


async def test_without_the_storage_a_load_counts_where_it_was_made_and_is_published_later(north: Machine, south: Machine) -> None:
    away(north)
    await north.builds(*FEW)
    assert north.names() == sorted(FEW)
    assert await north.published() is None
    assert b'bonafide_index_publish_failures_total{source="qc",world="live"} 1.0' in north.runtime.metrics.exposition()
    back(north)
    await north.follows()
    await south.follows()
    assert south.names() == sorted(FEW)


async def test_without_the_storage_nothing_is_taken_and_all_goes_on(north: Machine, south: Machine) -> None:
    await north.builds(*FEW)
    await south.follows()
    await north.builds(*MANY)
    south = restarted(south)
    away(south)
    async with sync_index(south.runtime):
        assert south.names() == sorted(FEW)
        sync = south.runtime.index_sync
        assert sync is not None
        assert not sync.caught_up
        assert sync.behind == {(LIVE, KEY)}
    back(south)
    await south.follows()
    assert south.names() == sorted(MANY)


@pytest.mark.slow
async def test_who_could_not_fetch_still_builds_and_is_the_newest(north: Machine, south: Machine) -> None:
    await north.builds(*FEW)
    away(south)
    await south.builds(*MANY)
    back(south)
    await south.follows()
    await north.follows()
    assert (north.sequence, south.sequence) == (2, 2)
    assert north.names() == south.names() == sorted(MANY)


async def test_who_is_stopped_while_fetching_leaves_nothing_behind(north: Machine, south: Machine) -> None:
    await north.builds(*FEW)
    await south.follows()
    await north.builds(*MANY)
    begun = asyncio.Event()

    class Slow(Counted):
        async def get_file(self, place: str, name: str, path: Path) -> None:
            await super().get_file(place, name, path)
            begun.set()
            await asyncio.sleep(TIMEOUT_S)

    sync = south.runtime.index_sync
    assert sync is not None
    sync.objects = Slow(south.objects._storage)
    fetching = asyncio.create_task(south.takes())
    await begun.wait()
    fetching.cancel()
    await asyncio.gather(fetching, return_exceptions=True)
    assert (south.names(), south.litter()) == (sorted(FEW), [])
    back(south)
    await south.follows()
    assert south.names() == sorted(MANY)


# ------------------------------------------------------------------------------------------------------------ two at once


async def test_two_do_not_build_at_once(north: Machine, south: Machine) -> None:
    async with build_exclusively(north.runtime, LIVE, KEY):
        with pytest.raises(RefreshRefused, match="Another machine"):
            await south.builds(*FEW)
        await south.builds(*FEW, key="yt")
    await south.builds(*FEW)


async def test_a_killed_builders_turn_is_taken_over(north: Machine, south: Machine, clock: ManualClock) -> None:
    async with north.runtime.store.write() as connection:
        until = clock() + timedelta(seconds=30)
        assert await shared_state.acquire_lease(connection, f"index {LIVE}/{KEY}", "killed", clock(), until)
    with pytest.raises(RefreshRefused):
        await south.builds(*FEW)
    clock.advance(seconds=31)
    await south.builds(*FEW)
    assert south.sequence == 1


async def test_of_two_that_built_all_the_same_the_first_to_publish_counts(
    north: Machine, south: Machine, clock: ManualClock
) -> None:
    """As when a process slept through the end of its lease."""
    async with build_exclusively(north.runtime, LIVE, KEY):
        north.loads(*FEW)
        clock.advance(seconds=31)
        await south.builds(*MANY)
    assert south.sequence == 1
    await north.follows()
    await south.follows()
    assert north.names() == south.names() == sorted(MANY)


async def test_what_machines_had_of_their_own_gives_way_to_the_first(north: Machine, south: Machine) -> None:
    """Both have generations and segments of the same ids and another content."""
    north.loads(*FEW)
    south.loads(*MANY)
    south.loads(*MANY[1:])
    held = south.runtime.generations[LIVE].current(KEY)
    assert held is not None
    await north.follows()
    await south.follows()
    assert north.names() == south.names() == sorted(FEW)
    assert names_of(held) == sorted(MANY[1:])
    assert (north.sequence, south.sequence) == (1, 1)


async def test_while_a_process_of_the_machine_is_busy_with_a_source_no_other_takes_it(north: Machine, south: Machine) -> None:
    await north.builds(*FEW)
    with south.runtime.generations[LIVE].exchange(KEY):
        assert not await south.takes()
    assert await south.takes()


# ------------------------------------------------------------------------------------------------------------ the database


async def restore(one: Machine, rows: list[dict[str, object]]) -> None:
    """Put the database's publications back to an earlier state."""
    async with one.runtime.store.write() as connection:
        await connection.execute(published_generations.delete())
        if rows:
            await connection.execute(published_generations.insert(), rows)


@pytest.mark.parametrize("first_back", ["north", "south"])
async def test_a_database_that_was_restored_learns_what_was_published_since(
    north: Machine, south: Machine, first_back: str
) -> None:
    """Whoever comes first, the newest generation that any machine has wins in the end, and nobody builds anything."""
    await north.builds(*FEW)
    rows = await rows_of(north)
    await north.builds(*MANY)
    await south.follows()
    await north.builds(*MANY[1:])
    await restore(north, rows)
    order = [north, south] if first_back == "north" else [south, north]
    for one in (*order, *order):
        await one.follows()
    assert north.names() == south.names() == sorted(MANY[1:])
    assert (north.sequence, south.sequence) == (3, 3)


async def test_an_empty_database_learns_it_too(north: Machine, south: Machine) -> None:
    await north.builds(*FEW)
    await north.builds(*MANY)
    await south.follows()
    await restore(north, [])
    await south.follows()
    await north.follows()
    row = await north.published()
    assert row is not None
    assert row.sequence == north.sequence == south.sequence == 2


async def test_without_the_database_nothing_stops(north: Machine, store: Store) -> None:
    await north.builds(*FEW)
    await store.close()
    with pytest.raises(ServerBusy):
        await north.follows()
    async with sync_index(north.runtime):
        assert north.names() == sorted(FEW)


# ------------------------------------------------------------------------------------------------------------ whatever happens


@pytest.mark.slow
@ON_SQLITE_ONLY
@pytest.mark.parametrize("seed", range(4))
async def test_whatever_happens_all_end_with_the_same_load(make: Make, seed: int) -> None:
    """Builds, outages, restarts and a restored database in any order: each machine always serves one whole load of them."""
    chance = random.Random(seed)  # noqa: S311 - a seed, not secrecy
    machines = [make(name) for name in ("north", "south", "west")]
    loads: list[list[str]] = [[]]
    kept: list[dict[str, object]] = []
    for number in range(14):
        place = chance.randrange(len(machines))
        one = machines[place]
        match chance.choice(["load", "load", "load", "follow", "follow", "away", "back", "restart", "keep", "restore"]):
            case "load":
                loads.append(sorted([*chance.sample(MANY, 12), f"Number {number} Inc."]))
                await loads_or_builds(one, loads[-1], is_alone=chance.random() < 0.3)
            case "restart":
                machines[place] = restarted(one)
            case "keep":
                kept = await rows_of(one)
            case "restore":
                await restore(one, kept)
            case what:
                await happens(one, what)
        assert all(each.names() in loads for each in machines)
    machines = [restarted(each) for each in machines]
    for _ in range(len(machines) + 1):
        for each in machines:
            await each.follows()
    row = await machines[0].published()
    assert len({tuple(each.names()) for each in machines}) == 1
    assert {each.sequence for each in machines} == {row.sequence if row is not None else 0}
    assert [each.litter() for each in machines] == [[], [], []]


async def loads_or_builds(one: Machine, names: list[str], *, is_alone: bool) -> None:
    if is_alone:
        one.loads(*names)
    else:
        await one.builds(*names)


async def happens(one: Machine, what: str) -> None:
    if what == "follow":
        await one.follows()
    elif what == "away":
        away(one)
    else:
        back(one)


async def rows_of(one: Machine) -> list[dict[str, object]]:
    async with one.runtime.store.read() as connection:
        return [dict(row._mapping) for row in await connection.execute(published_generations.select())]
