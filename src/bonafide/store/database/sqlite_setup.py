"""SQLite configured for several threads and processes: write-ahead log, foreign keys, explicit transactions.

The driver's implicit BEGIN is disabled.
"""

import sqlite3
from enum import StrEnum
from time import monotonic, sleep
from typing import Any

from sqlalchemy import URL, Connection, Engine, event

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message

MIN_VERSION = (3, 40)
"""The version of Debian 12; it has RETURNING, UPSERT and UPDATE … FROM."""
PRIMARY_CODE = 0xFF
PROGRAMMING_ERRORS = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_READONLY}
"""Error codes of an invalid statement and of a write in a read-only transaction."""
BUSY_TIMEOUT_S = 5
"""How long a connection waits for another process's write, unless its engine sets another time."""
RETRY_INTERVAL_S = 0.01


def check_url(url: URL) -> None:
    """Raise `ConfigurationError` for a library that is too old, or a database that connections can't share."""
    if sqlite3.sqlite_version_info < MIN_VERSION:
        raise ConfigurationError(
            Message(
                "SQLite {required} or newer is required; this Python has {version}.",
                required=".".join(map(str, MIN_VERSION)),
                version=sqlite3.sqlite_version,
            )
        )
    if url.database is None or url.database in {"", ":memory:"}:
        raise ConfigurationError(Message("The SQLite database needs a file: sqlite:///path/to/bonafide.sqlite3"))


class Synchronous(StrEnum):
    """When a commit waits for the disk. In both modes a power failure never damages the file."""

    FULL = "FULL"
    """Before it ends."""
    NORMAL = "NORMAL"
    """Not at all: a power failure can lose the last commits, unless `CommitSync` has written them out."""


def configure_engine(
    engine: Engine,
    *,
    begin: str,
    query_only: bool = False,
    synchronous: Synchronous = Synchronous.FULL,
    busy_timeout_s: float = BUSY_TIMEOUT_S,
) -> None:
    """Give each new connection our settings, and start each transaction with `begin` (`BEGIN` or `BEGIN IMMEDIATE`).

    `busy_timeout_s` is how long a connection waits for another process's write.
    """

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        # First, because the other settings may wait as well.
        cursor.execute(f"PRAGMA busy_timeout = {round(busy_timeout_s * 1000)}")
        _prepare_new_file(cursor)
        _use_write_ahead_log(cursor, busy_timeout_s)
        cursor.execute(f"PRAGMA synchronous = {synchronous}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute(f"PRAGMA query_only = {int(query_only)}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    @event.listens_for(engine, "invalidate")
    def _invalidate(connection: Any, _record: object, _error: object) -> None:
        # SQLite closes a connection with an unfinished statement only when that is freed, and keeps the write lock until then. A
        # cancelled task leaves such a statement.
        connection.rollback()


def _prepare_new_file(cursor: Any) -> None:
    """Let a new file give back the pages that deleted rows leave (`free_pages`). Only a file without pages can be set to that."""
    cursor.execute("PRAGMA page_count")
    if cursor.fetchone()[0] > 0:
        return
    try:
        cursor.execute("PRAGMA auto_vacuum = INCREMENTAL")
    except sqlite3.OperationalError as error:
        # Another connection is creating the file, with the same setting.
        if error.sqlite_errorcode & PRIMARY_CODE != sqlite3.SQLITE_BUSY:
            raise


def _use_write_ahead_log(cursor: Any, within_s: float) -> None:
    """Switch the file to a write-ahead log; does nothing if it has one.

    Where several connections switch a new file at once, SQLite fails without waiting for the busy timeout: each holds a lock that
    the others need, so one must release its own and retry.
    """
    deadline = monotonic() + within_s
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & PRIMARY_CODE != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                raise
            sleep(RETRY_INTERVAL_S)
        else:
            return


def free_pages(path: str, limit: int) -> int:
    """Give up to `limit` unused pages of a file back to the file system; returns how many. Blocks.

    A file that an earlier release has created keeps its pages until it is vacuumed.
    """
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    try:
        before: int = connection.execute("PRAGMA freelist_count").fetchone()[0]
        if before > 0:
            # As a script: the driver executes a statement only up to its first row, and this one has a row for each page.
            connection.executescript(f"PRAGMA incremental_vacuum({limit})")
        after: int = connection.execute("PRAGMA freelist_count").fetchone()[0]
        return before - after
    finally:
        connection.close()


def vacuum(path: str) -> None:
    """Rewrite a file without unused pages, so that `free_pages` works from then on. Blocks, and writers wait meanwhile."""
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    try:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def is_unavailable(error: sqlite3.OperationalError) -> bool:
    """Whether the file is locked, missing or full; SQLite uses the same exception for invalid statements."""
    code = getattr(error, "sqlite_errorcode", None)
    # The low byte is the primary code; an error of the driver itself (connection closed) has none.
    return code is None or code & PRIMARY_CODE not in PROGRAMMING_ERRORS
