import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from bonafide.errors import ConfigurationError
from bonafide.store.database.engine import Store, parse_database_url
from bonafide.store.database.schema_migration import create_migration_engine
from bonafide.store.database.tables import metadata
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio

MIGRATE = """
import asyncio, sys
from bonafide.store.database.engine import Store

async def main():
    store = Store.open(sys.argv[1])
    await store.migrate()
    await store.ping()
    await store.close()

asyncio.run(main())
"""
SCHEMA_QUERIES = {
    "sqlite": ["SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'alembic%' AND name NOT LIKE 'sqlite_%'"],
    "postgresql": [
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'alembic_version'",
        """SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
           WHERE connamespace = 'public'::regnamespace AND conname NOT LIKE 'alembic%'""",
        """SELECT table_name, column_name, ordinal_position, data_type, character_maximum_length, is_nullable, column_default
           FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'alembic_version'""",
    ],
}


def _difference(connection: Connection) -> list[Any]:
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


async def _schema(store: Store) -> list[list[tuple[str, ...]]]:
    """The whole schema as the database itself spells it, without regard to white space."""
    async with store.read() as connection:
        found = [await connection.execute(text(query)) for query in SCHEMA_QUERIES[connection.dialect.name]]
        return [sorted(tuple(" ".join(str(cell).split()) for cell in row) for row in rows) for rows in found]


async def test_the_migrated_schema_is_the_metadata(store: Store) -> None:
    async with store.read() as connection:
        assert await connection.run_sync(_difference) == []


async def test_the_migrated_schema_equals_one_made_from_the_metadata_to_the_letter(empty_database_url: str) -> None:
    store = Store.open(empty_database_url)
    async with store.write() as connection:
        await connection.run_sync(metadata.create_all)
    made = await _schema(store)
    async with store.write() as connection:
        await connection.run_sync(metadata.drop_all)
    await store.migrate()
    assert await _schema(store) == made
    assert all(made)
    await store.close()


async def test_migrating_twice_changes_nothing(store: Store) -> None:
    before = await _schema(store)
    await store.migrate()
    assert await _schema(store) == before


@pytest.mark.slow
def test_three_processes_that_start_at_once_all_find_the_schema(empty_database_url: str) -> None:
    command = [sys.executable, "-W", "error", "-c", MIGRATE, empty_database_url]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ) for _ in range(3)]  # noqa: S603
    outcomes = [(process.communicate(timeout=TIMEOUT_S)[1].decode(), process.returncode) for process in processes]
    assert outcomes == [("", 0)] * 3


async def test_a_new_file_that_another_program_is_writing_is_migrated_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "bonafide.sqlite3"
    other = sqlite3.connect(path, isolation_level=None)
    # While it writes, SQLite refuses at once to give the file a write-ahead log.
    other.execute("BEGIN IMMEDIATE")
    store = Store.open(f"sqlite:///{path}")
    migrating = asyncio.create_task(store.migrate())
    await asyncio.sleep(0.2)
    other.rollback()
    await migrating
    async with store.read() as connection:
        assert await connection.run_sync(_difference) == []
    other.close()
    await store.close()


def test_a_migration_waits_longer_for_another_one_than_a_request_for_a_write(tmp_path: Path) -> None:
    url = parse_database_url(f"sqlite:///{tmp_path / 'bonafide.sqlite3'}")
    with create_migration_engine(url).connect() as connection:
        assert connection.execute(text("PRAGMA busy_timeout")).scalar_one() == 60_000


async def test_a_database_of_a_newer_version_is_not_touched(empty_database_url: str) -> None:
    store = Store.open(empty_database_url)
    await store.migrate()
    async with store.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigurationError, match="9999"):
        await store.migrate()
    await store.close()


async def test_a_migration_that_fails_leaves_nothing_behind(empty_database_url: str) -> None:
    store = Store.open(empty_database_url)
    async with store.write() as connection:
        await connection.execute(text("CREATE TABLE jobs (id INTEGER)"))
    with pytest.raises(Exception, match="jobs"):
        await store.migrate()
    async with store.write() as connection:
        await connection.execute(text("DROP TABLE jobs"))
    await store.migrate()
    async with store.read() as connection:
        assert await connection.run_sync(_difference) == []
    await store.close()


@pytest.mark.slow
async def test_several_databases_may_be_migrated_at_once(tmp_path: Path) -> None:
    stores = [Store.open(f"sqlite:///{tmp_path / str(number)}.sqlite3") for number in range(6)]
    await asyncio.gather(*(store.migrate() for store in stores))
    for store in stores:
        async with store.read() as connection:
            assert await connection.run_sync(_difference) == []
        await store.close()


async def test_several_stores_of_one_process_may_migrate_at_once(empty_database_url: str) -> None:
    stores = [Store.open(empty_database_url) for _ in range(4)]
    await asyncio.gather(*(store.migrate() for store in stores))
    await asyncio.gather(*(store.ping() for store in stores))
    for store in stores:
        await store.close()
