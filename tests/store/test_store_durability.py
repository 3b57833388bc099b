"""What a commit promises: on SQLite it is on the disk before its caller continues, and PostgreSQL's own settings are not weakened.

`tests/demo/test_power_cut.py` cuts the power of a service.
"""

import asyncio
import os
from pathlib import Path

import pytest
from sqlalchemy import text

from bonafide.errors import ServerBusy
from bonafide.model.accounts.organizations import World
from bonafide.store.database.commit_sync import LOG_SUFFIX, CommitSync, CommitSyncFailed
from bonafide.store.database.engine import Store
from bonafide.store.tenants import organizations
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio
NOW = ManualClock()()
CALLERS = 20


class CountedSync(CommitSync):
    """Counts its write-outs."""

    def __init__(self, database: Path) -> None:
        super().__init__(database)
        self.count = 0

    def _write_out_log(self) -> None:
        self.count += 1
        super()._write_out_log()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The path of a database that has a log."""
    path = tmp_path / "bonafide.sqlite3"
    path.with_name(path.name + LOG_SUFFIX).write_bytes(b"frames")
    return path


async def test_callers_share_write_outs(database: Path) -> None:
    sync = CountedSync(database)
    await asyncio.gather(*(sync.wait() for _ in range(CALLERS)))
    assert sync.count == 1
    for _ in range(3):
        await sync.wait()
    assert sync.count == 4
    await sync.close()


async def test_a_commit_during_a_write_out_waits_for_the_next_one(database: Path) -> None:
    log = database.with_name(database.name + LOG_SUFFIX)
    log.unlink()
    os.mkfifo(log)
    sync = CountedSync(database)
    held = os.open(log, os.O_RDWR | os.O_NONBLOCK)
    try:
        first = asyncio.create_task(sync.wait())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        later = [asyncio.create_task(sync.wait()) for _ in range(CALLERS)]
        # A pipe can't be written out, so that every write-out fails: each caller has the error of its own write-out.
        errors = await asyncio.gather(first, *later, return_exceptions=True)
    finally:
        os.close(held)
    assert [type(error) for error in errors] == [CommitSyncFailed] * (CALLERS + 1)
    assert sync.count == 2
    await sync.close()


async def test_a_caller_that_is_cancelled_does_not_affect_the_others(database: Path) -> None:
    sync = CountedSync(database)
    waiting = [asyncio.create_task(sync.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting[0]
    await asyncio.gather(*waiting[1:])
    assert sync.count == 1
    await sync.close()


async def test_without_a_log_everything_is_in_the_database(tmp_path: Path) -> None:
    sync = CountedSync(tmp_path / "bonafide.sqlite3")
    await sync.wait()
    await sync.close()


async def test_a_commit_that_is_not_written_out_is_not_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "bonafide.sqlite3"
    store = Store.open(f"sqlite+aiosqlite:///{path}")
    await store.migrate()

    async def change(*, durable: bool = True) -> None:
        async with store.write(durable=durable) as connection:
            await organizations.get_or_create(connection, "north", World.LIVE, NOW)

    await change()
    log = path.with_name(path.name + LOG_SUFFIX)
    moved = log.rename(tmp_path / "moved")
    # In place of the log, which SQLite has open, is something that can't be opened for writing.
    log.mkdir()
    with pytest.raises(ServerBusy):
        await change()
    await change(durable=False)
    log.rmdir()
    moved.rename(log)
    await change()
    await store.close()


async def test_our_connections_do_not_weaken_postgresql(store: Store) -> None:
    async with store.write() as connection:
        if connection.dialect.name != "postgresql":
            pytest.skip("SQLite has no such settings")
        source = await connection.execute(text("SELECT source FROM pg_settings WHERE name IN ('synchronous_commit', 'fsync')"))
        # Set by whoever runs the server, not by a client or for our database or user.
        assert set(source.scalars()) <= {"default", "configuration file", "command line"}
