"""Sources renewed by themselves: at their cadence, later after failures, one of each publisher at a time, and only those wanted."""

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bonafide.app import renewal
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadAttempt, RunOutcome, SourceRun
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.loading.load_history import COUNTED_RUNS
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.loading.schedule import (
    FIRST_RETRY,
    INTERVALS,
    JITTER,
    MAX_RETRY,
    find_due_sources,
    get_publisher_host,
)
from bonafide.settings import RenewalMode
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import AccessMethod, Cadence
from bonafide.store.records import source_rows
from bonafide_sandbox import demo
from bonafide_sandbox.publisher_faults import FaultRegistry, StatusFault
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.writers.framework.manifest import read_manifest
from tests.support.servers.asgi_server import served
from tests.support.services.loading import last_attempt, next_renewal, source_state
from tests.support.services.runtimes import ManualClock, without

pytestmark = pytest.mark.anyio
SANDBOX = World.SANDBOX


def source(runtime: Runtime, key: str = "agcoCannabis") -> Source:
    return runtime.sources[key]


def url_of(known: Source) -> str:
    return known.metadata.resources[0].url


@pytest.fixture
def renewing(own_runtime: Runtime) -> Runtime:
    """A loaded sandbox with only a few sources, so that a round is short."""
    kept = {key: own_runtime.sources[key] for key in ("agcoCannabis", "aglcCannabis", "qc", "nb")}
    return replace(own_runtime, sources=kept)


async def round_with(runtime: Runtime, world: Path, faults: FaultRegistry) -> None:
    """One look of a worker for what is due, while the publishers are served."""
    manifest = read_manifest(world)
    assert manifest is not None
    async with served(create_sandbox_app(world, demo._map_urls_to_files(runtime.sources, manifest), faults)) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        await renewal.renew_once(replace(runtime, fetchers={SANDBOX: fetcher}))
        await fetcher.close()


# ------------------------------------------------------------------------------------------------------------ when


async def test_a_loaded_source_is_due_after_its_cadence_give_or_take_a_little(renewing: Runtime) -> None:
    known = source(renewing)
    attempt = await last_attempt(renewing, SANDBOX, known)
    moment = await next_renewal(renewing, SANDBOX, known)
    assert attempt is not None
    assert moment is not None
    interval = INTERVALS[known.metadata.cadence]
    assert abs(moment - attempt.attempted_at - interval) <= interval * JITTER
    assert moment == await next_renewal(renewing, SANDBOX, known)


async def test_what_people_bring_and_what_nobody_renews_is_never_due(renewing: Runtime) -> None:
    for key in ("qc", "nb"):
        assert await next_renewal(renewing, SANDBOX, source(renewing, key)) is None
    snapshot = source(renewing).metadata.model_copy(update={"cadence": Cadence.SNAPSHOT})
    assert await next_renewal(renewing, SANDBOX, replace(source(renewing), metadata=snapshot)) is None


async def test_what_was_never_loaded_is_due_only_where_all_is_wanted(empty_runtime: Runtime) -> None:
    assert await find_due_sources(empty_runtime, World.LIVE) == []
    greedy = replace(empty_runtime, settings=empty_runtime.settings.model_copy(update={"renew": RenewalMode.ALL}))
    due = await find_due_sources(greedy, World.LIVE)
    assert {known.metadata.access for known in due} == {AccessMethod.BULK}
    publishers = [get_publisher_host(known) for known in due]
    assert len(publishers) == len(set(publishers))


async def test_of_one_publisher_the_longest_overdue_comes_first(renewing: Runtime, clock: ManualClock) -> None:
    clock.advance(days=3)
    known = source(renewing)
    twin = replace(known, metadata=known.metadata.model_copy(update={"key": "aTwin"}))
    greedy = renewing.settings.model_copy(update={"renew": RenewalMode.ALL})
    both = replace(renewing, sources={"aTwin": twin, known.key: known}, settings=greedy)
    assert [found.key for found in await find_due_sources(both, SANDBOX)] == [known.key]


# ------------------------------------------------------------------------------------------------------------ renewing


async def test_a_worker_renews_what_is_due_and_then_not_again(renewing: Runtime, clock: ManualClock, live_world: Path) -> None:
    clock.advance(days=3)
    before = get_current_load(renewing, SANDBOX, source(renewing))
    await round_with(renewing, live_world, FaultRegistry())
    after = get_current_load(renewing, SANDBOX, source(renewing))
    assert before is not None
    assert after is not None
    assert after.retrieved_at == clock.now > before.retrieved_at
    assert await find_due_sources(renewing, SANDBOX) == []
    assert b'bonafide_renewals_total{outcome="renewed",source="agcoCannabis"} 1.0' in renewing.metrics.exposition()


@pytest.mark.slow
async def test_a_failure_keeps_the_data_is_shown_and_is_tried_again_later_and_later(
    renewing: Runtime, clock: ManualClock, live_world: Path
) -> None:
    known = source(renewing)
    clock.advance(days=3)
    before = get_current_load(renewing, SANDBOX, known)
    faults = FaultRegistry()
    faults.put(url_of(known), StatusFault(404))
    for round_number, wait in enumerate((FIRST_RETRY, FIRST_RETRY * 2, FIRST_RETRY * 4), start=1):
        await round_with(renewing, live_world, faults)
        attempt = await last_attempt(renewing, SANDBOX, known)
        assert attempt is not None
        assert attempt.failures == round_number
        assert await next_renewal(renewing, SANDBOX, known) == clock.now + wait
        clock.advance(seconds=wait.total_seconds())
    assert get_current_load(renewing, SANDBOX, known) == before
    state = await source_state(renewing, SANDBOX, known)
    assert (state.state, "HTTP 404" in (state.note or "")) == ("failed", True)
    faults.clear()
    await round_with(renewing, live_world, faults)
    attempt = await last_attempt(renewing, SANDBOX, known)
    assert attempt is not None
    assert (attempt.problem, attempt.failures) == (None, 0)


async def test_no_wait_is_longer_than_a_day(renewing: Runtime, clock: ManualClock) -> None:
    known = source(renewing)
    for _ in range(2 * COUNTED_RUNS):
        clock.advance(days=1)
        await failed_run(renewing, known)
    assert await next_renewal(renewing, SANDBOX, known) == clock.now + MAX_RETRY


async def test_a_file_of_an_earlier_release_about_its_last_attempt_is_ignored(renewing: Runtime) -> None:
    known = source(renewing)
    before = await last_attempt(renewing, SANDBOX, known)
    assert before is not None
    (renewing.generations[SANDBOX].root / known.key / "last_attempt.json").write_text('{"problem": "gone"', encoding="utf-8")
    assert await last_attempt(renewing, SANDBOX, known) == before
    assert (await source_state(renewing, SANDBOX, known)).state == "loaded"


async def test_where_machines_have_their_own_index_a_load_elsewhere_is_none_here(renewing: Runtime, clock: ManualClock) -> None:
    """They may share a database all the same."""
    known, other = source(renewing), source(renewing, "aglcCannabis")
    clock.advance(days=3)
    now = renewing.clock()
    async with renewing.store.write() as connection:
        for key in (known.key, other.key):
            run = SourceRun(started_at=now, finished_at=now, outcome=RunOutcome.LOADED, entries=1, rejected=0)
            await source_rows.record_run(connection, SANDBOX, key, run)
    shutil.rmtree(renewing.generations[SANDBOX].root / other.key)
    assert [due.key for due in await find_due_sources(renewing, SANDBOX)] == [known.key]
    assert await last_attempt(renewing, SANDBOX, other) is None


async def test_a_load_whose_run_could_not_be_recorded_counts(renewing: Runtime, clock: ManualClock) -> None:
    known = source(renewing)
    load = get_current_load(renewing, SANDBOX, known)
    assert load is not None
    clock.now = load.loaded_at - timedelta(hours=1)
    await failed_run(renewing, known)
    assert await last_attempt(renewing, SANDBOX, known) == LoadAttempt(load.loaded_at)


async def failed_run(runtime: Runtime, known: Source) -> None:
    now = runtime.clock()
    run = SourceRun(started_at=now, finished_at=now, outcome=RunOutcome.FAILED, note="gone")
    async with runtime.store.write() as connection:
        await source_rows.record_run(connection, SANDBOX, known.key, run)


async def test_one_publishers_failure_is_nobody_elses(renewing: Runtime, clock: ManualClock, live_world: Path) -> None:
    clock.advance(days=3)
    faults = FaultRegistry()
    faults.put(url_of(source(renewing)), StatusFault(500))
    await round_with(renewing, live_world, faults)
    other = await last_attempt(renewing, SANDBOX, source(renewing, "aglcCannabis"))
    assert other is not None
    assert (other.problem, other.attempted_at) == (None, clock.now)


async def test_a_worker_that_is_told_not_to_renew_does_not(renewing: Runtime, clock: ManualClock) -> None:
    clock.advance(days=3)
    off = replace(renewing, settings=renewing.settings.model_copy(update={"renew": RenewalMode.OFF}))
    assert await find_due_sources(without(off, "nowhere"), SANDBOX) != []
    assert off.settings.renew is RenewalMode.OFF


# ------------------------------------------------------------------------------------------------------------ age


@pytest.mark.parametrize(
    ("cadence", "given", "days"), [(Cadence.WEEKLY, None, 14), (Cadence.DAILY, 7, 7), (Cadence.SNAPSHOT, None, None)]
)
async def test_data_older_than_twice_its_cadence_is_stale_unless_the_source_says_otherwise(
    renewing: Runtime, cadence: Cadence, given: int | None, days: int | None
) -> None:
    metadata = source(renewing).metadata.model_copy(update={"cadence": cadence, "stale_after_days": given})
    assert metadata.max_age_days == days
    load = get_current_load(renewing, SANDBOX, source(renewing))
    assert load is not None
    day = load.retrieved_at.date()
    if days is not None:
        assert not load.is_stale(metadata.max_age_days, day + timedelta(days=days))
        assert load.is_stale(metadata.max_age_days, day + timedelta(days=days + 1))
