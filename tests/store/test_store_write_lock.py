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
BUSY = """
import asyncio, sys
from pathlib import Path
from bonafide.store.database.write_lock import WriteLock

async def write_all_the_time(lock, counter):
    while True:
        async with lock.hold(3600):
            counter.write(b".")
            counter.flush()
            await asyncio.sleep(0.002)

async def main():
    database = Path(sys.argv[1])
    lock = WriteLock(database)
    with database.with_name("count").open("wb") as counter:
        print("writing", flush=True)
        await asyncio.gather(*(write_all_the_time(lock, counter) for _ in range(5)))

asyncio.run(main())
"""
"""Another process, of which several writers wait at any time. It counts its writes by the size of a file."""
WRITES = 20


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
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", BUSY, str(database), stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"writing\n"
    counter, lock, passed = database.with_name("count"), WriteLock(database), 0
    for _ in range(WRITES):
        before = counter.stat().st_size
        async with lock.hold(TIMEOUT_S):
            passed += counter.stat().st_size - before
        written = counter.stat().st_size
        async with asyncio.timeout(TIMEOUT_S):
            while counter.stat().st_size == written:  # noqa: ASYNC110 - until the other process writes again
                await asyncio.sleep(POLL_S)
    process.kill()
    await process.wait()
    # Without the second lock it is some twenty for each.
    assert passed <= WRITES


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
