"""Bring a database's schema up to date with the numbered migrations in `migrations/versions`.

All run in one transaction behind a lock: a failed one leaves nothing behind, and a second process finds the work done. Migrations
are written by hand.
"""

import threading
from collections.abc import Callable
from enum import StrEnum
from functools import cache

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.errors import ConfigurationError
from bonafide.store.database import sqlite_setup

MIGRATIONS = "bonafide.store:migrations"
"""As Alembic names a folder inside a package: the same in a checkout and in an installed wheel."""
ADVISORY_LOCK = 0x626F6E61
"""The number under which processes queue on PostgreSQL ("bona"); any fixed number would do."""

NO_PREPARED_STATEMENTS = {"prepare_threshold": None}
"""What psycopg is told behind a pooler: a statement that was prepared on one connection is not known to the next."""
WAIT_S = 60
"""For another process that migrates the same file."""
HEAD = "head"
"""The newest revision that this release knows, as Alembic calls it."""

_ALEMBIC_LOCK = threading.Lock()
"""Alembic keeps what it is working on in module globals: one database at a time in each process."""


class SchemaState(StrEnum):
    """How a database's schema stands to that of this release."""

    CURRENT = "current"
    MISSING = "missing"
    """The database is empty."""
    OLDER = "older"
    NEWER = "newer"
    """A later release has migrated it; what that release wants of its predecessor's processes still holds (see `migrate`)."""


@cache
def list_revisions() -> tuple[str, ...]:
    """Those that this release can bring a database to, oldest first."""
    with _ALEMBIC_LOCK:
        script = ScriptDirectory.from_config(_create_config())
        return tuple(reversed([found.revision for found in script.walk_revisions()]))


def compare_revision(revision: str | None) -> SchemaState:
    """How a database of this revision, None for one without any, stands to this release."""
    known = list_revisions()
    if revision is None:
        return SchemaState.MISSING
    if revision == known[-1]:
        return SchemaState.CURRENT
    return SchemaState.OLDER if revision in known else SchemaState.NEWER


def explain_refusal(revision: str | None) -> str | None:
    """Why a process of this release must not start on such a database; None when it may."""
    ours = list_revisions()[-1]
    match compare_revision(revision):
        case SchemaState.OLDER:
            return f"the database's schema is {revision}, and this release needs {ours}: run `bonafide migrate` first"
        case SchemaState.NEWER:
            return f"the database's schema is {revision}, of a newer release than this one, which needs {ours}: start that release"
    return None


def upgrade(url: URL, revision: str = HEAD, *, pooled: bool = False) -> None:
    """Run what has not run yet. Blocks; raises SQLAlchemy's errors, and `ConfigurationError` when the database is ahead of us."""
    with create_migration_engine(url, pooled=pooled).begin() as connection:
        lock_schema(connection)
        migrate(connection, revision)


def create_migration_engine(url: URL, *, pooled: bool = False) -> Engine:
    """An engine for one transaction that may change the schema, and of which on SQLite there is one at a time."""
    if url.get_backend_name() != "sqlite":
        return create_engine(url, poolclass=NullPool, connect_args=NO_PREPARED_STATEMENTS if pooled else {})
    # The others wait until the first is done, however busy the machine is.
    engine = create_engine(url.set(drivername="sqlite"), poolclass=NullPool, connect_args={"timeout": WAIT_S})
    sqlite_setup.configure_engine(engine, begin="BEGIN IMMEDIATE")
    return engine


def lock_schema(connection: Connection) -> None:
    """On PostgreSQL, let nobody else change the schema until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": ADVISORY_LOCK})


def migrate(connection: Connection, revision: str = HEAD) -> None:
    """Upgrade within the caller's transaction. Raises `ConfigurationError` when the database is ahead of us."""
    _run(connection, lambda config: command.upgrade(config, revision))


def downgrade(connection: Connection, revision: str) -> None:
    """Go back to an earlier revision within the caller's transaction; what later ones have added is gone."""
    _run(connection, lambda config: command.downgrade(config, revision))


def read_revision(connection: Connection) -> str | None:
    """The revision of the database's schema; None when no migration has run in it."""
    revision: str | None = MigrationContext.configure(connection).get_current_revision()
    return revision


async def fetch_revision(connection: AsyncConnection) -> str | None:
    """The same, of a database that has a schema, at the cost of one short statement."""
    found: str | None = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one_or_none()
    return found


def _create_config() -> Config:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    return config


def _run(connection: Connection, act: Callable[[Config], None]) -> None:
    config = _create_config()
    config.attributes["connection"] = connection
    try:
        with _ALEMBIC_LOCK:
            act(config)
    except CommandError as error:
        raise ConfigurationError(f"the database can't be brought to this version's schema: {error}") from error
