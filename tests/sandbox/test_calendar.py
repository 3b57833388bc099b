"""The calendar of the sandbox: a day is a pure function of seed and day, and the fixed changes come on their days."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from bonafide.errors import ConfigurationError
from bonafide.model.entity import StatusCode
from bonafide.model.entry import AnyEntry, ListedEntity, RegistryEntry, RegulatoryEntry
from bonafide_sandbox.generator.business import LIVE_STATUSES, LifecycleStatus
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.generator.canadian_listings import create_listings
from bonafide_sandbox.generator.changes.business_changes import MAX_CHANGING_SIZE, NOTICE_DAYS, WorldPopulation
from bonafide_sandbox.generator.changes.known_changes import evolve_known_businesses, find_known_listings
from bonafide_sandbox.generator.changes.schedule import LAST_DAY, count_new, find_first_days
from bonafide_sandbox.generator.foreign_parties import create_foreign_parties
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.sites.catalog import load_catalog
from bonafide_sandbox.world.builder import DEFAULT_SEED, write_world
from bonafide_sandbox.world.directory import BusinessDirectory
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute, WorldManifest
from tests.sandbox.test_sources_read_the_world import SOURCES, read

SIZE = 1_000
PLAIN = frozenset({".csv", ".jsonl", ".xml", ".html", ".cfm"})
"""Files whose bytes do not depend on a compression library."""
DAY_0_DIGEST = "fe606f632cfa82b47310ca1b5d8931cea2487682a7e71404e735eef9a89427c1"
"""Of the plain files of day 0. Record it anew when the world of day 0 is changed on purpose."""
DIRECTOR = "Margaret Okafor-Lindqvist"
World = tuple[Path, WorldManifest]


@pytest.fixture(scope="session")
def on_day(world: Path, manifest: WorldManifest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], World]:
    """The world of a day, written when it is first wanted."""
    folder = tmp_path_factory.mktemp("days")

    @cache
    def write(day: int) -> World:
        if day == 0:
            return world, manifest
        return folder / str(day), write_world(folder / str(day), size=SIZE, day=day, earlier=world)

    return write


def entries(world: World, source: str) -> dict[str, AnyEntry]:
    """The entries of a source by ID, as its own reader reads them."""
    if source not in SOURCES:
        pytest.skip(f"the source {source} is not installed")
    return {entry.entry_id: entry for entry in read(*world, source)[0]}


def registry_entry(world: World, source: str, number: str) -> RegistryEntry:
    found = entries(world, source)[number]
    assert isinstance(found, RegistryEntry)
    return found


def store_licence(world: World) -> RegulatoryEntry:
    """The licence of the fixed cannabis store."""
    [found] = [
        entry
        for entry in entries(world, "agcoCannabis").values()
        if isinstance(entry, RegulatoryEntry) and entry.legal_name == "Sandbox Cannabis Co."
    ]
    return found


def listed(world: World, name: str) -> list[AnyEntry]:
    """The parties of the Canadian list with this name."""
    found = entries(world, "ca-sanctions-autonomous").values()
    return [entry for entry in found if isinstance(entry, ListedEntity) and entry.name.casefold() == name.casefold()]


# ------------------------------------------------------------------------------------------------------------ day 0


def test_day_0_is_the_world_that_was_first_generated(world: Path) -> None:
    digest = hashlib.sha256()
    for path in sorted(path for path in world.rglob("*") if path.suffix in PLAIN):
        digest.update(path.relative_to(world).as_posix().encode() + hashlib.sha256(path.read_bytes()).digest())
    assert digest.hexdigest() == DAY_0_DIGEST


def test_on_day_0_no_business_has_changed() -> None:
    population = list(WorldPopulation(DEFAULT_SEED, SIZE))
    assert [evolved.now for evolved in population] == list(create_businesses(DEFAULT_SEED, 0, SIZE))
    assert evolve_known_businesses(0) == KNOWN_BUSINESSES
    assert find_known_listings(0) == []


# ------------------------------------------------------------------------------------------------------------ determinism


@pytest.mark.slow
def test_a_day_is_the_same_whatever_was_written_before(on_day: Callable[[int], World], tmp_path: Path) -> None:
    folder = tmp_path / "world"
    write_world(folder, size=SIZE, day=1)
    assert write_world(folder, size=SIZE, day=4) == on_day(4)[1]


def test_another_seed_has_other_changes() -> None:
    one, other = (create_listings(seed, 30) for seed in (1, 2))
    assert one != other
    assert one == create_listings(1, 30)


def test_unchanged_files_are_links_to_those_of_the_earlier_world(on_day: Callable[[int], World], world: Path) -> None:
    folder, manifest = on_day(4)
    before = {file.path: file.sha256 for file in on_day(0)[1].files}
    same = {file.path for file in manifest.files if before.get(file.path) == file.sha256}
    assert same
    assert same != before.keys()
    for file in manifest.files:
        assert ((folder / file.path).stat().st_ino == (world / file.path).stat().st_ino) == (file.path in same)


def test_a_larger_world_has_the_same_changes() -> None:
    places = np.arange(SIZE, dtype=np.int64)
    small, large = (WorldPopulation(DEFAULT_SEED, size, 60).create(places) for size in (SIZE, 50_000))
    assert small == large


def test_what_has_changed_stays_changed() -> None:
    """But for a dissolution, which follows its notice."""
    days = [list(WorldPopulation(DEFAULT_SEED, 5_000, day)) for day in (0, 40, 80)]
    changed = 0
    for start, middle, end in zip(*days, strict=False):
        assert start.first == middle.first == end.first
        if middle.now != start.now:
            changed += 1
            announced = middle.now is not None and middle.now.standing is LifecycleStatus.LEAVING
            assert end.now == middle.now or (announced and end.now is not None and end.now.standing not in LIVE_STATUSES)
    assert changed > 250


def test_a_dissolution_follows_its_notice() -> None:
    earlier, later = (list(WorldPopulation(DEFAULT_SEED, 5_000, day)) for day in (50, 50 + NOTICE_DAYS))
    announced = [
        end.now
        for start, end in zip(earlier, later, strict=False)
        if start.now is not None and start.now.standing is LifecycleStatus.LEAVING != start.first.standing
    ]
    assert announced
    assert all(business is not None and business.standing not in LIVE_STATUSES for business in announced)


# ------------------------------------------------------------------------------------------------------------ amounts


def test_around_three_in_a_thousand_businesses_change_each_day() -> None:
    size, day = 20_000, 10
    population = list(WorldPopulation(DEFAULT_SEED, size, day))
    new = population[size:]
    changed = [evolved for evolved in population[:size] if evolved.now != evolved.first]
    assert len(new) == count_new(size, day) == size * day // 2_000
    # A change of an ended business has no effect in most cases.
    assert 0.001 * size * day < len(changed) < 0.0025 * size * day
    assert any(evolved.now is None for evolved in changed)
    for field in ("name", "address", "people", "number", "standing"):
        assert any(e.now is not None and getattr(e.now, field) != getattr(e.first, field) for e in changed), field


def test_new_businesses_are_registered_one_after_the_other() -> None:
    first_days = find_first_days(np.arange(SIZE, SIZE + count_new(SIZE, 9), dtype=np.int64), SIZE)
    assert first_days.tolist() == [2, 4, 6, 8]
    numbers = [
        business.number for e in WorldPopulation(DEFAULT_SEED, 5_000, 100) if (business := e.now) and business.register == "ON"
    ]
    assert len(numbers) == len(set(numbers))


def test_lists_gain_and_lose_parties_and_some_change() -> None:
    start, end = ({party.serial: party for party in create_foreign_parties(DEFAULT_SEED, day)} for day in (0, 40))
    assert end.keys() - start.keys() == set(range(261, 261 + 260 * 40 // 1_000))
    assert start.keys() - end.keys()
    assert any(end[serial] != start[serial] for serial in start.keys() & end.keys())
    assert min(end[serial].listed for serial in end.keys() - start.keys()) > max(party.listed for party in start.values())


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES)
def test_every_source_reads_every_row_of_a_late_day(on_day: Callable[[int], World], source: str) -> None:
    for day in (40, LAST_DAY):
        _, context = read(*on_day(day), source)
        assert (context.report.rejected, dict(context.report.unknown_terms)) == (0, {})


@pytest.mark.slow
def test_most_of_each_source_stays_as_it_is_for_a_month(on_day: Callable[[int], World]) -> None:
    for source in SOURCES:
        before, after = (entries(on_day(day), source) for day in (0, 40))
        kept = [key for key, entry in before.items() if after.get(key) == entry]
        assert len(kept) > 0.75 * len(before), source


# ------------------------------------------------------------------------------------------------------------ the fixed changes


def test_after_one_day_the_bakery_has_another_director(on_day: Callable[[int], World]) -> None:
    before, after = ([person.name for person in registry_entry(on_day(day), "on", "1000017").people] for day in (0, 4))
    assert before == [DIRECTOR, "Luc Beauvallon"]
    assert after == [DIRECTOR, "Anselme Rivebrune"]
    assert evolve_known_businesses(1)[0].business.people[1].name == "Anselme Rivebrune"


def test_after_two_days_the_licence_of_the_cannabis_store_has_lapsed(on_day: Callable[[int], World]) -> None:
    before, after = (store_licence(on_day(day)) for day in (0, 4))
    assert before.entry_id == after.entry_id
    assert (before.status_code, after.status_code) == (StatusCode.ACTIVE, StatusCode.CANCELLED)
    assert registry_entry(on_day(4), "on", "1000074").status_code is StatusCode.ACTIVE


def test_after_three_days_the_twin_in_ontario_is_dissolved(on_day: Callable[[int], World]) -> None:
    assert registry_entry(on_day(0), "on", "1000025").status_code is StatusCode.ACTIVE
    assert registry_entry(on_day(4), "on", "1000025").status_code is StatusCode.DISSOLVED
    assert registry_entry(on_day(4), "ab", "2010000025").status_code is StatusCode.ACTIVE


def test_on_day_four_a_director_of_the_bakery_is_listed(on_day: Callable[[int], World]) -> None:
    assert listed(on_day(0), DIRECTOR) == []
    [entry] = listed(on_day(4), DIRECTOR)
    assert isinstance(entry, ListedEntity)
    assert entry.listing_date == "2026-11-05"
    assert DIRECTOR in [person.name for person in registry_entry(on_day(4), "on", "1000017").people]


@pytest.mark.slow
def test_each_fixed_change_comes_on_its_day_and_the_listing_ends(on_day: Callable[[int], World]) -> None:
    directors = [
        len({person.name for person in registry_entry(on_day(day), "on", "1000017").people} & {"Luc Beauvallon"})
        for day in range(6)
    ]
    licences = [store_licence(on_day(day)).status_code is StatusCode.ACTIVE for day in range(6)]
    twins = [registry_entry(on_day(day), "on", "1000025").status_code is StatusCode.ACTIVE for day in range(6)]
    listings = [len(listed(on_day(day), DIRECTOR)) for day in range(6)]
    assert directors == [1, 0, 0, 0, 0, 0]
    assert licences == [True, True, False, False, False, False]
    assert twins == [True, True, True, False, False, False]
    assert listings == [0, 0, 0, 0, 1, 0]


# ------------------------------------------------------------------------------------------------------------ live


def test_live_registers_and_sites_show_the_day(on_day: Callable[[int], World]) -> None:
    directory = BusinessDirectory.open(*on_day(4))
    [bakery] = [business for business in directory.numbered("1000017") if business.name == "Sandbox Bakery Inc."]
    assert [person.name for person in bakery.people] == [DIRECTOR, "Anselme Rivebrune"]
    [found] = directory.named("Sandbox Bakery Inc.")[:1]
    assert found == bakery
    site = load_catalog(DEFAULT_SEED, 4).site("bakery.sandbox.example")
    assert site is not None
    assert [member.name for member in site.shop.people] == [DIRECTOR, "Anselme Rivebrune"]


def test_after_two_days_the_site_of_the_cannabis_store_has_another_owner() -> None:
    before, after = (load_catalog(DEFAULT_SEED, day).facts("cannabis.sandbox.example") for day in (1, 2))
    assert before is not None
    assert after is not None
    assert (before.legal_name, after.legal_name) == ("Sandbox Cannabis Co.", "Sandbox Plumbing Ltd.")
    assert set(before.registrations).isdisjoint(after.registrations)
    assert evolve_known_businesses(2)[10].business.name == "Sandbox Cannabis Co."


def test_after_three_days_the_site_of_the_bakery_in_montreal_is_gone() -> None:
    pages = [load_catalog(DEFAULT_SEED, day).page("boulangerie.sandbox.example", "/") for day in (2, 3)]
    assert pages[0] is not None
    assert pages[1] is None
    assert "boulangerie.sandbox.example" in load_catalog(DEFAULT_SEED, 3).hosts


@pytest.mark.slow
def test_the_directory_has_what_the_registers_have(on_day: Callable[[int], World]) -> None:
    directory = BusinessDirectory.open(*on_day(LAST_DAY))
    population = list(WorldPopulation(DEFAULT_SEED, SIZE, LAST_DAY))
    assert any(evolved.now is None for evolved in population)
    for evolved in population[::5]:
        found = directory.find_in_register(evolved.first.register, evolved.first.number)
        if evolved.now is None or evolved.now.number != evolved.first.number:
            assert found is None
        else:
            assert found == evolved.now


@pytest.mark.slow
def test_sites_keep_their_hosts(on_day: Callable[[int], World]) -> None:
    assert load_catalog(DEFAULT_SEED, LAST_DAY).hosts == load_catalog(DEFAULT_SEED).hosts


def test_every_file_of_a_later_day_is_served_as_on_day_0(on_day: Callable[[int], World]) -> None:
    resources = [
        {(file.source, file.resource, file.route) for file in on_day(day)[1].files if file.route is not DeliveryRoute.PAGE}
        for day in (0, 4)
    ]
    assert resources[0] == resources[1]


# ------------------------------------------------------------------------------------------------------------ errors


@pytest.mark.parametrize("day", [-1, LAST_DAY + 1])
def test_days_outside_the_calendar_are_refused(tmp_path: Path, day: int) -> None:
    with pytest.raises(ConfigurationError, match=f"the days 0 to {LAST_DAY}, not"):
        write_world(tmp_path / "world", size=SIZE, day=day)
    assert list(tmp_path.iterdir()) == []


def test_a_world_without_spare_numbers_has_no_later_days() -> None:
    with pytest.raises(ConfigurationError, match="no days after day 0"):
        WorldPopulation(DEFAULT_SEED, MAX_CHANGING_SIZE + 1, 1)
    assert WorldPopulation(DEFAULT_SEED, MAX_CHANGING_SIZE + 1).total == MAX_CHANGING_SIZE + 1
