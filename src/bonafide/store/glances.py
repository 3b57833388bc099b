"""One row read by itself: a document that is asked for again and again, at a fifth of what a transaction around it costs.

SQLite is read without a thread in between, PostgreSQL without BEGIN and COMMIT, each of which would be a trip to the server.
Whatever needs two statements, or is written, wants a transaction (`engine`).
"""

from collections.abc import Mapping
from typing import Any, Protocol

from sqlalchemy import URL, Engine, Row, Select, StaticPool, create_engine
from sqlalchemy.ext.asyncio import AsyncEngine

from bonafide.store import sqlite


class Glances(Protocol):
    """Reads of one row each."""

    async def row(self, statement: Select[Any], values: Mapping[str, Any]) -> Row[Any] | None:
        """The one row that the statement gives with these values, None when there is none. Raises SQLAlchemy's errors."""

    async def close(self) -> None:
        """Let go of what is held; no read is under way any more."""


class SqliteGlances:
    """Reads of a SQLite file in the event loop's own thread, which they hold up for as long as they take.

    That is less than handing one to a thread and back, even where a page has to come from the disk; and no reader of a
    write-ahead log waits for a writer.
    """

    def __init__(self, url: URL) -> None:
        self._engine: Engine = create_engine(url.set(drivername="sqlite"), poolclass=StaticPool, hide_parameters=True)
        sqlite.configure(self._engine, begin="BEGIN", query_only=True)

    async def row(self, statement: Select[Any], values: Mapping[str, Any]) -> Row[Any] | None:
        """The one row, None when there is none."""
        with self._engine.connect() as connection:
            return connection.execute(statement, values).one_or_none()

    async def close(self) -> None:
        """Close the connection."""
        self._engine.dispose()


class PostgresqlGlances:
    """Reads through an engine, whose pool it shares."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")

    async def row(self, statement: Select[Any], values: Mapping[str, Any]) -> Row[Any] | None:
        """The one row, None when there is none."""
        async with self._engine.connect() as connection:
            found: Row[Any] | None = (await connection.execute(statement, values)).one_or_none()
            return found

    async def close(self) -> None:
        """The engine is closed by whoever has opened it."""
