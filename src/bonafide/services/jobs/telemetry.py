"""Log fields, span and metrics of one attempt at a job.

Jobs are run by the worker; nothing is done or stored here.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter

from structlog.contextvars import bound_contextvars

from bonafide.observability.log import get_logger, mask_secrets
from bonafide.observability.tracing import REQUEST, Span, trace_id
from bonafide.runtime import Runtime
from bonafide.services.jobs.queue import JobContext
from bonafide.store.work.jobs import Job

_log = get_logger(__name__)


class JobOutcome(StrEnum):
    """How an attempt ended."""

    DONE = "done"
    AGAIN = "again"
    """It could not be done yet, and is tried later."""
    FAILED = "failed"
    """It is tried again."""
    DEAD = "dead"
    """It is not tried again."""
    LOST = "lost"
    """It was broken off: the worker stops, or the database is away."""


@dataclass(slots=True)
class JobAttempt:
    """One attempt; lost unless it is said to have ended otherwise."""

    outcome: JobOutcome = JobOutcome.LOST


def bind_log(job: Job) -> AbstractContextManager[None]:
    """Every line of the block says which job it is about, for which organization, and by which request that was ordered."""
    facts = {
        "job_id": str(job.id),
        "kind": job.kind,
        "attempt": job.attempts,
        "organization_id": str(job.organization_id),
    }
    request_id = JobContext.of(job.payload).request_id
    return bound_contextvars(**facts, **({"request_id": request_id} if request_id is not None else {}))


@contextmanager
def record_attempt(runtime: Runtime, job: Job) -> Iterator[JobAttempt]:
    """The block is the attempt: it is counted, traced, and told in one line when it is over."""
    attempt, started = JobAttempt(), perf_counter()
    runtime.metrics.gauges.jobs_under_way += 1
    with _begin_span(runtime, job) as noted, bound_contextvars(**_get_trace_fields()):
        try:
            yield attempt
        finally:
            runtime.metrics.gauges.jobs_under_way -= 1
            noted.set("bonafide.outcome", attempt.outcome.value)
            if attempt.outcome not in {JobOutcome.DONE, JobOutcome.AGAIN}:
                noted.fail(attempt.outcome.value)
            _report_attempt(runtime, job, attempt, perf_counter() - started)


def _get_trace_fields() -> dict[str, str]:
    found = trace_id()
    return {"trace_id": found} if found is not None else {}


def _begin_span(runtime: Runtime, job: Job) -> Span:
    errand = JobContext.of(job.payload)
    attributes: dict[str, str | int] = {"bonafide.kind": job.kind, "bonafide.attempt": job.attempts}
    if errand.request_id is not None:
        attributes[REQUEST] = mask_secrets(errand.request_id)
    return runtime.tracer.begin(f"job {job.kind}", attributes, link=errand.traceparent)


def _report_attempt(runtime: Runtime, job: Job, attempt: JobAttempt, seconds: float) -> None:
    runtime.metrics.observe_job(job.kind, attempt.outcome.value, seconds)
    # A verification that waits for its register is looked at several times a second.
    tell = _log.debug if attempt.outcome is JobOutcome.AGAIN else _log.info
    tell("job", outcome=attempt.outcome.value, ms=round(seconds * 1000, 1))
