"""The bench of the console opens every page, with as much stored as it was told, and leaves nothing behind."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bonafide.runtime import open_runtime
from bonafide.settings import Settings
from bonafide.store.database import tables
from bonafide.store.database.schema import account_tables, case_tables
from bonafide_bench.measurements.console import run_console_bench

pytestmark = pytest.mark.anyio
ITS = (
    tables.searches,
    tables.verifications,
    tables.businesses,
    case_tables.cases,
    case_tables.case_items,
    account_tables.users,
    account_tables.sessions,
    tables.organizations,
)


async def test_it_opens_every_page_and_cleans_up(sandbox_data: Path, tmp_path: Path) -> None:
    data_dir = shutil.copytree(sandbox_data, tmp_path / "data")
    told: list[tuple[str, int, int | None]] = []
    async with open_runtime(Settings(data_dir=data_dir)) as runtime:
        report = await run_console_bench(runtime, 20, 2, lambda what, done, total: told.append((what, done, total)), 30)
        async with runtime.store.read() as connection:
            left = [(await connection.execute(select(func.count()).select_from(table))).scalar_one() for table in ITS]
    pages = {figures.page: figures for figures in report.pages}
    assert {"/console/overview", "/console/cases", "/console/searches/{id}", "/console/settings", "/docs"} <= pages.keys()
    assert all(figures.times.count == 2 for figures in report.pages)
    assert all(figures.bytes > 1000 for figures in report.pages)
    assert [figures.times.p50 for figures in report.pages] == sorted((one.times.p50 for one in report.pages), reverse=True)
    assert told[0] == ("fill searches", 20, 20)
    assert left == [0] * len(ITS)
