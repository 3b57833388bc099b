"""One row read by itself: a document that is asked for again and again, at a fifth of what a transaction around it costs.

SQLite is read without a thread in between, PostgreSQL without BEGIN and COMMIT, each of which would be a trip to the server.
Whatever needs two statements, or is written, wants a transaction (`engine`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Error as SqliteError
from typing import Any, Protocol

from sqlalchemy import URL, Engine, PoolProxiedConnection, Select, StaticPool, create_engine
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bonafide.store import sqlite

_DIALECT = dialect()


class Glances(Protocol):
    """Reads of one row each."""

    async def row(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any] | None:
        """The one row that the statement gives with these values, None when there is none. Raises SQLAlchemy's errors.

        Statements are few, and made once: each is remembered.
        """

    async def close(self) -> None:
        """Let go of what is held; no read is under way any more."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A statement as SQLite takes it: its text, and in their order the values' names, with what spells each as it is kept."""

    text: str
    values: tuple[tuple[str, Callable[[Any], Any] | None], ...]

    @classmethod
    def of(cls, statement: Select[Any]) -> "_Prepared":
        """Of a statement whose values are all named."""
        compiled = statement.compile(dialect=_DIALECT)
        names = compiled.positiontup if compiled.positiontup is not None else []
        return cls(str(compiled), tuple((name, compiled.binds[name].type.bind_processor(_DIALECT)) for name in names))

    def arguments(self, values: Mapping[str, Any]) -> list[Any]:
        """The values in their order."""
        return [spelled(values[name]) if spelled is not None else values[name] for name, spelled in self.values]


class SqliteGlances:
    """Reads of a SQLite file in the event loop's own thread, which they hold up for as long as they take.

    That is less than handing one to a thread and back, even where a page has to come from the disk; and no reader of a
    write-ahead log waits for a writer. The driver is asked itself: SQLAlchemy takes longer to ask it than it takes to answer.
    """

    def __init__(self, url: URL) -> None:
        self._engine: Engine = create_engine(url.set(drivername="sqlite"), poolclass=StaticPool, hide_parameters=True)
        sqlite.configure(self._engine, begin="BEGIN", query_only=True)
        self._connection: PoolProxiedConnection | None = None
        self._prepared: dict[Select[Any], _Prepared] = {}

    async def row(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any] | None:
        """The one row, None when there is none."""
        prepared = self._prepared.get(statement)
        if prepared is None:
            prepared = self._prepared[statement] = _Prepared.of(statement)
        arguments = prepared.arguments(values)
        try:
            cursor = self._connected().cursor()
            cursor.execute(prepared.text, arguments)
            found: Sequence[Any] | None = cursor.fetchone()
            cursor.close()
        except SqliteError as error:
            raise DBAPIError.instance(prepared.text, None, error, SqliteError, hide_parameters=True) from error
        return found

    def _connected(self) -> PoolProxiedConnection:
        if self._connection is None:
            self._connection = self._engine.raw_connection()
        return self._connection

    async def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


class PostgresqlGlances:
    """Reads through an engine, whose pool it shares."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")

    async def row(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any] | None:
        """The one row, None when there is none."""
        async with self._engine.connect() as connection:
            found: Sequence[Any] | None = (await connection.execute(statement, values)).one_or_none()
            return found

    async def close(self) -> None:
        """The engine is closed by whoever has opened it."""
