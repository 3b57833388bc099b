"""Rows for every table that there is, of two organizations, made from their columns: a new table is filled like the others.

The values are the hard ones of their kind. Only what a backup reads (trails, the evidence of reports) is as the product makes it.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import count
from typing import Any
from uuid import UUID

from sqlalchemy import URL, Column, Double, Enum, PrimaryKeyConstraint, Table, UniqueConstraint, insert, select

from bonafide.model.backup import ColumnKind
from bonafide.store.backup.snapshot import get_column_kind
from bonafide.store.database.schema_migration import create_migration_engine
from bonafide.store.database.tables import JobState, audit_entries, extracts, jobs, ledgers, metadata, organizations
from bonafide.store.tenants.audit_log import GENESIS, StoredAuditEntry

ORGANIZATIONS = (UUID(int=1), UUID(int=2**128 - 2))
ROWS = 3
"""Of each organization in each table that may have several."""
HARD = "é 🍁 \"'\\ \t\r\n \\u0000 \\N \x7f\u2028\ufeff 株式会社 %s :x {} $1 "
EVIDENCE = b"as the register said it\x00\xff"
NOVEMBER = datetime(2026, 11, 1, 3, 30, 0, 1, tzinfo=UTC)
"""The hour that St. John's has twice."""
Rows = dict[str, list[dict[str, Any]]]


def fill(url: URL) -> None:
    """Fill a migrated, empty database."""
    rows = _rows()
    with create_migration_engine(url).begin() as connection:
        for table in metadata.sorted_tables:
            connection.execute(insert(table), rows[table.name])


def contents(url: URL) -> Rows:
    """All rows of all tables as values of Python, in one order."""
    with create_migration_engine(url).connect() as connection:
        return {
            table.name: _sorted(table, [dict(row) for row in connection.execute(select(table)).mappings()]) for table in _tables()
        }


def given_back(rows: Rows, now: datetime) -> Rows:
    """What a restore makes of rows: nobody works at a job any more."""
    back = {"state": JobState.QUEUED, "worker": None, "due_at": now}
    done = [
        {**row, **back, "attempts": row["attempts"] - 1} if row["state"] is JobState.RUNNING else row for row in rows[jobs.name]
    ]
    return {**rows, jobs.name: done}


def _tables() -> list[Table]:
    return metadata.sorted_tables


def _sorted(table: Table, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: [str(row[column.name]) for column in table.primary_key])


def _rows() -> Rows:
    made: Rows = defaultdict(list)
    numbers = count(1)
    for table in _tables():
        for organization_id in ORGANIZATIONS:
            once = [column.name for column in table.primary_key] == ["organization_id"] or table is organizations
            for place in range(1 if once else ROWS):
                made[table.name].append(_row(table, organization_id, place, next(numbers), made))
    _write_trails(made)
    return made


def _row(table: Table, organization_id: UUID, place: int, number: int, made: Rows) -> dict[str, Any]:
    row = {column.name: _value(column, place, number) for column in table.c}
    for key in table.foreign_key_constraints:
        mine = [other for other in made[key.referred_table.name] if organization_id in other.values()] or made[
            key.referred_table.name
        ]
        for element in key.elements:
            row[element.parent.name] = mine[place % len(mine)][element.column.name]
    if table is organizations:
        row["id"] = organization_id
    elif "organization_id" in row:
        row["organization_id"] = organization_id
    if table is extracts:
        row["document"] = json.dumps({"evidence": [{"sha256": sha256(EVIDENCE).hexdigest()}]})
    return row


def _value(column: Column[Any], place: int, number: int) -> Any:
    if column.nullable and place == 0 and not column.foreign_keys:
        return None
    if isinstance(column.type, Double):  # only tables that no backup keeps have any
        return number / 8
    largest = 2**31 - 2 if str(column.type) == "INTEGER" else 2**62
    made: dict[ColumnKind, Any] = {
        ColumnKind.TEXT: _text(column, place, number),
        # A key may be an integer.
        ColumnKind.INTEGER: number if _is_part_of_key(column) else largest,
        ColumnKind.BOOLEAN: place % 2 == 0,
        ColumnKind.UUID: UUID(int=number << 64 | 0xFE),
        ColumnKind.INSTANT: NOVEMBER + timedelta(minutes=30 * number, microseconds=number),
        ColumnKind.DATE: date(1867, 7, 1) + timedelta(days=number),
        ColumnKind.BYTES: bytes(range(256)) * place,
    }
    return made[get_column_kind(column)]


def _is_part_of_key(column: Column[Any]) -> bool:
    keys = (key for key in column.table.constraints if isinstance(key, PrimaryKeyConstraint | UniqueConstraint))
    return any(column.name in key.columns for key in keys)


def _text(column: Column[Any], place: int, number: int) -> Any:
    if isinstance(column.type, Enum):
        assert column.type.enum_class is not None
        words = list(column.type.enum_class)
        return words[(place + 1) % len(words)]
    length = getattr(column.type, "length", None)
    if length is not None:
        return sha256(str(number).encode()).hexdigest()[:length]
    return "" if place == 1 and not column.primary_key and not column.unique else f"{number} {HARD * place}"


def _write_trails(made: Rows) -> None:
    """Hash the entries as the product does, and note the ends."""
    for organization_id in ORGANIZATIONS:
        head, entries = GENESIS, 0
        for row in _of(made, audit_entries, organization_id):
            entries += 1
            # An erased entry would have to be listed by a later one.
            row.update(id=entries, erased=False)
            blank = StoredAuditEntry(**{**row, "hash": ""})
            head = replace(blank, hash=blank.hash_after(head)).hash
            row["hash"] = head
        for row in _of(made, ledgers, organization_id):
            row.update(entries=entries, head=head)


def _of(made: Rows, table: Table, organization_id: UUID) -> Iterator[dict[str, Any]]:
    return (row for row in made[table.name] if row["organization_id"] == organization_id)
