"""Sessions of people who signed in: digests of their tokens, never the tokens.

Idle sessions are returned too; the service decides whether one is valid.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.users import User
from bonafide.store.database.account_tables import sessions, users
from bonafide.store.database.rows import list_fields, to_columns, to_value
from bonafide.store.people.users import USER_COLUMNS

TOUCH_INTERVAL = timedelta(minutes=1)
"""`last_seen_at` is at most this much behind."""


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session to keep: `digest` is the hex SHA-256 of its token, `browser` what the browser calls itself."""

    id: UUID
    digest: str
    user_id: UUID
    organization_id: UUID
    browser: str | None
    begun_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as it stands."""

    id: UUID
    organization_id: UUID
    browser: str | None
    begun_at: datetime
    last_seen_at: datetime
    expires_at: datetime


_SHOWN = [sessions.c[name] for name in list_fields(StoredSession) if name != "id"]


async def add(connection: AsyncConnection, new: NewSession) -> None:
    """Keep a new session."""
    await connection.execute(insert(sessions).values(**to_columns(new), last_seen_at=new.begun_at))


async def get_by_digest(connection: AsyncConnection, digest: str) -> tuple[StoredSession, User] | None:
    """The session of this digest and its user, unless that is disabled."""
    mine = (
        select(*USER_COLUMNS, sessions.c.id.label("session_id"), *_SHOWN)
        .join_from(sessions, users)
        .where(sessions.c.digest == digest, users.c.disabled_at.is_(None))
    )
    row = (await connection.execute(mine)).one_or_none()
    return (to_value(StoredSession, row, id=row.session_id), to_value(User, row)) if row is not None else None


async def list_for_user(connection: AsyncConnection, user_id: UUID) -> list[StoredSession]:
    """The user's sessions, the one last seen first."""
    mine = select(sessions).where(sessions.c.user_id == user_id).order_by(sessions.c.last_seen_at.desc(), sessions.c.id)
    return [to_value(StoredSession, row) for row in await connection.execute(mine)]


async def touch(connection: AsyncConnection, session_id: UUID, now: datetime) -> bool:
    """Note that the session was used; False when that was noted within `TOUCH_INTERVAL`."""
    due = sessions.c.last_seen_at <= now - TOUCH_INTERVAL
    touched = update(sessions).where(sessions.c.id == session_id, due).values(last_seen_at=now)
    return (await connection.execute(touched)).rowcount == 1


async def switch_organization(connection: AsyncConnection, session_id: UUID, organization_id: UUID) -> None:
    """Let the session show this organization's data."""
    await connection.execute(update(sessions).where(sessions.c.id == session_id).values(organization_id=organization_id))


async def end(connection: AsyncConnection, user_id: UUID, session_id: UUID) -> bool:
    """End a session of the user; False when they have none of this id."""
    ended = delete(sessions).where(sessions.c.id == session_id, sessions.c.user_id == user_id)
    return (await connection.execute(ended)).rowcount == 1


async def end_all(connection: AsyncConnection, user_id: UUID, *, but: UUID | None = None) -> int:
    """End every session of the user, but for one; returns how many."""
    mine = delete(sessions).where(sessions.c.user_id == user_id)
    return (await connection.execute(mine if but is None else mine.where(sessions.c.id != but))).rowcount


async def purge_expired(connection: AsyncConnection, now: datetime) -> int:
    """Delete the sessions whose time is over, whoever's; returns how many."""
    return (await connection.execute(delete(sessions).where(sessions.c.expires_at <= now))).rowcount
