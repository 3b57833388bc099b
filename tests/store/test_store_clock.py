"""The clock of an installation: the database's, whatever a machine takes for the time."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import URL

from bonafide.runtime import open_runtime
from bonafide.settings import Settings
from bonafide.store.database.clock import DatabaseClock, open_clock, system_clock
from bonafide.store.database.engine import Store

pytestmark = pytest.mark.anyio
HOUR = timedelta(hours=1)


class Machine:
    """What a machine takes for the time, and how long it has been up."""

    def __init__(self) -> None:
        self.now, self.up_s = datetime(2031, 1, 1, tzinfo=UTC), 100.0

    def clock(self) -> DatabaseClock:
        return DatabaseClock(lambda: self.now, lambda: self.up_s)


@pytest.fixture
async def shared(postgres_database: URL) -> AsyncIterator[Store]:
    opened = Store.open(postgres_database.render_as_string(hide_password=False))
    yield opened
    await opened.close()


async def test_a_machine_whose_clock_is_wrong_has_the_databases_time(shared: Store) -> None:
    machine = Machine()
    clock = machine.clock()
    assert clock() == machine.now
    before = system_clock()
    await clock.synchronize(shared)
    # The server of the tests runs on this machine.
    assert before <= clock() <= system_clock()
    assert clock().tzinfo is UTC


async def test_between_two_looks_a_clock_that_jumps_changes_nothing(shared: Store) -> None:
    machine = Machine()
    clock = machine.clock()
    await clock.synchronize(shared)
    seen = clock()
    machine.now += HOUR
    assert clock() == seen
    machine.up_s += 60
    assert clock() == seen + timedelta(minutes=1)


async def test_a_look_that_took_long_is_not_believed_and_the_next_one_is(shared: Store) -> None:
    machine = Machine()
    clock = machine.clock()
    await clock.synchronize(shared)
    seen = clock()
    ticking = iter([0.0, 5.0, 5.0, 5.0, 5.0])
    slow = DatabaseClock(lambda: machine.now, lambda: next(ticking))
    slow._known = (seen - HOUR, 0.0)
    await slow.synchronize(shared)
    assert slow() == seen - HOUR + timedelta(seconds=5)


async def test_what_shares_a_database_has_its_clock_and_a_file_has_the_machines(shared: Store, tmp_path: Path) -> None:
    async with open_clock(shared) as clock:
        assert isinstance(clock, DatabaseClock)
    async with open_runtime(Settings(data_dir=tmp_path), sources={}) as runtime:
        assert runtime.clock is system_clock
