"""`kill -9` of the worker and of the service in the middle of a batch: it has the results of an undisturbed one."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import httpx2
import pytest

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.batches.batch import BatchFormat, BatchKind, BatchStatus
from bonafide.model.events.event import EventType
from bonafide.runtime import Runtime, open_runtime
from bonafide.services.accounts import api_access
from bonafide.services.batches.requests import list_batches, read_batch
from bonafide.settings import Settings
from tests.support.loaded_sandbox import copy_sandbox
from tests.support.sampling import WHOLE
from tests.support.servers.forked_services import Forked, forked
from tests.support.servers.ports import HOST, free_port
from tests.support.servers.service_processes import KEY_HEADER
from tests.support.services.batches import download_results, request_rows
from tests.support.services.events import list_events
from tests.support.waiting import TIMEOUT_S

pytestmark = [pytest.mark.slow, pytest.mark.anyio]
KILLS, ROWS = (10, 200_000) if WHOLE else (4, 12_000)
PATIENCE_S = 3600 if WHOLE else TIMEOUT_S
NAMES = ("Sandbox Sanctioned Trading Ltd.", "Quiet Harbour Ropes Ltd.", "Northgate Shipping", "")
UPLOAD_S = 0.1
"""How long the first upload may take before the service is killed."""


@pytest.fixture
async def runtime(sandbox_data: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    copy_sandbox(sandbox_data / "index", tmp_path / "index")
    async with open_runtime(Settings(data_dir=tmp_path)) as opened:
        yield opened


async def test_a_batch_whose_worker_and_service_are_killed_is_done_once(runtime: Runtime, tmp_path: Path) -> None:
    key = await api_access.create_key(runtime, KeyRequest(organization="north", world=World.SANDBOX, rate_limit=1_000_000))
    north = await api_access.authenticate(runtime, key.text)
    rows = [{"name": f"{NAMES[n % 4]} {n}" if NAMES[n % 4] else "", "reference": str(n)} for n in range(ROWS)]
    await kill_during_upload(tmp_path, key.text, rows)
    disturbed: UUID | None = None
    for _ in range(KILLS):
        async with running(tmp_path, key.text) as (_, client):
            disturbed = await upload(client, rows)
            await wait_until_further(client, disturbed)
    assert disturbed is not None
    assert [one.id for one in (await list_batches(runtime, north.organization_id, 10)).batches] == [disturbed]
    undisturbed = (await request_rows(runtime, north, BatchKind.SCREEN, rows)).id
    with forked(tmp_path / "worker.log", "worker", BONAFIDE_DATA_DIR=str(tmp_path), BONAFIDE_RENEW="off"):
        async with asyncio.timeout(PATIENCE_S):
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


@asynccontextmanager
async def running(folder: Path, key: str) -> AsyncIterator[tuple[Forked, httpx2.AsyncClient]]:
    """A service that is ready and a worker; both are killed at the end."""
    port, environment = free_port(), {"BONAFIDE_DATA_DIR": str(folder), "BONAFIDE_RENEW": "off"}
    with (
        forked(folder / "service.log", "serve", "--port", str(port), **environment) as service,
        forked(folder / "worker.log", "worker", **environment),
    ):
        url = f"http://{HOST}:{port}"
        async with httpx2.AsyncClient(base_url=url, headers={KEY_HEADER: key}, timeout=TIMEOUT_S, trust_env=False) as client:
            async with asyncio.timeout(TIMEOUT_S):
                while not await is_ready(client):  # noqa: ASYNC110 - another process
                    await asyncio.sleep(0.05)
            yield service, client


async def is_ready(client: httpx2.AsyncClient) -> bool:
    try:
        return (await client.get("/readyz")).is_success
    except httpx2.TransportError:
        return False


async def kill_during_upload(folder: Path, key: str, rows: list[dict[str, str]]) -> None:
    """Kill the service while it receives or stores the file. Whether it has answered is unknown to a client."""
    async with running(folder, key) as (service, client):
        uploading = asyncio.create_task(upload(client, rows))
        await asyncio.wait([uploading], timeout=UPLOAD_S)
        service.kill()
        await asyncio.gather(uploading, return_exceptions=True)


async def upload(client: httpx2.AsyncClient, rows: list[dict[str, str]]) -> UUID:
    """Send the file with an idempotency key, and return the ID of its batch."""
    content = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    headers, files = {"Idempotency-Key": "portfolio"}, {"file": ("rows.jsonl", content, "application/x-ndjson")}
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            response = await client.post("/v1/batches", headers=headers, data={"kind": "screen"}, files=files)
            if response.status_code == 202:
                return UUID(response.json()["id"])
            # A killed process still holds the key until its lease ends.
            assert "still in progress" in response.text, response.text
            await asyncio.sleep(0.5)


async def wait_until_further(client: httpx2.AsyncClient, batch_id: UUID) -> None:
    """Wait until more rows are done than before, or all."""
    before = await count_done(client, batch_id)
    async with asyncio.timeout(PATIENCE_S):
        while await count_done(client, batch_id) == before < ROWS:  # noqa: ASYNC110 - other processes do them
            await asyncio.sleep(0.05)


async def count_done(client: httpx2.AsyncClient, batch_id: UUID) -> int:
    done: int = (await client.get(f"/v1/batches/{batch_id}")).raise_for_status().json()["done"]
    return done
