"""Migrate a database's schema with the numbered migrations in `migrations/versions`.

All run in one transaction behind a lock: a failure rolls all back, and a second process finds nothing to do. Migrations
are written by hand.
"""

import threading
from collections.abc import Callable
from enum import StrEnum
from functools import cache

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.store.database import sqlite_setup

MIGRATIONS = "bonafide.store:migrations"
"""Alembic's address of a folder in a package, in a checkout and in a wheel."""
ADVISORY_LOCK = 0x626F6E61
"""The key of the advisory lock on PostgreSQL ("bona"), an arbitrary number."""

NO_PREPARED_STATEMENTS = {"prepare_threshold": None}
"""psycopg's options behind a pooler, where a prepared statement of one connection does not exist on the next."""
WAIT_S = 60
"""Seconds to wait for another process that migrates the same file."""
HEAD = "head"
"""Alembic's name of the newest revision."""

_ALEMBIC_LOCK = threading.Lock()
"""Alembic keeps its state in module globals, so a process migrates one database at a time."""


class SchemaState(StrEnum):
    """How a database's schema compares with that of this release."""

    CURRENT = "current"
    MISSING = "missing"
    """The database is empty."""
    OLDER = "older"
    NEWER = "newer"
    """A later release has migrated it. Running processes of this release may continue (see `migrate`)."""


@cache
def list_revisions() -> tuple[str, ...]:
    """The revisions of this release, oldest first."""
    with _ALEMBIC_LOCK:
        return tuple(reversed([found.revision for found in _import_migrations().walk_revisions()]))


def compare_revision(revision: str | None) -> SchemaState:
    """Compare a database's revision, None for an empty one, with this release."""
    known = list_revisions()
    if revision is None:
        return SchemaState.MISSING
    if revision == known[-1]:
        return SchemaState.CURRENT
    return SchemaState.OLDER if revision in known else SchemaState.NEWER


def explain_refusal(revision: str | None) -> Message | None:
    """Why this release must not start on a database of this revision; None if it may."""
    ours = list_revisions()[-1]
    match compare_revision(revision):
        case SchemaState.OLDER:
            return Message(
                "The database’s schema is {revision}, and this release needs {needed}. Run `bonafide migrate` first.",
                revision=revision,
                needed=ours,
            )
        case SchemaState.NEWER:
            return Message(
                "The database’s schema is {revision}, of a newer release. This release needs {needed}. Start the newer release.",
                revision=revision,
                needed=ours,
            )
    return None


def upgrade(url: URL, revision: str = HEAD, *, pooled: bool = False) -> None:
    """Run the outstanding migrations. Blocks; raises SQLAlchemy's errors, and `ConfigurationError` for a newer schema."""
    with create_migration_engine(url, pooled=pooled).begin() as connection:
        lock_schema(connection)
        migrate(connection, revision)


def create_migration_engine(url: URL, *, pooled: bool = False) -> Engine:
    """An engine for one transaction that may change the schema; on SQLite only one runs at a time."""
    if url.get_backend_name() != "sqlite":
        return create_engine(url, poolclass=NullPool, connect_args=NO_PREPARED_STATEMENTS if pooled else {})
    # Other processes wait until the first one has finished, however long it takes.
    engine = create_engine(url.set(drivername="sqlite"), poolclass=NullPool)
    sqlite_setup.configure_engine(engine, begin="BEGIN IMMEDIATE", busy_timeout_s=WAIT_S)
    return engine


def lock_schema(connection: Connection) -> None:
    """On PostgreSQL, lock the schema until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": ADVISORY_LOCK})


def migrate(connection: Connection, revision: str = HEAD) -> None:
    """Upgrade within the caller's transaction. Raises `ConfigurationError` for a newer schema."""
    _run(connection, revision, ScriptDirectory._upgrade_revs)  # noqa: SLF001 - as Alembic documents it for `EnvironmentContext`


def downgrade(connection: Connection, revision: str) -> None:
    """Downgrade to an earlier revision within the caller's transaction; data that later ones have added is lost."""
    _run(connection, revision, ScriptDirectory._downgrade_revs)  # noqa: SLF001 - as for an upgrade


def read_revision(connection: Connection) -> str | None:
    """The revision of the database's schema; None when no migration has run in it."""
    revision: str | None = MigrationContext.configure(connection).get_current_revision()
    return revision


async def fetch_revision(connection: AsyncConnection) -> str | None:
    """The same with a single short statement, for a database that has a schema."""
    found: str | None = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one_or_none()
    return found


@cache
def _import_migrations() -> ScriptDirectory:
    """The migrations of this release. Alembic's commands would import all of them at each call. Call it with the lock."""
    return ScriptDirectory.from_config(_create_config())


def _create_config() -> Config:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    return config


def _run(connection: Connection, revision: str, plan: Callable[[ScriptDirectory, str, str], list[RevisionStep]]) -> None:
    """Run the migrations that `plan` lists between the database's revision and another one."""
    config = _create_config()
    config.attributes["connection"] = connection
    try:
        with _ALEMBIC_LOCK:
            scripts = _import_migrations()
            with EnvironmentContext(
                config, scripts, fn=lambda current, _: plan(scripts, revision, current), destination_rev=revision
            ):
                scripts.run_env()
    except CommandError as error:
        raise ConfigurationError(
            Message("The database can’t be migrated to this release’s schema: {error}", error=error)
        ) from error
