"""One-time links: digests of their tokens, whom they are for, and whether they were used.

A link with an organization is an invitation; one without sets a password. Used and expired links are returned too.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.users import Role
from bonafide.store.database.account_tables import links
from bonafide.store.database.rows import from_row, to_columns, to_value


@dataclass(frozen=True, slots=True)
class OneTimeLink:
    """A link as it stands."""

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
    """The link of this digest, used and revoked ones too; it stays so until a transaction that writes ends."""
    return from_row(OneTimeLink, (await connection.execute(select(links).where(links.c.digest == digest))).one_or_none())


async def use(connection: AsyncConnection, link_id: UUID, now: datetime) -> bool:
    """Use the link up; False when it is used, revoked or over: of any number at once, one gets it."""
    open_one = update(links).where(links.c.id == link_id, *_build_open_conditions(now))
    return (await connection.execute(open_one.values(used_at=now))).rowcount == 1


async def list_open(connection: AsyncConnection, organization_id: UUID, now: datetime) -> list[OneTimeLink]:
    """The organization's invitations that may still be used, the newest first."""
    mine = select(links).where(links.c.organization_id == organization_id, *_build_open_conditions(now))
    return [to_value(OneTimeLink, row) for row in await connection.execute(mine.order_by(links.c.made_at.desc(), links.c.id))]


async def revoke(connection: AsyncConnection, organization_id: UUID, link_id: UUID, now: datetime) -> OneTimeLink | None:
    """Revoke an invitation of the organization; None when it has none of this id that may still be used."""
    mine = update(links).where(links.c.id == link_id, links.c.organization_id == organization_id, *_build_open_conditions(now))
    return from_row(OneTimeLink, (await connection.execute(mine.values(revoked_at=now).returning(links))).one_or_none())


async def revoke_password_links(connection: AsyncConnection, email: str, now: datetime) -> None:
    """Revoke every link that would set this user's password."""
    mine = update(links).where(links.c.email == email, links.c.organization_id.is_(None), *_build_open_conditions(now))
    await connection.execute(mine.values(revoked_at=now))


async def revoke_invitations(connection: AsyncConnection, organization_id: UUID, email: str, now: datetime) -> None:
    """Revoke every invitation of this e-mail to the organization."""
    mine = update(links).where(links.c.organization_id == organization_id, links.c.email == email, *_build_open_conditions(now))
    await connection.execute(mine.values(revoked_at=now))


async def purge(connection: AsyncConnection, before: datetime) -> int:
    """Delete the links that ended before, whoever's; returns how many."""
    return (await connection.execute(delete(links).where(links.c.expires_at < before))).rowcount


def _build_open_conditions(now: datetime) -> tuple[Any, ...]:
    return links.c.used_at.is_(None), links.c.revoked_at.is_(None), links.c.expires_at > now
