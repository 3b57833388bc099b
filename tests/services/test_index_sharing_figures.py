"""What it costs to publish and to take a register over S3, and how much of it travels after a day on which a hundredth has changed.

The figures of ADR 14 are of 100,000 businesses: of this test with that size.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import pytest

from bonafide.index.generations.writer import CompactionPolicy
from bonafide.model.entry import RegistryEntry
from bonafide.services.indexing.distribution import push_unpublished
from bonafide.store.database.engine import Store
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.recorded_figures import FIGURES
from tests.support.servers.s3 import S3Server, running_server
from tests.support.services.index_machines import KEY, LIVE, Machine, machine, named, objects_at
from tests.support.services.loading import put
from tests.support.services.runtimes import ManualClock

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
BUSINESSES = 5_000
CHANGED = BUSINESSES // 100
DELTAS = CompactionPolicy(smallest_base=1000)
_SYLLABLES = ("ba", "cor", "dru", "fen", "gil", "ho", "jan", "kel", "lum", "mar", "nid", "os", "pra", "quin", "ros", "tel", "ul")
_TRADES = ("Construction", "Consulting", "Holdings", "Transport", "Bakery", "Plumbing", "Services", "Développement", "Gestion")


@pytest.fixture
def figures_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with running_server(tmp_path_factory.mktemp("figures")) as server:
        yield server


def register(count: int, seed: int = 1) -> list[RegistryEntry]:
    chance = random.Random(seed)  # noqa: S311 - made-up data wants a seed, not secrecy
    names = (f"{''.join(chance.choices(_SYLLABLES, k=4)).capitalize()} {chance.choice(_TRADES)} Inc." for _ in range(count))
    return [named(f"{name} {seed}-{number}") for number, name in enumerate(names)]


@ON_SQLITE_ONLY
async def test_figures_of_publishing_and_taking(
    store: Store, tmp_path: Path, clock: ManualClock, figures_server: S3Server, record_property: Callable[[str, object], None]
) -> None:
    place = (f"s3://{figures_server.bucket}/{figures_server.empty_prefix()}", figures_server.options)
    north, south = (machine(store, tmp_path / name, clock, objects_at(place), DELTAS) for name in ("north", "south"))
    entries = register(BUSINESSES)
    told = [f"An index that machines share, over a real S3 server ({BUSINESSES:,} businesses):"]
    for what, part in (
        ("all of it", entries),
        (f"{CHANGED:,} new, {CHANGED:,} gone", [*entries[CHANGED:], *register(CHANGED, seed=2)]),
    ):
        put(north.runtime, KEY, part, whole=False)
        published = await timed_publish(north)
        taken = await timed_take(south)
        told.append(f"  {what}: published in {published}, taken in {taken}")
    assert north.sequence == south.sequence == 2
    assert len(south.names()) == BUSINESSES
    record_property(FIGURES, "\n".join(told))


async def timed_publish(one: Machine) -> str:
    started, before = perf_counter(), sum(one.objects.sent)
    await push_unpublished(one.runtime, LIVE, KEY)
    return f"{perf_counter() - started:.2f} s ({(sum(one.objects.sent) - before) / 1e6:.2f} MB)"


async def timed_take(one: Machine) -> str:
    started, before = perf_counter(), sum(one.objects.fetched)
    await one.follows()
    return f"{perf_counter() - started:.2f} s ({(sum(one.objects.fetched) - before) / 1e6:.2f} MB)"
