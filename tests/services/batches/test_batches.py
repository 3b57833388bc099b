"""A batch does each row once, states what came of it, and starts after the one before."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from bonafide.app.worker import TASKS, work_once
from bonafide.errors import Conflict, NotFound, ScopeMissing, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import Principal, Scope, World
from bonafide.model.batches.batch import BatchAction, BatchFormat, BatchKind, BatchParameters, BatchStatus
from bonafide.model.events.event import EventType
from bonafide.runtime import Runtime
from bonafide.services.batches import lifecycle
from bonafide.services.batches.lifecycle import DIVIDE_JOB, DIVIDED_AT_ONCE, INTERRUPTED, PARTITION_JOB, expire_batches
from bonafide.services.batches.requests import change_batch, list_batches, read_batch
from bonafide.services.batches.results import list_errors, open_results
from bonafide.services.batches.work import PARTITION_ROWS, divide_batch, run_partition
from bonafide.services.jobs.queue import JobContext
from bonafide.store.batches import batches
from bonafide.store.blobs.file_store import FileStore, StoredFile
from bonafide.store.work.jobs import Job, count_live
from tests.support.services.accounts import with_settings
from tests.support.services.batches import ANALYST, read_results, request_rows, run_rows, work_all
from tests.support.services.events import list_events
from tests.support.services.runtimes import clock_of

pytestmark = pytest.mark.anyio
BAKERY = {"name": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017", "reference": "crm-1"}
LISTED = {"name": "Sandbox Sanctioned Trading"}


async def test_a_search_finds_businesses_of_loaded_registers(runtime: Runtime, north: Principal) -> None:
    rows = [{"name": "Sandbox Bakery", "reference": "a"}, {"name": "Quillwander Zyx Holdings"}, {"name": "", "reference": "c"}]
    batch, results = await run_rows(runtime, north, BatchKind.SEARCH, rows, BatchParameters(limit=2))
    assert (batch.status, batch.rows, batch.done, batch.failed) == (BatchStatus.COMPLETED, 3, 3, 1)
    assert [row["row"] for row in results] == [1, 2, 3]
    first, second, third = results
    assert (first["status"], first["reference"], first["matches"][0]["name"]) == ("match", "a", "Sandbox Bakery Inc.")
    assert first["score"] == first["matches"][0]["score"] >= 0.85
    assert first["matches"][0]["reasons"]
    # Some registers of the sandbox can only be queried live.
    assert (second["status"], second["matches"]) == ("incomplete", [])
    assert second["checked"] > 5
    assert "bc" in second["notChecked"]
    assert (third["status"], third["reference"], third["error"]) == ("error", "c", "name: is required")
    used = {one.source: one for one in batch.coverage}
    assert (used["on"].checked, used["on"].not_checked, used["on"].reason) == (2, 0, None)
    assert (used["bc"].checked, used["bc"].not_checked) == (0, 2)
    assert used["bc"].reason is not None


async def test_a_row_is_compared_with_the_register_it_names(runtime: Runtime, north: Principal) -> None:
    rows = [
        BAKERY,
        BAKERY | {"name": "Northern Lights Plumbing"},
        BAKERY | {"registrationNumber": "7777777"},
        BAKERY | {"jurisdiction": "Atlantis"},
        {"name": "Sandbox Bakery Inc.", "jurisdiction": "ON"},
    ]
    batch, results = await run_rows(runtime, north, BatchKind.VERIFY, rows)
    assert [row["status"] for row in results] == ["verified", "discrepancies", "not_found", "error", "error"]
    assert batch.failed == 2
    assert results[0]["matches"][0]["registrationNumber"] == "1000017"
    checks = {check["field"]: check for check in results[1]["checks"]}
    assert (checks["legalName"]["status"], checks["registrationNumber"]["status"]) == ("mismatched", "matched")
    assert checks["legalName"]["registry"] == "Sandbox Bakery Inc."
    assert results[3]["error"].startswith("jurisdiction: ")
    assert results[4]["error"] == "registrationNumber: is required"


async def test_names_are_screened_against_official_lists(runtime: Runtime, north: Principal) -> None:
    rows = [
        LISTED | {"reference": "=1+1"},
        {"name": "Quillwander Zyx Holdings"},
        LISTED | {"dateOfBirth": "tomorrow"},
        {"name": "Inc."},
    ]
    batch, results = await run_rows(runtime, north, BatchKind.SCREEN, rows)
    assert [row["status"] for row in results] == ["match", "clear", "match", "error"]
    assert results[0]["matches"][0]["source"].startswith("ca-sanctions")
    assert results[1]["checked"] == len(batch.coverage)
    assert "tomorrow" in results[2]["warnings"][0]
    events = [event for event in await list_events(runtime, north.organization_id) if event.type is EventType.BATCH_COMPLETED]
    assert [(event.data["rows"], event.data["failed"]) for event in events] == [(4, 1)]
    assert events[0].subject.id == batch.id


async def test_reasons_are_in_the_language_of_the_request(runtime: Runtime, north: Principal) -> None:
    created = await request_rows(runtime, north, BatchKind.SEARCH, [BAKERY, {"reference": "b"}], language=Language.FRENCH)
    await work_all(runtime)
    found, failed = await read_results(runtime, north, created.id)
    assert any("Nom" in reason or "nom" in reason for reason in found["matches"][0]["reasons"])
    assert failed["error"] != "name: is required"


async def test_rows_with_errors_are_listed_by_page(runtime: Runtime, north: Principal) -> None:
    rows = [{"name": "", "reference": str(number)} if number % 2 else LISTED for number in range(7)]
    batch, _ = await run_rows(runtime, north, BatchKind.SCREEN, rows)
    first = await list_errors(runtime, north, batch.id, 2)
    assert ([error.row for error in first.errors], first.pagination.has_more) == ([2, 4], True)
    assert (first.errors[0].line, first.errors[0].reference) == (2, "1")
    second = await list_errors(runtime, north, batch.id, 2, first.cursor.next)
    assert ([error.row for error in second.errors], second.pagination.has_more) == ([6], False)
    assert not (await list_errors(runtime, north, batch.id, 2, second.cursor.next)).errors
    with pytest.raises(ValidationFailed):
        await list_errors(runtime, north, batch.id, 2, "nonsense")


async def test_another_organization_sees_nothing_of_a_batch(runtime: Runtime, north: Principal, south: Principal) -> None:
    batch, _ = await run_rows(runtime, north, BatchKind.SCREEN, [LISTED])
    assert not (await list_batches(runtime, south.organization_id, 10)).batches
    with pytest.raises(NotFound):
        await read_batch(runtime, south.organization_id, batch.id)
    with pytest.raises(NotFound):
        await open_results(runtime, south, batch.id, BatchFormat.CSV)
    with pytest.raises(NotFound):
        await change_batch(runtime, south, batch.id, BatchAction.CANCEL, ANALYST)


async def test_a_key_needs_the_scope_of_the_kind(runtime: Runtime, north: Principal) -> None:
    limited = Principal(
        **{name: getattr(north, name) for name in Principal.__slots__} | {"scopes": frozenset({Scope.BATCHES_WRITE})}
    )
    with pytest.raises(ScopeMissing):
        await request_rows(runtime, limited, BatchKind.SCREEN, [LISTED])


async def test_a_file_without_rows_fails_the_batch(runtime: Runtime, north: Principal) -> None:
    with pytest.raises(ValidationFailed):
        await request_rows(runtime, north, BatchKind.SCREEN, [])
    with pytest.raises(ValidationFailed, match=r"mapping\.jurisdiction"):
        await request_rows(runtime, north, BatchKind.VERIFY, [LISTED])
    limited = with_settings(runtime, batch_max_rows=1)
    batch, results = await run_rows(limited, north, BatchKind.SCREEN, [LISTED, LISTED])
    assert (batch.status, batch.problem, results) == (BatchStatus.FAILED, "A batch has up to 1 rows. Divide the file.", [])
    (event,) = [one for one in await list_events(runtime, north.organization_id) if one.type is EventType.BATCH_FAILED]
    assert event.data["problem"] == batch.problem


async def test_batches_of_an_organization_run_one_after_the_other(runtime: Runtime, north: Principal) -> None:
    rows = [LISTED] * 501
    first = await request_rows(runtime, north, BatchKind.SCREEN, rows)
    await work_once(runtime, "worker")  # it is divided
    second = await request_rows(runtime, north, BatchKind.SCREEN, [LISTED])
    await divide_batch(runtime, north.organization_id, second.id, World.SANDBOX, is_last_attempt=False)
    assert await states(runtime, north, first.id, second.id) == ["running", "queued"]
    paused = await change_batch(runtime, north, first.id, BatchAction.PAUSE, ANALYST)
    assert paused.status is BatchStatus.PAUSED
    assert await states(runtime, north, first.id, second.id) == ["paused", "running"]
    resumed = await change_batch(runtime, north, first.id, BatchAction.RESUME, ANALYST)
    assert resumed.status is BatchStatus.QUEUED
    await work_all(runtime)
    assert await states(runtime, north, first.id, second.id) == ["completed", "completed"]
    assert [row["row"] for row in await read_results(runtime, north, first.id)] == list(range(1, 502))
    with pytest.raises(Conflict):
        await change_batch(runtime, north, first.id, BatchAction.PAUSE, ANALYST)


async def states(runtime: Runtime, north: Principal, *batch_ids: UUID) -> list[str]:
    return [(await read_batch(runtime, north.organization_id, one)).status.value for one in batch_ids]


async def test_a_cancelled_batch_has_the_rows_that_were_done(runtime: Runtime, north: Principal) -> None:
    created = await request_rows(runtime, north, BatchKind.SCREEN, [LISTED] * 501)
    for _ in range(2):  # divided, and one partition
        await work_once(runtime, "worker")
    with pytest.raises(Conflict):
        await open_results(runtime, north, created.id, BatchFormat.CSV)
    ended = await change_batch(runtime, north, created.id, BatchAction.CANCEL, ANALYST)
    assert (ended.status, ended.done) in {(BatchStatus.CANCELLED, 500), (BatchStatus.CANCELLED, 1)}
    await work_all(runtime)
    assert len(await read_results(runtime, north, created.id)) == ended.done
    assert await change_batch(runtime, north, created.id, BatchAction.CANCEL, ANALYST) == ended


async def test_a_partition_that_two_workers_do_counts_once(runtime: Runtime, north: Principal) -> None:
    created = await request_rows(runtime, north, BatchKind.SCREEN, [LISTED] * 3)
    await work_once(runtime, "worker")
    key = f"{created.id}/1/0"
    for _ in range(2):  # the job of a worker whose lease has run out, and of the next one
        await run_partition(runtime, north.organization_id, key, World.SANDBOX, is_last_attempt=False)
    await work_all(runtime)
    batch = await read_batch(runtime, north.organization_id, created.id)
    assert (batch.status, batch.done) == (BatchStatus.COMPLETED, 3)
    assert {one.checked for one in batch.coverage} == {3}
    assert len(await read_results(runtime, north, batch.id)) == 3
    ends = [one for one in await list_events(runtime, north.organization_id) if one.type is EventType.BATCH_COMPLETED]
    assert len(ends) == 1


async def test_a_job_of_an_earlier_run_does_nothing(runtime: Runtime, north: Principal) -> None:
    created = await request_rows(runtime, north, BatchKind.SCREEN, [LISTED])
    await work_once(runtime, "worker")
    await change_batch(runtime, north, created.id, BatchAction.PAUSE, ANALYST)
    await run_partition(runtime, north.organization_id, f"{created.id}/1/0", World.SANDBOX, is_last_attempt=False)
    assert (await read_batch(runtime, north.organization_id, created.id)).done == 0
    await change_batch(runtime, north, created.id, BatchAction.RESUME, ANALYST)
    await run_partition(runtime, north.organization_id, f"{created.id}/1/0", World.SANDBOX, is_last_attempt=False)
    assert (await read_batch(runtime, north.organization_id, created.id)).done == 0
    await work_all(runtime)
    assert (await read_batch(runtime, north.organization_id, created.id)).done == 1


class FilesWithAction(FileStore):
    """The file storage of a runtime, with something that happens before it stores results."""

    def __init__(self, files: FileStore, action: Callable[[], Awaitable[object]]) -> None:
        self.__dict__.update(vars(files))
        self._action = action

    async def put(self, organization_id: UUID, name: str, content: bytes, content_type: str) -> StoredFile:
        if "/results-" in name:
            await self._action()
        return await super().put(organization_id, name, content, content_type)


@pytest.mark.parametrize("is_begun_again", [False, True])
async def test_a_batch_that_is_resumed_during_a_partition_goes_on(
    runtime: Runtime, north: Principal, monkeypatch: pytest.MonkeyPatch, *, is_begun_again: bool
) -> None:
    monkeypatch.setitem(PARTITION_ROWS, BatchKind.SCREEN, 1)
    limited = with_settings(runtime, batch_parallelism=1)
    created = await request_rows(limited, north, BatchKind.SCREEN, [LISTED] * 4)
    await work_once(limited, "worker")  # it is divided
    resumed, continued = asyncio.Event(), asyncio.Event()

    async def run_first_partition(epoch: int, action: Callable[[], Awaitable[object]]) -> None:
        acting = replace(limited, files=FilesWithAction(limited.files, action))
        await run_partition(acting, north.organization_id, f"{created.id}/{epoch}/0", World.SANDBOX, is_last_attempt=False)

    async def pause_and_resume() -> None:
        for action in (BatchAction.PAUSE, BatchAction.RESUME):
            await change_batch(limited, north, created.id, action, ANALYST)
        resumed.set()
        await continued.wait()

    first = asyncio.create_task(run_first_partition(1, pause_and_resume))
    await resumed.wait()

    async def let_the_first_settle() -> None:
        continued.set()
        await first

    if is_begun_again:  # by the job of the second run, before the first one settles it
        await run_first_partition(2, let_the_first_settle)
    else:
        await let_the_first_settle()
    await work_all(limited)
    batch = await read_batch(limited, north.organization_id, created.id)
    assert (batch.status, batch.done) == (BatchStatus.COMPLETED, 4)


async def test_workers_with_another_parallelism_leave_no_partition(
    runtime: Runtime, north: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PARTITION_ROWS, BatchKind.SCREEN, 1)
    created = await request_rows(runtime, north, BatchKind.SCREEN, [LISTED] * 7)
    await work_once(with_settings(runtime, batch_parallelism=2), "worker")  # it is divided
    await work_all(with_settings(runtime, batch_parallelism=3))
    assert (await read_batch(runtime, north.organization_id, created.id)).status is BatchStatus.COMPLETED


async def test_a_job_that_fails_for_the_last_time_fails_the_batch(
    runtime: Runtime, north: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_runtime: Runtime, _job: Job, _context: JobContext) -> None:
        raise RuntimeError

    monkeypatch.setattr(lifecycle, "MAX_ATTEMPTS", 1)
    monkeypatch.setitem(TASKS, PARTITION_JOB, fail)
    batch, _ = await run_rows(runtime, north, BatchKind.SCREEN, [LISTED])
    assert (batch.status, batch.problem) == (BatchStatus.FAILED, INTERRUPTED)


async def test_a_few_files_of_an_organization_are_read_at_once(runtime: Runtime, north: Principal) -> None:
    made = [(await request_rows(runtime, north, BatchKind.SCREEN, [LISTED])).id for _ in range(4)]
    assert await count_live(runtime.store, north.organization_id, DIVIDE_JOB, 10) == DIVIDED_AT_ONCE
    await change_batch(runtime, north, made[0], BatchAction.CANCEL, ANALYST)
    await work_all(runtime)
    assert await states(runtime, north, *made) == ["cancelled", "completed", "completed", "completed"]


async def test_results_are_deleted_when_their_time_is_over(runtime: Runtime, north: Principal) -> None:
    batch, _ = await run_rows(runtime, north, BatchKind.SCREEN, [LISTED])
    assert batch.results_expire_at is not None
    assert await expire_batches(runtime) == 0
    clock_of(runtime).now = batch.results_expire_at
    assert await expire_batches(runtime) == 1
    with pytest.raises(Conflict):
        await open_results(runtime, north, batch.id, BatchFormat.CSV)
    assert (await read_batch(runtime, north.organization_id, batch.id)).results_expire_at is None


async def test_a_batch_waits_for_nothing_that_does_not_exist(runtime: Runtime, north: Principal) -> None:
    async with runtime.store.write(is_effect=False) as connection:
        assert await batches.find_next(connection, north.organization_id) is None
    await run_partition(runtime, north.organization_id, f"{uuid4()}/1/0", World.SANDBOX, is_last_attempt=True)
