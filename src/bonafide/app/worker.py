"""The worker: claims jobs, runs each through one service, and settles it; ends what is overdue; answers the operator's monitoring.

Any number of workers may run, in any process. When a worker dies, the leases of its jobs expire and other workers claim them, so
every job must tolerate being run twice.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID, uuid4

from fastapi import APIRouter, FastAPI, Request
from starlette.middleware import Middleware
from starlette.responses import Response

from bonafide.api.endpoints import probes
from bonafide.api.protocol.responses import ErrorBoundary, create_json_response
from bonafide.app.renewal import run_combined_index_loop, run_renewal_loop
from bonafide.console.events.chat_message import compose_chat_message
from bonafide.console.mail.composition import compose_mail
from bonafide.docs_site.release_events import read_release_events
from bonafide.errors import BonafideError, ServerBusy
from bonafide.i18n.message import Message
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.server.health import HealthStatus
from bonafide.services.accounts import sign_in
from bonafide.services.batches import lifecycle as batch_lifecycle
from bonafide.services.batches import work as batch_work
from bonafide.services.cases import reminders as case_reminders
from bonafide.services.cases.following import update_cases
from bonafide.services.events import announcements
from bonafide.services.events.releases import announce_releases
from bonafide.services.jobs.queue import JobContext, JobOutcome, record_attempt
from bonafide.services.lists import bulk_actions
from bonafide.services.loading import source_conditions
from bonafide.services.mail import preparation, sending
from bonafide.services.manual_checks import renewal as manual_check_renewal
from bonafide.services.monitoring import scheduling as monitoring_schedule
from bonafide.services.monitoring.repeated_queries import run_query_loop
from bonafide.services.monitoring.runs import MATCH_JOB
from bonafide.services.operations.gauge_collector import OTHER_JOB_KIND
from bonafide.services.operations.readiness import check_database
from bonafide.services.ownership import discrepancy_reminders
from bonafide.services.packs import building, completion
from bonafide.services.packs.requests import PACK_JOB
from bonafide.services.records import pending_imports
from bonafide.services.records.rating_queue import RATING_JOB
from bonafide.services.records.watching import EVALUATION_JOB
from bonafide.services.retention import file_removal, policy_runs
from bonafide.services.retention.erasing import run_erasure
from bonafide.services.retention.erasure_jobs import ERASURE_JOB, resume_erasures
from bonafide.services.screening import dismissal_expiry, rating_refresh
from bonafide.services.search import execution
from bonafide.services.verification import lifecycle, verification_job
from bonafide.services.webhooks.deliveries import purge_deliveries
from bonafide.services.webhooks.delivery_loop import run_delivery_loop
from bonafide.services.webhooks.fan_out import run_fan_out_loop
from bonafide.store.database.tables import JobState
from bonafide.store.records import registry_lookups
from bonafide.store.work import idempotency, jobs, shared_state
from bonafide.web.request_context import RequestIdMiddleware
from bonafide.web.routing import create_fastapi_app

LEASE = timedelta(seconds=4)
"""How long a job waits after its worker was killed; a running worker renews it in time."""
RENEW_EVERY_S = 1.25
CHECK_EVERY_S = 1.0
"""Between two looks at the queue without a notification: another worker has deferred a job, or died."""
SWEEP_EVERY_S = 5.0
PURGE_EVERY_S = 60.0
REMIND_EVERY_S = 60.0
MAIL_EVERY_S = 5.0
DIGEST_EVERY_S = 60.0
AGE_CHECK_EVERY_S = 60.0
ANNOUNCE_EVERY_S = 5.0
RELEASE_CHECK_EVERY_S = 60.0
"""The changelog changes only with the installation; this is how soon a database that was unavailable is tried again."""
MONITOR_EVERY_S = 15.0
CASES_EVERY_S = 1.0
RETAIN_EVERY_S = 3600.0
REMOVE_FILES_EVERY_S = 60.0
SHORTEST_PAUSE_S = 0.02
"""When another worker has claimed the job that was due."""
KEEP_FINISHED = timedelta(days=7)
KEEP_LOOKUP_LOCKS = timedelta(hours=1)
"""How long the number of times that a register has deferred a registration is kept."""
_log = get_logger(__name__)
router = APIRouter()


async def _run_search(runtime: Runtime, job: jobs.Job, context: JobContext) -> None:
    await execution.resume_search(runtime, job.organization_id, UUID(job.key), context.require_world())


async def _run_verification(runtime: Runtime, job: jobs.Job, _context: JobContext) -> datetime | None:
    return await verification_job.run_step(runtime, job.organization_id, UUID(job.key))


async def _delete_import(runtime: Runtime, job: jobs.Job, _context: JobContext) -> None:
    await pending_imports.delete_import(runtime, job.organization_id, job.key)


async def _match_monitored_records(runtime: Runtime, job: jobs.Job, context: JobContext) -> datetime | None:
    return await monitoring_schedule.run_match_job(runtime, job.organization_id, context.require_world(), int(job.key))


async def _evaluate_monitored_records(runtime: Runtime, job: jobs.Job, _context: JobContext) -> datetime | None:
    return await monitoring_schedule.run_evaluation_job(runtime, job.organization_id)


async def _erase(runtime: Runtime, job: jobs.Job, _context: JobContext) -> datetime | None:
    return await run_erasure(runtime, job.organization_id, UUID(job.key))


async def _do_bulk_action(runtime: Runtime, job: jobs.Job, _context: JobContext) -> datetime | None:
    return await bulk_actions.run_bulk_job(runtime, job.organization_id, UUID(job.key))


async def _rate_record(runtime: Runtime, job: jobs.Job, _context: JobContext) -> None:
    await rating_refresh.run_rating_job(runtime, job.organization_id, job.key)


async def _build_pack(runtime: Runtime, job: jobs.Job, _context: JobContext) -> None:
    is_last_attempt = job.attempts >= job.max_attempts
    await building.build_pack(runtime, job.organization_id, UUID(job.key), is_last_attempt=is_last_attempt)


async def _divide_batch(runtime: Runtime, job: jobs.Job, context: JobContext) -> None:
    is_last_attempt = job.attempts >= job.max_attempts
    batch_id, world = UUID(job.key), context.require_world()
    await batch_work.divide_batch(runtime, job.organization_id, batch_id, world, is_last_attempt=is_last_attempt)


async def _do_batch_partition(runtime: Runtime, job: jobs.Job, context: JobContext) -> None:
    is_last_attempt = job.attempts >= job.max_attempts
    world = context.require_world()
    await batch_work.run_partition(runtime, job.organization_id, job.key, world, is_last_attempt=is_last_attempt)


async def _finish_batch(runtime: Runtime, job: jobs.Job, context: JobContext) -> None:
    await batch_lifecycle.finish_batch(runtime, job.organization_id, UUID(job.key), context.require_world())


TASKS: dict[str, Callable[[Runtime, jobs.Job, JobContext], Awaitable[datetime | None]]] = {
    execution.SEARCH_JOB: _run_search,
    lifecycle.VERIFY_JOB: _run_verification,
    pending_imports.FORGET_JOB: _delete_import,
    MATCH_JOB: _match_monitored_records,
    bulk_actions.BULK_JOB: _do_bulk_action,
    EVALUATION_JOB: _evaluate_monitored_records,
    PACK_JOB: _build_pack,
    RATING_JOB: _rate_record,
    ERASURE_JOB: _erase,
    batch_lifecycle.DIVIDE_JOB: _divide_batch,
    batch_lifecycle.PARTITION_JOB: _do_batch_partition,
    batch_lifecycle.FINISH_JOB: _finish_batch,
}
"""The task of each kind of job. A task that can't be completed yet returns the instant at which to retry."""

_NEXT_DUE = jobs.build_next_due_query(TASKS)


async def run_worker(runtime: Runtime) -> None:
    """Work until cancelled; running jobs are then released."""
    worker = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
    _log.info("worker.started", worker=worker, concurrency=runtime.settings.worker_concurrency)
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_repeat(runtime, sweep, SWEEP_EVERY_S))
            tasks.create_task(_repeat(runtime, purge_expired, PURGE_EVERY_S))
            for counted in _COUNTED_TASKS:
                tasks.create_task(_repeat(runtime, counted.run, counted.every_s))
            tasks.create_task(_repeat(runtime, monitoring_schedule.schedule_monitoring, MONITOR_EVERY_S))
            tasks.create_task(_repeat(runtime, follow_events, CASES_EVERY_S))
            tasks.create_task(_repeat(runtime, resume_erasures, RETAIN_EVERY_S))
            tasks.create_task(_repeat(runtime, partial(send_mail, worker=worker), MAIL_EVERY_S))
            tasks.create_task(_job_loop(runtime, worker))
            tasks.create_task(run_renewal_loop(runtime))
            tasks.create_task(run_combined_index_loop(runtime))
            tasks.create_task(run_query_loop(runtime, worker))
            tasks.create_task(run_fan_out_loop(runtime))
            tasks.create_task(run_delivery_loop(runtime, worker, compose_chat_message))
    finally:
        with suppress(BonafideError):  # the database is unavailable: the leases expire
            async with runtime.store.write() as connection:
                await jobs.release_all(connection, worker, runtime.clock())


async def _job_loop(runtime: Runtime, worker: str) -> None:
    """Claim a job whenever a slot is free, and run it."""
    slots = asyncio.Semaphore(runtime.settings.worker_concurrency)
    async with runtime.store.listen(jobs.CHANNEL) as changes, asyncio.TaskGroup() as running:

        def free_slot(_: asyncio.Task[None]) -> None:
            slots.release()
            changes.wake()  # the job may have been deferred

        while True:
            await slots.acquire()
            job, pause_s = None, CHECK_EVERY_S
            try:
                # Read first: a claim is a write, which other writers wait for.
                pause_s = await _compute_pause_s(runtime)
                if pause_s <= 0:
                    job = await _claim_job(runtime, worker)
            except BonafideError as error:
                _log.warning("database.unavailable", problem=error.message)
            if job is None:
                slots.release()
                await changes.wait(max(pause_s, SHORTEST_PAUSE_S))
                continue
            running.create_task(_run_job(runtime, job)).add_done_callback(free_slot)


async def _compute_pause_s(runtime: Runtime) -> float:
    """Compute how many seconds there is nothing to claim unless a change is notified: 0 or less when a job is due now."""
    due_at = await jobs.find_next_due(runtime.store, _NEXT_DUE, runtime.clock() + timedelta(seconds=CHECK_EVERY_S))
    return CHECK_EVERY_S if due_at is None else (due_at - runtime.clock()).total_seconds()


async def work_once(runtime: Runtime, worker: str) -> bool:
    """Claim and run one job; False when none is due. Raises `ServerBusy` when the database is unavailable."""
    job = await _claim_job(runtime, worker)
    if job is not None:
        await _run_job(runtime, job)
    return job is not None


async def _claim_job(runtime: Runtime, worker: str) -> jobs.Job | None:
    """Claim the job that has been due longest; None when none is due.

    A cancellation takes effect once a claim in progress has completed and its job is released, so that no job waits for the lease
    of a worker that has stopped.
    """

    async def claim() -> jobs.Job | None:
        async with runtime.store.write() as connection:
            return await jobs.claim(connection, worker, runtime.clock(), LEASE, TASKS)

    claiming = asyncio.create_task(claim())
    try:
        return await asyncio.shield(claiming)
    except asyncio.CancelledError:
        with suppress(BonafideError):
            if (job := await claiming) is not None:
                async with runtime.store.write() as connection:
                    await jobs.defer(connection, job, runtime.clock())
        raise


async def _run_job(runtime: Runtime, job: jobs.Job) -> None:
    """Run a job while renewing its lease, and settle it."""
    context = JobContext.parse(job.payload)
    heartbeat = asyncio.create_task(_heartbeat_loop(runtime, job))
    try:
        with record_attempt(runtime, job, context) as attempt:
            retry_at, error = None, None
            try:
                with runtime.compute_for(job.organization_id):
                    retry_at = await TASKS[job.kind](runtime, job, context)
            except Exception as caught:  # noqa: BLE001 - one bad job must not stop the worker; the log has the traceback
                _log.exception("job.failed")
                error = type(caught).__name__
            try:
                attempt.outcome = await _settle_job(runtime, job, retry_at, error)
            except BonafideError as unsettled:
                # The outcome is not stored: another worker claims the job when its lease expires.
                _log.warning("database.unavailable", problem=unsettled.message)
    finally:
        heartbeat.cancel()


async def _settle_job(runtime: Runtime, job: jobs.Job, retry_at: datetime | None, error: str | None) -> JobOutcome:
    """Store how an attempt ended: failed with an error, deferred, or completed. Raises `ServerBusy`."""
    async with runtime.store.write() as connection:
        if error is not None:
            state = await jobs.fail(connection, job, runtime.clock(), error)
            if state is not JobState.DEAD:
                return JobOutcome.FAILED
            await batch_lifecycle.fail_interrupted(runtime, connection, [job])
            return JobOutcome.DEAD
        if retry_at is not None:
            await jobs.defer(connection, job, retry_at)
            return JobOutcome.AGAIN
        await jobs.complete(connection, job, runtime.clock())
        return JobOutcome.DONE


async def _heartbeat_loop(runtime: Runtime, job: jobs.Job) -> None:
    while True:
        await asyncio.sleep(RENEW_EVERY_S)
        with suppress(BonafideError):  # the database is unavailable: the lease outlasts two heartbeats
            async with runtime.store.write() as connection:
                await jobs.heartbeat(connection, job, runtime.clock(), LEASE)


@dataclass(frozen=True, slots=True)
class _CountedTask:
    """A repeated task that returns how many rows it has stored; a count above 0 is logged."""

    function: Callable[[Runtime], Awaitable[int]]
    every_s: float
    event: str
    """The log event."""
    field: str
    """The field of the log event that has the count."""
    level: int = logging.INFO

    async def run(self, runtime: Runtime) -> None:
        """Run the task once."""
        count = await self.function(runtime)
        if count:
            _log.log(self.level, self.event, **{self.field: count})


async def _repeat(runtime: Runtime, function: Callable[[Runtime], Awaitable[None]], every_s: float) -> None:
    while True:
        try:
            await function(runtime)
        except BonafideError as error:
            _log.warning("database.unavailable", problem=error.message)
        await asyncio.sleep(every_s)


async def sweep(runtime: Runtime) -> None:
    """End overdue searches and verifications, and dead-letter jobs whose last lease expired."""
    expired = await execution.expire_overdue(runtime)
    failed = await lifecycle.fail_overdue(runtime)
    now, dead = runtime.clock(), list[jobs.Job]()
    if await jobs.is_any_exhausted(runtime.store, now):
        async with runtime.store.write() as connection:
            dead = await jobs.dead_letter_exhausted(connection, now)
            await completion.fail_interrupted(runtime, connection, dead)
            await batch_lifecycle.fail_interrupted(runtime, connection, dead)
    for job in dead:
        runtime.metrics.observe_job(job.kind if job.kind in TASKS else OTHER_JOB_KIND, JobOutcome.DEAD, 0.0)
    if expired or failed or dead:
        _log.warning("work.expired", expired_searches=expired, failed_verifications=failed, dead_jobs=len(dead))


async def purge_expired(runtime: Runtime) -> None:
    """Delete what has expired: finished jobs, lookup locks, idempotency keys, rate windows, sign-ins, webhook deliveries, mail."""
    now = runtime.clock()
    async with runtime.store.write() as connection:
        await jobs.purge_finished(connection, now - KEEP_FINISHED)
        await registry_lookups.purge_locks(connection, now - KEEP_LOOKUP_LOCKS)
        await idempotency.purge_expired(connection, now)
        await shared_state.purge_rate_windows(connection, now.timestamp(), runtime.settings.rate_limit_window_s)
        await sign_in.purge_expired_sign_ins(connection, now)
    await purge_deliveries(runtime)
    await sending.purge_finished_mail(runtime)
    await bulk_actions.purge_reports(runtime)


async def _announce_changelog(runtime: Runtime) -> int:
    return await announce_releases(runtime, read_release_events())


async def follow_events(runtime: Runtime) -> None:
    """Update the cases of all organizations from their events."""
    while await update_cases(runtime):
        pass


_COUNTED_TASKS = (
    _CountedTask(discrepancy_reminders.record_due_reminders, REMIND_EVERY_S, "reminders.recorded", "discrepancies"),
    _CountedTask(dismissal_expiry.record_expired_dismissals, REMIND_EVERY_S, "dismissals.expired", "dismissals"),
    _CountedTask(case_reminders.record_due_cases, REMIND_EVERY_S, "cases.due", "cases"),
    _CountedTask(source_conditions.check_data_ages, AGE_CHECK_EVERY_S, "sources.outdated", "sources", logging.WARNING),
    _CountedTask(completion.expire_packs, PURGE_EVERY_S, "packs.expired", "packs"),
    _CountedTask(batch_lifecycle.expire_batches, PURGE_EVERY_S, "batches.expired", "batches"),
    _CountedTask(_announce_changelog, RELEASE_CHECK_EVERY_S, "changelog.announced", "events"),
    _CountedTask(announcements.record_announcements, ANNOUNCE_EVERY_S, "announcements.recorded", "events"),
    _CountedTask(policy_runs.delete_expired, RETAIN_EVERY_S, "retention.deleted", "rows"),
    _CountedTask(file_removal.remove_files, REMOVE_FILES_EVERY_S, "files.deleted", "names"),
    _CountedTask(manual_check_renewal.renew_results, REMIND_EVERY_S, "manual_check.renewed", "checks"),
    _CountedTask(preparation.prepare_alerts, MAIL_EVERY_S, "mail.prepared", "alerts"),
    _CountedTask(preparation.prepare_digests, DIGEST_EVERY_S, "mail.prepared", "digests"),
)
"""The tasks of this kind that every worker repeats."""


async def send_mail(runtime: Runtime, *, worker: str) -> None:
    """Send the mail that is due."""
    while await sending.send_due_mail(runtime, worker, compose_mail):
        pass


router.add_api_route("/healthz", probes.healthz)
router.add_api_route("/metrics", probes.metrics)


@router.get("/readyz")
async def readyz(request: Request) -> Response:
    """Whether the database has this release's schema and can be written. Opens no index, unlike the service's own probe."""
    runtime: Runtime = request.app.state.runtime
    found = await check_database(runtime)
    if found.status is HealthStatus.FAILED:
        raise ServerBusy(Message("Not ready. {problems}.", problems=found.note))
    return create_json_response('{"status":"ready"}')


def create_worker_app(runtime: Runtime) -> FastAPI:
    """The application over the runtime of a worker."""
    app = create_fastapi_app(runtime, [router])
    app.user_middleware = [Middleware(RequestIdMiddleware), Middleware(ErrorBoundary)]
    return app
