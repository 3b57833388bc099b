"""The bench of a flood measures one organization alone and beside another that floods, and leaves nothing behind."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bonafide.runtime import open_runtime
from bonafide.settings import Settings
from bonafide.store.database import tables
from bonafide_bench.measurements.hostile_load import ROUNDS, HostileLoadSpec, run_hostile_load_bench

pytestmark = pytest.mark.anyio


async def test_it_measures_both_and_cleans_up(sandbox_data: Path, tmp_path: Path) -> None:
    data_dir = shutil.copytree(sandbox_data, tmp_path / "data")
    told: list[str] = []
    order = HostileLoadSpec(processes=1, rate=5, search_s=3, slow=20, searchers=4)
    async with open_runtime(Settings(data_dir=data_dir)) as runtime:
        report = await run_hostile_load_bench(runtime, order, told.append)
        async with runtime.store.read() as connection:
            left = (await connection.execute(select(func.count()).select_from(tables.searches))).scalar_one()
    assert (report.processes, report.offered) == (1, 5)
    assert [rate.failed for rate in (report.alone, report.attacked)] == [{}, {}]
    assert report.p50_ratio is not None
    assert report.p50_ratio > 0
    assert report.p99_ratio is not None
    assert report.p99_ratio > 0
    assert sum(report.flood.searches.values()) > 0
    assert set(report.flood.large) <= {0, 413, 503}
    assert told == [f"{what}, round {n}" for n in range(1, ROUNDS + 1) for what in ("alone", "under attack")]
    assert left == 0
