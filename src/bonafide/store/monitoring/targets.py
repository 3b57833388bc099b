"""The records of an organization that are yet to be evaluated.

A target is removed by the evaluation that it was queued for, in the same transaction. One that is queued again meanwhile stays.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, func, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import build_insert, to_value
from bonafide.store.database.schema.monitoring_tables import monitored_records, monitoring_targets

NO_RUN = UUID(int=0)
"""In place of the run of a target: the record itself has changed."""
_KEY = ["organization_id", "business_id", "run_id"]
_PART = 500
"""IDs that one statement names."""


@dataclass(frozen=True, slots=True)
class MonitoringTarget:
    """A record to evaluate, the run that selected it, when it was queued, and how often its evaluation has failed."""

    business_id: UUID
    run_id: UUID
    queued_at: datetime
    attempts: int


async def queue(
    connection: AsyncConnection, organization_id: UUID, business_ids: Collection[UUID], run_id: UUID, now: datetime
) -> None:
    """Queue those of the records that are monitored. One that is queued already is evaluated once, after now."""
    chosen = await _list_monitored(connection, organization_id, business_ids)
    if not chosen:
        return
    state = {"queued_at": now, "due_at": now, "attempts": 0}
    new = build_insert(connection, monitoring_targets)
    queued = new.on_conflict_do_update(index_elements=_KEY, set_=state)
    mine = {"organization_id": organization_id, "run_id": run_id}
    await connection.execute(queued, [{**mine, **state, "business_id": business_id} for business_id in chosen])


async def _list_monitored(connection: AsyncConnection, organization_id: UUID, business_ids: Collection[UUID]) -> list[UUID]:
    table, wanted = monitored_records, sorted(business_ids)
    found: list[UUID] = []
    for part in (wanted[start : start + _PART] for start in range(0, len(wanted), _PART)):
        mine = and_(table.c.organization_id == organization_id, table.c.business_id.in_(part))
        found += (await connection.execute(select(table.c.business_id).where(mine))).scalars()
    return found


async def queue_all(connection: AsyncConnection, organization_id: UUID, now: datetime) -> None:
    """Queue every monitored record of the organization."""
    table, mine = monitoring_targets, monitored_records.c.organization_id == organization_id
    instant = literal(now, table.c.queued_at.type)
    every = select(
        monitored_records.c.organization_id,
        monitored_records.c.business_id,
        literal(NO_RUN, table.c.run_id.type),
        instant,
        instant,
        literal(0),
    ).where(mine)
    await connection.execute(delete(table).where(table.c.organization_id == organization_id, table.c.run_id == NO_RUN))
    await connection.execute(insert(table).from_select([*_KEY, "queued_at", "due_at", "attempts"], every))


async def list_due(connection: AsyncConnection, organization_id: UUID, now: datetime, limit: int) -> list[MonitoringTarget]:
    """The targets of the records that have been due longest. A record may have several."""
    table = monitoring_targets
    mine = table.c.organization_id == organization_id
    oldest = (
        select(table.c.business_id)
        .where(mine, table.c.due_at <= now)
        .group_by(table.c.business_id)
        .order_by(func.min(table.c.due_at), table.c.business_id)
        .limit(limit)
        .subquery()
    )
    listed = select(table).join(oldest, and_(mine, table.c.business_id == oldest.c.business_id))
    return [
        to_value(MonitoringTarget, row) for row in await connection.execute(listed.order_by(table.c.due_at, table.c.business_id))
    ]


async def settle(connection: AsyncConnection, organization_id: UUID, targets: Sequence[MonitoringTarget]) -> None:
    """Remove the targets of an evaluation, unless they have been queued again since they were read."""
    for target in targets:
        await connection.execute(delete(monitoring_targets).where(_is_target(organization_id, target)))


async def postpone(
    connection: AsyncConnection, organization_id: UUID, targets: Sequence[MonitoringTarget], due_at: datetime
) -> None:
    """Evaluate the targets again at a later time."""
    for target in targets:
        later = update(monitoring_targets).where(_is_target(organization_id, target))
        await connection.execute(later.values(due_at=due_at, attempts=target.attempts + 1))


async def count(connection: AsyncConnection, organization_id: UUID) -> int:
    """The number of records of the organization that are yet to be evaluated."""
    table = monitoring_targets
    counted = select(func.count(table.c.business_id.distinct())).where(table.c.organization_id == organization_id)
    return (await connection.execute(counted)).scalar_one()


async def list_late(connection: AsyncConnection, organization_id: UUID, before: datetime, limit: int) -> list[UUID]:
    """Records that were queued before an instant, have not been evaluated since, and are not reported as overdue."""
    table, of_record = monitoring_targets, monitored_records.c.business_id == monitoring_targets.c.business_id
    joined = and_(of_record, monitored_records.c.organization_id == table.c.organization_id)
    is_late = and_(table.c.organization_id == organization_id, table.c.queued_at <= before)
    late = (
        select(table.c.business_id)
        .join(monitored_records, joined)
        .where(is_late, monitored_records.c.overdue_since.is_(None))
        .distinct()
    )
    return list((await connection.execute(late.limit(limit))).scalars())


async def get_oldest(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> datetime | None:
    """Since when the record waits for an evaluation; None if it does not."""
    table = monitoring_targets
    mine = and_(table.c.organization_id == organization_id, table.c.business_id == business_id)
    oldest: datetime | None = (await connection.execute(select(func.min(table.c.queued_at)).where(mine))).scalar_one()
    return oldest


async def list_waiting_organizations(connection: AsyncConnection, now: datetime) -> list[UUID]:
    """The organizations of which a record is due, for the scheduler."""
    waiting = select(monitoring_targets.c.organization_id).where(monitoring_targets.c.due_at <= now).distinct()
    return list((await connection.execute(waiting)).scalars())


def _is_target(organization_id: UUID, target: MonitoringTarget) -> ColumnElement[bool]:
    table = monitoring_targets
    return and_(
        table.c.organization_id == organization_id,
        table.c.business_id == target.business_id,
        table.c.run_id == target.run_id,
        table.c.queued_at == target.queued_at,
    )
