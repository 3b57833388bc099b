"""The bench of backups measures what it says, restores where it was told, and leaves nothing behind."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bonafide.runtime import open_runtime
from bonafide.settings import Settings
from bonafide.store.database import tables
from bonafide_bench.measurements.backup import run_backup_bench

pytestmark = pytest.mark.anyio


async def test_it_measures_each_step_and_cleans_up(sandbox_data: Path, tmp_path: Path) -> None:
    data_dir = shutil.copytree(sandbox_data, tmp_path / "data")
    async with open_runtime(Settings(data_dir=data_dir)) as runtime:
        report = await run_backup_bench(runtime, 20, None, lambda _what, _done, _total: None)
        async with runtime.store.read() as connection:
            left = (await connection.execute(select(func.count()).select_from(tables.searches))).scalar_one()
    assert (report.database, report.into) == ("sqlite", "sqlite")
    assert report.rows > 40
    assert list(report.seconds) == ["backup", "check", "restore"]
    assert left == 0
