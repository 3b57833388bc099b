"""Background jobs: the context that is stored with a job, a limit on the jobs of each organization, and telemetry of attempts.

The context passes the id and trace of the request that enqueued the job to the worker's log lines and spans.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter
from typing import Self
from uuid import UUID

from pydantic import ValidationError
from structlog.contextvars import bound_contextvars

from bonafide.concurrency.work_limiter import ShareExceeded, build_overload_error
from bonafide.errors import InternalFailure
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document
from bonafide.observability.log import current_request_id, get_logger, mask_secrets
from bonafide.observability.tracing import REQUEST, trace_id, traceparent
from bonafide.runtime import Runtime
from bonafide.store.work import jobs

RETRY_S = 15
"""Seconds after which to retry if the queue is full."""
_log = get_logger(__name__)


class JobContext(Document):
    """The stored context of a job. A job without a request was enqueued by a command."""

    world: World | None = None
    request_id: str | None = None
    traceparent: str | None = None

    @classmethod
    def current(cls, world: World | None = None) -> Self:
        """Return the context of the request that is being handled."""
        return cls(world=world, request_id=current_request_id(), traceparent=traceparent())

    @classmethod
    def parse(cls, payload: str) -> Self:
        """Parse a job's payload; empty for one of an unknown form. Earlier versions stored nothing, or the world alone."""
        with suppress(ValueError):
            return cls(world=World(payload))
        with suppress(ValidationError):
            return cls.model_validate_json(payload)
        return cls()

    def require_world(self) -> World:
        """Return the world. Raises `InternalFailure` if the context has none."""
        if self.world is None:
            raise InternalFailure(Message("The context of a queued job has no world."))
        return self.world


async def check_backlog(runtime: Runtime, organization_id: UUID, kind: str) -> None:
    """Raise `ShareExceeded` when the organization has too many unfinished jobs of this kind to enqueue another one.

    Outside the transaction that enqueues, so that a refusal does not wait for the lock of a write. Concurrent requests may exceed
    the limit slightly: it bounds the backlog and is not an exact count.
    """
    limit = runtime.settings.max_queued_jobs
    if await jobs.count_live(runtime.store, organization_id, kind, limit) >= limit:
        runtime.metrics.count_refused("jobs")
        raise build_overload_error(RETRY_S, kind=ShareExceeded)


# ------------------------------------------------------------------------------------------------------------ telemetry


class JobOutcome(StrEnum):
    """How an attempt ended."""

    DONE = "done"
    AGAIN = "again"
    """It can't be done yet and is retried later."""
    FAILED = "failed"
    """It is retried."""
    DEAD = "dead"
    """It is not retried."""
    LOST = "lost"
    """It was interrupted: the worker is stopping, or the database is unavailable."""


@dataclass(slots=True)
class JobAttempt:
    """One attempt at a job; lost until its outcome is set."""

    outcome: JobOutcome = JobOutcome.LOST


@contextmanager
def record_attempt(runtime: Runtime, job: jobs.Job, context: JobContext) -> Iterator[JobAttempt]:
    """Count and trace the block as an attempt at a job, bind the job to its log lines, and log its outcome."""
    attempt, started = JobAttempt(), perf_counter()
    fields = {"job_id": str(job.id), "kind": job.kind, "attempt": job.attempts, "organization_id": str(job.organization_id)}
    attributes: dict[str, str | int] = {"bonafide.kind": job.kind, "bonafide.attempt": job.attempts}
    if context.request_id is not None:
        fields["request_id"] = context.request_id
        attributes[REQUEST] = mask_secrets(context.request_id)
    runtime.metrics.gauges.jobs_under_way += 1
    with runtime.tracer.begin(f"job {job.kind}", attributes, link=context.traceparent) as span:
        trace = trace_id()
        if trace is not None:
            fields["trace_id"] = trace
        with bound_contextvars(**fields):
            try:
                yield attempt
            finally:
                runtime.metrics.gauges.jobs_under_way -= 1
                span.set("bonafide.outcome", attempt.outcome.value)
                if attempt.outcome not in {JobOutcome.DONE, JobOutcome.AGAIN}:
                    span.fail(attempt.outcome.value)
                seconds = perf_counter() - started
                runtime.metrics.observe_job(job.kind, attempt.outcome.value, seconds)
                # A verification that waits for its register is retried several times a second.
                log = _log.debug if attempt.outcome is JobOutcome.AGAIN else _log.info
                log("job.attempted", outcome=attempt.outcome.value, ms=round(seconds * 1000, 1))
