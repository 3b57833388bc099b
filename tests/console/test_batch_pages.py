"""Batches in the console: a file is uploaded, its columns mapped, and the results downloaded."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from bonafide.app.worker import work_once
from bonafide.runtime import Runtime
from tests.support.console.searches import runtime_over, words_of
from tests.support.console.sessions import csrf_of, send
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio
BATCHES = "/console/batches"
POLL = {"HX-Request": "true"}
CSV = b"Client;Firm;Other\nC-1;Quiet Harbour Ropes Ltd.;<b>x</b>\nC-2;;y\n"


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    folder = tmp_path_factory.mktemp("batches")
    async with runtime_over(sqlite_template, folder, folder / "index", ManualClock()) as opened:
        yield opened


async def upload(
    client: httpx2.AsyncClient, content: bytes = CSV, name: str = "clients.csv", kind: str = "screen"
) -> httpx2.Response:
    data = {"csrf": csrf_of(await client.get(BATCHES)), "kind": kind}
    return await client.post(BATCHES, data=data, files={"file": (name, content, "text/csv")})


async def test_a_file_is_previewed_mapped_and_done(runtime: Runtime, analyst: httpx2.AsyncClient) -> None:
    preview = (await upload(analyst)).headers["Location"]
    page = await analyst.get(preview)
    assert "Quiet Harbour Ropes Ltd." in words_of(page)
    assert "<b>x</b>" not in page.text
    refused = await send(analyst, preview, preview, threshold="85", limit="3")
    assert (refused.status_code, "is required" in words_of(refused)) == (422, True)
    chosen = {"name": "Firm", "reference": "Client"}
    refused = await send(analyst, preview, preview, threshold="20", limit="3", **chosen)
    assert "from 50 to 100" in words_of(refused)
    started = await send(analyst, preview, preview, threshold="90", limit="2", **chosen)
    address = started.headers["Location"]
    assert "Queued" in words_of(await analyst.get(address))
    polled = await analyst.get(address, headers=POLL)
    assert polled.text.lstrip().startswith("<section")
    assert "Queued" in words_of(polled)
    again = await send(analyst, preview, preview, threshold="90", limit="2", **chosen)
    assert (again.status_code, "already" in words_of(again)) == (422, True)
    while await work_once(runtime, "worker"):
        pass
    ended = await analyst.get(address, headers=POLL)
    assert (ended.status_code, ended.headers["HX-Refresh"]) == (204, "true")
    done = await analyst.get(address)
    words = words_of(done)
    assert "Completed" in words
    assert "name: is required" in words
    for ending, start in (("csv", b"\xef\xbb\xbfrow,line"), ("jsonl", b'{"row": 1'), ("xlsx", b"PK"), ("parquet", b"PAR1")):
        file = await analyst.get(f"{address}/results.{ending}")
        assert (file.status_code, file.content.startswith(start)) == (200, True)
        assert f".{ending}" in file.headers["Content-Disposition"]
    assert "clients.csv" in words_of(await analyst.get(BATCHES))


async def test_a_batch_is_paused_resumed_and_cancelled(runtime: Runtime, analyst: httpx2.AsyncClient) -> None:
    preview = (await upload(analyst, b"name\nAcme\n")).headers["Location"]
    address = (await send(analyst, preview, preview, threshold="85", limit="3", name="name")).headers["Location"]
    for action, word in (("pause", "Paused"), ("resume", "Queued"), ("cancel", "Cancelled"), ("pause", "Cancelled")):
        answer = await send(analyst, address, f"{address}/{action}")
        assert answer.headers["Location"] == address
        assert word in words_of(await analyst.get(address))
    assert (await analyst.get(f"{address}/results.pdf")).status_code == 404


@pytest.mark.parametrize(
    ("content", "name", "said"), [(b"", "a.csv", "empty"), (CSV, "a.pdf", "must end in"), (b"x", "a.xlsx", "XLSX")]
)
async def test_a_file_that_cannot_be_read_is_refused(analyst: httpx2.AsyncClient, content: bytes, name: str, said: str) -> None:
    refused = await upload(analyst, content, name)
    assert (refused.status_code, said in words_of(refused)) == (422, True)


async def test_a_preview_of_a_file_that_is_gone_is_not_found(analyst: httpx2.AsyncClient) -> None:
    preview = (await upload(analyst)).headers["Location"]
    assert (await analyst.get(preview.replace("kind=screen", "kind=x"))).status_code == 404
    other = preview.replace(preview.split("/")[4][:8], "00000000")
    assert (await analyst.get(other)).status_code == 404
