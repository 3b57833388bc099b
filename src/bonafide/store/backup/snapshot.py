"""All rows of a database as of one instant, table by table and a few at a time, as JSON values.

Values are written the same for SQLite and PostgreSQL, so that each can be restored into the other. Columns that an older schema
lacks are left out.
"""

import base64
import sqlite3
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date
from operator import attrgetter
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import (
    URL,
    Boolean,
    Column,
    Connection,
    Date,
    Integer,
    LargeBinary,
    NullPool,
    Select,
    String,
    Table,
    Text,
    Uuid,
    create_engine,
    inspect,
    select,
    type_coerce,
)
from sqlalchemy.exc import DBAPIError

from bonafide.errors import ConfigurationError
from bonafide.model.backup import AuditHead, BackedUpColumn, ColumnKind
from bonafide.store.database import sqlite_setup as sqlite_settings
from bonafide.store.database.columns import EPHEMERAL, UtcInstant
from bonafide.store.database.schema_migration import list_revisions, read_revision
from bonafide.store.database.tables import audit_entries, ledgers, metadata

ROWS_AT_ONCE = 250
"""Documents may have hundreds of kilobytes."""
_KINDS = (
    (UtcInstant, ColumnKind.INSTANT),
    (Uuid, ColumnKind.UUID),
    (Boolean, ColumnKind.BOOLEAN),
    (Integer, ColumnKind.INTEGER),
    (Date, ColumnKind.DATE),
    (LargeBinary, ColumnKind.BYTES),
    (String, ColumnKind.TEXT),
)


def get_column_kind(column: Column[Any]) -> ColumnKind:
    """How the values of a column are written. Raises `TypeError` for a type that no table had when this was written."""
    for type_, kind in _KINDS:
        if isinstance(column.type, type_):
            return kind
    raise TypeError(f"{column}: a backup does not know how to write {column.type!r}")


_ENCODERS: dict[ColumnKind, Callable[[Any], Any]] = {
    ColumnKind.INSTANT: lambda value: value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
    ColumnKind.UUID: attrgetter("hex"),
    ColumnKind.DATE: date.isoformat,
    ColumnKind.BYTES: lambda value: base64.b64encode(value).decode(),
}
"""The others are in JSON what they are in Python."""


class DatabaseSnapshot:
    """One state of the database, while the transaction that reads it is open."""

    def __init__(self, connection: Connection, revision: str) -> None:
        self._connection = connection
        self.revision = revision
        self.database = connection.dialect.name
        inspector = inspect(connection)
        there = set(inspector.get_table_names())
        self._columns = {
            table.name: {column["name"] for column in inspector.get_columns(table.name)} for table in _list_own_tables(there)
        }

    @property
    def tables(self) -> list[Table]:
        """Those that are there and that a restore wants, none before one that it refers to."""
        return [table for table in _list_own_tables(self._columns) if EPHEMERAL not in table.info]

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of the others."""
        return tuple(table.name for table in _list_own_tables(self._columns) if EPHEMERAL in table.info)

    def columns(self, table: Table) -> tuple[BackedUpColumn, ...]:
        """The columns that the table has in this database."""
        return tuple(BackedUpColumn(name=column.name, kind=get_column_kind(column)) for column in self._there(table))

    def rows(self, table: Table) -> Iterator[Sequence[Sequence[Any]]]:
        """Every row, a few at a time, each value as its kind is written."""
        kinds = [column.kind for column in self.columns(table)]
        changed = [(place, _ENCODERS[kind]) for place, kind in enumerate(kinds) if kind in _ENCODERS]
        for batch in self._connection.execution_options(yield_per=ROWS_AT_ONCE).execute(self._read(table)).partitions():
            rows = [list(row) for row in batch]
            for row in rows:
                for place, written in changed:
                    if row[place] is not None:
                        row[place] = written(row[place])
            yield rows

    def list_audit_heads(self) -> tuple[AuditHead, ...]:
        """The length and last hash of each organization's audit log."""
        if ledgers.name not in self._columns:
            return ()
        ends = select(ledgers.c.organization_id, ledgers.c.entries, ledgers.c.head).order_by(ledgers.c.organization_id)
        return tuple(
            AuditHead(organization_id=row.organization_id, entries=row.entries, hash=row.head)
            for row in self._connection.execute(ends)
        )

    def _read(self, table: Table) -> Select[Any]:
        # A word may be one that this release does not know: it is text here.
        cells = [
            type_coerce(column, Text()) if get_column_kind(column) is ColumnKind.TEXT else column for column in self._there(table)
        ]
        found = select(*cells)
        # The check of the audit log in the backup needs this order.
        return found.order_by(*table.primary_key) if table is audit_entries else found

    def _there(self, table: Table) -> list[Column[Any]]:
        return [column for column in table.c if column.name in self._columns[table.name]]


@contextmanager
def open_snapshot(url: URL) -> Iterator[DatabaseSnapshot]:
    """Read a database, whoever writes to it meanwhile. Raises `ConfigurationError` for what is none of ours, or a newer one's."""
    if url.get_backend_name() == "sqlite":
        if not Path(str(url.database)).is_file():
            raise ConfigurationError(f"there is no database at {url.database}")
        engine = create_engine(url.set(drivername="sqlite"), poolclass=NullPool, hide_parameters=True)
        sqlite_settings.configure_engine(engine, begin="BEGIN", query_only=True)
    else:
        options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        engine = create_engine(url, poolclass=NullPool, hide_parameters=True, execution_options=options)
    with translate_database_errors(), engine.begin() as connection:
        yield DatabaseSnapshot(connection, _check_revision(read_revision(connection)))


@contextmanager
def translate_database_errors() -> Iterator[None]:
    """Turn what the database says into one sentence for the operator; only its first line, for the others may hold values."""
    try:
        yield
    except (DBAPIError, sqlite3.Error, psycopg.Error) as error:
        said = str(error.orig if isinstance(error, DBAPIError) else error).partition("\n")[0]
        raise ConfigurationError(f"the database: {said}") from error


def _check_revision(revision: str | None) -> str:
    if revision is None:
        raise ConfigurationError("the database holds nothing of bonafide's")
    if revision not in list_revisions():
        raise ConfigurationError(f"the database's schema is {revision}, of a newer release: back it up with that one")
    return revision


def _list_own_tables(names: Container[str]) -> list[Table]:
    return [table for table in metadata.sorted_tables if table.name in names]
