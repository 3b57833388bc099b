"""One id leads through everything that was done for a request: its own lines, those of its threads, and the worker's later."""

import asyncio
import contextlib
from collections.abc import MutableMapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typing_extensions import override

from bonafide.app import renewal, worker
from bonafide.app.application import create_app
from bonafide.app.worker import create_worker_app
from bonafide.errors import SegmentCorrupt, SourceUnavailable
from bonafide.i18n.message import Message
from bonafide.index import Generation, GenerationStore
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadRecord
from bonafide.net.fetch import Fetcher
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime, build_generation_stores
from bonafide.services.accounts import passwords
from bonafide.services.jobs.queue import JobContext
from bonafide.services.search import execution
from bonafide.settings import RenewalMode
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.store.work import jobs
from bonafide.store.work.jobs import Job
from tests.support.api.clients import BASE, ManualClock, NewKey
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = [pytest.mark.anyio, ON_SQLITE_ONLY]
Logged = list[MutableMapping[str, Any]]
LATER = {"Prefer": "respond-async", "X-Request-Id": "order-66"}


@pytest.fixture
async def caller(sandbox_runtime: Runtime, new_key: NewKey) -> Any:
    headers = {"X-API-Key": await new_key(world=World.SANDBOX)}
    transport = httpx2.ASGITransport(create_app(sandbox_runtime))
    async with httpx2.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
        yield client


async def run_through(runtime: Runtime) -> None:
    """Work as a worker process does, until nothing is due."""
    working = asyncio.create_task(worker.run_worker(runtime))
    while True:
        await asyncio.sleep(0.05)
        async with runtime.store.read() as connection:
            queued = (await jobs.get_queue_status(connection, runtime.clock(), runtime.clock())).counts
        # A job is stored as done before its attempt is logged.
        if not queued and runtime.metrics.gauges.jobs_under_way == 0:
            break
    working.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await working


async def test_an_order_is_followed_to_its_end(sandbox_runtime: Runtime, caller: httpx2.AsyncClient, logged: Logged) -> None:
    answer = await caller.post("/v1/search", json={"name": "Sandbox Bakery"}, headers=LATER)
    assert answer.status_code == 202
    await caller.get("/v1/searches", headers={"X-Request-Id": "another"})
    await run_through(sandbox_runtime)
    mine = [line for line in logged if line.get("request_id") == "order-66"]
    assert [line["event"] for line in mine] == ["request.completed", "job.attempted"]
    told = {"kind": "search", "attempt": 1, "outcome": "done", "organization_id": mine[0]["organization_id"]}
    assert told.items() <= mine[1].items()
    assert mine[1]["job_id"]
    assert "key_id" not in mine[1]


class Unreadable(GenerationStore[LoadRecord]):
    """An index on a disk that fails."""

    @override
    def current(self, key: str) -> Generation[LoadRecord] | None:
        get_logger("a thread").warning("from a thread")
        raise SegmentCorrupt(Message("a disk"))


async def test_what_goes_wrong_in_it_is_found_by_the_same_id(
    sandbox_runtime: Runtime, caller: httpx2.AsyncClient, logged: Logged
) -> None:
    faulty = {world: Unreadable(Path("nowhere"), LoadRecord.model_validate) for world in World}
    await caller.post("/v1/search", json={"name": "Sandbox Bakery"}, headers=LATER)
    assert await worker.work_once(replace(sandbox_runtime, generations=faulty), "worker")
    mine = [line for line in logged if line.get("request_id") == "order-66"]
    events = {line["event"] for line in mine}
    assert {"from a thread", "job.attempted"} <= events
    (ended,) = [line for line in mine if line["event"] == "job.attempted"]
    assert {line["job_id"] for line in mine if line["event"] != "request.completed"} == {ended["job_id"]}


async def test_an_attempt_that_fails_and_the_last_one_are_told(
    sandbox_runtime: Runtime, caller: httpx2.AsyncClient, logged: Logged, tasks: dict[str, Any]
) -> None:
    async def fail(_runtime: Runtime, _job: Job, _context: JobContext) -> datetime | None:
        raise ValueError("no")

    tasks[execution.SEARCH_JOB] = fail
    await caller.post("/v1/search", json={"name": "Sandbox Bakery"}, headers=LATER)
    clock = sandbox_runtime.clock
    assert isinstance(clock, ManualClock)
    for _ in range(execution.MAX_ATTEMPTS):
        assert await worker.work_once(sandbox_runtime, "worker")
        clock.move(hours=2)
    mine = [line for line in logged if line.get("request_id") == "order-66" and "job_id" in line]
    told = [(line["event"], line["attempt"], line.get("outcome")) for line in mine]
    ends = [(1, "failed"), (2, "failed"), (3, "dead")]
    assert told == [line for number, end in ends for line in (("job.failed", number, None), ("job.attempted", number, end))]
    text = sandbox_runtime.metrics.exposition().decode()
    assert 'bonafide_job_seconds_count{kind="search",outcome="dead"} 1.0' in text


@pytest.fixture
def tasks() -> Any:
    """The worker's kinds of jobs, as they were afterwards."""
    before = dict(worker.TASKS)
    yield worker.TASKS
    worker.TASKS.update(before)


async def test_jobs_of_earlier_versions_are_done(database_url: str) -> None:
    assert JobContext.parse("sandbox") == JobContext(world=World.SANDBOX)
    assert JobContext.parse("") == JobContext.parse("null") == JobContext.parse('{"of": "another version"}') == JobContext()
    context = JobContext(world=World.LIVE, request_id="é\n")
    assert JobContext.parse(context.to_json()) == context


async def test_a_thread_of_our_own_pool_belongs_to_the_request(runtime: Runtime, logged: Logged) -> None:
    app = create_app(runtime)

    @app.get("/tried")
    async def tried() -> None:
        await passwords._run_in_thread(lambda: get_logger("a thread").warning("from the pool"))

    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE) as client:
        await client.get("/tried", headers={"X-Request-Id": "mine"})
    assert [line["request_id"] for line in logged if line["event"] == "from the pool"] == ["mine"]


async def test_lines_of_a_load_say_which_source_in_which_world(runtime: Runtime, logged: Logged, tmp_path: Path) -> None:
    source = get_source("agcoCannabis")

    async def refuse(_context: FetchContext) -> list[Resource]:
        raise SourceUnavailable(Message("nobody is there"))

    fetcher = Fetcher(runtime.settings, runtime.clock)
    settings = runtime.settings.model_copy(update={"renew": RenewalMode.ALL})
    ready = replace(runtime, settings=settings, fetchers={World.LIVE: fetcher})
    await renewal._renew_one(ready, World.LIVE, replace(source, fetch=refuse), asyncio.Semaphore(1))
    await fetcher.close()
    lines = [line for line in logged if line["event"] in {"load.failed", "source.not_renewed"}]
    assert [(line["source"], line["world"], line["problem"]) for line in lines] == [("agcoCannabis", "live", "nobody is there")] * 2


async def test_a_worker_tells_its_own_numbers_and_opens_no_index_for_it(sandbox_runtime: Runtime, sandbox_data: Path) -> None:
    unread = replace(sandbox_runtime, generations=build_generation_stores(sandbox_data), metrics=type(sandbox_runtime.metrics)())
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(create_worker_app(unread)), base_url=BASE) as client:
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.get("/readyz")).json() == {"status": "ready"}
        text = (await client.get("/metrics")).text
        assert (await client.get("/v1/searches")).status_code == 404
        assert "bonafide_jobs_under_way 0.0" in text
        assert "bonafide_index_entries{" not in text
        assert not unread.generations[World.SANDBOX].is_open("on")
        await unread.store.close()
        assert (await client.get("/readyz")).status_code == 503
