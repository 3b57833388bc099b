"""One row read by itself: a document that is asked for again and again, at a fifth of what a transaction around it costs.

SQLite is read by a few threads of our own, each read in one step of one of them; PostgreSQL without BEGIN and COMMIT, each of which
would be a trip to the server. Whatever needs two statements, or is written, wants a transaction (`engine`).
"""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from sqlalchemy import URL, Engine, Row, Select, create_engine
from sqlalchemy.ext.asyncio import AsyncEngine

from bonafide.store import sqlite

THREADS = 4
"""That read SQLite: a read takes a tenth of a millisecond, unless its page has to come from the disk."""


class Glances(Protocol):
    """Reads of one row each."""

    async def row(self, statement: Select[Any], values: Mapping[str, Any]) -> Row[Any] | None:
        """The one row that the statement gives with these values, None when there is none. Raises SQLAlchemy's errors."""

    async def close(self) -> None:
        """Let go of what is held; no read is under way any more."""


class SqliteGlances:
    """Reads of a SQLite file."""

    def __init__(self, url: URL) -> None:
        self._engine: Engine = create_engine(url.set(drivername="sqlite"), pool_size=THREADS, max_overflow=0, hide_parameters=True)
        sqlite.configure(self._engine, begin="BEGIN", query_only=True)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="glance")

    async def row(self, statement: Select[Any], values: Mapping[str, Any]) -> Row[Any] | None:
        """The one row, None when there is none."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._row, statement, values)

    def _row(self, statement: Select[Any], values: Mapping[str, Any]) -> Row[Any] | None:
        with self._engine.connect() as connection:
            return connection.execute(statement, values).one_or_none()

    async def close(self) -> None:
        """End the threads, and close the connections."""
        await asyncio.to_thread(self._threads.shutdown)
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
