"""Convert between rows and the values that stores take and return, by the names of their fields."""

from collections.abc import Iterable
from typing import Any, TypeVar

from pydantic import BaseModel
from sqlalchemy import ColumnElement, Row, Table, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

R = TypeVar("R")


def from_row(kind: type[R], row: Row[*tuple[Any, ...]] | None, **others: Any) -> R | None:
    """The value whose fields have the names of the row's columns, except `others`; None without a row."""
    return to_value(kind, row, **others) if row is not None else None


def to_value(kind: type[R], row: Row[*tuple[Any, ...]], **others: Any) -> R:
    """The same of a row that exists."""
    return kind(**{name: getattr(row, name) for name in list_fields(kind) if name not in others}, **others)


def to_columns(value: object) -> dict[str, Any]:
    """The fields of a dataclass by name, as the columns of a row."""
    return {name: getattr(value, name) for name in list_fields(type(value))}


def list_fields(kind: type[Any]) -> Iterable[str]:
    """The names of the fields of a model, or of a dataclass with slots."""
    return kind.model_fields if issubclass(kind, BaseModel) else kind.__slots__


async def count_rows(connection: AsyncConnection, table: Table, *conditions: ColumnElement[bool]) -> int:
    """How many rows of the table meet all conditions."""
    return (await connection.execute(select(func.count()).select_from(table).where(*conditions))).scalar_one()
