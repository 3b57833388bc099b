"""Events of sources: one for each transition of a source's condition, for every organization of its world."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import delete, func, select

from bonafide.model.accounts.organizations import World
from bonafide.model.events.event import Event, EventSeverity, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import ChangelogEntryData
from bonafide.model.loading import LoadRecord
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.events.announcements import announce, record_announcements
from bonafide.services.loading.source_conditions import check_data_ages
from bonafide.store.database import tables
from bonafide.store.records import announcements, events, source_conditions
from bonafide.store.tenants import organizations
from tests.support.services.events import list_events
from tests.support.services.runtimes import ManualClock, clock_of, principal_of
from tests.support.services.source_loads import (
    STORES,
    fail_to_load_stores,
    load_stores,
    load_too_few_stores,
    open_offline_fetcher,
)

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
KILLED_AFTER = (3, 12)
"""How many organizations have the event when the process that records it is killed."""
RECORD_IN_A_PROCESS = """
import asyncio, sys
from datetime import UTC, datetime
from pathlib import Path
from bonafide.runtime import Runtime, build_files, build_generation_stores
from bonafide.services.events.announcements import record_announcements
from bonafide.settings import Settings
from bonafide.store.database.engine import Store

async def main():
    store, folder, settings = Store.open(sys.argv[1]), Path(sys.argv[2]), Settings(data_dir=sys.argv[2])
    parts = {"files": build_files(settings), "generations": build_generation_stores(folder), "signing_key": b"north", "sources": {}}
    await record_announcements(Runtime(settings=settings, store=store, clock=lambda: datetime.now(UTC), **parts))
    await store.close()

asyncio.run(main())
"""


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


@pytest.fixture
async def north(runtime: Runtime) -> UUID:
    return (await principal_of(runtime, "north", World.LIVE)).organization_id


@pytest.fixture
async def fetcher(runtime: Runtime) -> AsyncIterator[Fetcher]:
    async with open_offline_fetcher(runtime) as opened:
        yield opened


async def load(runtime: Runtime, fetcher: Fetcher) -> LoadRecord:
    clock_of(runtime).advance(seconds=1)
    return await load_stores(runtime, fetcher)


async def fail(runtime: Runtime, fetcher: Fetcher) -> None:
    clock_of(runtime).advance(seconds=1)
    await fail_to_load_stores(runtime, fetcher)


async def shrink(runtime: Runtime, fetcher: Fetcher) -> None:
    clock_of(runtime).advance(seconds=1)
    await load_too_few_stores(runtime, fetcher)


async def read_events(runtime: Runtime, organization_id: UUID) -> list[Event]:
    await record_announcements(runtime)
    return await list_events(runtime, organization_id)


async def kinds(runtime: Runtime, organization_id: UUID) -> list[str]:
    return [event.type.value for event in await read_events(runtime, organization_id)]


async def test_each_transition_is_recorded_once(runtime: Runtime, fetcher: Fetcher, north: UUID) -> None:
    await load(runtime, fetcher)
    assert await kinds(runtime, north) == []
    await fail(runtime, fetcher)
    await fail(runtime, fetcher)
    failed = ["source.failed"]
    assert await kinds(runtime, north) == failed
    await shrink(runtime, fetcher)
    await fail(runtime, fetcher)
    await shrink(runtime, fetcher)
    assert await kinds(runtime, north) == [*failed, "source.drifted"]
    await load(runtime, fetcher)
    await load(runtime, fetcher)
    assert await kinds(runtime, north) == [*failed, "source.drifted", "source.recovered"]
    await shrink(runtime, fetcher)
    assert (await kinds(runtime, north))[3:] == ["source.drifted"]


async def test_an_event_says_what_changed_and_how_old_the_data_is(runtime: Runtime, fetcher: Fetcher, north: UUID) -> None:
    loaded = await load(runtime, fetcher)
    await fail(runtime, fetcher)
    (event,) = await read_events(runtime, north)
    assert (event.subject.kind, event.subject.source, event.subject.name) == (
        "source",
        STORES,
        str(runtime.sources[STORES].metadata.title),
    )
    assert [(change.field, change.from_, change.to) for change in event.changes] == [("problem", None, "failed")]
    assert event.source is not None
    assert (event.source.key, event.source.retrieved_at) == (STORES, loaded.retrieved_at)
    data: dict[str, Any] = event.data
    assert (data["problem"], data["errorCode"], data["isStale"], data["ageDays"]) == ("failed", "UNAVAILABLE", False, 0)
    assert (event.severity, event.links.resource) == (EventSeverity.MEDIUM, "/v1/coverage")


async def test_a_source_that_was_never_loaded_has_no_events(runtime: Runtime, fetcher: Fetcher, north: UUID) -> None:
    await fail(runtime, fetcher)
    await load(runtime, fetcher)
    assert await check_data_ages(runtime) == 0
    assert await kinds(runtime, north) == []


async def test_data_that_becomes_too_old_is_announced_once_and_a_new_load_ends_it(
    runtime: Runtime, fetcher: Fetcher, north: UUID, clock: ManualClock
) -> None:
    await load(runtime, fetcher)
    limit = runtime.sources[STORES].metadata.max_age_days
    assert limit is not None
    clock.advance(days=limit)
    assert await check_data_ages(runtime) == 0
    clock.advance(days=1)
    assert sum(await asyncio.gather(*(check_data_ages(runtime) for _ in range(3)))) == 1
    assert await check_data_ages(runtime) == 0
    await fail(runtime, fetcher)
    await load(runtime, fetcher)
    stale, failed, recovered = await read_events(runtime, north)
    assert [stale.type, failed.type, recovered.type] == ["source.stale", "source.failed", "source.recovered"]
    assert (stale.severity, failed.severity, recovered.severity) == (EventSeverity.HIGH, EventSeverity.HIGH, EventSeverity.INFO)
    assert [(change.field, change.from_, change.to) for change in recovered.changes] == [
        ("problem", "failed", None),
        ("isStale", True, False),
    ]


async def test_data_that_an_earlier_release_loaded_is_known(
    runtime: Runtime, fetcher: Fetcher, north: UUID, clock: ManualClock
) -> None:
    loaded = await load(runtime, fetcher)
    async with runtime.store.write() as connection:
        await connection.execute(delete(tables.source_conditions))
    assert await check_data_ages(runtime) == 0
    async with runtime.store.read() as connection:
        known = await source_conditions.list_all(connection, World.LIVE)
    assert known[STORES].retrieved_at == loaded.retrieved_at
    clock.advance(days=100)
    assert await check_data_ages(runtime) == 1
    assert await kinds(runtime, north) == ["source.stale"]


async def test_only_organizations_of_the_world_that_existed_then_get_it(
    runtime: Runtime, fetcher: Fetcher, north: UUID, clock: ManualClock
) -> None:
    south = (await principal_of(runtime, "south", World.LIVE)).organization_id
    sandbox = (await principal_of(runtime, "north", World.SANDBOX)).organization_id
    await load(runtime, fetcher)
    await fail(runtime, fetcher)
    clock.advance(seconds=1)
    late = (await principal_of(runtime, "late", World.LIVE)).organization_id
    found = [await kinds(runtime, organization_id) for organization_id in (north, south, sandbox, late)]
    assert found == [["source.failed"], ["source.failed"], [], []]
    async with runtime.store.read() as connection:
        assert await announcements.get_oldest(connection) is None


async def add_organizations(runtime: Runtime, count: int) -> list[UUID]:
    async with runtime.store.write() as connection:
        now = runtime.clock()
        return [(await organizations.get_or_create(connection, f"Org {n}", World.LIVE, now)).id for n in range(count)]


async def announce_entry(runtime: Runtime) -> None:
    data = ChangelogEntryData(entry_id="e", released_on=runtime.clock().date(), operations=(), deprecated_on=None, sunset_on=None)
    event = NewEvent(EventType.CHANGELOG_BREAKING, EventSubject(kind=EventSubjectKind.CHANGELOG_ENTRY), data)
    async with runtime.store.write() as connection:
        await announce(connection, [World.LIVE], event, runtime.clock())


async def count_events(runtime: Runtime, organization_ids: list[UUID]) -> list[int]:
    async with runtime.store.read() as connection:
        return [await events.get_last_position(connection, one) for one in organization_ids]


async def test_workers_at_once_record_each_announcement_once_and_in_order(runtime: Runtime) -> None:
    everybody = await add_organizations(runtime, 8)
    await announce_entry(runtime)
    await announce_entry(runtime)
    assert sum(await asyncio.gather(*(record_announcements(runtime) for _ in range(3)))) == 16
    assert await count_events(runtime, everybody) == [2] * 8


async def count_all_events(runtime: Runtime) -> int:
    async with runtime.store.read() as connection:
        return (await connection.execute(select(func.count()).select_from(tables.events))).scalar_one()


@pytest.mark.slow
async def test_kills_neither_lose_nor_repeat_an_event(runtime: Runtime, database_url: str, tmp_path: Path) -> None:
    everybody = await add_organizations(runtime, 60)
    await announce_entry(runtime)
    for killed_after in KILLED_AFTER:
        command = (sys.executable, "-c", RECORD_IN_A_PROCESS, database_url, str(tmp_path))
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT)
        while await count_all_events(runtime) < killed_after and process.returncode is None:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.01)
        if process.returncode is None:
            process.kill()
        assert await process.wait() in {0, -signal.SIGKILL}
    await record_announcements(runtime)
    assert await count_events(runtime, everybody) == [1] * 60
