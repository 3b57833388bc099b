"""An attempt at a job as operators see it: whose lines, span and measurements belong to it.

Jobs are run by the worker; nothing is done or stored here.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter

from structlog.contextvars import bound_contextvars

from bonafide.observability.log import get_logger, mask_secrets
from bonafide.runtime import Runtime
from bonafide.services.errand import Errand
from bonafide.store.work.jobs import Job
from bonafide.observability.tracing import REQUEST, Span, trace_id

_log = get_logger(__name__)


class Outcome(StrEnum):
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
class Attempt:
    """One attempt; lost unless it is said to have ended otherwise."""

    outcome: Outcome = Outcome.LOST


def named(job: Job) -> AbstractContextManager[None]:
    """Every line of the block says which job it is about, for which organization, and by which request that was ordered."""
    facts = {
        "job_id": str(job.id),
        "kind": job.kind,
        "attempt": job.attempts,
        "organization_id": str(job.organization_id),
    }
    request_id = Errand.of(job.payload).request_id
    return bound_contextvars(**facts, **({"request_id": request_id} if request_id is not None else {}))


@contextmanager
def attempted(runtime: Runtime, job: Job) -> Iterator[Attempt]:
    """The block is the attempt: it is counted, traced, and told in one line when it is over."""
    attempt, started = Attempt(), perf_counter()
    runtime.metrics.gauges.jobs_under_way += 1
    with _span(runtime, job) as noted, bound_contextvars(**_trace()):
        try:
            yield attempt
        finally:
            runtime.metrics.gauges.jobs_under_way -= 1
            noted.set("bonafide.outcome", attempt.outcome.value)
            if attempt.outcome not in {Outcome.DONE, Outcome.AGAIN}:
                noted.fail(attempt.outcome.value)
            _report(runtime, job, attempt, perf_counter() - started)


def _trace() -> dict[str, str]:
    found = trace_id()
    return {"trace_id": found} if found is not None else {}


def _span(runtime: Runtime, job: Job) -> Span:
    errand = Errand.of(job.payload)
    attributes: dict[str, str | int] = {"bonafide.kind": job.kind, "bonafide.attempt": job.attempts}
    if errand.request_id is not None:
        attributes[REQUEST] = mask_secrets(errand.request_id)
    return runtime.tracer.begin(f"job {job.kind}", attributes, link=errand.traceparent)


def _report(runtime: Runtime, job: Job, attempt: Attempt, seconds: float) -> None:
    runtime.metrics.observe_job(job.kind, attempt.outcome.value, seconds)
    # A verification that waits for its register is looked at several times a second.
    tell = _log.debug if attempt.outcome is Outcome.AGAIN else _log.info
    tell("job", outcome=attempt.outcome.value, ms=round(seconds * 1000, 1))
