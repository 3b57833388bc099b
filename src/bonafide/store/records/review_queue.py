"""Queues of searches that need a person's review, oldest first, each read from its own index.

Archived searches are not listed.
"""

from enum import StrEnum
from uuid import UUID

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.search.result import SelectionStatus
from bonafide.store.database.rows import count_rows
from bonafide.store.database.tables import INCOMPLETE, UNDECIDED, searches
from bonafide.store.records.searches import SearchPosition, build_age_order, build_position_value


class ReviewQueue(StrEnum):
    """Why a search waits."""

    NEEDS_REVIEW = "needs_review"
    """Several matches, or none that can be selected automatically."""
    NO_MATCH_FOUND = "no_match_found"
    INCOMPLETE = "incomplete"
    """A check has failed."""


async def count_waiting(connection: AsyncConnection, organization_id: UUID, queue: ReviewQueue, at_most: int) -> int:
    """The number of waiting searches; `at_most` stands for that many or more."""
    waiting = select(searches.c.id).where(*_build_conditions(organization_id, queue)).limit(at_most).subquery()
    return (await connection.execute(select(func.count()).select_from(waiting))).scalar_one()


async def count_before(connection: AsyncConnection, organization_id: UUID, queue: ReviewQueue, place: SearchPosition) -> int:
    """The number of searches that have waited longer than this position."""
    before = build_age_order() < build_position_value(place)
    return await count_rows(connection, searches, *_build_conditions(organization_id, queue), before)


async def find_first_from(
    connection: AsyncConnection, organization_id: UUID, queue: ReviewQueue, place: SearchPosition | None = None
) -> SearchPosition | None:
    """The search at this position or, if it does not wait, the first after it; the first of all without a position."""
    conditions = _build_conditions(organization_id, queue)
    if place is not None:
        conditions.append(build_age_order() >= build_position_value(place))
    first = select(searches.c.searched_at, searches.c.id).where(*conditions).order_by(searches.c.searched_at, searches.c.id)
    row = (await connection.execute(first.limit(1))).one_or_none()
    return SearchPosition(row.searched_at, row.id) if row is not None else None


async def find_next(connection: AsyncConnection, organization_id: UUID, queue: ReviewQueue, place: SearchPosition) -> UUID | None:
    """The next waiting search after this position; None at the end."""
    behind = select(searches.c.id).where(
        *_build_conditions(organization_id, queue), build_age_order() > build_position_value(place)
    )
    found = await connection.execute(behind.order_by(searches.c.searched_at, searches.c.id).limit(1))
    return found.scalar_one_or_none()


async def find_previous(
    connection: AsyncConnection, organization_id: UUID, queue: ReviewQueue, place: SearchPosition
) -> UUID | None:
    """The previous waiting search before this position; None at the beginning."""
    before = select(searches.c.id).where(
        *_build_conditions(organization_id, queue), build_age_order() < build_position_value(place)
    )
    found = await connection.execute(before.order_by(searches.c.searched_at.desc(), searches.c.id.desc()).limit(1))
    return found.scalar_one_or_none()


def _build_conditions(organization_id: UUID, queue: ReviewQueue) -> list[ColumnElement[bool]]:
    own = [searches.c.organization_id == organization_id, ~searches.c.archived]
    if queue is ReviewQueue.INCOMPLETE:
        return [*own, INCOMPLETE]
    return [*own, searches.c.selection == SelectionStatus(queue), UNDECIDED]
