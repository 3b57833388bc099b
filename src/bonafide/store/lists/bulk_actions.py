"""Actions on many records: one row each, and one for each record of an action."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.lists.bulk_actions import BulkAction, BulkItem, BulkItemStatus
from bonafide.store.database.rows import from_row, to_columns, to_value
from bonafide.store.database.schema.console_tables import bulk_actions, bulk_items

_ACTION = tuple(column for column in bulk_actions.c if column.name != "organization_id")
_ITEM = tuple(column for column in bulk_items.c if column.name not in {"organization_id", "action_id"})


async def add(connection: AsyncConnection, organization_id: UUID, action: BulkAction, items: Sequence[BulkItem]) -> None:
    """Store an action with its records."""
    await connection.execute(insert(bulk_actions).values(organization_id=organization_id, **to_columns(action)))
    shared = {"organization_id": organization_id, "action_id": action.id}
    await connection.execute(insert(bulk_items), [{**shared, **to_columns(item)} for item in items])


async def get(connection: AsyncConnection, organization_id: UUID, action_id: UUID) -> BulkAction | None:
    """The action; None if the organization has no such action."""
    mine = and_(bulk_actions.c.organization_id == organization_id, bulk_actions.c.id == action_id)
    return from_row(BulkAction, (await connection.execute(select(*_ACTION).where(mine))).one_or_none())


async def count_by_status(connection: AsyncConnection, organization_id: UUID, action_id: UUID) -> Counter[BulkItemStatus]:
    """The number of records of an action by what became of them."""
    mine = select(bulk_items.c.status, func.count().label("number")).where(_select_action(organization_id, action_id))
    return Counter({row.status: row.number for row in await connection.execute(mine.group_by(bulk_items.c.status))})


async def list_items(
    connection: AsyncConnection, organization_id: UUID, action_id: UUID, limit: int, status: BulkItemStatus | None = None
) -> list[BulkItem]:
    """The first records of an action, with this status if one is given."""
    conditions = [_select_action(organization_id, action_id)]
    if status is not None:
        conditions.append(bulk_items.c.status == status)
    listed = select(*_ITEM).where(*conditions).order_by(bulk_items.c.position).limit(limit)
    return [to_value(BulkItem, row) for row in await connection.execute(listed)]


async def settle_item(connection: AsyncConnection, organization_id: UUID, action_id: UUID, item: BulkItem) -> bool:
    """Store what became of a record; False if that is stored already, and then nothing changes."""
    queued = and_(
        _select_action(organization_id, action_id),
        bulk_items.c.position == item.position,
        bulk_items.c.status == BulkItemStatus.QUEUED,
    )
    settled = update(bulk_items).where(queued).values(status=item.status, reason=item.reason, result_id=item.result_id)
    return (await connection.execute(settled)).rowcount == 1


async def finish(connection: AsyncConnection, organization_id: UUID, action_id: UUID, now: datetime) -> None:
    """Store that nothing of the action is left to do."""
    mine = and_(bulk_actions.c.organization_id == organization_id, bulk_actions.c.id == action_id)
    await connection.execute(update(bulk_actions).where(mine, bulk_actions.c.finished_at.is_(None)).values(finished_at=now))


async def purge_finished(connection: AsyncConnection, before: datetime, limit: int) -> int:
    """Delete actions of all organizations that were finished before an instant, at most so many; returns how many."""
    old = select(bulk_actions.c.organization_id, bulk_actions.c.id).where(bulk_actions.c.finished_at < before).limit(limit)
    keys = [(row.organization_id, row.id) for row in await connection.execute(old)]
    for organization_id, action_id in keys:
        await connection.execute(delete(bulk_items).where(_select_action(organization_id, action_id)))
        mine = and_(bulk_actions.c.organization_id == organization_id, bulk_actions.c.id == action_id)
        await connection.execute(delete(bulk_actions).where(mine))
    return len(keys)


def _select_action(organization_id: UUID, action_id: UUID) -> ColumnElement[bool]:
    return and_(bulk_items.c.organization_id == organization_id, bulk_items.c.action_id == action_id)
