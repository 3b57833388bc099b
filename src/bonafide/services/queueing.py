"""Work that is left to the workers: enqueued beside the row that it concerns, up to a bound for each organization.

What nobody will come to in time is better refused than stored: its caller would poll for an error. It does no work.
"""

from uuid import UUID

from bonafide.runtime import Runtime
from bonafide.store.work import jobs
from bonafide.store.database.engine import Connection
from bonafide.concurrency.work_limiter import build_overload_error

RETRY_S = 15
"""When to come again with what did not fit: about as long as workers take for some dozen searches."""


async def enqueue_bounded(runtime: Runtime, connection: Connection, organization_id: UUID, job: jobs.NewJob) -> None:
    """Leave a job to the workers, in the caller's transaction. Raises `ServerBusy` when too many of its kind are left already.

    Several at the same moment may each be the last that fits: the bound is on what piles up, not a count to rely on.
    """
    limit = runtime.settings.max_queued_jobs
    if await jobs.count_live(connection, organization_id, job.kind, limit) >= limit:
        runtime.metrics.count_refused("jobs")
        raise build_overload_error(RETRY_S)
    await jobs.enqueue(connection, organization_id, job)
