"""The worker: claims jobs and runs each through one service, sweeps what is overdue, and renews sources and combined indexes.

Any number of workers may run, in any process. A job whose worker died is taken up again when its lease runs out, so what a job does
must bear being done twice.
"""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from structlog.contextvars import bound_contextvars

from bonafide.errors import BonafideError, InternalFailure, ServerBusy
from bonafide.model.accounts.organizations import World
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts import sign_in
from bonafide.services.indexing.combined_index import find_outdated_indexes, update_combined_indexes
from bonafide.services.indexing.load_history import import_remote_attempts
from bonafide.services.jobs.queue import JobContext
from bonafide.services.jobs.telemetry import JobOutcome, bind_log, record_attempt
from bonafide.services.loading.schedule import find_due_sources, renew_source
from bonafide.services.operations.gauge_collector import OTHER_JOB_KIND
from bonafide.services.records import pending_imports
from bonafide.services.search import execution
from bonafide.services.verification import lifecycle, verification_job
from bonafide.settings import RenewalMode
from bonafide.sources.framework.discovery import Source
from bonafide.store.database.tables import JobState
from bonafide.store.work import idempotency, jobs, rate_windows, registry_lookup_locks

LEASE = timedelta(seconds=4)
"""A job whose worker is killed waits this long; a running one renews it in time."""
RENEW_EVERY_S = 1.25
POLL_S = 0.1
SWEEP_EVERY_S = 5.0
LOOK_EVERY_S = 30.0
"""Between two looks for sources that are due."""
MAX_RENEWALS = 2
"""At once: each takes a processor."""
KEEP_FINISHED = timedelta(days=7)
KEEP_LOOKUP_LOCKS = timedelta(hours=1)
"""So long it is remembered how often a register has put a registration off."""
_log = get_logger(__name__)


async def _run_search_job(runtime: Runtime, job: jobs.Job) -> None:
    world = JobContext.of(job.payload).world
    if world is None:
        raise InternalFailure("a queued search says nothing of its world")
    await execution.run_queued_search(runtime, job.organization_id, UUID(job.key), world)


async def _run_verification_job(runtime: Runtime, job: jobs.Job) -> datetime | None:
    return await verification_job.run_step(runtime, job.organization_id, UUID(job.key))


async def _run_delete_import_job(runtime: Runtime, job: jobs.Job) -> None:
    await pending_imports.delete_import(runtime, job.organization_id, job.key)


TASKS: dict[str, Callable[[Runtime, jobs.Job], Awaitable[datetime | None]]] = {
    execution.SEARCH_JOB: _run_search_job,
    lifecycle.VERIFY_JOB: _run_verification_job,
    pending_imports.FORGET_JOB: _run_delete_import_job,
}
"""Each kind of job, and the one call that does it; one that can't be done yet gives the instant at which to try again."""


async def run_worker(runtime: Runtime) -> None:
    """Work until cancelled; jobs under way are then given back."""
    worker = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
    _log.info("working", worker=worker, concurrency=runtime.settings.worker_concurrency)
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_sweep_loop(runtime))
            tasks.create_task(_work_loop(runtime, worker))
            tasks.create_task(_renewal_loop(runtime))
            tasks.create_task(_combined_index_loop(runtime))
    finally:
        with suppress(BonafideError):  # the database is away: their leases run out
            async with runtime.store.write() as connection:
                await jobs.release_all(connection, worker, runtime.clock())


async def _work_loop(runtime: Runtime, worker: str) -> None:
    """Claim a job whenever there is room for one more."""
    room = asyncio.Semaphore(runtime.settings.worker_concurrency)
    async with asyncio.TaskGroup() as under_way:
        while True:
            await room.acquire()
            try:
                job = await _claim_shielded(runtime, worker)
            except BonafideError as error:
                _log.warning("the worker can't reach the database", problem=error.message)
                job = None
            if job is None:
                room.release()
                await asyncio.sleep(POLL_S)
                continue
            under_way.create_task(_run_job_or_log(runtime, job)).add_done_callback(lambda _: room.release())


async def _run_job_or_log(runtime: Runtime, job: jobs.Job) -> None:
    with bind_log(job):
        try:
            await _run_job(runtime, job)
        except BonafideError as error:
            # Whether it was done is not written down: it is taken up again when its lease runs out.
            _log.warning("the worker can't reach the database", problem=error.message)


async def work_once(runtime: Runtime, worker: str) -> bool:
    """Take one job and do it, for whoever decides when; False when none is due. Raises `ServerBusy` when the database is away."""
    job = await _claim_job(runtime, worker)
    if job is None:
        return False
    with bind_log(job):
        await _run_job(runtime, job)
    return True


async def _claim_shielded(runtime: Runtime, worker: str) -> jobs.Job | None:
    """Claim a job; a claim under way is finished before this is cancelled, for nobody can give back what may yet be claimed."""
    claiming = asyncio.create_task(_claim_job(runtime, worker))
    try:
        return await asyncio.shield(claiming)
    except asyncio.CancelledError:
        with suppress(BonafideError):
            await claiming
        raise


async def _claim_job(runtime: Runtime, worker: str) -> jobs.Job | None:
    async with runtime.store.write() as connection:
        return await jobs.claim(connection, worker, runtime.clock(), LEASE, TASKS)


async def _run_job(runtime: Runtime, job: jobs.Job) -> None:
    renewal = asyncio.create_task(_heartbeat_loop(runtime, job))
    try:
        with record_attempt(runtime, job) as attempt:
            attempt.outcome = await _run_attempt(runtime, job)
    finally:
        renewal.cancel()


async def _run_attempt(runtime: Runtime, job: jobs.Job) -> JobOutcome:
    try:
        again_at = await TASKS[job.kind](runtime, job)
    except Exception as error:  # noqa: BLE001 - one bad job must not stop the worker; the log has the traceback
        _log.exception("job failed")
        async with runtime.store.write() as connection:
            state = await jobs.fail(connection, job, runtime.clock(), type(error).__name__)
        return JobOutcome.DEAD if state is JobState.DEAD else JobOutcome.FAILED
    async with runtime.store.write() as connection:
        if again_at is None:
            await jobs.complete(connection, job, runtime.clock())
            return JobOutcome.DONE
        await jobs.defer(connection, job, again_at)
        return JobOutcome.AGAIN


async def _heartbeat_loop(runtime: Runtime, job: jobs.Job) -> None:
    while True:
        await asyncio.sleep(RENEW_EVERY_S)
        with suppress(BonafideError):  # the database is away: the next beat tries again, and the lease outlasts two
            async with runtime.store.write() as connection:
                await jobs.heartbeat(connection, job, runtime.clock(), LEASE)


async def _renewal_loop(runtime: Runtime) -> None:
    while True:
        if runtime.settings.renew is not RenewalMode.OFF:
            await renew_once(runtime)
        await asyncio.sleep(LOOK_EVERY_S)


async def renew_once(runtime: Runtime) -> None:
    """Renew every source that is due, of several publishers at once, of one publisher one after another."""
    for world in runtime.fetchers:
        with suppress(BonafideError):  # the database is away: then nothing is renewed that another machine may have
            await import_remote_attempts(runtime, world)
    due = [(world, source) for world in runtime.fetchers for source in await asyncio.to_thread(find_due_sources, runtime, world)]
    turns = asyncio.Semaphore(MAX_RENEWALS)
    await asyncio.gather(*(_renew_one(runtime, world, source, turns) for world, source in due))


async def _combined_index_loop(runtime: Runtime) -> None:
    """Make joint indexes when their sources have stayed as they are for a while: they are mostly renewed one after another."""
    seen: dict[World, dict[str, dict[str, str]]] = {}
    failed: dict[World, dict[str, dict[str, str]]] = {}
    while True:
        for world in runtime.joints:
            wanted = await asyncio.to_thread(find_outdated_indexes, runtime, world)
            if wanted and wanted == seen.get(world) and wanted != failed.get(world):
                try:
                    await update_combined_indexes(runtime, world)
                except ServerBusy as error:
                    _log.warning("no joint index yet", world=world, problem=error.message)
                except Exception:  # noqa: BLE001 - it only makes searches quicker; until a source changes the same would fail again
                    _log.exception("no joint index", world=world)
                    failed[world] = wanted
            seen[world] = wanted
        await asyncio.sleep(LOOK_EVERY_S)


async def _renew_one(runtime: Runtime, world: World, source: Source, turns: asyncio.Semaphore) -> None:
    async with turns:
        with runtime.tracer.begin("load", {"bonafide.source": source.key, "bonafide.world": world.value}):
            await _renew_or_log(runtime, world, source)


async def _renew_or_log(runtime: Runtime, world: World, source: Source) -> None:
    with bound_contextvars(source=source.key, world=world.value):
        try:
            is_renewed = await renew_source(runtime, world, source)
        except BonafideError as error:
            # It is written down beside the source, tried again later, and the last good data serves on.
            _log.warning("not renewed", problem=error.message)
            runtime.metrics.count_renewal(source.key, "failed")
        except OSError:
            _log.exception("not renewed")
            runtime.metrics.count_renewal(source.key, "failed")
        else:
            if is_renewed:
                runtime.metrics.count_renewal(source.key, "renewed")


async def _sweep_loop(runtime: Runtime) -> None:
    while True:
        try:
            await sweep(runtime)
        except BonafideError as error:
            _log.warning("the worker can't reach the database", problem=error.message)
        await asyncio.sleep(SWEEP_EVERY_S)


async def sweep(runtime: Runtime) -> None:
    """End overdue searches and verifications, bury jobs whose last lease ran out, forget what is old."""
    expired = await execution.expire_overdue(runtime)
    failed = await lifecycle.fail_overdue(runtime)
    now = runtime.clock()
    async with runtime.store.write() as connection:
        buried = await jobs.dead_letter_exhausted(connection, now)
        await jobs.purge_finished(connection, now - KEEP_FINISHED)
        await registry_lookup_locks.purge_expired(connection, now - KEEP_LOOKUP_LOCKS)
        await idempotency.purge_expired(connection, now)
        await rate_windows.purge_expired(connection, now.timestamp(), runtime.settings.rate_limit_window_s)
        await sign_in.purge_expired_sign_ins(connection, now)
    for job in buried:
        runtime.metrics.observe_job(job.kind if job.kind in TASKS else OTHER_JOB_KIND, JobOutcome.DEAD, 0.0)
    if expired or failed or buried:
        _log.warning("swept", expired_searches=expired, failed_verifications=failed, buried_jobs=len(buried))
