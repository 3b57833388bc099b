"""Single statements in autocommit mode, at a fifth of the cost of a transaction, and transactions of planned writes.

Each single statement is a transaction of its own, which saves round trips: one thread hop instead of eight on SQLite, no BEGIN and
COMMIT on PostgreSQL. Several writes whose values are known beforehand are one transaction, on SQLite in one thread hop too. Writes
that depend on reads of the same transaction need one of the `engine`.
"""

import asyncio
from collections import namedtuple
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from sqlite3 import Error as SqliteError
from typing import Any, NamedTuple, Protocol

from sqlalchemy import (
    URL,
    Engine,
    Insert,
    PoolProxiedConnection,
    Select,
    StaticPool,
    Update,
    create_engine,
)
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bonafide.store.database import sqlite_setup
from bonafide.store.database.sqlite_setup import Synchronous

_DIALECT = dialect()
_Converter = Callable[[Any], Any]
WriteStatement = Insert | Update
"""A statement that writes. All its values are named, and none is written into it."""


class PlannedWrite(NamedTuple):
    """A statement with its values."""

    statement: WriteStatement
    values: Mapping[str, Any]


class AutocommitStatements(Protocol):
    """Cached: statements are few and built once."""

    async def rows(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any]:
        """All rows of the statement with these values. Raises SQLAlchemy's errors."""

    async def change(self, statement: WriteStatement, values: Mapping[str, Any]) -> int:
        """Execute the statement and return the number of changed rows. Raises SQLAlchemy's errors."""

    async def change_together(self, first: PlannedWrite, others: Sequence[PlannedWrite]) -> int:
        """Execute the first write and, if it changes a row, the others in the same transaction; returns the rows that it changed.

        Raises SQLAlchemy's errors.
        """

    async def close(self) -> None:
        """Release the connections; no statement is running any more."""


@dataclass(frozen=True, slots=True)
class _PreparedStatement:
    """A statement in SQLite's form: its text, and the names of its values in order, with their converters.

    `constants` are the values that SQLAlchemy adds, such as the offset of a limit, `row` is the type of the rows, with a field for
    each column, and `columns` are the converters of these fields.
    """

    text: str
    values: tuple[tuple[str, _Converter | None], ...]
    constants: Mapping[str, Any]
    row: type[tuple[Any, ...]]
    columns: tuple[_Converter | None, ...]

    @classmethod
    def of(cls, statement: Select[Any] | WriteStatement) -> "_PreparedStatement":
        """Compile a statement with named values."""
        compiled = statement.compile(dialect=_DIALECT)
        names = compiled.positiontup if compiled.positiontup is not None else []
        columns = list(statement.selected_columns) if isinstance(statement, Select) else []
        return cls(
            str(compiled),
            tuple((name, compiled.binds[name].type.bind_processor(_DIALECT)) for name in names),
            {name: bind.effective_value for name, bind in compiled.binds.items() if not bind.required},
            namedtuple("row", [str(column.key) for column in columns], rename=True),  # noqa: PYI024 - the columns are not known before
            tuple(column.type.result_processor(_DIALECT, None) for column in columns),
        )

    def arguments(self, values: Mapping[str, Any]) -> list[Any]:
        """The values in order."""
        given = {**self.constants, **values}
        return [spelled(given[name]) if spelled is not None else given[name] for name, spelled in self.values]

    def read_row(self, found: Sequence[Any]) -> Sequence[Any]:
        """The row as the types of its columns have it."""
        converted = zip(found, self.columns, strict=True)
        return self.row(*(convert(value) if convert is not None else value for value, convert in converted))


class _SqliteConnection:
    """One connection to a SQLite file, opened on first use.

    It uses the driver directly, because SQLAlchemy's overhead is larger than the time of a query.
    """

    def __init__(self, url: URL, *, query_only: bool) -> None:
        # Any one thread at a time.
        arguments = {"check_same_thread": False}
        engine = create_engine(url.set(drivername="sqlite"), poolclass=StaticPool, hide_parameters=True, connect_args=arguments)
        # The store waits for the disk after a commit (`commit_sync`).
        sqlite_setup.configure_engine(engine, begin="BEGIN", query_only=query_only, synchronous=Synchronous.NORMAL)
        self._engine: Engine = engine
        self._connection: PoolProxiedConnection | None = None
        self._prepared: dict[Select[Any] | WriteStatement, _PreparedStatement] = {}

    def execute(self, statement: Select[Any] | WriteStatement, values: Mapping[str, Any]) -> tuple[Sequence[Any], int]:
        """Execute it and return its rows, and the number of changed rows. Raises `DBAPIError`."""
        prepared = self._prepare(statement)
        arguments = prepared.arguments(values)
        try:
            cursor = self._connect().cursor()
            cursor.execute(prepared.text, arguments)
            found: Sequence[Sequence[Any]] = cursor.fetchall()
            changed: int = cursor.rowcount
            cursor.close()
        except SqliteError as error:
            raise DBAPIError.instance(prepared.text, None, error, SqliteError, hide_parameters=True) from error
        return [prepared.read_row(row) for row in found], changed

    def execute_together(self, first: PlannedWrite, others: Sequence[PlannedWrite]) -> int:
        """Execute the writes in one transaction, the others only if the first changes a row. Raises `DBAPIError`."""
        text = "BEGIN IMMEDIATE"
        try:
            connection = self._connect()
            cursor = connection.cursor()
            cursor.execute(text)
            try:
                changed = 0
                for number, write in enumerate((first, *others)):
                    prepared = self._prepare(write.statement)
                    text = prepared.text
                    cursor.execute(text, prepared.arguments(write.values))
                    if number == 0:
                        changed = cursor.rowcount
                        if changed == 0:
                            break
                cursor.execute("COMMIT")
            except BaseException:
                # Some errors, such as a full disk, end the transaction themselves; then this does nothing.
                connection.rollback()
                raise
            cursor.close()
        except SqliteError as error:
            raise DBAPIError.instance(text, None, error, SqliteError, hide_parameters=True) from error
        return changed

    def _connect(self) -> PoolProxiedConnection:
        if self._connection is None:
            self._connection = self._engine.raw_connection()
        return self._connection

    def _prepare(self, statement: Select[Any] | WriteStatement) -> _PreparedStatement:
        prepared = self._prepared.get(statement)
        if prepared is None:
            prepared = self._prepared[statement] = _PreparedStatement.of(statement)
        return prepared

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


class SqliteAutocommit:
    """Statements on a SQLite file.

    Reads run on the event loop: that is faster than handing them to a thread, even with a page from disk, and with a write-ahead
    log readers do not wait for writers. A write may wait for another process, so it runs in a thread.
    """

    def __init__(self, url: URL) -> None:
        self._reader = _SqliteConnection(url, query_only=True)
        self._writer = _SqliteConnection(url, query_only=False)
        self._thread = ThreadPoolExecutor(1, "write")

    def read(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any]:
        """All rows."""
        return self._reader.execute(statement, values)[0]

    async def rows(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any]:
        """The same for callers that await it."""
        return self.read(statement, values)

    async def change(self, statement: WriteStatement, values: Mapping[str, Any]) -> int:
        """The number of changed rows."""
        loop = asyncio.get_running_loop()
        return (await loop.run_in_executor(self._thread, self._writer.execute, statement, values))[1]

    async def change_together(self, first: PlannedWrite, others: Sequence[PlannedWrite]) -> int:
        """The number of rows that the first write changed."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._writer.execute_together, first, others)

    async def close(self) -> None:
        """Close both connections."""
        await asyncio.to_thread(self._thread.shutdown)
        self._writer.close()
        self._reader.close()


class PostgresqlAutocommit:
    """Statements through an engine, whose pool it shares."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine.execution_options(preserve_rowcount=True)

    async def rows(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any]:
        """All rows."""
        async with self._connect() as connection:
            found: Sequence[Any] = (await connection.execute(statement, values)).all()
            return found

    async def change(self, statement: WriteStatement, values: Mapping[str, Any]) -> int:
        """The number of changed rows."""
        async with self._connect() as connection:
            return (await connection.execute(statement, values)).rowcount

    async def change_together(self, first: PlannedWrite, others: Sequence[PlannedWrite]) -> int:
        """The number of rows that the first write changed."""
        async with self._engine.begin() as connection:
            changed = (await connection.execute(first.statement, first.values)).rowcount
            for write in others if changed > 0 else ():
                await connection.execute(write.statement, write.values)
        return changed

    async def close(self) -> None:
        """Do nothing: the owner of the engine closes it."""

    @asynccontextmanager
    async def _connect(self) -> AsyncIterator[AsyncConnection]:
        async with self._engine.connect() as connection:
            # Not an option of the engine: SQLAlchemy applies those before anything closes the connection if the task is cancelled.
            yield await connection.execution_options(isolation_level="AUTOCOMMIT")
