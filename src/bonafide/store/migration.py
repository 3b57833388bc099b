"""Brings a database's schema up to date with the numbered migrations in `migrations/versions`.

All of them run in one transaction behind a lock, so that a failed one leaves nothing behind and a second process finds the work
done. It never guesses a migration from the tables: each is written by hand.
"""

import threading
from enum import StrEnum
from functools import cache

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import URL, Connection, NullPool, create_engine, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.errors import ConfigurationError
from bonafide.store import sqlite

MIGRATIONS = "bonafide.store:migrations"
"""As Alembic names a folder inside a package: the same in a checkout and in an installed wheel."""
ADVISORY_LOCK = 0x626F6E61
"""The number under which processes queue on PostgreSQL ("bona"); any fixed number would do."""

UNPREPARED = {"prepare_threshold": None}
"""What psycopg is told behind a pooler: a statement that was prepared on one connection is not known to the next."""
WAIT_S = 60
"""For another process that migrates the same file."""

_ALEMBIC = threading.Lock()
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
def release_revisions() -> tuple[str, ...]:
    """The revisions that this release knows, newest first."""
    with _ALEMBIC:
        script = ScriptDirectory.from_config(_config())
        return tuple(revision.revision for revision in script.walk_revisions())


def state_of(revision: str | None) -> SchemaState:
    """How a database of this revision, None for one without any, stands to this release."""
    known = release_revisions()
    if revision is None:
        return SchemaState.MISSING
    if revision == known[0]:
        return SchemaState.CURRENT
    return SchemaState.OLDER if revision in known else SchemaState.NEWER


def refusal_of(revision: str | None) -> str | None:
    """Why a process of this release must not start on such a database; None when it may."""
    ours = release_revisions()[0]
    match state_of(revision):
        case SchemaState.OLDER:
            return f"the database's schema is {revision}, and this release needs {ours}: run `bonafide migrate` first"
        case SchemaState.NEWER:
            return f"the database's schema is {revision}, of a newer release than this one, which needs {ours}: start that release"
    return None


def upgrade(url: URL, *, pooled: bool = False) -> None:
    """Run what has not run yet. Blocks; raises SQLAlchemy's errors, and `ConfigurationError` when the database is ahead of us."""
    if url.get_backend_name() == "sqlite":
        # The others wait until the first is done, however busy the machine is.
        engine = create_engine(url.set(drivername="sqlite"), poolclass=NullPool, connect_args={"timeout": WAIT_S})
        sqlite.configure(engine, begin="BEGIN IMMEDIATE")
    else:
        engine = create_engine(url, poolclass=NullPool, connect_args=UNPREPARED if pooled else {})
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": ADVISORY_LOCK})
        _run(connection)


async def revision(connection: AsyncConnection) -> str | None:
    """The newest migration that the database has, by its number."""
    found: str | None = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one_or_none()
    return found


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    return config


def _run(connection: Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    try:
        with _ALEMBIC:
            command.upgrade(config, "head")
    except CommandError as error:
        raise ConfigurationError(f"the database can't be brought to this version's schema: {error}") from error
