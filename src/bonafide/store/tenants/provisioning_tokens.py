"""Provisioning tokens: their digests, never the tokens themselves. Revoked and expired ones are returned too, with their dates."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.provisioning import ProvisioningToken
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import from_row, to_columns, to_value
from bonafide.store.database.schema.provisioning_tables import provisioning_tokens
from bonafide.store.database.tables import organizations

TOUCH_INTERVAL = timedelta(minutes=1)
"""`last_used_at` is at most this much behind, to avoid a write for each request."""
_SELECT_TOKENS = select(provisioning_tokens, organizations.c.name.label("organization"), organizations.c.world).join_from(
    provisioning_tokens, organizations
)
_SELECT_BY_DIGEST = _SELECT_TOKENS.where(provisioning_tokens.c.digest == bindparam("digest"))


@dataclass(frozen=True, slots=True)
class NewProvisioningToken:
    """A new token: `digest` is the hex SHA-256 of its text, `created_by` the email of a person or `cli`."""

    id: UUID
    digest: str
    label: str
    prefix: str
    last4: str
    created_at: datetime
    created_by: str
    expires_at: datetime | None


async def add_token(connection: AsyncConnection, organization_id: UUID, token: NewProvisioningToken) -> None:
    """Store a new token."""
    await connection.execute(insert(provisioning_tokens).values(organization_id=organization_id, **to_columns(token)))


async def get_by_digest(database: AsyncConnection | Store, digest: str) -> ProvisioningToken | None:
    """The token of this digest, of any organization: this lookup determines the organization."""
    row = await fetch_row(database, _SELECT_BY_DIGEST, {"digest": digest})
    return to_value(ProvisioningToken, row) if row is not None else None


async def get(connection: AsyncConnection, organization_id: UUID, token_id: UUID) -> ProvisioningToken | None:
    """The organization's token of this ID."""
    found = await connection.execute(_SELECT_TOKENS.where(_has_id(organization_id, token_id)))
    return from_row(ProvisioningToken, found.one_or_none())


async def get_by_id(connection: AsyncConnection, token_id: UUID) -> ProvisioningToken | None:
    """The token of this ID, of any organization, for the operator."""
    found = await connection.execute(_SELECT_TOKENS.where(provisioning_tokens.c.id == token_id))
    return from_row(ProvisioningToken, found.one_or_none())


async def list_tokens(connection: AsyncConnection, organization_id: UUID) -> list[ProvisioningToken]:
    """The organization's tokens, newest first, including revoked and expired ones."""
    mine = _SELECT_TOKENS.where(provisioning_tokens.c.organization_id == organization_id)
    ordered = mine.order_by(provisioning_tokens.c.created_at.desc(), provisioning_tokens.c.id)
    return [to_value(ProvisioningToken, row) for row in await connection.execute(ordered)]


async def revoke(connection: AsyncConnection, organization_id: UUID, token_id: UUID, now: datetime) -> bool:
    """Revoke the token; False when it does not exist or is revoked already."""
    mine = update(provisioning_tokens).where(_has_id(organization_id, token_id), provisioning_tokens.c.revoked_at.is_(None))
    return (await connection.execute(mine.values(revoked_at=now))).rowcount == 1


async def touch(connection: AsyncConnection, organization_id: UUID, token_id: UUID, now: datetime) -> bool:
    """Record a use of the token; False when one was recorded within `TOUCH_INTERVAL`, or the token does not exist."""
    used = provisioning_tokens.c.last_used_at
    due = or_(used.is_(None), used <= now - TOUCH_INTERVAL)
    touched = update(provisioning_tokens).where(_has_id(organization_id, token_id), due).values(last_used_at=now)
    return (await connection.execute(touched)).rowcount == 1


def _has_id(organization_id: UUID, token_id: UUID) -> ColumnElement[bool]:
    return and_(provisioning_tokens.c.organization_id == organization_id, provisioning_tokens.c.id == token_id)
