"""Fill a table with copies of an organization's rows, each a minute older than the one before.

They simulate a database after years of use, for measuring pages.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import Table, insert, select

from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import Progress
from bonafide.store.database.columns import UtcInstant

ROWS_AT_ONCE = 1000
APART = timedelta(minutes=1)


Variation = Callable[[int], Mapping[str, Any]]
"""Returns the columns in which the copy with this number, from 0, differs from its original."""


def _vary_nothing(_number: int) -> Mapping[str, Any]:
    return {}


async def fill_with_copies(
    runtime: Runtime, organization_id: UUID, table: Table, size: int, told: Progress, vary: Variation = _vary_nothing
) -> None:
    """Add `size` copies of the organization's rows to the table. Raises `ValueError` if it has none.

    The oldest copies are inserted first, as in operation: pages of an index by time are half empty if its rows come backwards.
    """
    async with runtime.store.read() as connection:
        found = (await connection.execute(select(table).where(table.c.organization_id == organization_id))).mappings().all()
    if not found:
        raise ValueError(f"there is nothing in {table.name} to copy")
    instants = [column.name for column in table.c if isinstance(column.type, UtcInstant)]
    originals = [dict(row) for row in found]
    for end in range(size, 0, -ROWS_AT_ONCE):
        numbers = reversed(range(max(end - ROWS_AT_ONCE, 0), end))
        rows = [{**_copy(originals[number % len(originals)], instants, number), **vary(number)} for number in numbers]
        async with runtime.store.write() as connection:
            await connection.execute(insert(table), rows)
        told(f"fill {table.name}", min(size - end + ROWS_AT_ONCE, size), size)


def _copy(row: dict[str, Any], instants: list[str], number: int) -> dict[str, Any]:
    older = {name: row[name] - (number + 1) * APART for name in instants if row[name] is not None}
    return {**row, **older, "id": uuid4()}
