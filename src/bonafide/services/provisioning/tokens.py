"""Provisioning tokens of an organization: create, list and revoke them, and authenticate the token of a request.

A token's text is returned once; only its digest is stored. It is `bf_scim_`, then random bits and a checksum, as an API key is
(`services/accounts/api_access`). API keys don't provision, and these tokens do nothing else. Tokens are read from the database at
each request, so a revoked one is refused at once.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.errors import ExpiredApiKey, InvalidApiKey, NotFound, RevokedApiKey, ServerBusy
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal
from bonafide.model.accounts.provisioning import ProvisioningToken, ProvisioningTokenRequest
from bonafide.model.base import format_instant
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.accounts.api_access import (
    SHOWN_CHARACTERS,
    compute_key_digest,
    generate_secret,
    is_well_formed_secret,
    to_slug,
)
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log, organizations, provisioning_tokens
from bonafide.store.tenants.provisioning_tokens import NewProvisioningToken

PREFIX = "bf_scim_"
REQUESTS_PER_WINDOW = 1500
"""25 requests a second, the rate that Microsoft Entra ID expects of a service, in a window of a minute."""
TOKEN = "provisioningToken"  # noqa: S105 - the name of a field
"""The field of the audit log for a token."""


@dataclass(frozen=True, slots=True)
class CreatedProvisioningToken:
    """A new token: its text, which can't be retrieved again, and its listed form."""

    text: str = field(repr=False)
    token: ProvisioningToken


async def create_token(
    runtime: Runtime, organization_id: UUID, request: ProvisioningTokenRequest, author: Author
) -> CreatedProvisioningToken:
    """Create a token of the organization."""
    text, now = generate_secret(PREFIX), runtime.clock()
    new = NewProvisioningToken(
        id=uuid4(),
        digest=compute_key_digest(text),
        label=request.label,
        prefix=text[: len(PREFIX) + SHOWN_CHARACTERS],
        last4=text[-SHOWN_CHARACTERS:],
        created_at=now,
        created_by=author.actor,
        expires_at=now + request.expires_in if request.expires_in is not None else None,
    )
    async with runtime.store.write() as connection:
        await provisioning_tokens.add_token(connection, organization_id, new)
        created = await _get(connection, organization_id, new.id)
        await _record_change(connection, author, None, created, now)
    return CreatedProvisioningToken(text, created)


async def list_tokens(runtime: Runtime, organization_id: UUID) -> list[ProvisioningToken]:
    """The organization's tokens, newest first, including revoked and expired ones."""
    async with runtime.store.read() as connection:
        return await provisioning_tokens.list_tokens(connection, organization_id)


async def list_all_tokens(runtime: Runtime) -> list[ProvisioningToken]:
    """The tokens of every organization, for the operator."""
    async with runtime.store.read() as connection:
        every = await organizations.list_all(connection)
        return [token for each in every for token in await provisioning_tokens.list_tokens(connection, each.id)]


async def revoke_token(runtime: Runtime, organization_id: UUID, token_id: UUID, author: Author) -> ProvisioningToken:
    """Revoke the token; a revoked one is unchanged. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        return await _revoke(connection, organization_id, token_id, author, runtime.clock())


async def revoke_any_token(runtime: Runtime, token_id: UUID, author: Author) -> ProvisioningToken:
    """The same for a token of any organization, for the operator. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        found = await provisioning_tokens.get_by_id(connection, token_id)
        if found is None:
            raise _build_not_found_error()
        return await _revoke(connection, found.organization_id, token_id, author, runtime.clock())


async def authenticate(runtime: Runtime, text: str) -> Principal:
    """The principal of a token, which has no scopes. Raises `InvalidApiKey`, `RevokedApiKey`, `ExpiredApiKey` or `ServerBusy`."""
    if not is_well_formed_secret(text, PREFIX):
        raise InvalidApiKey(Message("Invalid provisioning token."))
    now = runtime.clock()
    # The lookup is by the digest of a secret, so its timing reveals nothing about other tokens.
    token = await provisioning_tokens.get_by_digest(runtime.store, compute_key_digest(text))
    if token is None:
        raise InvalidApiKey(Message("Invalid provisioning token."))
    if token.revoked_at is not None:
        raise RevokedApiKey(Message("This provisioning token was revoked."))
    if token.expires_at is not None and token.expires_at <= now:
        raise ExpiredApiKey(Message("This provisioning token has expired."))
    await _touch(runtime, token, now)
    return Principal(
        organization_id=token.organization_id,
        organization=token.organization,
        world=token.world,
        key_id=token.id,
        identity=f"scim+{token.last4}@{to_slug(token.organization)}.invalid",
        scopes=frozenset(),
        rate_limit=REQUESTS_PER_WINDOW,
    )


async def _touch(runtime: Runtime, token: ProvisioningToken, now: datetime) -> None:
    """Record periodically that the token was used."""
    if token.last_used_at is None or token.last_used_at <= now - provisioning_tokens.TOUCH_INTERVAL:
        # A failure to record the time of the last use must not fail the request.
        with suppress(ServerBusy):
            async with runtime.store.write(durable=False) as connection:
                await provisioning_tokens.touch(connection, token.organization_id, token.id, now)


async def _revoke(
    connection: Connection, organization_id: UUID, token_id: UUID, author: Author, now: datetime
) -> ProvisioningToken:
    old = await _get(connection, organization_id, token_id)
    await provisioning_tokens.revoke(connection, organization_id, token_id, now)
    revoked = await _get(connection, organization_id, token_id)
    await _record_change(connection, author, old, revoked, now)
    return revoked


async def _get(connection: Connection, organization_id: UUID, token_id: UUID) -> ProvisioningToken:
    token = await provisioning_tokens.get(connection, organization_id, token_id)
    if token is None:
        raise _build_not_found_error()
    return token


def _build_not_found_error() -> NotFound:
    return NotFound(Message("We couldn’t find that provisioning token."))


async def _record_change(
    connection: Connection, author: Author, old: ProvisioningToken | None, new: ProvisioningToken, now: datetime
) -> None:
    before, after = _to_audit_value(old) if old is not None else None, _to_audit_value(new)
    if before != after:
        change = FieldChange(TOKEN, before, after)
        await audit_log.record_field_change(connection, new.organization_id, new.id, author, change, now)


def _to_audit_value(token: ProvisioningToken) -> JsonValue:
    return {
        "token": f"{token.prefix}…{token.last4}",
        "label": token.label,
        "expiresAt": format_instant(token.expires_at) if token.expires_at is not None else None,
        "revokedAt": format_instant(token.revoked_at) if token.revoked_at is not None else None,
    }
