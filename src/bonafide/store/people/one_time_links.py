"""One-time links: digests of their tokens, their recipients, and whether they were used.

A link with an organization is an invitation; one without sets a password. Used and expired links are returned too.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.users import Role
from bonafide.store.database.rows import from_row, to_columns, to_value
from bonafide.store.database.schema.account_tables import links


@dataclass(frozen=True, slots=True)
class OneTimeLink:
    """A stored link."""

    id: UUID
    organization_id: UUID | None
    email: str
    role: Role | None
    made_by: str
    made_at: datetime
    expires_at: datetime
    used_at: datetime | None = None
    revoked_at: datetime | None = None


async def add(connection: AsyncConnection, digest: str, link: OneTimeLink) -> None:
    """Keep a new link."""
    await connection.execute(insert(links).values(**to_columns(link), digest=digest))


async def get_by_digest(connection: AsyncConnection, digest: str) -> OneTimeLink | None:
    """The link of this digest, also if used or revoked; locked until a writing transaction ends."""
    return from_row(OneTimeLink, (await connection.execute(select(links).where(links.c.digest == digest))).one_or_none())


async def use(connection: AsyncConnection, link_id: UUID, now: datetime) -> bool:
    """Mark the link as used; False when it was used, revoked or has expired. Of concurrent callers, one succeeds."""
    open_one = update(links).where(links.c.id == link_id, *_build_open_conditions(now))
    return (await connection.execute(open_one.values(used_at=now))).rowcount == 1


async def list_open(connection: AsyncConnection, organization_id: UUID, now: datetime) -> list[OneTimeLink]:
    """The organization's open invitations, the newest first."""
    mine = select(links).where(links.c.organization_id == organization_id, *_build_open_conditions(now))
    return [to_value(OneTimeLink, row) for row in await connection.execute(mine.order_by(links.c.made_at.desc(), links.c.id))]


async def revoke(connection: AsyncConnection, organization_id: UUID, link_id: UUID, now: datetime) -> OneTimeLink | None:
    """Revoke an open invitation of the organization; None when there is none of this id."""
    mine = update(links).where(links.c.id == link_id, links.c.organization_id == organization_id, *_build_open_conditions(now))
    return from_row(OneTimeLink, (await connection.execute(mine.values(revoked_at=now).returning(links))).one_or_none())


async def revoke_password_links(connection: AsyncConnection, email: str, now: datetime) -> None:
    """Revoke every password link of this user."""
    mine = update(links).where(links.c.email == email, links.c.organization_id.is_(None), *_build_open_conditions(now))
    await connection.execute(mine.values(revoked_at=now))


async def revoke_invitations(connection: AsyncConnection, organization_id: UUID, email: str, now: datetime) -> None:
    """Revoke every invitation of this email to the organization."""
    mine = update(links).where(links.c.organization_id == organization_id, links.c.email == email, *_build_open_conditions(now))
    await connection.execute(mine.values(revoked_at=now))


async def purge(connection: AsyncConnection, before: datetime) -> int:
    """Delete the links of all users that ended before then; returns how many."""
    return (await connection.execute(delete(links).where(links.c.expires_at < before))).rowcount


def _build_open_conditions(now: datetime) -> tuple[Any, ...]:
    return links.c.used_at.is_(None), links.c.revoked_at.is_(None), links.c.expires_at > now
