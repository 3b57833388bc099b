"""`kill -9` of the workers in the middle of a batch: it has the results of an undisturbed one."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest

from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.batches.batch import BatchFormat, BatchKind, BatchStatus
from bonafide.model.events.event import EventType
from bonafide.runtime import Runtime, open_runtime
from bonafide.services.batches.requests import read_batch
from bonafide.settings import Settings
from tests.support.loaded_sandbox import copy_sandbox
from tests.support.sampling import WHOLE
from tests.support.servers.forked_services import forked
from tests.support.services.batches import download_results, request_rows
from tests.support.services.events import list_events
from tests.support.services.runtimes import principal_of
from tests.support.waiting import TIMEOUT_S

pytestmark = [pytest.mark.slow, pytest.mark.anyio]
KILLS, ROWS = (10, 200_000) if WHOLE else (4, 12_000)
NAMES = ("Sandbox Sanctioned Trading Ltd.", "Quiet Harbour Ropes Ltd.", "Northgate Shipping", "")


@pytest.fixture
async def runtime(sandbox_data: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    copy_sandbox(sandbox_data / "index", tmp_path / "index")
    async with open_runtime(Settings(data_dir=tmp_path)) as opened:
        yield opened


async def test_a_batch_whose_workers_are_killed_is_done_once(runtime: Runtime, tmp_path: Path) -> None:
    north = await principal_of(runtime, "north", World.SANDBOX)
    rows = [{"name": f"{NAMES[n % 4]} {n}" if NAMES[n % 4] else "", "reference": str(n)} for n in range(ROWS)]
    disturbed = (await request_rows(runtime, north, BatchKind.SCREEN, rows)).id
    for number in range(KILLS):
        before = await count_done(runtime, north, disturbed)
        with forked(tmp_path / f"worker-{number}.log", "worker", BONAFIDE_DATA_DIR=str(tmp_path), BONAFIDE_RENEW="off"):
            await wait_until_further(runtime, north, disturbed, before)
    undisturbed = (await request_rows(runtime, north, BatchKind.SCREEN, rows)).id
    with forked(tmp_path / "worker.log", "worker", BONAFIDE_DATA_DIR=str(tmp_path), BONAFIDE_RENEW="off"):
        async with asyncio.timeout(TIMEOUT_S if not WHOLE else 3600):
            while (await read_batch(runtime, north.organization_id, undisturbed)).status is not BatchStatus.COMPLETED:  # noqa: ASYNC110
                await asyncio.sleep(0.2)
    first, second = [await read_batch(runtime, north.organization_id, one) for one in (disturbed, undisturbed)]
    assert first.status is BatchStatus.COMPLETED
    assert (first.rows, first.done, first.failed) == (ROWS, ROWS, ROWS // 4)
    assert first.coverage == second.coverage
    results = [await download_results(runtime, north, one, BatchFormat.JSONL) for one in (disturbed, undisturbed)]
    assert results[0] == results[1]
    assert results[0].count(b"\n") == ROWS
    events = await list_events(runtime, north.organization_id)
    ends = [event.subject.id for event in events if event.type is EventType.BATCH_COMPLETED]
    assert sorted(map(str, ends)) == sorted(map(str, (disturbed, undisturbed)))


async def wait_until_further(runtime: Runtime, north: Principal, batch_id: UUID, before: int) -> None:
    """Wait until more rows are done than before, or all."""
    async with asyncio.timeout(TIMEOUT_S):
        while await count_done(runtime, north, batch_id) == before < ROWS:  # noqa: ASYNC110 - other processes do them
            await asyncio.sleep(0.05)


async def count_done(runtime: Runtime, north: Principal, batch_id: UUID) -> int:
    return (await read_batch(runtime, north.organization_id, batch_id)).done
