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
from bonafide.i18n.message import Message
from bonafide.model.backup import AuditHead, BackedUpColumn, ColumnKind
from bonafide.store.database import sqlite_setup as sqlite_settings
from bonafide.store.database.columns import EPHEMERAL, MessageText, UtcInstant
from bonafide.store.database.schema_migration import list_revisions, read_revision
from bonafide.store.database.tables import audit_entries, ledgers, metadata

ROWS_AT_ONCE = 250
"""Rows of a batch; documents may have hundreds of kilobytes."""
_KINDS = (
    (UtcInstant, ColumnKind.INSTANT),
    (Uuid, ColumnKind.UUID),
    (Boolean, ColumnKind.BOOLEAN),
    (Integer, ColumnKind.INTEGER),
    (Date, ColumnKind.DATE),
    (LargeBinary, ColumnKind.BYTES),
    (String, ColumnKind.TEXT),
    (MessageText, ColumnKind.TEXT),
)


def get_column_kind(column: Column[Any]) -> ColumnKind:
    """How the values of a column are encoded. Raises `TypeError` for an unknown type."""
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
"""Other values have the same form in JSON."""


class DatabaseSnapshot:
    """A consistent snapshot of the database, while its transaction is open."""

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
        """The tables to back up, each after those that it refers to."""
        return [table for table in _list_own_tables(self._columns) if EPHEMERAL not in table.info]

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of the other tables."""
        return tuple(table.name for table in _list_own_tables(self._columns) if EPHEMERAL in table.info)

    def columns(self, table: Table) -> tuple[BackedUpColumn, ...]:
        """The columns that the table has in this database."""
        return tuple(BackedUpColumn(name=column.name, kind=get_column_kind(column)) for column in self._there(table))

    def rows(self, table: Table) -> Iterator[Sequence[Sequence[Any]]]:
        """Every row, in batches, with encoded values."""
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
        # As stored: enum values may be unknown to this release, and messages keep their values.
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
    """Read a database while it is in use. Raises `ConfigurationError` for one without our tables, or of a newer release."""
    if url.get_backend_name() == "sqlite":
        if not Path(str(url.database)).is_file():
            raise ConfigurationError(Message("There is no database at {path}.", path=url.database))
        engine = create_engine(url.set(drivername="sqlite"), poolclass=NullPool, hide_parameters=True)
        sqlite_settings.configure_engine(engine, begin="BEGIN", query_only=True)
    else:
        options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        engine = create_engine(url, poolclass=NullPool, hide_parameters=True, execution_options=options)
    with translate_database_errors(), engine.begin() as connection:
        yield DatabaseSnapshot(connection, _check_revision(read_revision(connection)))


@contextmanager
def translate_database_errors() -> Iterator[None]:
    """Convert a database error to a message for the operator, with its first line only: others may contain values."""
    try:
        yield
    except (DBAPIError, sqlite3.Error, psycopg.Error) as error:
        said = str(error.orig if isinstance(error, DBAPIError) else error).partition("\n")[0]
        raise ConfigurationError(Message("The database reported an error: {error}", error=said)) from error


def _check_revision(revision: str | None) -> str:
    if revision is None:
        raise ConfigurationError(Message("The database has no tables of bonafide."))
    if revision not in list_revisions():
        raise ConfigurationError(
            Message("The database’s schema is {revision}, of a newer release. Back it up with that release.", revision=revision)
        )
    return revision


def _list_own_tables(names: Container[str]) -> list[Table]:
    return [table for table in metadata.sorted_tables if table.name in names]
