"""The jobs of monitoring: what a worker does when it claims one, and what makes sure that there is one for everything to do.

The queue of records is the truth; a job only makes a worker look at it. A job that is lost is enqueued again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from bonafide.errors import BonafideError
from bonafide.model.accounts.organizations import Organization, World
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.jobs.queue import JobContext
from bonafide.services.monitoring.evaluation import evaluate_record
from bonafide.services.monitoring.overdue import report_overdue
from bonafide.services.monitoring.runs import MATCH_JOB, ChunkKey, finish_runs, match_chunk, start_runs
from bonafide.services.records.watching import MAX_ATTEMPTS, enqueue_evaluation
from bonafide.store.monitoring import runs, targets
from bonafide.store.monitoring.targets import MonitoringTarget
from bonafide.store.tenants import organizations
from bonafide.store.work import jobs

RECORDS_OF_A_STEP = 20
"""Records that a job evaluates before other jobs have their turn."""
SHARES = 2
"""Jobs of an organization that match chunks at a time."""
MAX_CHUNKS = 200
"""Chunks that are read at a time."""
FIRST_RETRY, LONGEST_RETRY = timedelta(seconds=5), timedelta(hours=1)
MAX_DOUBLINGS = 12
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class MonitoringProgress:
    """What monitoring has done: chunks matched, records evaluated, events recorded, and evaluations that failed."""

    chunks: int = 0
    records: int = 0
    events: int = 0
    failed: int = 0

    def __add__(self, other: "MonitoringProgress") -> "MonitoringProgress":
        return MonitoringProgress(
            self.chunks + other.chunks, self.records + other.records, self.events + other.events, self.failed + other.failed
        )


async def schedule_monitoring(runtime: Runtime) -> None:
    """Begin and finish runs, report what is overdue, and enqueue the jobs for everything that is yet to be done."""
    for world in runtime.generations:
        await _start_runs(runtime, world)
        await finish_runs(runtime, world)
        await _enqueue_chunks(runtime, world)
    await _enqueue_evaluations(runtime)
    await report_overdue(runtime)


async def _start_runs(runtime: Runtime, world: World) -> None:
    try:
        await start_runs(runtime, world)
    except BonafideError:
        raise
    except Exception:  # noqa: BLE001 - queued records must be evaluated all the same; the log has the traceback
        _log.exception("monitoring.run_not_started", world=world)


async def _enqueue_chunks(runtime: Runtime, world: World) -> None:
    """Enqueue a job for each share of an organization's chunks, so that a large one does not delay the jobs of others."""
    async with runtime.store.read() as connection:
        waiting = await runs.list_shares(connection, world, SHARES)
    for organization_id, share in waiting:
        async with runtime.store.write() as connection:
            context = JobContext.current(world).to_json()
            job = jobs.NewJob(MATCH_JOB, str(share), context, runtime.clock(), MAX_ATTEMPTS)
            await jobs.enqueue(connection, organization_id, job)


async def _enqueue_evaluations(runtime: Runtime) -> None:
    async with runtime.store.read() as connection:
        waiting = await targets.list_waiting_organizations(connection, runtime.clock())
    for organization_id in waiting:
        async with runtime.store.write() as connection:
            await enqueue_evaluation(connection, organization_id, runtime.clock())


async def run_match_job(runtime: Runtime, organization_id: UUID, world: World, share: int) -> datetime | None:
    """Select the records of the next chunk of a share; returns when to continue, None if there is no other."""
    async with runtime.store.read() as connection:
        chunks = await runs.list_chunks_of_share(connection, organization_id, share, SHARES, 2)
    if not chunks:
        return None
    again_at = await match_chunk(runtime, organization_id, world, ChunkKey(chunks[0].run_id, chunks[0].number))
    return again_at if again_at is not None or len(chunks) == 1 else runtime.clock()


async def run_evaluation_job(runtime: Runtime, organization_id: UUID) -> datetime | None:
    """Evaluate the records of an organization that have been due longest; returns when to continue, None if nothing is due."""
    async with runtime.store.read() as connection:
        organization = await organizations.get(connection, organization_id)
    if organization is None:
        return None
    done = await evaluate_due_records(runtime, organization)
    return runtime.clock() if done.records + done.failed == RECORDS_OF_A_STEP else None


async def evaluate_due_records(runtime: Runtime, organization: Organization, limit: int = RECORDS_OF_A_STEP) -> MonitoringProgress:
    """Evaluate the queued records of an organization. One that fails is tried again later and does not affect the others."""
    async with runtime.store.read() as connection:
        due = await targets.list_due(connection, organization.id, runtime.clock(), limit)
    done = MonitoringProgress()
    for business_id, queued in _group_by_record(due):
        done += await _evaluate_queued(runtime, organization, business_id, queued)
    return done


def _group_by_record(due: Iterable[MonitoringTarget]) -> list[tuple[UUID, list[MonitoringTarget]]]:
    found: dict[UUID, list[MonitoringTarget]] = {}
    for target in due:
        found.setdefault(target.business_id, []).append(target)
    return list(found.items())


async def _evaluate_queued(
    runtime: Runtime, organization: Organization, business_id: UUID, queued: list[MonitoringTarget]
) -> MonitoringProgress:
    try:
        events = await evaluate_record(runtime, organization, business_id, queued)
    except Exception as error:  # noqa: BLE001 - one record must not stop the others; the log has the traceback
        if isinstance(error, BonafideError):
            _log.warning("monitoring.evaluation_failed", business_id=str(business_id), problem=error.message)
        else:
            _log.exception("monitoring.evaluation_failed", business_id=str(business_id))
        async with runtime.store.write() as connection:
            await targets.postpone(connection, organization.id, queued, runtime.clock() + _compute_retry_delay(queued))
        return MonitoringProgress(failed=1)
    return MonitoringProgress(records=1, events=len(events))


def _compute_retry_delay(queued: Iterable[MonitoringTarget]) -> timedelta:
    attempts = max(target.attempts for target in queued)
    return min(FIRST_RETRY * (1 << min(attempts, MAX_DOUBLINGS)), LONGEST_RETRY)


async def run_monitoring(runtime: Runtime, world: World) -> MonitoringProgress:
    """Do everything that is due in a world at once, in this process, whether or not a worker runs."""
    await start_runs(runtime, world)
    done = MonitoringProgress()
    async with runtime.store.read() as connection:
        known = {one.id: one for one in await organizations.list_all(connection) if one.world is world}
    while True:
        step = await _match_waiting_chunks(runtime, world)
        async with runtime.store.read() as connection:
            waiting = await targets.list_waiting_organizations(connection, runtime.clock())
        for organization in (known[one] for one in waiting if one in known):
            step += await evaluate_due_records(runtime, organization)
        done += step
        if step == MonitoringProgress():
            break
    await finish_runs(runtime, world)
    await report_overdue(runtime)
    return done


async def _match_waiting_chunks(runtime: Runtime, world: World) -> MonitoringProgress:
    async with runtime.store.read() as connection:
        waiting = await runs.list_chunks(connection, world, MAX_CHUNKS)
    matched = 0
    for chunk in waiting:
        with runtime.compute_for(chunk.organization_id):
            again_at = await match_chunk(runtime, chunk.organization_id, world, ChunkKey(chunk.run_id, chunk.number))
        matched += again_at is None
    return MonitoringProgress(chunks=matched)
