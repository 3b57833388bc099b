"""Brings a database's schema up to date with the numbered migrations in `migrations/versions`.

All of them run in one transaction behind a lock, so that a failed one leaves nothing behind and a second process finds the work
done. It never guesses a migration from the tables: each is written by hand.
"""

import threading

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import URL, Connection, NullPool, create_engine, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.errors import ConfigurationError
from bonafide.store import sqlite

MIGRATIONS = "bonafide.store:migrations"
"""As Alembic names a folder inside a package: the same in a checkout and in an installed wheel."""
ADVISORY_LOCK = 0x626F6E61
"""The number under which processes queue on PostgreSQL ("bona"); any fixed number would do."""

WAIT_S = 60
"""For another process that migrates the same file."""

_ALEMBIC = threading.Lock()
"""Alembic keeps what it is working on in module globals: one database at a time in each process."""


def upgrade(url: URL) -> None:
    """Run what has not run yet. Blocks; raises SQLAlchemy's errors, and `ConfigurationError` when the database is ahead of us."""
    if url.get_backend_name() == "sqlite":
        # The others wait until the first is done, however busy the machine is.
        engine = create_engine(url.set(drivername="sqlite"), poolclass=NullPool, connect_args={"timeout": WAIT_S})
        sqlite.configure(engine, begin="BEGIN IMMEDIATE")
    else:
        engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": ADVISORY_LOCK})
        _run(connection)


async def revision(connection: AsyncConnection) -> str:
    """The newest migration that the database has, by its number."""
    found: str | None = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one_or_none()
    return found if found is not None else "none"


def _run(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.attributes["connection"] = connection
    try:
        with _ALEMBIC:
            command.upgrade(config, "head")
    except CommandError as error:
        raise ConfigurationError(f"the database can't be brought to this version's schema: {error}") from error
