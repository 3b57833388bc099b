"""A pack is offered whole or not at all, wherever a worker is killed, and its files disappear in the end."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from uuid import UUID

import pytest

from bonafide.app.worker import LEASE, TASKS, sweep, work_once
from bonafide.errors import Conflict, ServerBusy
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal
from bonafide.model.packs.pack import PackRequest, PackStatus
from bonafide.runtime import Runtime
from bonafide.services.packs.building import build_pack
from bonafide.services.packs.completion import expire_packs
from bonafide.services.packs.pack_files import PACKS
from bonafide.services.packs.requests import MAX_ATTEMPTS, read_pack
from bonafide.services.packs.verification import verify_pack
from bonafide.services.retention.file_removal import REPEAT_AFTER, remove_files
from bonafide.store.blobs.file_store import FileStore, StoredFile
from bonafide.store.work import jobs
from tests.support.services.packs import ask_for_pack, download, make_pack
from tests.support.services.retention import set_policy
from tests.support.services.runtimes import clock_of
from tests.support.store.interrupted_store import InterruptedStore, Killed

pytestmark = pytest.mark.anyio


class WatchedFiles(FileStore):
    """Files that do something before each one is stored."""

    def __init__(self, files: FileStore, before: Callable[[int], Awaitable[None]]) -> None:
        super().__init__(files._storage)
        self._before = before
        self._count = 0

    async def put(self, organization_id: UUID, name: str, content: bytes, content_type: str) -> StoredFile:
        self._count += 1
        await self._before(self._count)
        return await super().put(organization_id, name, content, content_type)


@pytest.fixture
async def interrupted(database_url: str) -> AsyncIterator[InterruptedStore]:
    store = InterruptedStore.on(database_url)
    yield store
    await store.close()


@pytest.fixture
def period(runtime: Runtime) -> PackRequest:
    now = clock_of(runtime).now
    return PackRequest(from_=now - timedelta(days=1), to=now + timedelta(days=1))


async def list_stored(runtime: Runtime) -> list[str]:
    return sorted([name async for _, name in runtime.files.list_all() if name.startswith(f"{PACKS}/")])


async def tidy_up(runtime: Runtime) -> None:
    """Delete what is to be deleted, the second time too."""
    await remove_files(runtime)
    clock_of(runtime).now += REPEAT_AFTER
    await remove_files(runtime)


async def test_a_worker_makes_the_pack_that_was_requested(runtime: Runtime, north: Principal, period: PackRequest) -> None:
    pack_id = await ask_for_pack(runtime, north, period)
    with pytest.raises(Conflict):
        await download(runtime, north, pack_id)
    assert await work_once(runtime, "worker")
    assert verify_pack(BytesIO(await download(runtime, north, pack_id))).is_intact
    before = await read_pack(runtime, north.organization_id, pack_id)
    await build_pack(runtime, north.organization_id, pack_id, is_last_attempt=False)
    after = await read_pack(runtime, north.organization_id, pack_id)
    assert (after.sha256, after.ready_at) == (before.sha256, before.ready_at)


@pytest.mark.parametrize("commits", [1, 2])
async def test_a_pack_whose_worker_was_killed_after_a_commit_is_made_once(
    runtime: Runtime, north: Principal, period: PackRequest, interrupted: InterruptedStore, commits: int
) -> None:
    pack_id = await ask_for_pack(runtime, north, period)
    interrupted.kill_after(commits)
    with pytest.raises(Killed):
        await build_pack(replace(runtime, store=interrupted), north.organization_id, pack_id, is_last_attempt=False)
    status = (await read_pack(runtime, north.organization_id, pack_id)).status
    assert status is (PackStatus.BUILDING if commits == 1 else PackStatus.READY)
    await build_pack(runtime, north.organization_id, pack_id, is_last_attempt=False)
    assert verify_pack(BytesIO(await download(runtime, north, pack_id))).is_intact
    await tidy_up(runtime)
    assert len(await list_stored(runtime)) == 2


@pytest.mark.slow
@pytest.mark.parametrize("file", [1, 2])
async def test_a_pack_whose_worker_was_killed_while_it_stored_files_leaves_none_of_them(
    runtime: Runtime, north: Principal, period: PackRequest, file: int
) -> None:
    async def die(count: int) -> None:
        if count == file:
            raise Killed

    pack_id = await ask_for_pack(runtime, north, period)
    dying = replace(runtime, files=WatchedFiles(runtime.files, die))
    with pytest.raises(Killed):
        await build_pack(dying, north.organization_id, pack_id, is_last_attempt=False)
    with pytest.raises(Conflict):
        await download(runtime, north, pack_id)
    await build_pack(runtime, north.organization_id, pack_id, is_last_attempt=False)
    await tidy_up(runtime)
    assert len(await list_stored(runtime)) == 2
    assert verify_pack(BytesIO(await download(runtime, north, pack_id))).is_intact


@pytest.mark.slow
async def test_an_attempt_that_was_overtaken_changes_nothing(runtime: Runtime, north: Principal, period: PackRequest) -> None:
    pack_id = await ask_for_pack(runtime, north, period)

    async def overtake(count: int) -> None:
        if count == 1:
            await build_pack(runtime, north.organization_id, pack_id, is_last_attempt=False)

    slow = replace(runtime, files=WatchedFiles(runtime.files, overtake))
    await build_pack(slow, north.organization_id, pack_id, is_last_attempt=False)
    await tidy_up(runtime)
    assert len(await list_stored(runtime)) == 2
    assert verify_pack(BytesIO(await download(runtime, north, pack_id))).is_intact


@pytest.mark.slow
async def test_a_pack_that_can_not_be_made_fails_with_its_last_attempt(
    runtime: Runtime, north: Principal, period: PackRequest
) -> None:
    async def refuse(_count: int) -> None:
        raise ServerBusy(Message("The file storage is unavailable. Try again shortly."))

    broken = replace(runtime, files=WatchedFiles(runtime.files, refuse))
    pack_id = await ask_for_pack(runtime, north, period)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert (await read_pack(runtime, north.organization_id, pack_id)).status in {PackStatus.QUEUED, PackStatus.BUILDING}
        clock_of(runtime).now += timedelta(hours=attempt)
        assert await work_once(broken, "worker")
    failed = await read_pack(runtime, north.organization_id, pack_id)
    assert (failed.status, failed.zip) == (PackStatus.FAILED, None)
    assert failed.problem is not None


@pytest.mark.slow
async def test_a_pack_that_kills_its_workers_fails(runtime: Runtime, north: Principal, period: PackRequest) -> None:
    pack_id = await ask_for_pack(runtime, north, period)
    for _ in range(MAX_ATTEMPTS):
        async with runtime.store.write() as connection:
            assert await jobs.claim(connection, "worker", runtime.clock(), LEASE, TASKS) is not None
        clock_of(runtime).now += LEASE
    await sweep(runtime)
    assert (await read_pack(runtime, north.organization_id, pack_id)).status is PackStatus.FAILED


@pytest.mark.slow
@pytest.mark.parametrize(("reports", "days"), [(None, 30), (3, 3), (900, 30)])
async def test_the_files_are_deleted_when_their_time_is_over(
    runtime: Runtime, north: Principal, period: PackRequest, reports: int | None, days: int
) -> None:
    await set_policy(runtime, north.organization_id, reports=reports)
    pack = await make_pack(runtime, north, period)
    assert pack.ready_at is not None
    assert pack.expires_at == pack.ready_at + timedelta(days=days)
    assert await expire_packs(runtime) == 0
    clock_of(runtime).now = pack.expires_at
    assert await expire_packs(runtime) == 1
    with pytest.raises(Conflict):
        await download(runtime, north, pack.id)
    await tidy_up(runtime)
    assert await list_stored(runtime) == []
    assert (await read_pack(runtime, north.organization_id, pack.id)).status is PackStatus.EXPIRED


@pytest.mark.slow
async def test_a_legal_hold_keeps_the_files(runtime: Runtime, north: Principal, period: PackRequest) -> None:
    pack = await make_pack(runtime, north, period)
    await set_policy(runtime, north.organization_id, hold=True)
    clock_of(runtime).now += timedelta(days=31)
    assert await expire_packs(runtime) == 0
    assert verify_pack(BytesIO(await download(runtime, north, pack.id))).is_intact
    await set_policy(runtime, north.organization_id)
    clock_of(runtime).now += timedelta(days=2)
    assert await expire_packs(runtime) == 1
