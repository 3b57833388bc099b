"""Each try to load a source leaves a run behind, whatever came of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.errors import ConfigurationError, RefreshRefused, ServerBusy, SourceUnavailable
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadRecord, RunOutcome
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.loading.load_history import list_last_runs, list_runs
from bonafide.services.loading.refresh import FileImport, LoadRequest, get_current_load, load_source
from bonafide.store.database.engine import Store
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio
HEADER = "registration_number,legal_name,status,status_code,city\n"


class AwayStore(Store):
    """A database that can't be written to."""

    @asynccontextmanager
    async def write(self, *, is_effect: bool = True, durable: bool = True) -> AsyncIterator[AsyncConnection]:  # noqa: ARG002 - the store's signature
        raise ServerBusy
        yield


@pytest.fixture
async def fetcher(empty_runtime: Runtime) -> AsyncIterator[Fetcher]:
    opened = Fetcher(empty_runtime.settings, empty_runtime.clock, sandbox="http://127.0.0.1:9")
    yield opened
    await opened.close()


def extract(folder: Path, count: int) -> Path:
    path = folder / "extract.csv"
    rows = "".join(f"{1000 + n},Business {n} Inc.,Active,active,Halifax\n" for n in range(count))
    path.write_text(HEADER + rows, encoding="utf-8")
    return path


async def load(runtime: Runtime, fetcher: Fetcher, file: Path) -> LoadRecord:
    return await load_source(runtime, fetcher, LoadRequest(runtime.sources["ns"], World.LIVE, FileImport((file,))))


async def test_a_load_is_a_run_with_its_counts(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path, clock: ManualClock
) -> None:
    await load(empty_runtime, fetcher, extract(tmp_path, 5))
    [run] = await list_runs(empty_runtime, World.LIVE, "ns")
    assert (run.outcome, run.entries, run.rejected, run.note) == (RunOutcome.LOADED, 5, 0, None)
    assert (run.started_at, run.finished_at) == (clock.now, clock.now)


async def test_what_the_checks_refuse_is_a_run_that_says_why_and_the_newest_one(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path, clock: ManualClock
) -> None:
    await load(empty_runtime, fetcher, extract(tmp_path, 100))
    clock.advance(hours=1)
    with pytest.raises(RefreshRefused):
        await load(empty_runtime, fetcher, extract(tmp_path, 5))
    newest, first = await list_runs(empty_runtime, World.LIVE, "ns")
    assert (newest.outcome, newest.entries, first.outcome, first.entries) == (RunOutcome.REFUSED, None, RunOutcome.LOADED, 100)
    assert newest.note is not None
    assert "5 entries, but the last load had 100" in newest.note
    assert await list_last_runs(empty_runtime, World.LIVE) == {"ns": newest}
    assert await list_last_runs(empty_runtime, World.SANDBOX) == {}


async def test_a_publisher_that_does_not_answer_is_a_run_that_failed(empty_runtime: Runtime, fetcher: Fetcher) -> None:
    order = LoadRequest(empty_runtime.sources["agcoCannabis"])
    with pytest.raises(SourceUnavailable) as refusal:
        await load_source(empty_runtime, fetcher, order)
    [run] = await list_runs(empty_runtime, World.LIVE, "agcoCannabis")
    assert (run.outcome, run.note) == (RunOutcome.FAILED, refusal.value.message)


async def test_an_order_that_can_not_be_carried_out_is_no_run(empty_runtime: Runtime, fetcher: Fetcher) -> None:
    with pytest.raises(ConfigurationError):
        await load_source(empty_runtime, fetcher, LoadRequest(empty_runtime.sources["nu"]))
    assert await list_runs(empty_runtime, World.LIVE, "nu") == []


async def test_a_load_stands_though_its_run_can_not_be_written_down(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path, database_url: str
) -> None:
    opened = AwayStore.open(database_url)
    away = replace(empty_runtime, store=opened)
    record = await load(away, fetcher, extract(tmp_path, 5))
    assert get_current_load(empty_runtime, World.LIVE, empty_runtime.sources["ns"]) == record
    assert await list_runs(empty_runtime, World.LIVE, "ns") == []
    await opened.close()
