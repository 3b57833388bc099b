"""Announcements: events for all organizations of a world that are being recorded, one organization after another.

The row has the event and the last organization that has it. The position is compared and set in the transaction that records the
event for the next organization, so that of two workers one continues. The row of a completed announcement is deleted.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.store.database.rows import from_row, list_fields, to_columns
from bonafide.store.database.tables import announcements, organizations


@dataclass(frozen=True, slots=True)
class Announcement:
    """An event for all organizations of a world. `document` is the JSON of its `StoredEventBody`."""

    id: UUID
    world: World
    number: int
    """Its position in the order of announcements."""
    announced_at: datetime
    """Organizations that were created later don't get the event."""
    type: EventType
    severity: EventSeverity | None
    """None for that of the type."""
    document: str
    last_organization_id: UUID | None = None
    """The last organization that has the event; None if none has."""


_COLUMNS = [announcements.c[name] for name in list_fields(Announcement)]


async def get_next_number(connection: AsyncConnection) -> int:
    """The number of the next announcement. Announcements of one subject are added one after another, because its row is locked."""
    last: int | None = (await connection.execute(select(func.max(announcements.c.number)))).scalar_one()
    return last + 1 if last is not None else 1


async def add(connection: AsyncConnection, announcement: Announcement) -> None:
    """Store an announcement."""
    await connection.execute(insert(announcements).values(**to_columns(announcement)))


async def get_oldest(connection: AsyncConnection) -> Announcement | None:
    """The first announcement that is not completed; None without any."""
    first = select(*_COLUMNS).order_by(announcements.c.number, announcements.c.id).limit(1)
    return from_row(Announcement, (await connection.execute(first)).one_or_none())


async def find_next_organization(connection: AsyncConnection, announcement: Announcement) -> UUID | None:
    """The first organization that has not got the event yet; None if all have."""
    conditions = [organizations.c.world == announcement.world, organizations.c.created_at <= announcement.announced_at]
    if announcement.last_organization_id is not None:
        conditions.append(organizations.c.id > announcement.last_organization_id)
    following = select(organizations.c.id).where(*conditions).order_by(organizations.c.id).limit(1)
    found: UUID | None = (await connection.execute(following)).scalar_one_or_none()
    return found


async def advance(connection: AsyncConnection, announcement: Announcement, organization_id: UUID) -> bool:
    """Store that this organization gets the event in the transaction; False if another worker has advanced it meanwhile."""
    mine = update(announcements).where(_is_unchanged(announcement)).values(last_organization_id=organization_id)
    return (await connection.execute(mine)).rowcount == 1


async def complete(connection: AsyncConnection, announcement: Announcement) -> None:
    """Delete an announcement that all organizations have got."""
    await connection.execute(delete(announcements).where(_is_unchanged(announcement)))


def _is_unchanged(announcement: Announcement) -> ColumnElement[bool]:
    last = announcement.last_organization_id
    position = announcements.c.last_organization_id
    return and_(announcements.c.id == announcement.id, position.is_(None) if last is None else position == last)
