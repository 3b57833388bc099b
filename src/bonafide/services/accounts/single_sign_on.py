"""Sign in through the identity provider.

An identity is bound to a user at its first use, by the verified email. Later the email is ignored, because an address may be
reassigned to another person.
"""

import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from bonafide.errors import AddressRefused, ConfigurationError, NotFound, ServerBusy, SignInRefused, SourceError
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role, User, normalize_email
from bonafide.model.records.business_record import Author
from bonafide.net.fetch import Fetcher
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts import members, one_time_links, openid_connect, sessions, sign_in
from bonafide.services.accounts.openid_connect import AuthorizationRequest, OidcIdentity
from bonafide.services.accounts.sessions import compute_token_digest
from bonafide.services.accounts.sign_in import LoginClient, replace_password
from bonafide.store.database.engine import Connection
from bonafide.store.people import sign_ins, users
from bonafide.store.people.sign_ins import SingleSignOn
from bonafide.store.people.users import UserCredentials
from bonafide.store.tenants import organizations

TOKEN_BYTES = 32
TIME_TO_RETURN = timedelta(minutes=10)
_SIGN_ON_EXPIRED = Message("This sign-in took too long, or was started in another browser. Start again.")
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SignOnCallback:
    """The redirect from the provider: its state and code, and the secret of the browser."""

    state: str
    code: str
    secret: bytes


async def begin_sign_on(runtime: Runtime, secret: bytes, visitor: LoginClient, link: str | None = None) -> str:
    """The URL to which the browser with this secret is redirected; `link` is the token of a link to redeem with the sign-on.

    Raises `NotFound` without a provider, `ServerBusy` if it is unavailable, and `SignInPaused` after too many sign-ons.
    """
    fetcher = _get_provider(runtime)
    await sign_in.count_sign_on(runtime, visitor.client)
    request = AuthorizationRequest(*(secrets.token_urlsafe(TOKEN_BYTES) for _ in range(3)))
    try:
        provider = await openid_connect.fetch_metadata(fetcher, runtime.settings)
    except (SourceError, AddressRefused, ConfigurationError) as error:
        _log.error("identity_provider.unavailable", problem=error.message)
        raise ServerBusy(Message("Single sign-on is temporarily unavailable. Try again shortly.")) from error
    sign_on = SingleSignOn(
        state=compute_token_digest(request.state),
        browser=compute_token_digest(secret.hex()),
        nonce=request.nonce,
        verifier=request.verifier,
        link=compute_token_digest(link) if link is not None else None,
        expires_at=runtime.clock() + TIME_TO_RETURN,
    )
    async with runtime.store.write() as connection:
        await sign_ins.add_sign_on(connection, sign_on)
    return openid_connect.build_authorization_url(runtime.settings, provider, request)


async def finish_sign_on(runtime: Runtime, back: SignOnCallback, visitor: LoginClient) -> str:
    """The token of a new session. Raises `SignInRefused`."""
    identity = await _fetch_identity(runtime, back, await _take_sign_on(runtime, back))
    return await _establish_session(runtime, *identity, visitor)


async def _take_sign_on(runtime: Runtime, back: SignOnCallback) -> SingleSignOn:
    """Return and delete the stored sign-on. Raises `SignInRefused`."""
    async with runtime.store.write() as connection:
        sign_on = await sign_ins.take_sign_on(connection, compute_token_digest(back.state), runtime.clock())
    if sign_on is None or not hmac.compare_digest(sign_on.browser, compute_token_digest(back.secret.hex())):
        raise SignInRefused(_SIGN_ON_EXPIRED)
    return sign_on


async def _fetch_identity(runtime: Runtime, back: SignOnCallback, sign_on: SingleSignOn) -> tuple[OidcIdentity, str | None]:
    """The identity, and the digest of the link to redeem. Raises `SignInRefused`."""
    request = AuthorizationRequest(back.state, sign_on.nonce, sign_on.verifier)
    try:
        found = await openid_connect.fetch_identity(_get_provider(runtime), runtime.settings, back.code, request, runtime.clock())
    except (SourceError, AddressRefused, ConfigurationError) as error:
        _log.warning("sign_on.failed", problem=error.message)
        raise SignInRefused(Message("Single sign-on failed. Start again, or contact your administrator.")) from error
    return found, sign_on.link


async def _establish_session(runtime: Runtime, identity: OidcIdentity, link: str | None, visitor: LoginClient) -> str:
    now = runtime.clock()
    async with runtime.store.write() as connection:
        found = await users.get_by_identity(connection, identity.issuer, identity.subject)
        if found is None:
            found = await _bind_identity(connection, runtime, identity, link, now)
        elif link is not None:
            await one_time_links.redeem_link(connection, link, found.user.email, identity.name, now)
        if found.disabled_at is not None or not await users.list_memberships(connection, found.user.id):
            raise SignInRefused(Message("This account can’t sign in here. Contact an owner of your organization."))
        token = await sessions.insert_session(connection, runtime, found.user.id, visitor.browser)
        await sign_in.refund_sign_on(connection, visitor.client, now)
    _log.info("session.started", user=str(found.user.id), method="single sign-on")
    return token


async def _bind_identity(
    connection: Connection, runtime: Runtime, identity: OidcIdentity, link: str | None, now: datetime
) -> UserCredentials:
    """Bind a new identity to a user. Raises `SignInRefused` for a person without access."""
    if identity.email is None:
        raise SignInRefused(Message("The identity provider hasn’t verified your email address. Contact your administrator."))
    email = normalize_email(identity.email)
    _check_domain(runtime, email)
    found = await users.get_by_email(connection, email)
    if found is not None and await users.is_bound(connection, identity.issuer, found.user.id):
        raise SignInRefused(
            Message("This email address is linked to another identity of the provider. Contact your administrator.")
        )
    if link is not None:
        joined = await one_time_links.redeem_link(connection, link, email, identity.name, now)
        found = joined if joined is not None else found
    if found is None:
        found = await _create_user(connection, runtime, User(id=uuid4(), email=email, name=identity.name), now)
    # A person who only knew the email may have set the password, so the password and the sessions are removed.
    await replace_password(connection, found.user, None, now)
    await users.bind_identity(connection, identity.issuer, identity.subject, found.user.id, now)
    return found


async def _create_user(connection: Connection, runtime: Runtime, new: User, now: datetime) -> UserCredentials:
    """Create a user in the default organization of the provider. Raises `SignInRefused` if none is configured."""
    settings = runtime.settings
    if settings.oidc_organization is None or settings.oidc_default_role is None:
        raise SignInRefused(Message("You haven’t been invited yet. Contact an owner of your organization."))
    user, _ = await users.get_or_create(connection, new, now)
    organization = await organizations.get_or_create(connection, settings.oidc_organization, World.LIVE, now)
    await members.add_member(connection, organization, user, Role(settings.oidc_default_role), Author(user.email), now)
    return UserCredentials(user, None, None)


def _check_domain(runtime: Runtime, email: str) -> None:
    allowed = {domain.strip().lower() for domain in runtime.settings.oidc_allowed_domains.split(",") if domain.strip() != ""}
    if allowed and email.rpartition("@")[2] not in allowed:
        raise SignInRefused(Message("Email addresses of this domain can’t sign in here."))


def _get_provider(runtime: Runtime) -> Fetcher:
    if runtime.identity_provider is None:
        raise NotFound
    return runtime.identity_provider
