"""Cases: one row each, changed while the writer holds the organization's audit head.

Times of changes have the order in which they are committed, so the feed of changes skips none.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, exists, insert, literal, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.cases.case import CaseOutcome, CaseStatus
from bonafide.model.cases.policy import CaseItemKind, CasePriority
from bonafide.model.records.business_record import FeedPosition
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import from_row, to_columns, to_value
from bonafide.store.database.schema.case_tables import CASE_WITH_REMINDER, UNDECIDED_CASE, case_items, cases
from bonafide.store.records.searches import fold_text

_NUMBER_DIGITS = 12
_DUE_REMINDER = select(cases.c.id).where(CASE_WITH_REMINDER, cases.c.reminder_at <= bindparam("now")).limit(1)


@dataclass(frozen=True, slots=True)
class StoredCase:
    """A case. `reminder_at` is None when no due date is to be reported."""

    id: UUID
    number: int
    business_id: UUID | None
    subject: str
    status: CaseStatus
    outcome: CaseOutcome | None
    priority: CasePriority
    assignee: str | None
    opened_at: datetime
    due_at: datetime | None
    reminder_at: datetime | None
    decided_at: datetime | None
    updated_at: datetime
    pending_decision_id: UUID | None
    document: str
    folded_name: str
    """The name of the case without case and accents (`fold_text`)."""


CASE_COLUMNS = [cases.c[name] for name in StoredCase.__slots__]


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Which cases are listed; None for all."""

    status: CaseStatus | None = None
    assignee: str | None = None
    is_unassigned: bool = False
    """Only cases of nobody."""
    kind: CaseItemKind | None = None
    """Only cases with an item of this kind."""
    business_id: UUID | None = None
    due_before: datetime | None = None
    """Only cases that have not ended and are due before this instant."""
    is_undecided: bool = False
    """Only cases that have not ended."""
    priority: CasePriority | None = None
    text: str | None = None
    """Only cases whose name contains it, ignoring case and accents, or whose number it is."""


@dataclass(frozen=True, slots=True)
class DueCase:
    """A case of any organization whose due date has passed."""

    organization_id: UUID
    id: UUID


async def add(connection: AsyncConnection, organization_id: UUID, case: StoredCase) -> None:
    """Store a new case."""
    await connection.execute(insert(cases).values(organization_id=organization_id, **to_columns(case)))


async def replace(connection: AsyncConnection, organization_id: UUID, case: StoredCase) -> None:
    """Store a changed case."""
    await connection.execute(update(cases).where(_has_id(organization_id, case.id)).values(**to_columns(case)))


async def get(connection: AsyncConnection, organization_id: UUID, case_id: UUID) -> StoredCase | None:
    """A case; None if the organization has no such case."""
    return from_row(
        StoredCase, (await connection.execute(select(*CASE_COLUMNS).where(_has_id(organization_id, case_id)))).one_or_none()
    )


async def list_by_id(connection: AsyncConnection, organization_id: UUID, case_ids: Collection[UUID]) -> dict[UUID, StoredCase]:
    """Cases by ID, without those that the organization does not have."""
    mine = select(*CASE_COLUMNS).where(cases.c.organization_id == organization_id, cases.c.id.in_(set(case_ids)))
    return {row.id: to_value(StoredCase, row) for row in await connection.execute(mine)}


async def find_undecided(connection: AsyncConnection, organization_id: UUID, subject: str) -> StoredCase | None:
    """The case of a subject that has not ended; None without one."""
    mine = select(*CASE_COLUMNS).where(cases.c.organization_id == organization_id, cases.c.subject == subject, UNDECIDED_CASE)
    return from_row(StoredCase, (await connection.execute(mine)).one_or_none())


async def list_changes(
    connection: AsyncConnection, organization_id: UUID, chosen: CaseFilter, after: FeedPosition, limit: int
) -> list[StoredCase]:
    """The cases that come after a position, oldest change first."""
    place = tuple_(literal(after.updated_at, cases.c.updated_at.type), literal(after.id, cases.c.id.type))
    conditions = [*build_conditions(organization_id, chosen), tuple_(cases.c.updated_at, cases.c.id) > place]
    listed = select(*CASE_COLUMNS).where(*conditions).order_by(cases.c.updated_at, cases.c.id).limit(limit)
    return [to_value(StoredCase, row) for row in await connection.execute(listed)]


def build_conditions(organization_id: UUID, chosen: CaseFilter) -> list[ColumnElement[bool]]:
    """The conditions of the cases of an organization that a filter chooses."""
    conditions = [cases.c.organization_id == organization_id]
    if chosen.status is not None:
        conditions.append(cases.c.status == chosen.status)
    if chosen.is_unassigned:
        conditions.append(cases.c.assignee.is_(None))
    elif chosen.assignee is not None:
        conditions.append(cases.c.assignee == chosen.assignee)
    if chosen.business_id is not None:
        conditions.append(cases.c.business_id == chosen.business_id)
    if chosen.due_before is not None:
        conditions += [UNDECIDED_CASE, cases.c.due_at < chosen.due_before]
    if chosen.is_undecided:
        conditions.append(UNDECIDED_CASE)
    if chosen.priority is not None:
        conditions.append(cases.c.priority == chosen.priority)
    if chosen.text is not None:
        conditions.append(_find_text(chosen.text))
    if chosen.kind is not None:
        mine = (case_items.c.organization_id == cases.c.organization_id) & (case_items.c.case_id == cases.c.id)
        conditions.append(exists().where(mine, case_items.c.kind == chosen.kind))
    return conditions


def _find_text(text: str) -> ColumnElement[bool]:
    named = cases.c.folded_name.contains(fold_text(text), autoescape=True)
    number = text.removeprefix("#")
    is_number = number.isascii() and number.isdecimal() and len(number) <= _NUMBER_DIGITS
    return or_(named, cases.c.number == int(number)) if is_number else named


async def is_any_due(store: Store, now: datetime) -> bool:
    """Whether the due date of any case is to be reported; cheaper than to list them."""
    return await fetch_row(store, _DUE_REMINDER, {"now": now}) is not None


async def list_due(connection: AsyncConnection, now: datetime, limit: int) -> list[DueCase]:
    """The cases of all organizations whose due date is to be reported, the longest overdue first."""
    due = (
        select(cases.c.organization_id, cases.c.id)
        .where(CASE_WITH_REMINDER, cases.c.reminder_at <= now)
        .order_by(cases.c.reminder_at)
        .limit(limit)
    )
    return [to_value(DueCase, row) for row in await connection.execute(due)]


def _has_id(organization_id: UUID, case_id: UUID) -> ColumnElement[bool]:
    return and_(cases.c.organization_id == organization_id, cases.c.id == case_id)
