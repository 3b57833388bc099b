"""A worker that is told to stop leaves no job behind that others would have to wait for."""

import asyncio
from contextlib import suppress

import pytest
from sqlalchemy import select

from bonafide.app.worker import run_worker
from bonafide.runtime import Runtime
from bonafide.services.records.pending_imports import FORGET_JOB
from bonafide.store.database.tables import JobState
from bonafide.store.database.tables import jobs as table
from bonafide.store.work import jobs
from bonafide.store.work.jobs import NewJob
from tests.support.services.runtimes import principal_of

pytestmark = pytest.mark.anyio
STOPS = 25


@pytest.mark.slow
async def test_wherever_it_is_stopped_its_job_is_done_or_can_be_taken_at_once(empty_runtime: Runtime) -> None:
    runtime = empty_runtime
    north = await principal_of(runtime, "north")
    for stop in range(STOPS):
        async with runtime.store.write() as connection:
            new = NewJob(FORGET_JOB, f"{stop}-{'0' * 32}", "null", runtime.clock(), STOPS)
            await jobs.enqueue(connection, north.organization_id, new)
        working = asyncio.create_task(run_worker(runtime))
        # Later each time: while it claims the job, before it begins, in the middle of it, afterwards.
        for _ in range(stop):
            await asyncio.sleep(0.0005)
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
        async with runtime.store.read() as connection:
            states = set((await connection.execute(select(table.c.state))).scalars())
        assert states <= {JobState.QUEUED, JobState.DONE}
