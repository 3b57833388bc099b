"""The bench under load serves, reads, searches at a rate, and leaves nothing behind."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bonafide.runtime import open_runtime
from bonafide.settings import Settings
from bonafide.store.database import tables
from bonafide_bench.measurements.load import ROUNDS, HttpLoadSpec, run_load_bench

pytestmark = pytest.mark.anyio


async def test_it_measures_and_cleans_up(sandbox_data: Path, tmp_path: Path) -> None:
    data_dir = shutil.copytree(sandbox_data, tmp_path / "data")
    told: list[str] = []
    async with open_runtime(Settings(data_dir=data_dir)) as runtime:
        report = await run_load_bench(runtime, HttpLoadSpec(processes=1, read_s=0.2, rate=5, search_s=1), told.append)
        async with runtime.store.read() as connection:
            left = (await connection.execute(select(func.count()).select_from(tables.searches))).scalar_one()
    assert report.entries > 1000
    assert (report.database, report.processes, report.offered) == ("sqlite", 1, 5)
    assert [rate.failed for rate in (report.hello, report.reads, report.searches)] == [{}, {}, {}]
    assert report.share == report.reads.per_second / report.hello.per_second > 0
    assert len(report.memory) > 0
    assert told == [*(f"{what}, round {n}" for n in range(1, ROUNDS + 1) for what in ("baseline", "reads")), "searches"]
    assert left == 0
