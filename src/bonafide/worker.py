"""The worker: takes jobs from the database and runs each through one service; sweeps what nobody finished.

Any number of workers may run, in any process. A job whose worker died is taken up again when its lease runs out, so what a job does
must bear being done twice.
"""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from uuid import UUID, uuid4

from bonafide.errors import BonafideError
from bonafide.log import get_logger
from bonafide.model.organization import World
from bonafide.runtime import Runtime
from bonafide.services import search
from bonafide.store import idempotency, jobs

LEASE = timedelta(seconds=10)
"""A job whose worker is killed waits this long; a running one renews it in time."""
RENEW_EVERY_S = 3.0
POLL_S = 0.1
SWEEP_EVERY_S = 5.0
KEEP_FINISHED = timedelta(days=7)
_log = get_logger(__name__)


async def _search(runtime: Runtime, job: jobs.Job) -> None:
    await search.finish_queued(runtime, job.organization_id, UUID(job.key), World(job.payload))


TASKS: dict[str, Callable[[Runtime, jobs.Job], Awaitable[None]]] = {search.SEARCH_JOB: _search}
"""Each kind of job, and the one call that does it."""


async def run_worker(runtime: Runtime) -> None:
    """Work until cancelled; a job under way is then given back."""
    worker = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_sweep_for_ever(runtime))
        tasks.create_task(_work_for_ever(runtime, worker))


async def _work_for_ever(runtime: Runtime, worker: str) -> None:
    while True:
        try:
            worked = await work_once(runtime, worker)
        except BonafideError as error:
            _log.warning("the worker can't reach the database", problem=error.message)
            worked = False
        if not worked:
            await asyncio.sleep(POLL_S)


async def work_once(runtime: Runtime, worker: str) -> bool:
    """Take one job and do it; False when none is due. Raises `ServerBusy` when the database is away."""
    async with runtime.store.write() as connection:
        job = await jobs.claim(connection, worker, runtime.clock(), LEASE, TASKS)
    if job is None:
        return False
    renewal = asyncio.create_task(_renew_for_ever(runtime, job))
    try:
        await TASKS[job.kind](runtime, job)
    except asyncio.CancelledError:
        async with runtime.store.write() as connection:
            await jobs.release(connection, job, runtime.clock())
        raise
    except Exception as error:  # noqa: BLE001 - one bad job must not stop the worker; the log has the traceback
        _log.exception("job failed", kind=job.kind, attempt=job.attempts)
        async with runtime.store.write() as connection:
            await jobs.fail(connection, job, runtime.clock(), type(error).__name__)
    else:
        async with runtime.store.write() as connection:
            await jobs.complete(connection, job, runtime.clock())
    finally:
        renewal.cancel()
    return True


async def _renew_for_ever(runtime: Runtime, job: jobs.Job) -> None:
    while True:
        await asyncio.sleep(RENEW_EVERY_S)
        with suppress(BonafideError):  # the database is away: the next beat tries again, and the lease outlasts two
            async with runtime.store.write() as connection:
                await jobs.heartbeat(connection, job, runtime.clock(), LEASE)


async def _sweep_for_ever(runtime: Runtime) -> None:
    while True:
        try:
            await sweep(runtime)
        except BonafideError as error:
            _log.warning("the worker can't reach the database", problem=error.message)
        await asyncio.sleep(SWEEP_EVERY_S)


async def sweep(runtime: Runtime) -> None:
    """End overdue searches, bury jobs whose last lease ran out, forget old jobs and idempotency keys."""
    expired = await search.expire_overdue(runtime)
    now = runtime.clock()
    async with runtime.store.write() as connection:
        buried = await jobs.bury_exhausted(connection, now)
        await jobs.purge_finished(connection, now - KEEP_FINISHED)
        await idempotency.purge_expired(connection, now)
    if expired or buried:
        _log.warning("swept", expired_searches=expired, buried_jobs=len(buried))
