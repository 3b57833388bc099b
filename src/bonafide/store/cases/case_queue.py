"""The queue of cases: what waits in the order in which it is due, or the newest cases first.

A position is that of a case, so that a page begins behind it also when the case has left the queue.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.cursors import EPOCH
from bonafide.store.cases.cases import CASE_COLUMNS, CaseFilter, StoredCase, build_conditions
from bonafide.store.database.rows import to_value
from bonafide.store.database.schema.case_tables import cases


class CaseOrder(StrEnum):
    """The order of a queue."""

    DUE = "due"
    """By due date, cases without one last."""
    NEWEST = "newest"
    """The case that was opened last first."""


@dataclass(frozen=True, slots=True)
class QueuePosition:
    """The place of a case in a queue."""

    due_at: datetime | None
    number: int


@dataclass(frozen=True, slots=True)
class QueuePart:
    """Which part of a queue is listed: what comes after a position, or before it with the nearest case first; at most `limit`."""

    position: QueuePosition | None
    limit: int
    is_before: bool = False


async def list_queue(
    connection: AsyncConnection, organization_id: UUID, chosen: CaseFilter, order: CaseOrder, part: QueuePart
) -> list[StoredCase]:
    """A part of the queue of the chosen cases; without a position, from its beginning."""
    mine = build_conditions(organization_id, chosen)
    if chosen.business_id is not None:
        return await _list_of_business(connection, mine, order, part)
    if order is CaseOrder.NEWEST:
        return await _list_newest(connection, mine, part)
    listed: list[StoredCase] = []
    # Two statements, because no index has rows without a due date last on both databases.
    for has_due_date in (False, True) if part.is_before else (True, False):
        limit = part.limit - len(listed)
        if limit > 0:
            listed += await _list_due(connection, mine, QueuePart(part.position, limit, part.is_before), has_due_date=has_due_date)
    return listed


async def _list_of_business(
    connection: AsyncConnection, mine: list[ColumnElement[bool]], order: CaseOrder, part: QueuePart
) -> list[StoredCase]:
    """The same for the cases of one business. They are few, so they are all read, and sorted here.

    SQLite would otherwise read all cases of the organization in the order of the queue, to find those of the business.
    """
    found = [to_value(StoredCase, row) for row in await connection.execute(select(*CASE_COLUMNS).where(*mine))]

    def find_place(place: StoredCase | QueuePosition) -> tuple[bool, datetime, int]:
        if order is CaseOrder.NEWEST or place.due_at is None:
            return True, EPOCH, -place.number if order is CaseOrder.NEWEST else place.number
        return False, place.due_at, place.number

    found.sort(key=find_place, reverse=part.is_before)
    if part.position is not None:
        start = find_place(part.position)
        found = [case for case in found if (find_place(case) < start if part.is_before else find_place(case) > start)]
    return found[: part.limit]


async def _list_newest(connection: AsyncConnection, mine: list[ColumnElement[bool]], part: QueuePart) -> list[StoredCase]:
    number = cases.c.number
    if part.position is not None:
        mine = [*mine, number > part.position.number if part.is_before else number < part.position.number]
    return await _list(connection, mine, [number.asc() if part.is_before else number.desc()], part.limit)


async def _list_due(
    connection: AsyncConnection, mine: list[ColumnElement[bool]], part: QueuePart, *, has_due_date: bool
) -> list[StoredCase]:
    """The cases with a due date, or those without one."""
    due_at, number, start = cases.c.due_at, cases.c.number, part.position
    order: list[ColumnElement[Any]] = [number.desc() if part.is_before else number.asc()]
    conditions = [*mine, due_at.is_not(None) if has_due_date else due_at.is_(None)]
    if has_due_date:
        order.insert(0, due_at.desc() if part.is_before else due_at.asc())
    if start is not None and has_due_date and start.due_at is not None:
        place = tuple_(literal(start.due_at, due_at.type), literal(start.number))
        conditions.append(tuple_(due_at, number) < place if part.is_before else tuple_(due_at, number) > place)
    elif start is not None and not has_due_date and start.due_at is None:
        conditions.append(number < start.number if part.is_before else number > start.number)
    elif start is not None and has_due_date is not part.is_before:
        # All cases with a due date come before a position without one, and the others after a position with one.
        return []
    return await _list(connection, conditions, order, part.limit)


async def _list(
    connection: AsyncConnection, conditions: list[ColumnElement[bool]], order: Sequence[ColumnElement[Any]], limit: int
) -> list[StoredCase]:
    listed = select(*CASE_COLUMNS).where(*conditions).order_by(*order).limit(limit)
    return [to_value(StoredCase, row) for row in await connection.execute(listed)]
