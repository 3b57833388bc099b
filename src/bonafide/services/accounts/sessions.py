"""Begin, resume, list and end console sessions.

A token is 256 random bits in a cookie. Only its digest is stored. The CSRF secret is derived from the token, so the contents of the
database are not enough to submit a form.
"""

import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid4

from bonafide.errors import NotFound, ServerBusy
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Membership, SignedIn
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.people import sign_ins, users
from bonafide.store.people.sign_ins import NewSession, StoredSession

TOKEN_BYTES = 32
MAX_BROWSER_CHARACTERS = 300
"""The maximum length of a stored user agent."""
_CSRF = b"bonafide csrf"


@dataclass(frozen=True, slots=True)
class SessionOverview:
    """A session as its user sees it."""

    id: UUID
    browser: str | None
    begun_at: datetime
    last_seen_at: datetime
    is_current: bool


async def begin_session(runtime: Runtime, user_id: UUID, browser: str | None = None) -> str:
    """A new session of the user in the first of their organizations; returns its token. Raises `NotFound` without any."""
    async with runtime.store.write() as connection:
        return await insert_session(connection, runtime, user_id, browser)


async def insert_session(
    connection: Connection, runtime: Runtime, user_id: UUID, browser: str | None, organization_id: UUID | None = None
) -> str:
    """Begin a session within an open transaction, in an organization that the user belongs to."""
    now = runtime.clock()
    mine = await users.list_memberships(connection, user_id)
    if not mine:
        raise NotFound(Message("This account doesn’t belong to an organization. Ask an owner for an invitation."))
    token = secrets.token_urlsafe(TOKEN_BYTES)
    new = NewSession(
        id=uuid4(),
        digest=compute_token_digest(token),
        user_id=user_id,
        organization_id=_choose_membership(mine, organization_id).organization_id,
        browser=browser[:MAX_BROWSER_CHARACTERS] if browser is not None else None,
        begun_at=now,
        expires_at=now + timedelta(seconds=runtime.settings.session_max_s),
    )
    await sign_ins.add_session(connection, new)
    return token


async def resume_session(runtime: Runtime, token: str) -> SignedIn | None:
    """The user of this token; None for an unknown or expired session."""
    now = runtime.clock()
    # Two statements in autocommit mode, because each page of the console begins with them.
    found = await sign_ins.get_session(runtime.store, compute_token_digest(token))
    if found is None or not _is_valid(runtime, found[0], now):
        return None
    session, user = found
    mine = await users.list_memberships(runtime.store, user.id)
    if not mine:
        return None
    if session.last_seen_at <= now - sign_ins.TOUCH_INTERVAL:
        # A failure to record the time of the last request must not fail the page.
        with suppress(ServerBusy):
            async with runtime.store.write(durable=False) as connection:
                await sign_ins.touch_session(connection, session.id, now)
    return SignedIn(
        user=user,
        membership=_choose_membership(mine, session.organization_id),
        memberships=tuple(mine),
        session_id=session.id,
        csrf_secret=hmac.digest(token.encode(), _CSRF, "sha256"),
    )


async def end_session(runtime: Runtime, signed_in: SignedIn, session_id: UUID | None = None) -> None:
    """End this session, or another of the same user. Raises `NotFound` for one that is not theirs."""
    async with runtime.store.write() as connection:
        ended = await sign_ins.end_session(
            connection, signed_in.user.id, session_id if session_id is not None else signed_in.session_id
        )
    if not ended:
        raise NotFound(Message("We couldn’t find that session."))


async def end_other_sessions(runtime: Runtime, signed_in: SignedIn) -> int:
    """End every other session of the user; returns how many."""
    async with runtime.store.write() as connection:
        return await sign_ins.end_sessions(connection, signed_in.user.id, but=signed_in.session_id)


async def switch_organization(runtime: Runtime, signed_in: SignedIn, organization_id: UUID) -> None:
    """Show another organization's data in this session. Raises `NotFound` for one that the user does not belong to."""
    if all(mine.organization_id != organization_id for mine in signed_in.memberships):
        raise NotFound(Message("We couldn’t find that organization."))
    async with runtime.store.write() as connection:
        await sign_ins.switch_organization(connection, signed_in.session_id, organization_id)


async def list_sessions(runtime: Runtime, signed_in: SignedIn) -> list[SessionOverview]:
    """The user's valid sessions, the most recently used first."""
    now = runtime.clock()
    async with runtime.store.read() as connection:
        found = await sign_ins.list_sessions(connection, signed_in.user.id)
    return [
        SessionOverview(session.id, session.browser, session.begun_at, session.last_seen_at, session.id == signed_in.session_id)
        for session in found
        if _is_valid(runtime, session, now)
    ]


def _is_valid(runtime: Runtime, session: StoredSession, now: datetime) -> bool:
    return now < session.expires_at and now - session.last_seen_at < timedelta(seconds=runtime.settings.session_idle_s)


def _choose_membership(mine: list[Membership], organization_id: UUID | None) -> Membership:
    """The chosen organization, or the first one if the user no longer belongs to it."""
    return next((membership for membership in mine if membership.organization_id == organization_id), mine[0])


def compute_token_digest(token: str) -> str:
    """The stored digest of a secret token. A slow hash adds nothing, because 256 random bits can't be guessed."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
