"""Up to which of its events the cases of an organization have been updated, and the number of its last case.

A position is moved in the transaction that changes the cases for the events in between, and only from the value that was read. So
of two workers that read the same events, one changes the cases.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import build_insert
from bonafide.store.database.schema.case_tables import case_positions
from bonafide.store.database.tables import event_heads

_POSITION = func.coalesce(case_positions.c.position, 0)


@dataclass(frozen=True, slots=True)
class CasePosition:
    """The position of one organization, and the number of its last event."""

    organization_id: UUID
    head: int
    position: int


async def list_behind(connection: AsyncConnection, limit: int) -> list[CasePosition]:
    """The organizations with events that their cases do not reflect yet, those with the fewest such events first."""
    listed = (
        select(event_heads.c.organization_id, event_heads.c.sequence, _POSITION.label("position"))
        .select_from(event_heads)
        .outerjoin(case_positions, case_positions.c.organization_id == event_heads.c.organization_id)
        .where(event_heads.c.sequence > _POSITION)
        .order_by(event_heads.c.sequence - _POSITION, event_heads.c.organization_id)
        .limit(limit)
    )
    return [CasePosition(*row) for row in await connection.execute(listed)]


async def move(connection: AsyncConnection, seen: CasePosition, position: int) -> bool:
    """Move the position; False if another worker has moved it since it was read."""
    new = build_insert(connection, case_positions).values(organization_id=seen.organization_id, position=position, last_number=0)
    moved = new.on_conflict_do_update(
        index_elements=["organization_id"],
        set_={"position": position},
        where=case_positions.c.position == seen.position,
    )
    return (await connection.execute(moved.returning(case_positions.c.organization_id))).one_or_none() is not None


async def take_number(connection: AsyncConnection, organization_id: UUID) -> int:
    """The number of a new case. The caller has moved the position, so the row exists and is locked."""
    taken = (
        update(case_positions)
        .where(case_positions.c.organization_id == organization_id)
        .values(last_number=case_positions.c.last_number + 1)
        .returning(case_positions.c.last_number)
    )
    number: int = (await connection.execute(taken)).scalar_one()
    return number
