import asyncio
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Unpack
from uuid import UUID, uuid4

import pytest

from bonafide.store.database.engine import Store
from bonafide.store.database.tables import JobState
from bonafide.store.records import searches
from bonafide.store.work import jobs
from bonafide.store.work.jobs import FIRST_RETRY, LONGEST_RETRY, Job
from tests.support.store.rows import MINUTE, NOW, SECOND, JobChanges, new_job, new_search
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio

LEASE = 10 * SECOND
LATER = NOW + timedelta(hours=1)
CLAIM_AND_DIE = """
import asyncio, os, sys
from datetime import datetime, timedelta
from bonafide.store.database.engine import Store
from bonafide.store.work import jobs

async def main():
    store = Store.open(sys.argv[1])
    async with store.write() as connection:
        job = await jobs.claim(connection, "killed", datetime.fromisoformat(sys.argv[2]), timedelta(seconds=10), ["search"])
    print(job.id, flush=True)
    os.kill(os.getpid(), 9)

asyncio.run(main())
"""


async def _enqueue(store: Store, organization_id: UUID, **changes: Unpack[JobChanges]) -> UUID | None:
    async with store.write() as connection:
        return await jobs.enqueue(connection, organization_id, new_job(**changes))


async def _claim(store: Store, worker: str = "first", now: datetime = NOW, kinds: tuple[str, ...] = ("search",)) -> Job | None:
    async with store.write() as connection:
        return await jobs.claim(connection, worker, now, LEASE, kinds)


async def _claimed(store: Store, worker: str = "first", now: datetime = NOW) -> Job:
    job = await _claim(store, worker, now)
    assert job is not None
    return job


async def _read(store: Store, job: Job) -> Job:
    async with store.read() as connection:
        found = await jobs.get(connection, job.organization_id, job.id)
    assert found is not None
    return found


# ------------------------------------------------------------------------------------------------------------ enqueue


async def test_a_job_that_is_to_be_done_is_not_added_twice(store: Store, north: UUID, south: UUID) -> None:
    assert await _enqueue(store, north) is not None
    assert await _enqueue(store, north) is None
    assert await _enqueue(store, north, key="two") is not None
    assert await _enqueue(store, north, kind="refresh") is not None
    assert await _enqueue(store, south) is not None


async def test_live_jobs_of_a_kind_are_counted_up_to_a_limit(store: Store, north: UUID, south: UUID) -> None:
    for key in ("one", "two", "three"):
        await _enqueue(store, north, key=key)
    await _enqueue(store, north, kind="refresh")
    await _enqueue(store, south)
    assert [await jobs.count_live(store, north, "search", most) for most in (2, 10)] == [2, 3]
    assert await jobs.count_live(store, south, "search", 10) == 1
    assert await jobs.count_live(store, uuid4(), "search", 10) == 0


async def test_the_next_due_instant_is_that_of_the_first_job_a_worker_may_claim(store: Store, north: UUID) -> None:
    query = jobs.build_next_due_query({"search", "verify"})
    assert await jobs.find_next_due(store, query, LATER) is None
    await _enqueue(store, north, key="other", kind="another")
    assert await jobs.find_next_due(store, query, LATER) is None
    await _enqueue(store, north, run_at=NOW + MINUTE)
    assert await jobs.find_next_due(store, query, NOW) is None
    assert await jobs.find_next_due(store, query, LATER) == NOW + MINUTE
    job = await _claimed(store, now=NOW + MINUTE)
    assert await jobs.find_next_due(store, query, LATER) == NOW + MINUTE + LEASE
    async with store.write() as connection:
        await jobs.complete(connection, job, NOW + MINUTE)
    assert await jobs.find_next_due(store, query, LATER) is None


async def test_a_job_without_attempts_left_is_exhausted_when_its_lease_ends(store: Store, north: UUID) -> None:
    await _enqueue(store, north, max_attempts=1)
    await _claimed(store)
    assert not await jobs.is_any_exhausted(store, NOW)
    assert await jobs.is_any_exhausted(store, NOW + LEASE)
    assert await jobs.find_next_due(store, jobs.build_next_due_query({"search"}), LATER) is None


async def test_a_running_job_is_to_be_done_and_a_finished_one_is_not(store: Store, north: UUID) -> None:
    await _enqueue(store, north)
    job = await _claimed(store)
    assert await _enqueue(store, north) is None
    async with store.write() as connection:
        assert await jobs.complete(connection, job, NOW)
    assert await _enqueue(store, north) is not None


async def test_of_eight_at_once_one_is_added(store: Store, north: UUID) -> None:
    added = await asyncio.gather(*(_enqueue(store, north) for _ in range(8)))
    assert sum(job_id is not None for job_id in added) == 1


async def test_a_job_comes_and_goes_with_the_row_it_concerns(store: Store, north: UUID) -> None:
    search = new_search()

    async def insert_enqueue_and_fail() -> None:
        async with store.write() as connection:
            await searches.insert_loading(connection, north, search)
            assert await jobs.enqueue(connection, north, new_job(key=str(search.id))) is not None
            raise LookupError

    with pytest.raises(LookupError):
        await insert_enqueue_and_fail()
    assert await _claim(store) is None


# ------------------------------------------------------------------------------------------------------------ claim


async def test_a_claimed_job_is_the_worker_s_until_its_lease_ends(store: Store, north: UUID) -> None:
    job_id = await _enqueue(store, north, payload='{"é": 1}')
    job = await _claimed(store)
    assert job == Job(
        organization_id=north,
        id=job_id or uuid4(),
        kind="search",
        key="one",
        payload='{"é": 1}',
        state=JobState.RUNNING,
        due_at=NOW + LEASE,
        attempts=1,
        max_attempts=3,
        worker="first",
        last_error=None,
        finished_at=None,
    )
    assert await _claim(store, "second", NOW + LEASE - SECOND) is None
    assert await _claimed(store, "second", NOW + LEASE) == replace(job, worker="second", attempts=2, due_at=NOW + 2 * LEASE)


async def test_what_is_due_longest_comes_first_and_what_is_not_due_does_not(store: Store, north: UUID) -> None:
    for key, after in (("third", 2), ("first", 0), ("second", 1), ("tomorrow", 86_400)):
        await _enqueue(store, north, key=key, run_at=NOW + after * SECOND)
    keys = []
    while (job := await _claim(store, now=NOW + 2 * SECOND)) is not None:
        keys.append(job.key)
    assert keys == ["first", "second", "third"]


async def test_a_worker_gets_only_the_kinds_it_knows(store: Store, north: UUID) -> None:
    await _enqueue(store, north, kind="refresh")
    assert await _claim(store, kinds=("search", "verify")) is None
    assert await _claim(store, kinds=()) is None
    assert await _claim(store, kinds=("search", "refresh")) is not None


async def test_no_two_workers_ever_get_the_same_job(store: Store, north: UUID, south: UUID) -> None:
    for number in range(30):
        await _enqueue(store, (north, south)[number % 2], key=str(number))

    async def work(worker: str) -> list[UUID]:
        mine = []
        while (job := await _claim(store, worker)) is not None:
            mine.append(job.id)
        return mine

    claimed = [job_id for mine in await asyncio.gather(*(work(f"worker {number}") for number in range(4))) for job_id in mine]
    assert (len(claimed), len(set(claimed))) == (30, 30)


async def test_a_claim_does_not_wait_for_another_that_is_open(store: Store, north: UUID) -> None:
    await _enqueue(store, north, key="one")
    await _enqueue(store, north, key="two", run_at=NOW - SECOND)
    async with store.write() as connection:
        if connection.dialect.name == "sqlite":
            pytest.skip("SQLite has one writer at a time")
        first = await jobs.claim(connection, "first", NOW, LEASE, ["search"])
        async with asyncio.timeout(TIMEOUT_S):
            second = await _claim(store, "second")
    assert first is not None
    assert second is not None
    assert (first.key, second.key) == ("two", "one")


@pytest.mark.slow
async def test_the_job_of_a_killed_process_is_taken_up_again(store: Store, database_url: str, north: UUID) -> None:
    job_id = await _enqueue(store, north)
    command = [sys.executable, "-c", CLAIM_AND_DIE, database_url, NOW.isoformat()]
    killed = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert (killed.returncode, killed.stdout.strip()) == (-9, str(job_id))
    assert await _claim(store, "second") is None
    assert (await _claimed(store, "second", NOW + LEASE)).id == job_id


# ------------------------------------------------------------------------------------------------------------ outcomes


async def test_a_heartbeat_renews_the_lease(store: Store, north: UUID) -> None:
    await _enqueue(store, north)
    job = await _claimed(store)
    async with store.write() as connection:
        assert await jobs.heartbeat(connection, job, NOW + 9 * SECOND, LEASE)
    assert await _claim(store, "second", NOW + LEASE) is None
    assert await _claim(store, "second", NOW + 9 * SECOND + LEASE) is not None


async def test_a_completed_job_is_done(store: Store, north: UUID) -> None:
    await _enqueue(store, north)
    job = await _claimed(store)
    async with store.write() as connection:
        assert await jobs.complete(connection, job, NOW + SECOND)
        assert not await jobs.complete(connection, job, NOW + SECOND)
    done = await _read(store, job)
    assert (done.state, done.finished_at, done.worker) == (JobState.DONE, NOW + SECOND, "first")
    assert await _claim(store, now=NOW + 60 * MINUTE) is None


async def test_a_failed_job_is_tried_again_after_a_pause_until_it_is_buried(store: Store, north: UUID) -> None:
    await _enqueue(store, north)
    now, states = NOW, []
    for attempt in (1, 2, 3):
        job = await _claimed(store, now=now)
        assert job.attempts == attempt
        async with store.write() as connection:
            states.append(await jobs.fail(connection, job, now, f"failure {attempt}"))
        left = await _read(store, job)
        assert left.last_error == f"failure {attempt}"
        if left.state is JobState.QUEUED:
            assert await _claim(store, now=left.due_at - timedelta(microseconds=1)) is None
            now = left.due_at
    assert states == [JobState.QUEUED, JobState.QUEUED, JobState.DEAD]
    assert (left.finished_at, left.worker) == (now, "first")
    assert await _claim(store, now=now + 60 * MINUTE) is None
    assert await _enqueue(store, north) is not None


async def test_a_failure_that_would_repeat_is_buried_at_once(store: Store, north: UUID) -> None:
    await _enqueue(store, north)
    async with store.write() as connection:
        job = await jobs.claim(connection, "first", NOW, LEASE, ["search"])
        assert job is not None
        assert await jobs.fail(connection, job, NOW, "no such thing", retryable=False) is JobState.DEAD


async def test_jobs_given_back_are_due_at_once_and_have_lost_no_attempt(store: Store, north: UUID, south: UUID) -> None:
    await _enqueue(store, north)
    await _enqueue(store, south)
    mine = [await _claimed(store), await _claimed(store)]
    async with store.write() as connection:
        assert await jobs.release_all(connection, "first", NOW + SECOND) == 2
    for job in mine:
        given_back = await _read(store, job)
        assert (given_back.state, given_back.worker, given_back.attempts) == (JobState.QUEUED, None, 0)
    assert (await _claimed(store, "second", NOW + SECOND)).attempts == 1


async def test_what_is_done_and_what_others_do_is_not_given_back(store: Store, north: UUID) -> None:
    for key in ("done", "another's"):
        await _enqueue(store, north, key=key)
    done, others = await _claimed(store), await _claimed(store, "second")
    async with store.write() as connection:
        await jobs.complete(connection, done, NOW)
        assert await jobs.release_all(connection, "first", NOW + SECOND) == 0
    assert (await _read(store, done)).state is JobState.DONE
    assert await _read(store, others) == others


async def test_a_worker_that_lost_its_lease_changes_nothing_any_more(store: Store, north: UUID) -> None:
    await _enqueue(store, north)
    late = await _claimed(store)
    # The same name, as after a restart of the process: the number of the attempt still tells them apart.
    current = await _claimed(store, "first", NOW + LEASE)
    async with store.write() as connection:
        assert not await jobs.heartbeat(connection, late, NOW + LEASE, LEASE)
        assert not await jobs.complete(connection, late, NOW + LEASE)
        assert await jobs.fail(connection, late, NOW + LEASE, "late") is None
        assert await jobs.fail(connection, late, NOW + LEASE, "late", retryable=False) is None
    assert await _read(store, current) == current


async def test_a_job_that_kills_every_worker_is_buried(store: Store, north: UUID) -> None:
    await _enqueue(store, north, max_attempts=2)
    await _claimed(store)
    last = await _claimed(store, now=NOW + LEASE)
    assert await _claim(store, now=NOW + 2 * LEASE) is None
    async with store.write() as connection:
        assert await jobs.dead_letter_exhausted(connection, NOW + 2 * LEASE - SECOND) == []
        buried = await jobs.dead_letter_exhausted(connection, NOW + 2 * LEASE)
    assert [(job.id, job.state, job.finished_at) for job in buried] == [(last.id, JobState.DEAD, NOW + 2 * LEASE)]
    assert await _enqueue(store, north) is not None


async def test_finished_jobs_are_purged_and_live_ones_are_not(store: Store, north: UUID) -> None:
    for key in ("done", "running"):
        await _enqueue(store, north, key=key)
    job = await _claimed(store)
    async with store.write() as connection:
        await jobs.complete(connection, job, NOW)
        assert await jobs.purge_finished(connection, NOW) == 0
        assert await jobs.purge_finished(connection, NOW + SECOND) == 1
        assert await jobs.get(connection, north, job.id) is None
    assert await _claim(store) is not None


async def test_south_sees_and_changes_nothing_of_north_s(store: Store, north: UUID, south: UUID) -> None:
    await _enqueue(store, north)
    job = await _claimed(store)
    forged = replace(job, organization_id=south)
    async with store.write() as connection:
        assert await jobs.get(connection, south, job.id) is None
        assert not await jobs.heartbeat(connection, forged, NOW, LEASE)
        assert not await jobs.complete(connection, forged, NOW)
        assert await jobs.fail(connection, forged, NOW, "south's") is None
    assert await _read(store, job) == job


# ------------------------------------------------------------------------------------------------------------ pauses


def _failed(attempts: int, job_id: UUID) -> Job:
    job = new_job()
    return Job(
        organization_id=uuid4(),
        id=job_id,
        kind=job.kind,
        key=job.key,
        payload=job.payload,
        state=JobState.RUNNING,
        due_at=NOW,
        attempts=attempts,
        max_attempts=100,
        worker="first",
        last_error=None,
        finished_at=None,
    )


def test_pauses_double_up_to_the_longest() -> None:
    delays = [jobs.compute_retry_delay(_failed(attempts, UUID(int=0))) for attempts in (1, 2, 3, 4, 12, 13, 99)]
    assert delays == [FIRST_RETRY * factor for factor in (1, 2, 4, 8)] + [LONGEST_RETRY] * 3


def test_jobs_that_failed_together_do_not_all_come_back_together() -> None:
    delays = {jobs.compute_retry_delay(_failed(5, uuid4())) for _ in range(100)}
    assert len(delays) > 50
    assert 0.75 * 16 * FIRST_RETRY <= min(delays) <= max(delays) <= 16 * FIRST_RETRY
