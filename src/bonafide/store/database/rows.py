"""Statements that differ by database, and the conversion between rows and values by the names of their fields.

Statements that differ between the two databases (`INSERT … ON CONFLICT`, rows that are sent as one JSON text, the database's own
clock) are only here.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel
from sqlalchemy import ColumnElement, Double, Row, Table, Text, bindparam, cast, column, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeEngine

JULIAN_DAY_OF_1970 = 2440587.5
SECONDS_OF_A_DAY = 86400.0
R = TypeVar("R")


def build_insert(connection: AsyncConnection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that can be given `on_conflict_do_nothing` or `on_conflict_do_update`."""
    return build_insert_for(connection.dialect.name, table)


def build_insert_for(dialect: str, table: Table) -> postgresql.Insert | sqlite.Insert:
    """The same by the name of the dialect, for statements that are built once."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


def select_seconds_now(dialect: str) -> ColumnElement[float]:
    """The current time of the database in seconds since 1970, not that of the beginning of the transaction."""
    if dialect == "postgresql":
        return cast(func.extract("epoch", func.clock_timestamp()), Double)
    return (func.julianday("now", type_=Double) - JULIAN_DAY_OF_1970) * SECONDS_OF_A_DAY


def select_json_rows(dialect: str, parameter: str, columns: Mapping[str, TypeEngine[object]]) -> list[ColumnElement[object]]:
    """The columns of the rows that a parameter holds as JSON, `[{"<column>": …}, …]`, to select from.

    The statement is short and the same for any number of rows. With VALUES there would be a parameter for each cell and another
    statement for each number of rows: a tenth of a millisecond per row in SQLAlchemy and psycopg.
    """
    sent = bindparam(parameter, type_=Text())
    if dialect == "postgresql":
        typed = [column(name, kind) for name, kind in columns.items()]
        read = func.json_to_recordset(cast(sent, postgresql.JSON)).table_valued(*typed).render_derived(name="sent", with_types=True)
        return list(read.c)
    each = func.json_each(sent).table_valued("value", name="sent")
    return [func.json_extract(each.c.value, f"$.{name}", type_=kind) for name, kind in columns.items()]


def from_row(kind: type[R], row: Row[*tuple[Any, ...]] | None, **others: Any) -> R | None:
    """The value whose fields have the names of the row's columns, except `others`; None without a row."""
    return to_value(kind, row, **others) if row is not None else None


def to_value(kind: type[R], row: Row[*tuple[Any, ...]], **others: Any) -> R:
    """The same for an existing row."""
    return kind(**{name: getattr(row, name) for name in list_fields(kind) if name not in others}, **others)


def to_columns(value: object) -> dict[str, Any]:
    """The fields of a dataclass by name, as the columns of a row."""
    return {name: getattr(value, name) for name in list_fields(type(value))}


def list_fields(kind: type[Any]) -> Iterable[str]:
    """The names of the fields of a model, or of a dataclass with slots."""
    return kind.model_fields if issubclass(kind, BaseModel) else kind.__slots__


async def list_documents(
    connection: AsyncConnection,
    table: Table,
    conditions: Sequence[ColumnElement[bool]],
    order: Sequence[ColumnElement[Any]],
    limit: int,
    offset: int,
) -> tuple[list[str], int]:
    """A page of documents, and the total number of rows that meet the conditions."""
    listed = select(table.c.document).where(*conditions).order_by(*order).limit(limit).offset(offset)
    return list((await connection.execute(listed)).scalars()), await count_rows(connection, table, *conditions)


async def count_rows(connection: AsyncConnection, table: Table, *conditions: ColumnElement[bool]) -> int:
    """The number of rows that meet all conditions."""
    return (await connection.execute(select(func.count()).select_from(table).where(*conditions))).scalar_one()
