"""The context that is stored with a job, and enqueuing with a bound for each organization.

So the lines that a worker writes carry the id of the request, and its trace leads to the request's. It is the job's payload,
as JSON; earlier versions kept nothing there, or the world alone, and their jobs are done as well.
"""

from contextlib import suppress
from typing import Self
from uuid import UUID

from pydantic import ValidationError

from bonafide.concurrency.work_limiter import build_overload_error
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document
from bonafide.observability.log import current_request_id
from bonafide.observability.tracing import traceparent
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.work import jobs


class JobContext(Document):
    """A payload. Without a request it was ordered by a command."""

    world: World | None = None
    request_id: str | None = None
    traceparent: str | None = None

    @classmethod
    def now(cls, world: World | None = None) -> Self:
        """As the request under way orders it."""
        return cls(world=world, request_id=current_request_id(), traceparent=traceparent())

    @classmethod
    def of(cls, payload: str) -> Self:
        """What a payload says; nothing where it is of none of the known forms."""
        with suppress(ValueError):
            return cls(world=World(payload))
        with suppress(ValidationError):
            return cls.model_validate_json(payload)
        return cls()


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
