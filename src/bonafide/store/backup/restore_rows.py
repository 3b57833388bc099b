"""Fill an empty database with the rows of a backup, in one transaction with its migrations.

Values are inserted as `snapshot` writes them. No service may use the database meanwhile.
"""

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from psycopg import sql
from sqlalchemy import URL, Connection, exists, func, inspect, literal, select, table, text

from bonafide.errors import BackupDamaged, ConfigurationError
from bonafide.i18n.message import Message, join_values
from bonafide.model.backup import BackedUpTable, ColumnKind
from bonafide.store.backup.snapshot import ROWS_AT_ONCE, translate_database_errors
from bonafide.store.database import schema_migration
from bonafide.store.database.rows import to_value
from bonafide.store.database.tables import audit_entries, metadata
from bonafide.store.tenants.audit_log import StoredAuditEntry
from bonafide.store.work import jobs

RowBatches = Iterable[Sequence[list[Any]]]
_NUL = "\0"


class DatabaseRestore:
    """A restore into an empty database, within an open transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._is_postgresql = connection.dialect.name == "postgresql"

    def begin_at(self, revision: str) -> None:
        """Migrate the empty database to the schema of a revision, up or down."""
        known, now = schema_migration.list_revisions(), schema_migration.read_revision(self._connection)
        if now is not None and known.index(now) > known.index(revision):
            schema_migration.downgrade(self._connection, revision)
        else:
            schema_migration.migrate(self._connection, revision)

    def load(self, described: BackedUpTable, rows: RowBatches, on_progress: Callable[[int], None]) -> None:
        """Fill a table; `on_progress` receives the number of rows that it has."""
        self._check_columns(described)
        binary = [place for place, cell in enumerate(described.columns) if cell.kind is ColumnKind.BYTES]
        done = 0
        with self._into(described) as add:
            for batch in rows:
                for row in batch:
                    for place in binary:
                        row[place] = base64.b64decode(row[place]) if row[place] is not None else None
                add(batch)
                done += len(batch)
                on_progress(done)

    def finish(self, now: datetime) -> None:
        """Migrate to the newest schema, and release the jobs of workers, none of which run any more."""
        schema_migration.migrate(self._connection)
        self._connection.execute(jobs.build_release_statement(now))
        if self._is_postgresql:
            # Query plans depend on statistics, which would otherwise be collected some minutes later.
            for loaded in metadata.tables.values():
                self._connection.execute(text(f"ANALYZE {loaded.name}"))

    def count(self, name: str) -> int:
        """The number of rows of a table."""
        return self._connection.execute(select(func.count()).select_from(table(name))).scalar_one()

    def list_audit_entries(self) -> Iterator[StoredAuditEntry]:
        """The audit entries of all organizations, one organization after the other."""
        found = select(audit_entries).order_by(*audit_entries.primary_key)
        for row in self._connection.execution_options(yield_per=ROWS_AT_ONCE).execute(found):
            yield to_value(StoredAuditEntry, row)

    @contextmanager
    def _into(self, described: BackedUpTable) -> Iterator[Callable[[Sequence[list[Any]]], None]]:
        """Return the fastest way of the database's driver to insert rows."""
        driver: Any = self._connection.connection.driver_connection
        if not self._is_postgresql:
            yield lambda rows: driver.executemany(_build_insert(described), rows)
            return
        columns = sql.SQL(", ").join(sql.Identifier(cell.name) for cell in described.columns)
        copied = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(described.name), columns)
        with driver.cursor() as cursor, cursor.copy(copied) as copy:

            def add(rows: Sequence[list[Any]]) -> None:
                for row in rows:
                    _refuse_nul(described, row)
                    copy.write_row(row)

            yield add

    def _check_columns(self, described: BackedUpTable) -> None:
        """Check names that become part of a statement."""
        there = {found["name"] for found in inspect(self._connection).get_columns(described.name)}
        if missing := {cell.name for cell in described.columns} - there:
            raise BackupDamaged(
                Message(
                    "{table} has no {columns} in the backup’s schema", table=described.name, columns=join_values(sorted(missing))
                )
            )


def _build_insert(described: BackedUpTable) -> str:
    columns = ", ".join(f'"{cell.name}"' for cell in described.columns)
    return f'INSERT INTO "{described.name}" ({columns}) VALUES ({", ".join("?" for _ in described.columns)})'  # noqa: S608 - names of the schema


def _refuse_nul(described: BackedUpTable, row: Sequence[Any]) -> None:
    for cell, value in zip(described.columns, row, strict=True):
        if isinstance(value, str) and _NUL in value:
            raise ConfigurationError(
                Message(
                    "{table}.{column} contains the character NUL, which PostgreSQL can’t store. "
                    "Restore into SQLite, remove it there, and back that up.",
                    table=described.name,
                    column=cell.name,
                )
            )


@contextmanager
def open_restore(url: URL) -> Iterator[DatabaseRestore]:
    """Restore into an empty database while the block runs; an exception rolls back. Raises `ConfigurationError`."""
    with translate_database_errors(), schema_migration.create_migration_engine(url).begin() as connection:
        schema_migration.lock_schema(connection)
        _refuse_rows(connection)
        yield DatabaseRestore(connection)


def check_empty(url: URL) -> None:
    """Raise `ConfigurationError` unless the database holds nothing."""
    with translate_database_errors(), schema_migration.create_migration_engine(url).connect() as connection:
        _refuse_rows(connection)


def _refuse_rows(connection: Connection) -> None:
    there = set(inspect(connection).get_table_names())
    revision = schema_migration.read_revision(connection)
    if revision is None and there:
        raise ConfigurationError(
            Message("The database is not empty: it has the table {table}. Restore into an empty one.", table=min(there))
        )
    if revision is not None and revision not in schema_migration.list_revisions():
        raise ConfigurationError(
            Message("The database’s schema is {revision}, of a newer release. Restore into an empty one.", revision=revision)
        )
    for name in sorted(there & set(metadata.tables)):
        if connection.execute(select(exists(select(literal(1)).select_from(table(name))))).scalar_one():
            raise ConfigurationError(Message("The database is not empty: {table} has rows. Restore into an empty one.", table=name))
