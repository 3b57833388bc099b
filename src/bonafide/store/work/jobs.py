"""Jobs: a leased table. A worker claims a job for a while; when it neither finishes nor renews in time, another may claim it.

So a job runs at least once, and may run twice: its task must tolerate that. A job is enqueued in the transaction of the row that it
concerns.

`due_at` is when a worker may next take the job: at first when it should run, then when its lease ends, then when to try again.
Every change by a worker names the worker and the number of the attempt, so that one whose lease ran out can't overwrite what the
next one did.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import ColumnElement, Integer, Row, Select, Update, and_, bindparam, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.change_listener import notify_listeners
from bonafide.store.database.engine import Store, fetch_row, fetch_value
from bonafide.store.database.rows import build_insert
from bonafide.store.database.tables import LIVE_JOB, JobState, jobs

CHANNEL = "bonafide_jobs"
"""Workers listen here for new jobs (`Store.listen`)."""
FIRST_RETRY = timedelta(seconds=2)
LONGEST_RETRY = timedelta(hours=1)
MAX_DOUBLINGS = 16
"""More doublings than from the first delay to the longest."""
_COUNT_LIVE = select(func.count()).select_from(
    select(jobs.c.id)
    .where(jobs.c.organization_id == bindparam("organization"), jobs.c.kind == bindparam("kind"), LIVE_JOB)
    .limit(bindparam("most", type_=Integer()))
    .subquery()
)

_IS_EXHAUSTED = and_(LIVE_JOB, jobs.c.attempts >= jobs.c.max_attempts)
_EXHAUSTED = select(jobs.c.id).where(_IS_EXHAUSTED, jobs.c.due_at <= bindparam("now")).limit(1)
_IS_RUNNABLE = and_(LIVE_JOB, jobs.c.attempts < jobs.c.max_attempts)


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to run from `run_at` on. No two live jobs of an organization have the same kind and key; `payload` is JSON."""

    kind: str
    key: str
    payload: str
    run_at: datetime
    max_attempts: int


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it was when it was read. `attempts` counts the running one; `worker` is the worker that holds it."""

    organization_id: UUID
    id: UUID
    kind: str
    key: str
    payload: str
    state: JobState
    due_at: datetime
    attempts: int
    max_attempts: int
    worker: str | None
    last_error: str | None
    finished_at: datetime | None


async def enqueue(connection: AsyncConnection, organization_id: UUID, job: NewJob) -> UUID | None:
    """Add the job, in the caller's transaction, and return its id; None when such a job is already live."""
    new = build_insert(connection, jobs).values(
        organization_id=organization_id,
        id=uuid4(),
        kind=job.kind,
        key=job.key,
        payload=job.payload,
        state=JobState.QUEUED,
        due_at=job.run_at,
        attempts=0,
        max_attempts=job.max_attempts,
    )
    unless_live = new.on_conflict_do_nothing(index_elements=["organization_id", "kind", "key"], index_where=LIVE_JOB)
    added: UUID | None = (await connection.execute(unless_live.returning(jobs.c.id))).scalar_one_or_none()
    if added is not None:
        await notify_listeners(connection, CHANNEL)
    return added


async def count_live(database: AsyncConnection | Store, organization_id: UUID, kind: str, limit: int) -> int:
    """Count the live jobs of a kind that the organization has, up to a limit that bounds the time it takes."""
    count: int = await fetch_value(database, _COUNT_LIVE, {"organization": organization_id, "kind": kind, "most": limit})
    return count


async def get(connection: AsyncConnection, organization_id: UUID, job_id: UUID) -> Job | None:
    """One job of the organization."""
    mine = select(jobs).where(jobs.c.organization_id == organization_id, jobs.c.id == job_id)
    row = (await connection.execute(mine)).one_or_none()
    return _to_job(row) if row is not None else None


def build_next_due_query(kinds: Collection[str]) -> Select[Any]:
    """Build the statement for `find_next_due`. Build it once: the store keeps what it has compiled."""
    of_kinds = or_(*(jobs.c.kind == kind for kind in sorted(kinds)))
    until = jobs.c.due_at <= bindparam("until")
    return select(jobs.c.due_at).where(_IS_RUNNABLE, until, of_kinds).order_by(jobs.c.due_at, jobs.c.id).limit(1)


async def find_next_due(store: Store, query: Select[Any], until: datetime) -> datetime | None:
    """When the first job of any organization that is due by `until` is due; None without one. Cheaper than a claim in vain."""
    due_at: datetime | None = await fetch_value(store, query, {"until": until})
    return due_at


async def claim(connection: AsyncConnection, worker: str, now: datetime, lease: timedelta, kinds: Collection[str]) -> Job | None:
    """Take the job that has been due longest, of any organization and one of these kinds; None when none is due."""
    # A common table expression that locks is evaluated once; a sub-select with LIMIT in WHERE may be evaluated again and lock more.
    due = (
        select(jobs.c.organization_id, jobs.c.id)
        .where(_IS_RUNNABLE, jobs.c.due_at <= now, jobs.c.kind.in_(kinds))
        .order_by(jobs.c.due_at, jobs.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    claimed = (
        update(jobs)
        .where(jobs.c.organization_id == due.c.organization_id, jobs.c.id == due.c.id)
        .values(state=JobState.RUNNING, worker=worker, due_at=now + lease, attempts=jobs.c.attempts + 1)
        .returning(*jobs.c)
    )
    row = (await connection.execute(claimed)).one_or_none()
    return _to_job(row) if row is not None else None


async def heartbeat(connection: AsyncConnection, job: Job, now: datetime, lease: timedelta) -> bool:
    """Renew the lease; False when the worker does not hold the job any more."""
    return await _update_held(connection, job, due_at=now + lease)


async def complete(connection: AsyncConnection, job: Job, now: datetime) -> bool:
    """Mark the job as done; False when the worker does not hold it any more."""
    return await _update_held(connection, job, state=JobState.DONE, finished_at=now, last_error=None)


async def fail(connection: AsyncConnection, job: Job, now: datetime, error: str, *, retryable: bool = True) -> JobState | None:
    """Record a failed attempt: queue the job again after a delay, or make it a dead letter.

    Returns its new state; None when the worker does not hold it any more.
    """
    if retryable and job.attempts < job.max_attempts:
        retried = await _update_held(
            connection, job, state=JobState.QUEUED, worker=None, due_at=now + compute_retry_delay(job), last_error=error
        )
        return JobState.QUEUED if retried else None
    is_dead = await _update_held(connection, job, state=JobState.DEAD, finished_at=now, last_error=error)
    return JobState.DEAD if is_dead else None


async def release_all(connection: AsyncConnection, worker: str, now: datetime) -> int:
    """Release the running jobs of a worker that stops; their attempts do not count. Returns how many."""
    return (await connection.execute(build_release_statement(now).where(jobs.c.worker == worker))).rowcount


def build_release_statement(now: datetime) -> Update:
    """Build the statement that releases all running jobs: after a restore no worker holds any."""
    return (
        update(jobs)
        .where(jobs.c.state == JobState.RUNNING)
        .values(state=JobState.QUEUED, worker=None, due_at=now, attempts=jobs.c.attempts - 1)
    )


async def defer(connection: AsyncConnection, job: Job, until: datetime) -> bool:
    """Defer a job that can't be completed yet; the attempt does not count. False when the worker does not hold it any more."""
    return await _update_held(connection, job, state=JobState.QUEUED, worker=None, due_at=until, attempts=job.attempts - 1)


async def is_any_exhausted(store: Store, now: datetime) -> bool:
    """Whether `dead_letter_exhausted` has anything to do; a cheap read that saves a write in vain."""
    return await fetch_row(store, _EXHAUSTED, {"now": now}) is not None


async def dead_letter_exhausted(connection: AsyncConnection, now: datetime) -> list[Job]:
    """Make dead letters of the jobs whose last lease expired: they may be what kills workers. Returns them."""
    exhausted = (
        update(jobs)
        .where(_IS_EXHAUSTED, jobs.c.due_at <= now)
        .values(state=JobState.DEAD, finished_at=now, last_error="the worker stopped in the middle of the last attempt")
        .returning(*jobs.c)
    )
    return [_to_job(row) for row in await connection.execute(exhausted)]


@dataclass(frozen=True, slots=True)
class JobQueueStatus:
    """The queue of all organizations: jobs by kind and live state, the age of the oldest, recent dead letters."""

    counts: dict[tuple[str, JobState], int]
    due_since: datetime | None
    dead: int


async def get_queue_status(connection: AsyncConnection, now: datetime, dead_since: datetime) -> JobQueueStatus:
    """Return the status of the queue for the operator, of all organizations."""
    counted = select(jobs.c.kind, jobs.c.state, func.count()).where(LIVE_JOB).group_by(jobs.c.kind, jobs.c.state)
    counts = {(kind, state): count for kind, state, count in await connection.execute(counted)}
    oldest = select(func.min(jobs.c.due_at)).where(LIVE_JOB, jobs.c.due_at <= now)
    died = select(func.count()).where(jobs.c.finished_at >= dead_since, jobs.c.state == JobState.DEAD)
    due_since: datetime | None = (await connection.execute(oldest)).scalar_one()
    return JobQueueStatus(counts, due_since, (await connection.execute(died)).scalar_one())


async def purge_finished(connection: AsyncConnection, before: datetime) -> int:
    """Delete jobs of all organizations that were finished before then; returns how many."""
    return (await connection.execute(delete(jobs).where(jobs.c.finished_at < before))).rowcount


def compute_retry_delay(job: Job) -> timedelta:
    """Compute the delay after a failed attempt: it doubles, less up to a quarter so that jobs that failed together spread.

    The quarter follows from the job's id rather than from a random number, so that it is predictable.
    """
    doubled = FIRST_RETRY * (1 << min(job.attempts - 1, MAX_DOUBLINGS))
    return min(doubled, LONGEST_RETRY) * (1 - job.id.int % 1000 / 4000)


async def _update_held(connection: AsyncConnection, job: Job, **values: Any) -> bool:
    changed = await connection.execute(update(jobs).where(_is_held(job)).values(**values))
    return changed.rowcount == 1


def _is_held(job: Job) -> ColumnElement[bool]:
    return and_(
        jobs.c.organization_id == job.organization_id,
        jobs.c.id == job.id,
        jobs.c.state == JobState.RUNNING,
        jobs.c.worker == job.worker,
        jobs.c.attempts == job.attempts,
    )


def _to_job(row: Row[Any]) -> Job:
    return Job(**row._mapping)  # noqa: SLF001 - how SQLAlchemy publishes a row's names
