"""A process starts only on a database whose schema is its release's; an empty one gets it, and `migrate` brings an older one up."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import URL, make_url, text

from bonafide.errors import ConfigurationError, ServerBusy
from bonafide.runtime import migrate, open_runtime
from bonafide.settings import Settings
from bonafide.store.database import schema_migration
from bonafide.store.database.engine import DatabaseOptions, Store
from bonafide.store.database.schema_migration import SchemaState, compare_revision, list_revisions

pytestmark = pytest.mark.anyio
BEFORE, NEWEST = list_revisions()[-2:]


async def set_revision(store: Store, revision: str) -> None:
    async with store.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


async def test_an_empty_database_gets_its_tables(empty_database_url: str) -> None:
    store = Store.open(empty_database_url)
    assert await store.revision() is None
    await store.prepare()
    assert await store.revision() == NEWEST
    await store.prepare()
    await store.close()


async def test_an_older_and_a_newer_schema_are_refused_by_name_and_left_alone(empty_database_url: str) -> None:
    store = Store.open(empty_database_url)
    await store.prepare()
    await set_revision(store, BEFORE)
    with pytest.raises(ConfigurationError, match=f"is {BEFORE}, and this release needs {NEWEST}. Run `bonafide migrate` first"):
        await store.prepare()
    await set_revision(store, "9999")
    with pytest.raises(ConfigurationError, match=f"is 9999, of a newer release. This release needs {NEWEST}"):
        await store.prepare()
    assert await store.revision() == "9999"
    await store.close()


def test_states() -> None:
    assert [compare_revision(revision) for revision in (NEWEST, BEFORE, "9999", None)] == [
        SchemaState.CURRENT,
        SchemaState.OLDER,
        SchemaState.NEWER,
        SchemaState.MISSING,
    ]


async def test_nothing_opens_an_older_database_but_migrate(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    config = schema_migration._create_config()
    store = Store.open(settings.dsn)
    async with store.write() as connection:

        def upgrade(sync_connection: object) -> None:
            config.attributes["connection"] = sync_connection
            command.upgrade(config, BEFORE)

        await connection.run_sync(upgrade)
    await store.close()
    with pytest.raises(ConfigurationError, match="bonafide migrate"):
        async with open_runtime(settings, sources={}):
            pass
    await migrate(settings)
    async with open_runtime(settings, sources={}) as runtime:
        assert await runtime.store.revision() == NEWEST
    with closing(sqlite3.connect(tmp_path / "bonafide.sqlite3")) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [(NEWEST,)]


@pytest.mark.slow
async def test_a_transaction_that_takes_too_long_is_given_up_and_the_server_told(postgres_database: URL) -> None:
    address = make_url(postgres_database).render_as_string(hide_password=False)
    store, other = Store.open(address, DatabaseOptions(transaction_timeout_s=0.5)), Store.open(address)
    with pytest.raises(ServerBusy):
        async with store.read() as connection:
            await connection.execute(text("SELECT pg_sleep(3600)"))
    async with other.read() as connection:
        sleeping = text("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'")
        assert (await connection.execute(sleeping)).scalar_one() == 0
    await store.ping()
    async with store.read(at_length=True) as connection:
        await connection.execute(text("SELECT pg_sleep(0.6)"))
    await store.close()
    await other.close()
