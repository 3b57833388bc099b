"""Counts of the cases that have not ended, by status, age and assignee, and of their open items by kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.cases.case import CaseStatus
from bonafide.model.cases.policy import CaseItemKind
from bonafide.store.database.schema.case_tables import OPEN_ITEM, UNDECIDED_CASE, case_items, cases


@dataclass(frozen=True, slots=True)
class WaitingCaseGroup:
    """The cases of one assignee, status and age that have not ended."""

    assignee: str | None
    status: CaseStatus
    age: int
    """How many of the instants that ages are divided by are later than the opening."""
    count: int
    overdue: int
    """Those of them whose due date has passed."""


async def count_waiting_cases(
    connection: AsyncConnection, organization_id: UUID, now: datetime, bounds: Sequence[datetime]
) -> list[WaitingCaseGroup]:
    """The groups of an organization. `bounds` divide the ages: instants, the latest first."""
    age = case(*((cases.c.opened_at >= bound, number) for number, bound in enumerate(bounds)), else_=len(bounds))
    is_overdue = case((cases.c.due_at < now, 1), else_=0)
    counted = (
        select(cases.c.assignee, cases.c.status, age.label("age"), func.count(), func.sum(is_overdue))
        .where(cases.c.organization_id == organization_id, UNDECIDED_CASE)
        .group_by(cases.c.assignee, cases.c.status, "age")
    )
    return [WaitingCaseGroup(*row) for row in await connection.execute(counted)]


async def count_open_items(connection: AsyncConnection, organization_id: UUID) -> dict[CaseItemKind, int]:
    """The number of open items of cases by kind; kinds without any are left out."""
    counted = (
        select(case_items.c.kind, func.count().label("waiting"))
        .where(case_items.c.organization_id == organization_id, OPEN_ITEM)
        .group_by(case_items.c.kind)
    )
    return {row.kind: row.waiting for row in await connection.execute(counted)}
