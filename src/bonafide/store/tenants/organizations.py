"""Organizations: made when their first key is, and never deleted here."""

from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import Organization, World
from bonafide.store.database.dialect import insert
from bonafide.store.database.rows import from_row, to_value
from bonafide.store.database.tables import organizations


async def get_or_create(connection: AsyncConnection, name: str, world: World, now: datetime) -> Organization:
    """The organization of this name in this world; made at `now` when there is none. The name is compared as it is spelt."""
    new = insert(connection, organizations).values(id=uuid4(), name=name, world=world, created_at=now)
    await connection.execute(new.on_conflict_do_nothing(index_elements=["name", "world"]))
    found = await connection.execute(select(organizations).where(organizations.c.name == name, organizations.c.world == world))
    return to_value(Organization, found.one())


async def get(connection: AsyncConnection, organization_id: UUID) -> Organization | None:
    """The organization, or None when there is none."""
    found = await connection.execute(select(organizations).where(organizations.c.id == organization_id))
    return from_row(Organization, found.one_or_none())


async def list_all(connection: AsyncConnection) -> list[Organization]:
    """All of them by name: for the operator, not for a tenant."""
    found = await connection.execute(select(organizations).order_by(organizations.c.name, organizations.c.world))
    return [to_value(Organization, row) for row in found]
