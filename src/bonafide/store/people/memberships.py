"""Who belongs to which organization, and as what."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Member, Membership, Role, User
from bonafide.store.database.account_tables import memberships, sessions, users
from bonafide.store.database.dialect import insert
from bonafide.store.database.rows import to_value
from bonafide.store.database.tables import organizations
from bonafide.store.people.users import USER_COLUMNS


async def add(connection: AsyncConnection, organization_id: UUID, user_id: UUID, role: Role, now: datetime) -> bool:
    """Let the user belong to the organization; False when they do already, with whatever role."""
    new = insert(connection, memberships).values(organization_id=organization_id, user_id=user_id, role=role, joined_at=now)
    unless_there = new.on_conflict_do_nothing(index_elements=["organization_id", "user_id"])
    added = await connection.execute(unless_there.returning(memberships.c.user_id))
    return added.one_or_none() is not None


async def get_role(connection: AsyncConnection, organization_id: UUID, user_id: UUID) -> Role | None:
    """What the user is in the organization; None when they don't belong to it."""
    found = await connection.execute(select(memberships.c.role).where(_has_ids(organization_id, user_id)))
    role: Role | None = found.scalar_one_or_none()
    return role


async def set_role(connection: AsyncConnection, organization_id: UUID, user_id: UUID, role: Role) -> None:
    """Let the member be this from now on."""
    await connection.execute(update(memberships).where(_has_ids(organization_id, user_id)).values(role=role))


async def remove(connection: AsyncConnection, organization_id: UUID, user_id: UUID) -> None:
    """Let the user not belong to the organization any more."""
    await connection.execute(delete(memberships).where(_has_ids(organization_id, user_id)))


async def list_owners(connection: AsyncConnection, organization_id: UUID) -> frozenset[UUID]:
    """The organization's owners who can sign in. Hold its ledger first: who changes roles does, so that it stays true."""
    mine = (
        select(memberships.c.user_id)
        .join_from(memberships, users)
        .where(memberships.c.organization_id == organization_id, memberships.c.role == Role.OWNER, users.c.disabled_at.is_(None))
    )
    return frozenset(row.user_id for row in await connection.execute(mine))


async def list_members(connection: AsyncConnection, organization_id: UUID) -> list[Member]:
    """The organization's members by e-mail."""
    seen = (
        select(sessions.c.user_id, func.max(sessions.c.last_seen_at).label("last_seen_at"))
        .where(sessions.c.organization_id == organization_id)
        .group_by(sessions.c.user_id)
        .subquery()
    )
    mine = (
        select(*USER_COLUMNS, memberships.c.role, memberships.c.joined_at, seen.c.last_seen_at)
        .join_from(memberships, users)
        .outerjoin(seen, seen.c.user_id == users.c.id)
        .where(memberships.c.organization_id == organization_id)
        .order_by(users.c.email)
    )
    return [to_value(Member, row, user=to_value(User, row)) for row in await connection.execute(mine)]


async def list_for_user(connection: AsyncConnection, user_id: UUID) -> list[Membership]:
    """The organizations that the user belongs to, by name, the live world first."""
    mine = (
        select(memberships.c.organization_id, memberships.c.role, organizations.c.name.label("organization"), organizations.c.world)
        .join_from(memberships, organizations)
        .where(memberships.c.user_id == user_id)
    )
    found = [to_value(Membership, row) for row in await connection.execute(mine)]
    return sorted(found, key=lambda mine: (mine.organization.casefold(), mine.organization, mine.world is not World.LIVE))


def _has_ids(organization_id: UUID, user_id: UUID) -> ColumnElement[bool]:
    return and_(memberships.c.organization_id == organization_id, memberships.c.user_id == user_id)
