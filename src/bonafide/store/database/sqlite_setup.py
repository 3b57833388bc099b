"""SQLite configured for several threads and processes: write-ahead log, foreign keys, explicit transactions.

The driver's implicit BEGIN is switched off.
"""

import sqlite3
from typing import Any

from sqlalchemy import URL, Connection, Engine, event

from bonafide.errors import ConfigurationError

MIN_VERSION = (3, 40)
"""RETURNING, UPSERT and UPDATE … FROM are all there; it is what Debian 12 ships."""
PRIMARY_CODE = 0xFF
PROGRAMMING_ERRORS = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_READONLY}
"""A wrong statement, and a write in a transaction that was opened to read."""
BUSY_TIMEOUT_S = 5
"""How long a connection waits for another process's write."""


def check_url(url: URL) -> None:
    """Raise `ConfigurationError` for a library that is too old, or a database that several connections could not share."""
    if sqlite3.sqlite_version_info < MIN_VERSION:
        raise ConfigurationError(
            f"SQLite {'.'.join(map(str, MIN_VERSION))} or newer is needed; this Python has {sqlite3.sqlite_version}"
        )
    if url.database is None or url.database in {"", ":memory:"}:
        raise ConfigurationError("the SQLite database needs a file: sqlite:///path/to/bonafide.sqlite3")


def configure_engine(engine: Engine, *, begin: str, query_only: bool = False) -> None:
    """Give each new connection our settings, and start each transaction with `begin` (`BEGIN` or `BEGIN IMMEDIATE`)."""

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in _list_pragmas(query_only=query_only):
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def _list_pragmas(*, query_only: bool) -> list[str]:
    return [
        # First, for the others wait too.
        f"PRAGMA busy_timeout = {BUSY_TIMEOUT_S * 1000}",
        "PRAGMA journal_mode = WAL",
        # With a write-ahead log a power cut can lose the last commits, but never damages the file.
        "PRAGMA synchronous = NORMAL",
        "PRAGMA foreign_keys = ON",
        f"PRAGMA query_only = {int(query_only)}",
    ]


def is_unavailable(error: sqlite3.OperationalError) -> bool:
    """Whether the file is locked, away or full: SQLite uses the same class for bugs of ours."""
    code = getattr(error, "sqlite_errorcode", None)
    # The low byte is the primary code; an error that the driver made up itself (connection closed) carries none.
    return code is None or code & PRIMARY_CODE not in PROGRAMMING_ERRORS
