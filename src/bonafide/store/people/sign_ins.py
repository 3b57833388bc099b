"""Sessions of people who signed in, and what comes before them: failed attempts and single sign-ons in progress.

Only digests of tokens are stored. Idle sessions are returned too; the service decides whether one is valid. Attempts are counted by
the digest of an email or of a client's address. A single sign-on stores what was sent to the identity provider and must be returned
once, to the same browser.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.users import User
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import build_insert, from_row, list_fields, to_columns, to_value
from bonafide.store.database.schema.account_tables import sessions, sign_in_attempts, sign_ons, users
from bonafide.store.people.users import USER_COLUMNS

TOUCH_INTERVAL = timedelta(minutes=1)
"""`last_seen_at` is at most this much behind."""
_ATTEMPTS = select(sign_in_attempts).where(sign_in_attempts.c.subject == bindparam("of")).with_for_update()


@dataclass(frozen=True, slots=True)
class NewSession:
    """A new session: `digest` is the hex SHA-256 of its token, `browser` the user agent."""

    id: UUID
    digest: str
    user_id: UUID
    organization_id: UUID
    browser: str | None
    begun_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A stored session."""

    id: UUID
    organization_id: UUID
    browser: str | None
    begun_at: datetime
    last_seen_at: datetime
    expires_at: datetime


_SHOWN = [sessions.c[name] for name in list_fields(StoredSession) if name != "id"]
_SELECT_BY_DIGEST = (
    select(*USER_COLUMNS, sessions.c.id.label("session_id"), *_SHOWN)
    .join_from(sessions, users)
    .where(sessions.c.digest == bindparam("digest"), users.c.disabled_at.is_(None))
)


async def add_session(connection: AsyncConnection, new: NewSession) -> None:
    """Store a new session."""
    await connection.execute(insert(sessions).values(**to_columns(new), last_seen_at=new.begun_at))


async def get_session(database: AsyncConnection | Store, digest: str) -> tuple[StoredSession, User] | None:
    """The session of this digest and its user, unless the user is disabled."""
    row = await fetch_row(database, _SELECT_BY_DIGEST, {"digest": digest})
    return (to_value(StoredSession, row, id=row.session_id), to_value(User, row)) if row is not None else None


async def list_sessions(connection: AsyncConnection, user_id: UUID) -> list[StoredSession]:
    """The user's sessions, the most recently used first."""
    mine = select(sessions).where(sessions.c.user_id == user_id).order_by(sessions.c.last_seen_at.desc(), sessions.c.id)
    return [to_value(StoredSession, row) for row in await connection.execute(mine)]


async def touch_session(connection: AsyncConnection, session_id: UUID, now: datetime) -> bool:
    """Record a use of the session; False when one was recorded within `TOUCH_INTERVAL`."""
    due = sessions.c.last_seen_at <= now - TOUCH_INTERVAL
    touched = update(sessions).where(sessions.c.id == session_id, due).values(last_seen_at=now)
    return (await connection.execute(touched)).rowcount == 1


async def switch_organization(connection: AsyncConnection, session_id: UUID, organization_id: UUID) -> None:
    """Switch the session to this organization."""
    await connection.execute(update(sessions).where(sessions.c.id == session_id).values(organization_id=organization_id))


async def end_session(connection: AsyncConnection, user_id: UUID, session_id: UUID) -> bool:
    """End a session of the user; False when they have none of this id."""
    ended = delete(sessions).where(sessions.c.id == session_id, sessions.c.user_id == user_id)
    return (await connection.execute(ended)).rowcount == 1


async def end_sessions(connection: AsyncConnection, user_id: UUID, *, but: UUID | None = None) -> int:
    """End every session of the user except one; returns how many."""
    mine = delete(sessions).where(sessions.c.user_id == user_id)
    return (await connection.execute(mine if but is None else mine.where(sessions.c.id != but))).rowcount


async def end_sessions_in(connection: AsyncConnection, user_id: UUID, organization_id: UUID) -> int:
    """End every session of the user that shows this organization; returns how many."""
    mine = delete(sessions).where(sessions.c.user_id == user_id, sessions.c.organization_id == organization_id)
    return (await connection.execute(mine)).rowcount


async def purge_sessions(connection: AsyncConnection, now: datetime) -> int:
    """Delete the expired sessions of all users; returns how many."""
    return (await connection.execute(delete(sessions).where(sessions.c.expires_at <= now))).rowcount


@dataclass(frozen=True, slots=True)
class SignInAttempts:
    """Consecutive failures, the time of the last one, and until when attempts are blocked."""

    failures: int
    failed_at: datetime
    paused_until: datetime | None = None


async def lock_attempts(connection: AsyncConnection, subjects: Sequence[str], now: datetime) -> dict[str, SignInAttempts]:
    """The failures of each subject, locked until the transaction ends; none for a new subject."""
    held = {}
    # In a fixed order, to avoid deadlocks.
    for subject in sorted(subjects):
        first = build_insert(connection, sign_in_attempts).values(subject=subject, failures=0, failed_at=now, paused_until=None)
        await connection.execute(first.on_conflict_do_nothing(index_elements=["subject"]))
        held[subject] = to_value(SignInAttempts, (await connection.execute(_ATTEMPTS, {"of": subject})).one())
    return held


async def save_attempts(connection: AsyncConnection, subject: str, attempts: SignInAttempts) -> None:
    """Store the locked failures."""
    await connection.execute(update(sign_in_attempts).where(sign_in_attempts.c.subject == subject).values(to_columns(attempts)))


async def remove_attempts(connection: AsyncConnection, subject: str) -> None:
    """Reset the failures of the subject."""
    await connection.execute(delete(sign_in_attempts).where(sign_in_attempts.c.subject == subject))


async def purge_attempts(connection: AsyncConnection, before: datetime) -> int:
    """Delete the subjects without a failure since then; returns how many."""
    return (await connection.execute(delete(sign_in_attempts).where(sign_in_attempts.c.failed_at < before))).rowcount


@dataclass(frozen=True, slots=True)
class SingleSignOn:
    """One sign-on: digests of the state, the browser's secret and a link to be used with it; the nonce, and PKCE's verifier."""

    state: str
    browser: str
    nonce: str
    verifier: str
    link: str | None
    expires_at: datetime


async def add_sign_on(connection: AsyncConnection, sign_on: SingleSignOn) -> None:
    """Store a single sign-on until it returns."""
    await connection.execute(insert(sign_ons).values(to_columns(sign_on)))


async def take_sign_on(connection: AsyncConnection, state: str, now: datetime) -> SingleSignOn | None:
    """Delete and return the sign-on of this state. Of concurrent callers, one gets it."""
    taken = delete(sign_ons).where(sign_ons.c.state == state, sign_ons.c.expires_at > now).returning(sign_ons)
    return from_row(SingleSignOn, (await connection.execute(taken)).one_or_none())


async def purge_sign_ons(connection: AsyncConnection, now: datetime) -> int:
    """Delete the sign-ons that did not return in time; returns how many."""
    return (await connection.execute(delete(sign_ons).where(sign_ons.c.expires_at <= now))).rowcount
