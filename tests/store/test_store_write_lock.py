"""The lock of SQLite's writers: one at a time, between processes too, and never left behind."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from bonafide.store.database.write_lock import LOCK_SUFFIX, NEXT_SUFFIX, POLL_S, WriteLock
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
HOLDER = """
import asyncio, sys
from pathlib import Path
from bonafide.store.database.write_lock import WriteLock

async def main():
    async with WriteLock(Path(sys.argv[1])).hold(5):
        print("held", flush=True)
        await asyncio.sleep(3600)

asyncio.run(main())
"""
"""Another process, which holds the lock until it is killed."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "bonafide.sqlite3"


async def write(lock: WriteLock, name: str, done: list[str]) -> None:
    async with lock.hold(TIMEOUT_S):
        done.append(f"{name} begins")
        await asyncio.sleep(0)
        done.append(f"{name} ends")


async def test_writers_of_two_processes_write_one_after_the_other(database: Path) -> None:
    # Two open files exclude each other as two processes do.
    locks, done = [WriteLock(database), WriteLock(database)], list[str]()
    await asyncio.gather(*(write(lock, f"{number}", done) for number, lock in enumerate(locks * 5)))
    assert len(done) == 20
    assert all(begin.split()[0] == end.split()[0] for begin, end in zip(done[::2], done[1::2], strict=True))
    for lock in locks:
        lock.close()


async def test_a_process_that_writes_all_the_time_lets_another_one_write(database: Path) -> None:
    busy, other, done = WriteLock(database), WriteLock(database), list[str]()

    async def write_slowly(number: int) -> None:
        async with busy.hold(TIMEOUT_S):
            done.append(f"{number}")
            await asyncio.sleep(2 * POLL_S)

    writers = [asyncio.create_task(write_slowly(number)) for number in range(40)]
    await asyncio.sleep(0)
    await write(other, "other", done)
    assert len(done) < 10
    await asyncio.gather(*writers)
    assert len(done) == 42


async def test_a_writer_that_waits_too_long_or_is_cancelled_leaves_nothing_behind(database: Path) -> None:
    holder, other, done = WriteLock(database), WriteLock(database), list[str]()
    async with holder.hold(TIMEOUT_S):
        with pytest.raises(TimeoutError):
            async with other.hold(0.01):
                pass
        cancelled = asyncio.create_task(write(other, "cancelled", done))
        await asyncio.sleep(0.01)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
    await write(other, "next", done)
    assert done == ["next begins", "next ends"]


async def test_an_error_of_the_block_releases_the_lock(database: Path) -> None:
    lock, done = WriteLock(database), list[str]()
    with pytest.raises(LookupError):
        async with lock.hold(TIMEOUT_S):
            raise LookupError
    await write(lock, "next", done)
    assert done == ["next begins", "next ends"]


async def test_the_lock_of_a_killed_process_is_released(database: Path) -> None:
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", HOLDER, str(database), stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"held\n"
    lock, done = WriteLock(database), list[str]()
    with pytest.raises(TimeoutError):
        async with lock.hold(0.01):
            pass
    waiting = asyncio.create_task(write(lock, "next", done))
    process.send_signal(signal.SIGKILL)
    await waiting
    await process.wait()
    assert done == ["next begins", "next ends"]


async def test_only_the_owner_may_read_the_files(database: Path) -> None:
    lock = WriteLock(database)
    async with lock.hold(TIMEOUT_S):
        pass
    for suffix in (LOCK_SUFFIX, NEXT_SUFFIX):
        assert database.with_name(database.name + suffix).stat().st_mode & 0o777 == 0o600
    lock.close()


async def test_a_file_that_cannot_be_locked_leaves_the_order_within_the_process(tmp_path: Path) -> None:
    lock, done = WriteLock(tmp_path / "missing" / "bonafide.sqlite3"), list[str]()
    await asyncio.gather(*(write(lock, f"{number}", done) for number in range(3)))
    assert done == [f"{number} {word}" for number in range(3) for word in ("begins", "ends")]
