"""Single sign-ons in progress: what was sent to the identity provider and must come back, once, to the same browser."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.account_tables import sign_ons
from bonafide.store.database.rows import from_row, to_columns


@dataclass(frozen=True, slots=True)
class SingleSignOn:
    """One sign-on: digests of the state, the browser's secret and a link to be used with it; the nonce, and PKCE's verifier."""

    state: str
    browser: str
    nonce: str
    verifier: str
    link: str | None
    expires_at: datetime


async def add(connection: AsyncConnection, sign_on: SingleSignOn) -> None:
    """Remember a sign-on until it comes back."""
    await connection.execute(insert(sign_ons).values(to_columns(sign_on)))


async def take(connection: AsyncConnection, state: str, now: datetime) -> SingleSignOn | None:
    """The sign-on of this state, which is forgotten: of any number that bring it back, one gets it."""
    taken = delete(sign_ons).where(sign_ons.c.state == state, sign_ons.c.expires_at > now).returning(sign_ons)
    return from_row(SingleSignOn, (await connection.execute(taken)).one_or_none())


async def purge_expired(connection: AsyncConnection, now: datetime) -> int:
    """Forget what did not come back in time; returns how many."""
    return (await connection.execute(delete(sign_ons).where(sign_ons.c.expires_at <= now))).rowcount
