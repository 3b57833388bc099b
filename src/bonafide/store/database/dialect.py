"""What is spelled by database: `INSERT … ON CONFLICT`, rows that are sent as one JSON text, and the database's own clock.

Statements that differ between the two databases belong here only.
"""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, Double, Table, Text, bindparam, cast, column, func
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeEngine

JULIAN_DAY_OF_1970 = 2440587.5
SECONDS_OF_A_DAY = 86400.0


def insert(connection: AsyncConnection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that can be given `on_conflict_do_nothing` or `on_conflict_do_update`."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def select_seconds_now(dialect: str) -> ColumnElement[float]:
    """The present by the database's clock in seconds since 1970, not the beginning of the transaction."""
    if dialect == "postgresql":
        return cast(func.extract("epoch", func.clock_timestamp()), Double)
    return (func.julianday("now", type_=Double) - JULIAN_DAY_OF_1970) * SECONDS_OF_A_DAY


def select_json_rows(dialect: str, parameter: str, columns: Mapping[str, TypeEngine[object]]) -> list[ColumnElement[object]]:
    """The columns of the rows that a parameter holds as JSON, `[{"<column>": …}, …]`, to select from.

    Any number of rows is one short statement, and always the same one. Sent as values they cost a parameter for each cell, and
    another statement for each number of rows: a tenth of a millisecond a row in SQLAlchemy and psycopg.
    """
    sent = bindparam(parameter, type_=Text())
    if dialect == "postgresql":
        typed = [column(name, kind) for name, kind in columns.items()]
        read = func.json_to_recordset(cast(sent, postgresql.JSON)).table_valued(*typed).render_derived(name="sent", with_types=True)
        return list(read.c)
    each = func.json_each(sent).table_valued("value", name="sent")
    return [func.json_extract(each.c.value, f"$.{name}", type_=kind) for name, kind in columns.items()]
