"""Organizations, created with their first key and never deleted, and their settings as JSON."""

from contextlib import suppress
from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import bindparam, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import Organization, World
from bonafide.store.database.engine import Store, fetch_value
from bonafide.store.database.rows import build_insert, from_row, to_value
from bonafide.store.database.tables import account_settings, organizations

_SELECT_SETTINGS = select(account_settings.c.document).where(account_settings.c.organization_id == bindparam("organization"))


async def get_or_create(connection: AsyncConnection, name: str, world: World, now: datetime) -> Organization:
    """The organization of this exact name in this world; created at `now` if there is none."""
    new = build_insert(connection, organizations).values(id=uuid4(), name=name, world=world, created_at=now)
    await connection.execute(new.on_conflict_do_nothing(index_elements=["name", "world"]))
    found = await connection.execute(select(organizations).where(organizations.c.name == name, organizations.c.world == world))
    return to_value(Organization, found.one())


async def find(connection: AsyncConnection, reference: str, world: World) -> Organization | None:
    """The organization in this world whose ID or exact name is the reference; None when there is none."""
    known = organizations.c.name == reference
    identity = parse_organization_id(reference)
    if identity is not None:
        known = or_(known, organizations.c.id == identity)
    found = await connection.execute(select(organizations).where(known, organizations.c.world == world))
    matches = [to_value(Organization, row) for row in found]
    return next((organization for organization in matches if organization.id == identity), matches[0] if matches else None)


def parse_organization_id(reference: str) -> UUID | None:
    """The ID that a reference to an organization is; None for a name. An ID has hyphens, as lists show it."""
    with suppress(ValueError):
        identity = UUID(reference)
        return identity if str(identity) == reference.lower() else None
    return None


async def get(connection: AsyncConnection, organization_id: UUID) -> Organization | None:
    """The organization, or None when there is none."""
    found = await connection.execute(select(organizations).where(organizations.c.id == organization_id))
    return from_row(Organization, found.one_or_none())


async def list_all(connection: AsyncConnection) -> list[Organization]:
    """All organizations by name, for the operator."""
    found = await connection.execute(select(organizations).order_by(organizations.c.name, organizations.c.world))
    return [to_value(Organization, row) for row in found]


async def get_settings(database: AsyncConnection | Store, organization_id: UUID) -> str | None:
    """The organization's settings; None when it has set none."""
    document: str | None = await fetch_value(database, _SELECT_SETTINGS, {"organization": organization_id})
    return document


async def put_settings(connection: AsyncConnection, organization_id: UUID, document: str) -> None:
    """Store the organization's settings."""
    row = build_insert(connection, account_settings).values(organization_id=organization_id, document=document)
    await connection.execute(row.on_conflict_do_update(index_elements=["organization_id"], set_={"document": document}))
