"""Enqueue the jobs of erasures."""

from datetime import datetime
from uuid import UUID

from bonafide.runtime import Runtime
from bonafide.services.jobs.queue import JobContext
from bonafide.store.database.engine import Connection
from bonafide.store.retention import erasures
from bonafide.store.work import jobs

ERASURE_JOB = "erase"
MAX_ATTEMPTS = 20


async def enqueue_erasure(connection: Connection, organization_id: UUID, erasure_id: UUID, now: datetime) -> None:
    """Enqueue the job of an erasure, unless it is live."""
    job = jobs.NewJob(ERASURE_JOB, str(erasure_id), JobContext.current().to_json(), now, MAX_ATTEMPTS)
    await jobs.enqueue(connection, organization_id, job)


async def resume_erasures(runtime: Runtime) -> None:
    """Enqueue the jobs of all erasures that have not finished: a job whose attempts have failed is not repeated by itself."""
    async with runtime.store.read() as connection:
        unfinished = await erasures.list_unfinished(connection)
    for organization_id, erasure_id in unfinished:
        async with runtime.store.write() as connection:
            await enqueue_erasure(connection, organization_id, erasure_id, runtime.clock())
