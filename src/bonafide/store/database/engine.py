"""The connection to the database: short, measured transactions on SQLite or PostgreSQL.

Only this module turns an unavailable database into `ServerBusy`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import OperationalError as SqliteOperationalError
from time import monotonic, perf_counter
from types import MappingProxyType
from typing import Any, Self, TypeVar

from psycopg.errors import UndefinedTable
from sqlalchemy import URL, QueuePool, Select, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bonafide.errors import ConfigurationError, ServerBusy
from bonafide.i18n.message import Message
from bonafide.observability.log import get_logger
from bonafide.observability.metrics import Metrics
from bonafide.observability.tracing import span
from bonafide.store.database import sqlite_setup
from bonafide.store.database.autocommit import (
    AutocommitStatements,
    PlannedWrite,
    PostgresqlAutocommit,
    SqliteAutocommit,
    WriteStatement,
)
from bonafide.store.database.change_listener import ChangeListener, open_change_listener
from bonafide.store.database.commit_guard import get_commit_guard
from bonafide.store.database.commit_sync import CommitSync, CommitSyncFailed
from bonafide.store.database.read_replica import ReadReplica
from bonafide.store.database.schema_migration import NO_PREPARED_STATEMENTS, explain_refusal, fetch_revision, upgrade
from bonafide.store.database.sqlite_setup import Synchronous
from bonafide.store.database.write_lock import WriteLock

READ, WRITE = "read", "write"
T = TypeVar("T")


@asynccontextmanager
async def measure_transaction(begun: AbstractAsyncContextManager[T], mode: str, metrics: Metrics) -> AsyncIterator[T]:
    """A context manager that begins and ends a transaction."""
    asked, began = perf_counter(), None
    try:
        with span("transaction", {"bonafide.mode": mode}):
            async with begun as connection:
                began = perf_counter()
                yield connection
    finally:
        if began is not None:
            metrics.observe_transaction(mode, began - asked, perf_counter() - began)


POOL_TIMEOUT_S = 5
"""How long a request waits for a free connection."""
SQLITE_READERS = 8
NO_ARGUMENTS: Mapping[str, Any] = MappingProxyType({})
POSTGRESQL_CONNECTIONS = 10
"""Connections of each process, for readers and writers together."""
POSTGRESQL_TIMEOUTS = {"connect_timeout": "5", "tcp_user_timeout": "10000"}
"""Parameters of libpq (s and ms), which an address may override. The kernel alone would wait minutes for a silent server."""
READ_ONLY: Mapping[str, Any] = MappingProxyType({"isolation_level": "REPEATABLE READ", "postgresql_readonly": True})
"""Options of a reading transaction on PostgreSQL. They are part of BEGIN, so a pooler may give the connection away afterwards."""
TRANSACTION_TIMEOUT_S = 60.0
"""A transaction is short; one that takes longer than this is given up."""
Connection = AsyncConnection
"""A connection within a transaction, by the name that services use: they pass it on without using SQLAlchemy."""
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DatabaseOptions:
    """How a database is reached besides its address; see the settings of the same names."""

    pooled: bool = False
    replica: str | None = None
    """The address of a streaming replica."""
    transaction_timeout_s: float = TRANSACTION_TIMEOUT_S
    is_durable: bool = True
    """Whether a commit on SQLite is on the disk before its caller continues. PostgreSQL's own settings always apply."""


class Store:
    """The database of one process. Open it once, `prepare` or `migrate` it, `close` it at the end."""

    def __init__(
        self,
        url: URL,
        engines: tuple[AsyncEngine, AsyncEngine],
        access: DatabaseOptions,
        replica: ReadReplica | None,
        metrics: Metrics,
    ) -> None:
        self._url = url
        self._metrics = metrics
        self._reader, self._writer = engines
        self._autocommit: AutocommitStatements
        self._autocommit = PostgresqlAutocommit(self._writer) if self.is_server else SqliteAutocommit(url)
        self._write_lock = WriteLock(Path(str(url.database))) if not self.is_server else None
        self._commit_sync = CommitSync(Path(str(url.database))) if not self.is_server and access.is_durable else None
        self._access = access
        self.replica = replica
        """The replica for reads that may lag; None without one."""
        self.answered_at = monotonic()
        """When a transaction last ended, on the monotonic clock."""
        self._under_way = 0
        self._is_idle = asyncio.Event()
        self._is_closed = False

    @classmethod
    def open(cls, dsn: str, access: DatabaseOptions | None = None, metrics: Metrics | None = None) -> Self:
        """A store on `sqlite+aiosqlite:///file` or `postgresql+psycopg://…`; connects when first used; `metrics` counts.

        Raises `ConfigurationError` for an invalid address.
        """
        access = access if access is not None else DatabaseOptions()
        url = parse_database_url(dsn)
        if url.get_backend_name() == "sqlite":
            engines = _create_sqlite_engines(url)
        else:
            shared = _create_postgresql_engine(url, pooled=access.pooled)
            engines = (shared, shared)
        return cls(url, engines, access, _create_replica(url, access), metrics if metrics is not None else Metrics())

    @property
    def dialect(self) -> str:
        """The name of the database: `sqlite` or `postgresql`."""
        return self._url.get_backend_name()

    @property
    def is_server(self) -> bool:
        """Whether other machines can use it too: true for PostgreSQL."""
        return self._url.get_backend_name() == "postgresql"

    @asynccontextmanager
    async def read(self, *, at_length: bool = False) -> AsyncIterator[AsyncConnection]:
        """A read-only transaction on one snapshot; `at_length` exempts it from the time limit. Raises `ServerBusy`."""
        async with self._transaction(_begin_reading(self._reader), READ, at_length=at_length) as connection:
            yield connection

    @asynccontextmanager
    async def read_lagging(self) -> AsyncIterator[AsyncConnection]:
        """The same, on the replica if there is one: a consistent snapshot that may lag. Raises `ServerBusy`.

        For lists only. Decisions, and reads of what was just written, use `read`.
        """
        async with AsyncExitStack() as stack:
            connection = None
            if self.replica is not None and self.replica.may_be_tried():
                try:
                    connection = await stack.enter_async_context(self._transaction(_begin_reading(self.replica.engine), READ))
                except ServerBusy:
                    self.replica.failed()
                else:
                    self.replica.answered()
            if connection is None:
                connection = await stack.enter_async_context(self._transaction(_begin_reading(self._reader), READ))
            yield connection

    async def fetch_one(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any] | None:
        """Read one row in autocommit mode; None when there is none. Raises `ServerBusy`."""
        found = await self.fetch_all(statement, values)
        return found[0] if found else None

    async def fetch_all(self, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any]:
        """Read a few rows in autocommit mode. Raises `ServerBusy`."""
        with self._in_use(), _translate_unavailability(self._metrics):
            if isinstance(self._autocommit, SqliteAutocommit):
                # It waits for nothing, so there is nothing to interrupt.
                return self._autocommit.read(statement, values)
            async with _limit_duration(self._access.transaction_timeout_s):
                return await self._autocommit.rows(statement, values)

    async def change(self, statement: WriteStatement, values: Mapping[str, Any], *, durable: bool = True) -> int:
        """Execute one writing statement in autocommit mode and return the number of changed rows. Raises `ServerBusy`.

        `durable` is that of `write`.
        """
        return await self._change(self._autocommit.change, statement, values, durable=durable)

    async def change_together(self, first: PlannedWrite, others: Sequence[PlannedWrite]) -> int:
        """Execute the first write and, if it changes a row, the others in the same transaction. Raises `ServerBusy`.

        Returns the number of rows that the first one changed. It costs less than `write`: on SQLite it is one thread hop.
        """
        return await self._change(self._autocommit.change_together, first, others, durable=True)

    async def _change(self, execute: Callable[..., Awaitable[int]], *arguments: Any, durable: bool) -> int:
        guard = get_commit_guard()
        if guard is not None:
            guard.check()
        with self._in_use(), _translate_unavailability(self._metrics):
            async with (
                _limit_duration(self._access.transaction_timeout_s),
                measure_transaction(self._alone(), WRITE, self._metrics),
            ):
                changed = await execute(*arguments)
            if durable:
                await self._sync_commits()
            self.answered_at = monotonic()
            return changed

    @asynccontextmanager
    async def write(self, *, is_effect: bool = True, durable: bool = True) -> AsyncIterator[AsyncConnection]:
        """A transaction that commits at the end, or rolls back on an exception. Raises `ServerBusy`.

        Keep it short and never nest it: SQLite has one writer at a time, and the others wait. The first write of a request with an
        idempotency key must complete the key (`work/pending_key`), otherwise this raises `RuntimeError`; `is_effect` is False for
        bookkeeping that a repeated request may repeat. A `durable` commit is on the disk before the block ends. Any other may be
        lost in a power failure, on SQLite and only together with all later ones: for what nobody has been told of yet.
        """
        guard = get_commit_guard() if is_effect else None
        with self._in_use():
            async with self._transaction(self._begin_exclusive(), WRITE) as connection:
                yield connection
                if guard is not None:
                    guard.check(connection)
            if guard is not None:
                guard.mark_committed(connection)
            if durable:
                with _translate_unavailability(self._metrics):
                    await self._sync_commits()

    async def free_pages(self, limit: int) -> int:
        """Give up to `limit` unused pages of a SQLite file back to the file system; returns how many. Raises `ServerBusy`.

        Does nothing on PostgreSQL, which reuses the space of deleted rows.
        """
        if self.is_server:
            return 0
        with self._in_use(), _translate_unavailability(self._metrics):
            async with measure_transaction(self._alone(), WRITE, self._metrics):
                return await asyncio.to_thread(sqlite_setup.free_pages, str(self._url.database), limit)

    async def vacuum(self) -> bool:
        """Rewrite a SQLite file without unused pages, while writers wait; False on PostgreSQL. Raises `ServerBusy`."""
        if self.is_server:
            return False
        with self._in_use(), _translate_unavailability(self._metrics):
            async with self._alone():
                await asyncio.to_thread(sqlite_setup.vacuum, str(self._url.database))
        return True

    def listen(self, channel: str) -> AbstractAsyncContextManager[ChangeListener]:
        """A listener for what other transactions commit; `notify_listeners` names the same channel."""
        return open_change_listener(self._url, channel, pooled=self._access.pooled)

    async def migrate(self) -> None:
        """Migrate to the newest schema; safe for concurrent processes. Raises `ServerBusy`, `ConfigurationError`."""
        with _translate_unavailability(self._metrics):
            await asyncio.to_thread(upgrade, self._url, pooled=self._access.pooled)

    async def prepare(self) -> None:
        """Check that the schema is this release's; create it in an empty database. Raises `ConfigurationError`, `ServerBusy`."""
        known = await self.revision()
        refusal = explain_refusal(known)
        if refusal is not None:
            raise ConfigurationError(refusal)
        if known is None:
            await self.migrate()

    async def revision(self) -> str | None:
        """The revision of the database's schema, None for a database without any. Raises `ServerBusy`."""
        try:
            async with self.read() as connection:
                return await fetch_revision(connection)
        except DBAPIError as error:
            if _is_missing_table(error):
                return None
            raise

    async def ping(self) -> None:
        """Raise `ServerBusy` when the database is unavailable."""
        async with self.read() as connection:
            await connection.execute(text("SELECT 1"))

    def pools(self) -> dict[str, tuple[int, int]]:
        """The connection pools by their purpose, each with the connections in use and its size."""
        reader, writer = self._reader.pool, self._writer.pool
        found = {"shared": writer} if reader is writer else {READ: reader, WRITE: writer}
        return {name: (pool.checkedout(), pool.size()) for name, pool in found.items() if isinstance(pool, QueuePool)}

    async def close(self) -> None:
        """Close every connection once the running transactions have ended; no new one can begin."""
        self._is_closed = True
        if self._under_way > 0:
            await self._is_idle.wait()
        if self._commit_sync is not None:
            await self._commit_sync.close()
        if self._write_lock is not None:
            self._write_lock.close()
        await self._autocommit.close()
        for engine in {self._reader, self._writer, *([self.replica.engine] if self.replica is not None else [])}:
            await engine.dispose()

    @asynccontextmanager
    async def _transaction(
        self, begun: AbstractAsyncContextManager[AsyncConnection], mode: str, *, at_length: bool = False
    ) -> AsyncIterator[AsyncConnection]:
        limit_s = None if at_length else self._access.transaction_timeout_s
        with self._in_use(), _translate_unavailability(self._metrics):
            # Outside the transaction, so that it is rolled back on cancellation; psycopg also cancels the statement on the server.
            async with _limit_duration(limit_s), measure_transaction(begun, mode, self._metrics) as connection:
                yield connection
            self.answered_at = monotonic()

    async def _sync_commits(self) -> None:
        """Wait until this process's commits on SQLite are on the disk. Outside the write lock, so that they share a write-out."""
        if self._commit_sync is not None:
            async with _limit_duration(self._access.transaction_timeout_s):
                await self._commit_sync.wait()

    @asynccontextmanager
    async def _begin_exclusive(self) -> AsyncIterator[AsyncConnection]:
        async with self._alone(), self._writer.begin() as connection:
            yield connection

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Hold the write lock while the block runs, on a database with one writer at a time."""
        async with AsyncExitStack() as stack:
            if self._write_lock is not None:
                try:
                    await stack.enter_async_context(self._write_lock.hold(POOL_TIMEOUT_S))
                except TimeoutError as error:
                    raise PoolTimeout from error
            yield

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """Keep the store from closing while the block runs."""
        if self._is_closed:
            # The engine would open a new connection, which would never be closed.
            raise ServerBusy(Message("The service is shutting down."))
        self._under_way += 1
        self._is_idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if self._under_way == 0:
                self._is_idle.set()


async def fetch_value(database: Connection | Store, statement: Select[Any], values: Mapping[str, Any]) -> Any:
    """Return the first column of the one row that the statement selects, or None when there is no row, as `fetch_row`."""
    row = await fetch_row(database, statement, values)
    return row[0] if row is not None else None


async def fetch_row(database: Connection | Store, statement: Select[Any], values: Mapping[str, Any]) -> Any:
    """Return the one row that the statement selects, or None when there is no row.

    Given a transaction, the statement runs in it. Given the store, it runs by itself in autocommit mode, which is several times
    faster (ADR 17); then raises `ServerBusy` when the database is unavailable.
    """
    if isinstance(database, Store):
        return await database.fetch_one(statement, values)
    return (await database.execute(statement, values)).one_or_none()


async def fetch_rows(database: Connection | Store, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any]:
    """Return the rows that the statement selects, as `fetch_row`. On the store for a few rows that are found by an index.

    On SQLite such a statement blocks the event loop while it runs, which is shorter than the way to a thread and back.
    """
    if isinstance(database, Store):
        return await database.fetch_all(statement, values)
    found: Sequence[Any] = (await database.execute(statement, values)).all()
    return found


async def change_rows(
    database: Connection | Store, statement: WriteStatement, values: Mapping[str, Any], *, durable: bool = True
) -> int:
    """Execute an insert or update and return how many rows it has changed: in the given transaction, or by itself on the store.

    `durable` is that of `Store.write`, and applies where the statement runs by itself.
    """
    if isinstance(database, Store):
        return await database.change(statement, values, durable=durable)
    return (await database.execute(statement, values)).rowcount


def parse_database_url(dsn: str) -> URL:
    """Parse a database address and set our driver. It may contain a password, so messages do not repeat it.

    Raises `ConfigurationError` for an unsupported address.
    """
    with suppress(ArgumentError, ValueError):
        url = make_url(dsn)
        match url.get_backend_name():
            case "sqlite":
                return url.set(drivername="sqlite+aiosqlite")
            case "postgresql":
                return url.set(drivername="postgresql+psycopg", query={**POSTGRESQL_TIMEOUTS, **url.query})
    raise ConfigurationError(Message("The database address must be sqlite:///file or postgresql://user@host/name."))


def _create_sqlite_engines(url: URL) -> tuple[AsyncEngine, AsyncEngine]:
    sqlite_setup.check_url(url)
    Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    reader = _create_engine(url, SQLITE_READERS)
    sqlite_setup.configure_engine(reader.sync_engine, begin="BEGIN", query_only=True)
    writer = _create_engine(url, 1)
    # The store waits for the disk after a commit (`commit_sync`).
    sqlite_setup.configure_engine(writer.sync_engine, begin="BEGIN IMMEDIATE", synchronous=Synchronous.NORMAL)
    return reader, writer


def _create_postgresql_engine(url: URL, *, pooled: bool) -> AsyncEngine:
    # After a restart of the server, pooled connections must not fail one request each.
    return _create_engine(url, POSTGRESQL_CONNECTIONS, pool_pre_ping=True, connect_args=NO_PREPARED_STATEMENTS if pooled else {})


@asynccontextmanager
async def _begin_reading(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    if engine.dialect.name == "sqlite":
        async with engine.begin() as connection:
            yield connection
        return
    async with engine.connect() as connection:
        # Not options of the engine: SQLAlchemy applies those before anything closes the connection if the task is cancelled.
        await connection.execution_options(**READ_ONLY)
        async with connection.begin():
            yield connection


def _create_replica(url: URL, access: DatabaseOptions) -> ReadReplica | None:
    """Raise `ConfigurationError` for a database that can't have a replica."""
    if access.replica is None:
        return None
    replica = parse_database_url(access.replica)
    if "sqlite" in {url.get_backend_name(), replica.get_backend_name()}:
        raise ConfigurationError(
            Message("Only PostgreSQL has replicas: `database_replica_url` needs a `database_url`, both postgresql://…")
        )
    return ReadReplica(_create_postgresql_engine(replica, pooled=access.pooled))


def _create_engine(
    url: URL, size: int, *, pool_pre_ping: bool = False, connect_args: Mapping[str, Any] = NO_ARGUMENTS
) -> AsyncEngine:
    return create_async_engine(
        url,
        connect_args=dict(connect_args),
        pool_size=size,
        max_overflow=0,
        pool_timeout=POOL_TIMEOUT_S,
        # The text of an error may contain names, which must not be logged.
        hide_parameters=True,
        pool_pre_ping=pool_pre_ping,
    )


@asynccontextmanager
async def _limit_duration(limit_s: float | None) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(limit_s) as limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        _log.warning("transaction.timed_out", limit_s=limit_s)
        raise ServerBusy from error


@contextmanager
def _translate_unavailability(metrics: Metrics) -> Iterator[None]:
    try:
        yield
    except CommitSyncFailed as error:
        _log.error("commit.sync_failed", problem=str(error.__cause__))
        metrics.count_database_unavailable()
        raise ServerBusy from error
    except PoolTimeout as error:
        _log.warning("connection_pool.exhausted")
        metrics.count_database_unavailable()
        raise ServerBusy from error
    except SqliteOperationalError as error:
        # Of a statement that runs without SQLAlchemy.
        _log.warning("database.unavailable", problem=str(error))
        metrics.count_database_unavailable()
        raise ServerBusy from error
    except DBAPIError as error:
        if not _is_unavailable(error):
            raise
        _log.warning("database.unavailable", problem=str(error.orig))
        metrics.count_database_unavailable()
        raise ServerBusy from error


def _is_missing_table(error: DBAPIError) -> bool:
    return isinstance(error.orig, UndefinedTable) or "no such table" in str(error.orig)


def _is_unavailable(error: DBAPIError) -> bool:
    if isinstance(error.orig, SqliteOperationalError):
        return sqlite_setup.is_unavailable(error.orig)
    return error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)
