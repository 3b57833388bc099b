"""Every state of a verification and every way from one to another, on both databases."""

import asyncio
from contextlib import suppress
from uuid import UUID, uuid4

import pytest
from starlette.responses import PlainTextResponse

from bonafide.app import worker
from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.verification.results import ResultStatus
from bonafide.runtime import Runtime
from bonafide.services.reports import business_reports
from bonafide.services.verification.lifecycle import VERIFY_JOB, fail_overdue, read_verification
from bonafide.services.verification.verification_job import LOCK_DURATION, POLL_INTERVAL, run_step
from bonafide.sources.framework.live import RegistrationQuery
from bonafide.store.records import registry_lookups
from bonafide.store.work import jobs
from tests.support.services.live_register import KEY, Register, entry
from tests.support.services.loading import put
from tests.support.services.runtimes import ManualClock, principal_of
from tests.support.services.verifications import document, ordered, pending, stands, state, worked, worked_until_over
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
DEADLINE_S = 120
SILENT = PlainTextResponse("", 503)
REFUSING = PlainTextResponse("", 403)


@pytest.fixture
def runtime(asked: Runtime) -> Runtime:
    """A runtime with one live register and nothing loaded."""
    return asked


async def until_asked(register: Register) -> None:
    """Return when the first question has come."""
    async with asyncio.timeout(TIMEOUT_S):
        while not register.asked:  # noqa: ASYNC110 - it keeps a list, and tells nobody
            await asyncio.sleep(0.01)


# ------------------------------------------------------------------------------------------------------------ the states


async def test_a_new_verification_is_pending(asked: Runtime, north: Principal) -> None:
    one = await pending(asked, north)
    assert await stands(asked, north, one) == {
        "pending": True,
        "status": "pending",
        "reportFetchId": str(one),
        "statusUrl": f"/v1/verify/{one}",
    }


async def test_from_pending_to_processing_when_a_worker_takes_it(asked: Runtime, north: Principal, register: Register) -> None:
    register.pause_s = 30
    one = await pending(asked, north)
    working = asyncio.create_task(worker.work_once(asked, "w1"))
    await until_asked(register)
    assert await state(asked, north, one) == "processing"
    working.cancel()
    with suppress(asyncio.CancelledError):
        await working


async def test_from_processing_to_completed_when_the_register_answers(asked: Runtime, north: Principal) -> None:
    one = await pending(asked, north)
    assert await worked(asked) == 1
    answer = await document(asked, north, one)
    assert (answer.meta.verification_id, answer.results.status) == (one, ResultStatus.VERIFIED)
    assert answer.registry_data is not None
    assert answer.registry_data.legal_name == "Cod & Capelin Ltd."


async def test_from_processing_to_waiting_for_registry_when_it_can_not_answer(
    asked: Runtime, north: Principal, register: Register
) -> None:
    register.broken = SILENT
    one = await pending(asked, north)
    await worked(asked)
    assert await state(asked, north, one) == "waiting_for_registry"


async def test_from_waiting_for_registry_over_processing_to_completed_when_it_answers_again(
    asked: Runtime, north: Principal, register: Register, clock: ManualClock
) -> None:
    register.broken = SILENT
    one = await pending(asked, north)
    await worked(asked)
    register.broken = None
    assert await worked(asked) == 0
    clock.advance(seconds=1)
    assert await worked(asked) == 1
    assert await state(asked, north, one) == "completed"


@pytest.mark.slow
async def test_from_waiting_for_registry_to_failed_at_the_deadline(
    asked: Runtime, north: Principal, register: Register, clock: ManualClock
) -> None:
    register.broken = SILENT
    one = await pending(asked, north)
    await worked_until_over(asked, north, [one], clock, step_s=1)
    failed = await stands(asked, north, one)
    assert set(failed) == {"status", "error"}
    assert failed["status"] == "failed"
    assert failed["error"] == (
        "register.example.org returned HTTP 503. The verification was not completed within 120 s. Try again later. "
        "You can search the register yourself: https://register.example.org/search"
    )
    # 1, 2, 4, 8, 16 s and then 30 s: the pauses between questions grow.
    assert 7 <= len(register.asked) <= 9


async def test_from_processing_to_failed_when_the_register_refuses(asked: Runtime, north: Principal, register: Register) -> None:
    register.broken = REFUSING
    one = await pending(asked, north)
    await worked(asked)
    failed = await stands(asked, north, one)
    assert failed == {
        "status": "failed",
        "error": "register.example.org refused the request (HTTP 403). You can search the register yourself: https://register.example.org/search",
    }
    assert len(register.asked) == 1


async def test_from_pending_to_failed_when_nobody_works(asked: Runtime, north: Principal, clock: ManualClock) -> None:
    one = await pending(asked, north)
    clock.advance(seconds=DEADLINE_S - 0.1)
    assert await state(asked, north, one) == "pending"
    clock.advance(seconds=0.1)
    before = await stands(asked, north, one)
    assert before["status"] == "failed"
    assert await fail_overdue(asked) == 1
    assert await fail_overdue(asked) == 0
    assert await stands(asked, north, one) == before
    assert "not completed within 120 s" in before["error"]


async def test_completed_is_the_end(asked: Runtime, north: Principal, register: Register, clock: ManualClock) -> None:
    one = await pending(asked, north)
    await worked(asked)
    first = await read_verification(asked, north.organization_id, one)
    register.names = {}
    assert await run_step(asked, north.organization_id, one) is None
    clock.advance(seconds=2 * DEADLINE_S)
    await worker.sweep(asked)
    assert await read_verification(asked, north.organization_id, one) == first


async def test_failed_is_the_end(asked: Runtime, north: Principal, register: Register) -> None:
    register.broken = REFUSING
    one = await pending(asked, north)
    await worked(asked)
    failed = await stands(asked, north, one)
    register.broken = None
    assert await run_step(asked, north.organization_id, one) is None
    assert await stands(asked, north, one) == failed


async def test_what_is_found_after_the_deadline_comes_too_late(
    asked: Runtime, north: Principal, register: Register, clock: ManualClock
) -> None:
    """A poll has said that it has failed, and no later one may say anything else."""
    one = await pending(asked, north)
    register.pause_s = 0.3
    working = asyncio.create_task(worker.work_once(asked, "w1"))
    await until_asked(register)
    clock.advance(seconds=DEADLINE_S)
    assert await state(asked, north, one) == "failed"
    await working
    assert await state(asked, north, one) == "failed"
    await worker.sweep(asked)
    assert await state(asked, north, one) == "failed"


# ------------------------------------------------------------------------------------------------------------ what it ends as


async def test_a_number_that_the_register_does_not_have_is_completed_as_not_found(asked: Runtime, north: Principal) -> None:
    one = await pending(asked, north, registrationNumber="99999")
    await worked(asked)
    answer = await document(asked, north, one)
    assert (answer.results.status, answer.results.discrepancy_count, answer.registry_data) == (ResultStatus.NOT_FOUND, 1, None)


async def test_a_register_that_no_program_can_ask_is_failed_with_its_page_and_never_not_found(
    asked: Runtime, north: Principal
) -> None:
    one = await pending(asked, north, jurisdiction="NU")
    await worked(asked)
    failed = await stands(asked, north, one)
    assert failed["status"] == "failed"
    assert failed["error"].startswith("The register of Nunavut is unavailable")
    assert failed["error"].count(asked.sources["nu"].metadata.page) == 1


async def test_a_number_that_a_part_of_a_register_lacks_is_failed_and_never_not_found(asked: Runtime) -> None:
    assert asked.sources["mb"].metadata.gaps is not None
    customer = await principal_of(asked, "north", World.LIVE)
    put(asked, "mb", [], customer.world)
    one = await pending(asked, customer, jurisdiction="MB")
    await worked(asked)
    failed = await stands(asked, customer, one)
    assert failed["status"] == "failed"
    assert asked.sources["mb"].metadata.page in failed["error"]


# ------------------------------------------------------------------------------------------------------------ ten callers


@pytest.mark.slow
async def test_ten_callers_cause_one_look_up(asked: Runtime, north: Principal, register: Register, clock: ManualClock) -> None:
    ids = await asyncio.gather(*(pending(asked, north) for _ in range(10)))
    register.pause_s = 0.3
    await asyncio.gather(*(worker.work_once(asked, f"w{number}") for number in range(10)))
    assert [await state(asked, north, one) for one in ids].count("completed") == 1
    await worked_until_over(asked, north, ids, clock)
    assert {(await document(asked, north, one)).results.status for one in ids} == {ResultStatus.VERIFIED}
    assert len(register.asked) == 1


async def test_ten_callers_who_ask_for_fresh_data_cause_one_look_up_too(
    asked: Runtime, north: Principal, register: Register, clock: ManualClock
) -> None:
    ids = [await pending(asked, north, maxAge=0) for _ in range(10)]
    clock.advance(seconds=1)
    await worked_until_over(asked, north, ids, clock)
    assert len(register.asked) == 1
    clock.advance(seconds=1)
    await pending(asked, north, maxAge=0)
    await worked(asked)
    assert len(register.asked) == 2


@pytest.mark.parametrize(("broken", "end"), [(None, "completed"), (REFUSING, "failed")], ids=["missing", "refused"])
async def test_ten_callers_cause_one_look_up_that_brings_nothing(
    asked: Runtime, north: Principal, register: Register, clock: ManualClock, broken: PlainTextResponse | None, end: str
) -> None:
    register.broken = broken
    ids = [await pending(asked, north, registrationNumber="99999") for _ in range(10)]
    clock.advance(seconds=1)
    await worked_until_over(asked, north, ids, clock)
    assert {await state(asked, north, one) for one in ids} == {end}
    assert len(register.asked) == 1


@pytest.mark.slow
async def test_ten_callers_wait_together_for_a_register_that_asks_them_to(
    asked: Runtime, north: Principal, register: Register, clock: ManualClock
) -> None:
    register.broken = SILENT
    ids = [await pending(asked, north) for _ in range(10)]
    await worked(asked)
    assert {await state(asked, north, one) for one in ids} == {"waiting_for_registry"}
    assert len(register.asked) == 1
    await worked_until_over(asked, north, ids, clock, step_s=1)
    assert ["HTTP 503" in (await stands(asked, north, one))["error"] for one in ids] == [True] * 10
    assert len(register.asked) <= 9


async def test_another_organization_asks_for_itself(
    asked: Runtime, north: Principal, south: Principal, register: Register, clock: ManualClock
) -> None:
    mine, theirs = await pending(asked, north), await pending(asked, south)
    await worked(asked)
    assert await state(asked, north, mine) == await state(asked, south, theirs) == "completed"
    assert len(register.asked) == 2
    for one, other in ((mine, south), (theirs, north)):
        with pytest.raises(NotFound):
            await stands(asked, other, one)
        # Nor can another's work touch it.
        assert await run_step(asked, other.organization_id, one) is None
    with pytest.raises(NotFound):
        await stands(asked, north, uuid4())


# ------------------------------------------------------------------------------------------------------------ killed workers


async def claimed_and_killed(runtime: Runtime) -> None:
    """A worker took the job and was never heard of again."""
    async with runtime.store.write() as connection:
        job = await jobs.claim(connection, "killed", runtime.clock(), worker.LEASE, [VERIFY_JOB])
    assert job is not None


async def test_a_killed_worker_s_verification_is_taken_up_by_another(asked: Runtime, north: Principal, clock: ManualClock) -> None:
    one = await pending(asked, north)
    await claimed_and_killed(asked)
    assert await worked(asked, "w2") == 0
    clock.advance(seconds=worker.LEASE.total_seconds())
    assert await worked(asked, "w2") == 1
    assert await state(asked, north, one) == "completed"


async def hold(runtime: Runtime, principal: Principal, verification_id: UUID) -> None:
    """The verification's worker took the turn to ask."""
    now = runtime.clock()
    key = business_reports.ReportSubject(
        principal.organization_id, principal.world, RegistrationQuery(Jurisdiction.NL, "77001")
    ).key
    async with runtime.store.write() as connection:
        assert await registry_lookups.acquire_lock(
            connection, principal.organization_id, key, verification_id, now, now + LOCK_DURATION
        )


async def test_the_successor_of_a_worker_that_was_killed_while_it_asked_does_not_wait(
    asked: Runtime, north: Principal, clock: ManualClock
) -> None:
    one = await pending(asked, north)
    await claimed_and_killed(asked)
    await hold(asked, north, one)
    clock.advance(seconds=worker.LEASE.total_seconds())
    await worked(asked, "w2")
    assert await state(asked, north, one) == "completed"


async def test_those_who_wait_for_a_look_up_that_died_take_it_over(asked: Runtime, north: Principal, clock: ManualClock) -> None:
    gone = uuid4()
    await hold(asked, north, gone)
    one = await pending(asked, north)
    await worked(asked)
    assert await state(asked, north, one) == "processing"
    clock.advance(seconds=(LOCK_DURATION - POLL_INTERVAL).total_seconds())
    await worked(asked)
    assert await state(asked, north, one) == "processing"
    clock.advance(seconds=POLL_INTERVAL.total_seconds())
    await worked(asked)
    assert await state(asked, north, one) == "completed"


async def test_two_workers_on_one_verification_finish_it_once(asked: Runtime, north: Principal, register: Register) -> None:
    one = await pending(asked, north)
    register.pause_s = 0.2
    await asyncio.gather(*(run_step(asked, north.organization_id, one) for _ in range(3)))
    first = await read_verification(asked, north.organization_id, one)
    await worked(asked)
    assert await read_verification(asked, north.organization_id, one) == first


# ------------------------------------------------------------------------------------------------------------ at once


async def test_a_recent_report_is_answered_from_at_once(
    asked: Runtime, north: Principal, south: Principal, register: Register, clock: ManualClock
) -> None:
    await pending(asked, north)
    await worked(asked)
    clock.advance(hours=23)
    answer = await ordered(asked, north, legalName="Cod and Capelin Limited", registrationNumber="No. 77 001")
    assert not answer.pending
    assert await read_verification(asked, north.organization_id, answer.verification_id) == answer.document
    assert len(register.asked) == 1
    assert (await ordered(asked, south)).pending
    assert (await ordered(asked, north, maxAge=1)).pending
    clock.advance(hours=2)
    assert (await ordered(asked, north)).pending
    assert not (await ordered(asked, north, maxAge=48)).pending


async def test_recently_loaded_data_is_answered_from_at_once(
    asked: Runtime, north: Principal, register: Register, clock: ManualClock
) -> None:
    put(asked, KEY, [entry("77001", "Cod & Capelin Limited")], north.world)
    answer = await ordered(asked, north)
    assert not answer.pending
    assert register.asked == []
    # The report that this made is recent for a day more, though the data is not.
    clock.advance(hours=25)
    assert (await ordered(asked, north)).pending


async def test_old_data_of_a_register_that_nobody_can_ask_is_answered_from_at_once_and_tells_its_age(
    asked: Runtime, north: Principal, clock: ManualClock
) -> None:
    there = entry("77001", "Cod & Capelin Limited").model_copy(update={"jurisdiction": Jurisdiction.NB})
    put(asked, "nb", [there], north.world)
    clock.advance(days=400)
    answer = await ordered(asked, north, jurisdiction="NB")
    assert not answer.pending
    found = await document(asked, north, answer.verification_id)
    assert found.registry_data is not None
    assert any("as of 2026-11-20" in note for note in found.registry_data.notes)
