"""Users of the installation, their password hashes, and their memberships and roles.

Disabled users are returned too, with the date. Emails are passed in folded.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Integer, Row, and_, bindparam, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Member, Membership, Role, User
from bonafide.store.database.engine import Store, fetch_rows
from bonafide.store.database.rows import build_insert, to_value
from bonafide.store.database.schema.account_tables import identities, memberships, sessions, users
from bonafide.store.database.tables import organizations

USER_COLUMNS = (users.c.id, users.c.email, users.c.name, users.c.language, users.c.shortcuts, users.c.time_zone)
"""The columns of a `User`."""
_SELECT_EMAILS = (
    select(users.c.email)
    .join_from(memberships, users)
    .where(memberships.c.organization_id == bindparam("organization"))
    .order_by(users.c.email)
    .limit(bindparam("limit", type_=Integer()))
)
_SELECT_MEMBERSHIPS = (
    select(memberships.c.organization_id, memberships.c.role, organizations.c.name.label("organization"), organizations.c.world)
    .join_from(memberships, organizations)
    .where(memberships.c.user_id == bindparam("user"))
)


@dataclass(frozen=True, slots=True)
class UserCredentials:
    """A user with the hash of their password, if they have one."""

    user: User
    password_hash: str | None
    disabled_at: datetime | None


async def get_or_create(connection: AsyncConnection, new: User, now: datetime) -> tuple[User, bool]:
    """The user of this email, created if there is none, and whether it was created."""
    values = {**new.model_dump(), "created_at": now, "password_hash": None, "disabled_at": None}
    made = build_insert(connection, users).values(**values).on_conflict_do_nothing(index_elements=["email"])
    await connection.execute(made)
    row = (await connection.execute(select(*USER_COLUMNS).where(users.c.email == new.email))).one()
    return to_value(User, row), row.id == new.id


async def get_by_email(connection: AsyncConnection, email: str) -> UserCredentials | None:
    """The user of this email, or None."""
    return _to_credentials((await connection.execute(select(users).where(users.c.email == email))).one_or_none())


async def get_by_id(connection: AsyncConnection, user_id: UUID) -> UserCredentials | None:
    """The user of this id, or None."""
    return _to_credentials((await connection.execute(select(users).where(users.c.id == user_id))).one_or_none())


async def list_all(connection: AsyncConnection) -> list[UserCredentials]:
    """Every user by email, for the operator."""
    found = await connection.execute(select(users).order_by(users.c.email))
    return [credentials for row in found if (credentials := _to_credentials(row)) is not None]


async def save_profile(connection: AsyncConnection, user: User) -> None:
    """Store the user's profile: name, language, shortcuts, time zone."""
    changed = update(users).where(users.c.id == user.id)
    profile = {"name": user.name, "language": user.language, "shortcuts": user.shortcuts, "time_zone": user.time_zone}
    await connection.execute(changed.values(profile))


async def set_email(connection: AsyncConnection, user_id: UUID, email: str) -> None:
    """Set the user's email, which no other user may have."""
    await connection.execute(update(users).where(users.c.id == user_id).values(email=email))


async def set_password_hash(connection: AsyncConnection, user_id: UUID, password_hash: str | None) -> None:
    """Set the hash of the user's password; None disables sign-in by password."""
    await connection.execute(update(users).where(users.c.id == user_id).values(password_hash=password_hash))


async def set_disabled(connection: AsyncConnection, user_id: UUID, disabled_at: datetime | None) -> None:
    """Disable the user as of then; None enables them again."""
    await connection.execute(update(users).where(users.c.id == user_id).values(disabled_at=disabled_at))


# ---------------------------------------------------------------------------------------------------------- identities


async def get_by_identity(connection: AsyncConnection, issuer: str, subject: str) -> UserCredentials | None:
    """The user to whom this identity of an identity provider is bound, or None."""
    mine = select(users).join_from(identities, users).where(identities.c.issuer == issuer, identities.c.subject == subject)
    return _to_credentials((await connection.execute(mine)).one_or_none())


async def bind_identity(connection: AsyncConnection, issuer: str, subject: str, user_id: UUID, now: datetime) -> None:
    """Bind the identity to this user."""
    bound = build_insert(connection, identities).values(issuer=issuer, subject=subject, user_id=user_id, bound_at=now)
    await connection.execute(bound.on_conflict_do_nothing(index_elements=["issuer", "subject"]))


async def is_bound(connection: AsyncConnection, issuer: str, user_id: UUID) -> bool:
    """Whether an identity of this issuer is bound to the user."""
    mine = select(identities.c.subject).where(identities.c.user_id == user_id, identities.c.issuer == issuer)
    return (await connection.execute(mine.limit(1))).one_or_none() is not None


async def unbind_identities(connection: AsyncConnection, user_id: UUID) -> int:
    """Remove all identities of the user; returns how many."""
    return (await connection.execute(delete(identities).where(identities.c.user_id == user_id))).rowcount


def _to_credentials(row: Row[Any] | None) -> UserCredentials | None:
    return UserCredentials(to_value(User, row), row.password_hash, row.disabled_at) if row is not None else None


async def add_membership(connection: AsyncConnection, organization_id: UUID, user_id: UUID, role: Role, now: datetime) -> bool:
    """Add the user to the organization; False when they are a member already."""
    new = build_insert(connection, memberships).values(organization_id=organization_id, user_id=user_id, role=role, joined_at=now)
    unless_there = new.on_conflict_do_nothing(index_elements=["organization_id", "user_id"])
    added = await connection.execute(unless_there.returning(memberships.c.user_id))
    return added.one_or_none() is not None


async def get_role(connection: AsyncConnection, organization_id: UUID, user_id: UUID) -> Role | None:
    """The user's role in the organization; None when they are not a member."""
    found = await connection.execute(select(memberships.c.role).where(_is_membership(organization_id, user_id)))
    role: Role | None = found.scalar_one_or_none()
    return role


async def set_role(connection: AsyncConnection, organization_id: UUID, user_id: UUID, role: Role) -> None:
    """Set the member's role."""
    await connection.execute(update(memberships).where(_is_membership(organization_id, user_id)).values(role=role))


async def remove_membership(connection: AsyncConnection, organization_id: UUID, user_id: UUID) -> None:
    """Remove the user from the organization."""
    await connection.execute(delete(memberships).where(_is_membership(organization_id, user_id)))


async def list_owners(connection: AsyncConnection, organization_id: UUID) -> frozenset[UUID]:
    """The organization's enabled owners. Lock its audit head first, as changes of roles do, so that the result stays valid."""
    mine = (
        select(memberships.c.user_id)
        .join_from(memberships, users)
        .where(memberships.c.organization_id == organization_id, memberships.c.role == Role.OWNER, users.c.disabled_at.is_(None))
    )
    return frozenset(row.user_id for row in await connection.execute(mine))


async def list_members(connection: AsyncConnection, organization_id: UUID) -> list[Member]:
    """The organization's members by email."""
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


async def list_emails(database: AsyncConnection | Store, organization_id: UUID, limit: int) -> list[str]:
    """The email addresses of the organization's members, in order."""
    found = await fetch_rows(database, _SELECT_EMAILS, {"organization": organization_id, "limit": limit})
    return [row.email for row in found]


async def list_memberships(database: AsyncConnection | Store, user_id: UUID) -> list[Membership]:
    """The user's organizations by name, the live world first."""
    found = [to_value(Membership, row) for row in await fetch_rows(database, _SELECT_MEMBERSHIPS, {"user": user_id})]
    return sorted(found, key=lambda mine: (mine.organization.casefold(), mine.organization, mine.world is not World.LIVE))


def _is_membership(organization_id: UUID, user_id: UUID) -> ColumnElement[bool]:
    return and_(memberships.c.organization_id == organization_id, memberships.c.user_id == user_id)
