"""Runs of sources: kept by world and source, the newest first, and not for ever."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import insert

from bonafide.model.accounts.organizations import World
from bonafide.model.loading import RunOutcome, SourceRun
from bonafide.store.database import tables
from bonafide.store.database.engine import Store
from bonafide.store.records import source_rows
from tests.support.store.rows import MINUTE, NOW

pytestmark = pytest.mark.anyio


def run(minute: int = 0, **changes: object) -> SourceRun:
    finished = NOW + minute * MINUTE
    values = {"started_at": finished - timedelta(seconds=5), "finished_at": finished, "outcome": RunOutcome.LOADED, "entries": 10}
    return SourceRun.model_validate(values | changes)


def row(minute: int) -> dict[str, object]:
    return {"world": World.LIVE, "source": "fed", "id": uuid4(), **run(minute).model_dump()}


async def test_the_newest_run_stands_first_with_all_that_was_written(store: Store) -> None:
    failed = run(1, outcome=RunOutcome.FAILED, entries=None, note="fed: the publisher answered 503")
    async with store.write() as connection:
        await source_rows.record_run(connection, World.LIVE, "fed", failed)
        await source_rows.record_run(connection, World.LIVE, "fed", run(0, rejected=3))
    async with store.read() as connection:
        assert await source_rows.list_newest_runs(connection, World.LIVE, "fed") == [failed, run(0, rejected=3)]
        assert await source_rows.list_newest_runs(connection, World.LIVE, "fed", limit=1) == [failed]


async def test_runs_of_another_source_and_of_the_other_world_are_not_among_them(store: Store) -> None:
    async with store.write() as connection:
        await source_rows.record_run(connection, World.LIVE, "fed", run())
        await source_rows.record_run(connection, World.SANDBOX, "fed", run(1))
        await source_rows.record_run(connection, World.LIVE, "ab", run(2))
    async with store.read() as connection:
        assert await source_rows.list_newest_runs(connection, World.LIVE, "fed") == [run()]
        assert await source_rows.list_latest_runs(connection, World.LIVE) == {"fed": run(), "ab": run(2)}


async def test_only_the_newest_runs_of_a_source_are_kept(store: Store) -> None:
    async with store.write() as connection:
        await source_rows.record_run(connection, World.LIVE, "ab", run())
        kept_before = [row(minute) for minute in range(source_rows.KEPT_RUNS + 1)]
        await connection.execute(insert(tables.source_runs), kept_before)
        await source_rows.record_run(connection, World.LIVE, "fed", run(source_rows.KEPT_RUNS + 1))
    async with store.read() as connection:
        kept = await source_rows.list_newest_runs(connection, World.LIVE, "fed", limit=source_rows.KEPT_RUNS + 2)
        assert [kept[0], kept[-1]] == [run(source_rows.KEPT_RUNS + 1), run(2)]
        assert len(kept) == source_rows.KEPT_RUNS
        assert await source_rows.list_newest_runs(connection, World.LIVE, "ab") == [run()]
