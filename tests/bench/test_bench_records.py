"""The bench of business records measures on either database and leaves nothing behind."""

from pathlib import Path

import pytest
from sqlalchemy import func, select

from bonafide.runtime import Runtime, build_files, build_generation_stores
from bonafide.settings import Settings
from bonafide.store.database import tables
from bonafide.store.database.clock import system_clock
from bonafide.store.database.engine import Store
from bonafide_bench.measurements.records import run_records_bench

pytestmark = pytest.mark.anyio


async def test_it_measures_and_cleans_up(store: Store, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    runtime = Runtime(
        settings=settings,
        store=store,
        files=build_files(settings),
        signing_key=b"north",
        generations=build_generation_stores(tmp_path),
        sources={},
        clock=system_clock,
    )
    told: list[tuple[str, int, int | None]] = []
    report = await run_records_bench(runtime, 1000, 10, lambda what, done, total: told.append((what, done, total)))
    assert (report.records, set(report.pages)) == (1000, {"at the start", "in the middle", "at the end"})
    assert [times.count for times in report.upserts.values()] == [10, 10, 1]
    assert told[0] == ("records", 1000, 1000)
    async with store.read() as connection:
        for table in (tables.businesses, tables.business_numbers, tables.audit_entries, tables.ledgers, tables.organizations):
            assert (await connection.execute(select(func.count()).select_from(table))).scalar_one() == 0
