import asyncio
import gc
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy import bindparam, column, insert, select, table, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, StatementError

from bonafide.errors import ConfigurationError, ServerBusy
from bonafide.model.accounts.organizations import World
from bonafide.store.database import engine
from bonafide.store.database.engine import Store
from bonafide.store.database.tables import organizations as organizations_table
from bonafide.store.records import searches
from bonafide.store.tenants import audit_log, organizations
from tests.support.store.rows import NOW, new_search
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
ADD = insert(organizations_table).values({name: bindparam(name) for name in ("id", "name", "world", "created_at")})
RENAME = update(organizations_table).where(organizations_table.c.name == bindparam("old")).values(name=bindparam("new"))


async def test_a_write_is_seen_by_the_next_read(store: Store) -> None:
    async with store.write() as connection:
        made = await organizations.get_or_create(connection, "north", World.LIVE, NOW)
    async with store.read() as connection:
        assert await organizations.get(connection, made.id) == made


async def test_a_write_that_fails_leaves_nothing(store: Store) -> None:
    async def make_and_fail() -> None:
        async with store.write() as connection:
            await organizations.get_or_create(connection, "north", World.LIVE, NOW)
            raise LookupError

    with pytest.raises(LookupError):
        await make_and_fail()
    async with store.read() as connection:
        assert await organizations.list_all(connection) == []


async def test_a_read_can_not_write(store: Store) -> None:
    with pytest.raises(DBAPIError, match=r"readonly|read-only"):
        async with store.read() as connection:
            await organizations.get_or_create(connection, "north", World.LIVE, NOW)


async def test_a_read_sees_one_state_of_the_database(store: Store) -> None:
    async with store.read() as reading:
        assert await organizations.list_all(reading) == []
        async with store.write() as connection:
            await organizations.get_or_create(connection, "north", World.LIVE, NOW)
        assert await organizations.list_all(reading) == []


async def test_readers_do_not_wait_for_a_writer(store: Store) -> None:
    async with store.write() as connection:
        await organizations.get_or_create(connection, "north", World.LIVE, NOW)
        async with asyncio.timeout(TIMEOUT_S):
            await store.ping()


async def test_many_writers_at_once_all_get_their_turn(store: Store) -> None:
    async def make(number: int) -> UUID:
        async with store.write() as connection:
            return (await organizations.get_or_create(connection, f"organization {number}", World.LIVE, NOW)).id

    assert len(set(await asyncio.gather(*(make(number) for number in range(40))))) == 40


async def test_a_cancelled_write_lets_the_next_one_through(store: Store) -> None:
    entered = asyncio.Event()

    async def write_for_ever() -> None:
        async with store.write() as connection:
            await organizations.get_or_create(connection, "cancelled", World.LIVE, NOW)
            entered.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write_for_ever())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with store.write() as connection:
        await organizations.get_or_create(connection, "next", World.LIVE, NOW)
        assert [found.name for found in await organizations.list_all(connection)] == ["next"]


async def read_in_a_transaction(store: Store) -> None:
    async with store.read() as connection:
        await organizations.list_all(connection)


async def read_by_itself(store: Store) -> None:
    await store.fetch_one(select(organizations_table.c.id).limit(1), {})


async def change_by_itself(store: Store) -> None:
    await store.change(RENAME, {"old": "north", "new": "south"})


@pytest.mark.parametrize("work", [read_in_a_transaction, read_by_itself, change_by_itself])
async def test_work_that_is_cancelled_gives_its_connection_back(
    store: Store, caplog: pytest.LogCaptureFixture, work: Callable[[Store], Awaitable[None]]
) -> None:
    for turns in range(200):
        tasks = [asyncio.ensure_future(work(store)) for _ in range(3)]
        for _ in range(turns % 40):
            await asyncio.sleep(0)
        await asyncio.sleep(turns * 0.00001)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    gc.collect()
    assert [record.getMessage() for record in caplog.records if record.name.startswith("sqlalchemy")] == []


async def test_a_write_that_is_cancelled_during_a_statement_leaves_the_file_unlocked(tmp_path: Path) -> None:
    path = tmp_path / "bonafide.sqlite3"
    store = Store.open(f"sqlite+aiosqlite:///{path}")
    await store.migrate()
    async with store.write() as connection:
        north = await organizations.get_or_create(connection, "north", World.LIVE, NOW)
        await audit_log.lock_head(connection, north.id)

    async def write(begun: asyncio.Event) -> None:
        async with store.write() as connection:
            begun.set()
            await audit_log.lock_head(connection, north.id)

    other = sqlite3.connect(path, isolation_level=None, timeout=0)
    for turns in range(10):
        begun = asyncio.Event()
        task = asyncio.create_task(write(begun))
        await begun.wait()
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        other.execute("BEGIN IMMEDIATE")
        other.rollback()
    other.close()
    await store.close()


async def test_rows_need_their_organization(store: Store) -> None:
    with pytest.raises(IntegrityError):
        async with store.write() as connection:
            await searches.insert_loading(connection, uuid4(), new_search())


@pytest.mark.parametrize(
    "instant",
    [
        datetime(2026, 11, 20, 14, 33, 0, 1, tzinfo=UTC),
        datetime(2026, 3, 8, 1, 59, 59, 999_999, tzinfo=timezone(-timedelta(hours=3, minutes=30))),
        datetime(2026, 11, 1, 1, 30, tzinfo=timezone(-timedelta(hours=5))),
        datetime(1867, 7, 1, tzinfo=UTC),
        datetime(9998, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ],
)
async def test_an_instant_comes_back_in_utc_to_the_microsecond(store: Store, instant: datetime) -> None:
    async with store.write() as connection:
        made = await organizations.get_or_create(connection, "north", World.LIVE, instant)
    assert made.created_at == instant
    async with store.read() as connection:
        kept = (await connection.execute(select(organizations_table.c.created_at))).scalar_one()
    assert (kept, kept.tzinfo) == (instant, UTC)


async def test_instants_sort_as_time_does(store: Store) -> None:
    newfoundland = timezone(-timedelta(hours=3, minutes=30))
    instants = [NOW + timedelta(microseconds=number) for number in (5, -1, 0, 1_000_000, 10)]
    async with store.write() as connection:
        for number, instant in enumerate(instants):
            zoned = instant.astimezone(newfoundland) if number % 2 else instant
            await organizations.get_or_create(connection, f"organization {number}", World.LIVE, zoned)
        kept = await connection.execute(select(organizations_table.c.created_at).order_by(organizations_table.c.created_at))
        assert list(kept.scalars()) == sorted(instants)


async def test_an_instant_without_a_zone_is_refused(store: Store) -> None:
    with pytest.raises(StatementError, match="time zone"):
        async with store.write() as connection:
            await organizations.get_or_create(connection, "north", World.LIVE, NOW.replace(tzinfo=None))


async def test_a_wrong_statement_is_a_bug_and_not_a_busy_server(store: Store) -> None:
    with pytest.raises(DBAPIError):
        async with store.read() as connection:
            await connection.execute(select(column("nothing")).select_from(table("no_such_table")))


@pytest.mark.parametrize(
    "dsn", ["", "nonsense", "mysql://secret@host/name", "sqlite://", "sqlite:///:memory:", "postgresql://u:secret@host:port/name"]
)
def test_an_address_that_is_none_is_a_configuration_error_that_does_not_repeat_it(dsn: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        Store.open(dsn)
    assert "secret" not in refused.value.message
    assert refused.value.__cause__ is None


async def test_whichever_driver_the_address_names_ours_is_used(database_url: str) -> None:
    store = Store.open(database_url.replace("+psycopg", "").replace("+aiosqlite", ""))
    await store.ping()
    await store.close()


async def test_a_server_that_is_away_is_busy() -> None:
    store = Store.open("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    with pytest.raises(ServerBusy):
        await store.ping()
    with pytest.raises(ServerBusy):
        await store.migrate()
    await store.close()


async def test_a_server_that_drops_its_connections_is_busy_once_at_most(store: Store) -> None:
    async with store.read() as connection:
        if connection.dialect.name != "postgresql":
            pytest.skip("SQLite has no server")
    with pytest.raises(ServerBusy):
        async with store.write() as connection:
            await connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    await store.ping()


async def test_a_folder_that_is_no_file_is_busy_rather_than_a_bug(tmp_path: Path) -> None:
    store = Store.open(f"sqlite+aiosqlite:///{tmp_path}")
    with pytest.raises(ServerBusy):
        await store.migrate()
    await store.close()


async def test_the_folder_of_the_sqlite_file_is_made(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'new' / 'folder' / 'bonafide.sqlite3'}")
    await store.migrate()
    await store.ping()
    await store.close()
    assert (tmp_path / "new" / "folder" / "bonafide.sqlite3").is_file()


@pytest.mark.slow
async def test_a_file_that_another_process_holds_for_long_is_busy(tmp_path: Path) -> None:
    path = tmp_path / "bonafide.sqlite3"
    store = Store.open(f"sqlite+aiosqlite:///{path}")
    await store.migrate()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(ServerBusy):
        async with store.write() as connection:
            await connection.execute(insert(organizations_table))
    await store.ping()
    other.rollback()
    other.close()
    async with store.write() as connection:
        await organizations.get_or_create(connection, "north", World.LIVE, NOW)
    await store.close()


async def test_sqlite_is_set_up_to_be_shared(store: Store) -> None:
    async with store.write() as connection:
        if connection.dialect.name != "sqlite":
            pytest.skip("PostgreSQL needs none of it")
        pragmas = {
            name: (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "foreign_keys", "busy_timeout", "synchronous")
        }
    assert pragmas == {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 5000, "synchronous": 1}


async def test_a_closed_store_begins_nothing(empty_database_url: str) -> None:
    store = Store.open(empty_database_url)
    await store.ping()
    await store.close()
    with pytest.raises(ServerBusy):
        await store.ping()


async def test_closing_waits_for_what_is_under_way(empty_database_url: str) -> None:
    store = Store.open(empty_database_url)
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        async with store.read():
            begun.set()
            await may_end.wait()

    working = asyncio.create_task(work())
    await begun.wait()
    closing = asyncio.create_task(store.close())
    await asyncio.sleep(0)
    assert not closing.done()
    may_end.set()
    await asyncio.gather(working, closing)


def _named(name: str) -> dict[str, object]:
    return {"id": uuid4(), "name": name, "world": World.LIVE, "created_at": NOW}


async def test_a_single_statement_is_a_transaction_of_its_own(store: Store) -> None:
    assert await store.change(ADD, _named("north")) == 1
    assert await store.change(RENAME, {"old": "north", "new": "south"}) == 1
    assert await store.change(RENAME, {"old": "north", "new": "east"}) == 0
    async with store.read() as connection:
        assert [found.name for found in await organizations.list_all(connection)] == ["south"]


async def test_single_statements_and_transactions_take_turns_at_writing(store: Store) -> None:
    async def whole(number: int) -> None:
        async with store.write() as connection:
            await organizations.get_or_create(connection, f"whole {number}", World.LIVE, NOW)
            await asyncio.sleep(0)

    both = [work for number in range(20) for work in (whole(number), store.change(ADD, _named(f"single {number}")))]
    await asyncio.gather(*both)
    async with store.read() as connection:
        assert len(await organizations.list_all(connection)) == 40


async def test_a_single_statement_that_breaks_a_rule_leaves_nothing_and_holds_nobody_up(store: Store) -> None:
    kept = _named("north")
    await store.change(ADD, kept)
    with pytest.raises(IntegrityError):
        await store.change(ADD, kept)
    assert await store.change(ADD, _named("south")) == 1


async def test_a_single_statement_waits_for_a_writer_no_longer_than_a_transaction_does(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "POOL_TIMEOUT_S", 0.05)
    async with store.write() as connection:
        if connection.dialect.name != "sqlite":
            pytest.skip("PostgreSQL has any number of writers")
        with pytest.raises(ServerBusy):
            await store.change(ADD, _named("late"))
    assert await store.change(ADD, _named("north")) == 1


async def test_a_closed_store_changes_nothing(empty_database_url: str) -> None:
    store = Store.open(empty_database_url)
    await store.ping()
    await store.close()
    with pytest.raises(ServerBusy):
        await store.change(ADD, _named("late"))
