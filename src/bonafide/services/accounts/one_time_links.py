"""One-time links: invitations of owners to join an organization, and links of the operator to set a password.

An invitation never sets the password of an existing user, because the owner who created it has seen the link: the user signs in
instead. The service sends no email; the creator of a link delivers it.
"""

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.errors import Conflict, Forbidden, NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Organization
from bonafide.model.accounts.users import Role, SignedIn, User, normalize_email
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts import members, passwords, sign_in
from bonafide.services.accounts import sessions as logins
from bonafide.services.accounts.sessions import compute_token_digest
from bonafide.services.accounts.sign_in import LoginClient, LoginCredentials
from bonafide.store.database.engine import Connection
from bonafide.store.people import one_time_links, sign_ins, users
from bonafide.store.people.one_time_links import OneTimeLink
from bonafide.store.people.users import UserCredentials
from bonafide.store.tenants import audit_log, organizations

LIFETIME = timedelta(days=7)
TOKEN_BYTES = 32
PATH = "/console/link"
INVITATION = "invitation"
"""The field of the audit log for an invitation's state."""
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class UsableLink:
    """A link that can still be used, as shown to its recipient. A link without an organization sets the password of a user."""

    link: OneTimeLink
    organization: Organization | None
    user: User | None
    """The user with the email of the link, if there is one."""

    @property
    def sets_password(self) -> bool:
        """Whether the recipient chooses a password: for a password link, and for an invitation of a new user."""
        return self.organization is None or self.user is None


@dataclass(frozen=True, slots=True)
class PasswordChoice:
    """The password and name that a new user chooses."""

    password: str = field(repr=False)
    name: str | None = None


# ------------------------------------------------------------------------------------------------------------ making


async def invite(runtime: Runtime, organization_id: UUID, email: str, role: Role, author: Author) -> str:
    """Create an invitation and return its URL; earlier invitations of this email are revoked. Raises `Conflict` for a member."""
    now, email = runtime.clock(), normalize_email(email)
    link = OneTimeLink(uuid4(), organization_id, email, role, author.actor, now, now + LIFETIME)
    async with runtime.store.write() as connection:
        if any(member.user.email == email for member in await users.list_members(connection, organization_id)):
            raise Conflict(Message("This person is already a member of the organization."))
        await one_time_links.revoke_invitations(connection, organization_id, email, now)
        address = await _add_link(connection, runtime, link)
        await _record_change(connection, link, author, None, "open", now)
    return address


async def list_invitations(runtime: Runtime, organization_id: UUID) -> list[OneTimeLink]:
    """The organization's open invitations, newest first."""
    async with runtime.store.read() as connection:
        return await one_time_links.list_open(connection, organization_id, runtime.clock())


async def revoke_invitation(runtime: Runtime, organization_id: UUID, link_id: UUID, author: Author) -> None:
    """Revoke an invitation. Raises `NotFound`."""
    now = runtime.clock()
    async with runtime.store.write() as connection:
        revoked = await one_time_links.revoke(connection, organization_id, link_id, now)
        if revoked is None:
            raise NotFound(Message("We couldn’t find that invitation."))
        await _record_change(connection, revoked, author, "open", "revoked", now)


async def create_password_link(runtime: Runtime, email: str, author: Author) -> str:
    """Create a URL with which this user sets a password; earlier ones are revoked. Raises `NotFound`, `Conflict` if disabled."""
    now = runtime.clock()
    async with runtime.store.write() as connection:
        found = await users.get_by_email(connection, normalize_email(email))
        if found is None:
            raise NotFound(Message("There is no user with this email address."))
        if found.disabled_at is not None:
            raise Conflict(Message("This user is disabled. Enable the user first."))
        await one_time_links.revoke_password_links(connection, found.user.email, now)
        link = OneTimeLink(uuid4(), None, found.user.email, None, author.actor, now, now + LIFETIME)
        return await _add_link(connection, runtime, link)


# ------------------------------------------------------------------------------------------------------------ using


async def open_link(runtime: Runtime, token: str) -> UsableLink:
    """The link of this token. Raises `NotFound` for a link that does not exist or was used, revoked or has expired."""
    async with runtime.store.read() as connection:
        return await _open_link(connection, compute_token_digest(token), runtime.clock())


async def set_password_with_link(runtime: Runtime, token: str, choice: PasswordChoice, visitor: LoginClient) -> str:
    """Use a link that sets a password; returns the token of a new session.

    Raises `NotFound` as `open_link` does, `ValidationFailed` for a password that is refused, `Forbidden` for any other link.
    """
    opened = await open_link(runtime, token)
    _check_password_allowed(runtime, opened)
    passwords.check_password(choice.password, opened.link.email, await _list_organizations(runtime, opened))
    password_hash, now = await passwords.hash_password(runtime, choice.password), runtime.clock()
    async with runtime.store.write() as connection:
        opened = await _redeem_link(connection, token, now)
        _check_password_allowed(runtime, opened)
        user = await _get_or_create_user(connection, opened, choice.name, now)
        await sign_in.replace_password(connection, user, password_hash, now)
        await _accept_invitation(connection, opened, user, now)
        session = await logins.insert_session(connection, runtime, user.id, visitor.browser, opened.link.organization_id)
    _log.info("session.started", user=str(user.id), method="link")
    return session


async def accept_as_signed_in(runtime: Runtime, token: str, signed_in: SignedIn) -> None:
    """Accept an invitation as the signed-in user and switch to its organization. Raises `NotFound`, `Forbidden`."""
    now = runtime.clock()
    async with runtime.store.write() as connection:
        opened = await _redeem_link(connection, token, now)
        if opened.link.organization_id is None or opened.link.email != signed_in.user.email:
            raise Forbidden(Message("This link is for another user. Sign out first, or ask for your own invitation."))
        await _accept_invitation(connection, opened, signed_in.user, now)
        await sign_ins.switch_organization(connection, signed_in.session_id, opened.link.organization_id)


async def accept_with_password(runtime: Runtime, token: str, password: str, visitor: LoginClient) -> str:
    """Accept an invitation as an existing user; returns the token of a session. Raises as `sign_in` does, `NotFound`."""
    opened = await open_link(runtime, token)
    proven = await sign_in.verify_login(runtime, LoginCredentials(opened.link.email, password), visitor)
    now = runtime.clock()
    async with runtime.store.write() as connection:
        opened = await _redeem_link(connection, token, now)
        await sign_in.establish_login(connection, proven, now)
        await _accept_invitation(connection, opened, proven.user, now)
        session = await logins.insert_session(connection, runtime, proven.user.id, visitor.browser, opened.link.organization_id)
    _log.info("session.started", user=str(proven.user.id), method="password")
    return session


async def redeem_link(connection: Connection, digest: str, email: str, name: str | None, now: datetime) -> UserCredentials | None:
    """Redeem a link, by its digest, for an email that an identity provider has verified; the user is created if new.

    None if the link is for another email or can't be used: a sign-in with an expired link continues without it.
    """
    try:
        opened = await _open_link(connection, digest, now)
    except NotFound:
        return None
    if opened.link.email != email or not await one_time_links.use(connection, opened.link.id, now):
        return None
    user = await _get_or_create_user(connection, opened, name, now)
    await _accept_invitation(connection, opened, user, now)
    return await users.get_by_id(connection, user.id)


# ------------------------------------------------------------------------------------------------------------ parts


async def _add_link(connection: Connection, runtime: Runtime, link: OneTimeLink) -> str:
    token = secrets.token_urlsafe(TOKEN_BYTES)
    await one_time_links.add(connection, compute_token_digest(token), link)
    return f"{runtime.settings.base_url}{PATH}?token={token}"


async def _open_link(connection: Connection, digest: str, now: datetime) -> UsableLink:
    link = await one_time_links.get_by_digest(connection, digest)
    if link is None or link.used_at is not None or link.revoked_at is not None or link.expires_at <= now:
        raise NotFound(Message("This link was already used, was revoked or has expired. Ask for a new one."))
    organization = await organizations.get(connection, link.organization_id) if link.organization_id is not None else None
    found = await users.get_by_email(connection, link.email)
    return UsableLink(link, organization, found.user if found is not None else None)


async def _redeem_link(connection: Connection, token: str, now: datetime) -> UsableLink:
    opened = await _open_link(connection, compute_token_digest(token), now)
    if not await one_time_links.use(connection, opened.link.id, now):
        raise NotFound(Message("This link was already used, was revoked or has expired. Ask for a new one."))
    return opened


def _check_password_allowed(runtime: Runtime, opened: UsableLink) -> None:
    if not runtime.settings.password_sign_in:
        raise Forbidden(Message("Password sign-in is disabled."))
    if not opened.sets_password:
        raise Forbidden(Message("An account with this email address already exists. Sign in to join."))


async def _list_organizations(runtime: Runtime, opened: UsableLink) -> list[str]:
    """The names of the organizations of the link and of its user."""
    names = [opened.organization.name] if opened.organization is not None else []
    if opened.user is not None:
        async with runtime.store.read() as connection:
            names += [mine.organization for mine in await users.list_memberships(connection, opened.user.id)]
    return names


async def _get_or_create_user(connection: Connection, opened: UsableLink, name: str | None, now: datetime) -> User:
    """The user with the email of the link, created if new; the name is set if the user has none."""
    user, _ = await users.get_or_create(connection, User(id=uuid4(), email=opened.link.email, name=name), now)
    if user.name is None and name is not None:
        user = user.model_copy(update={"name": name})
        await users.save_profile(connection, user)
    return user


async def _accept_invitation(connection: Connection, opened: UsableLink, user: User, now: datetime) -> None:
    if opened.organization is None or opened.link.role is None:
        return
    author = Author(user.email)
    await members.add_member(connection, opened.organization, user, opened.link.role, author, now)
    await _record_change(connection, opened.link, author, "open", "accepted", now)


async def _record_change(
    connection: Connection, link: OneTimeLink, author: Author, old: str | None, new: str, now: datetime
) -> None:
    if link.organization_id is None or link.role is None:
        return
    change = FieldChange(INVITATION, _to_audit_value(link, old) if old is not None else None, _to_audit_value(link, new))
    await audit_log.record_field_change(connection, link.organization_id, link.id, author, change, now)


def _to_audit_value(link: OneTimeLink, state: str) -> JsonValue:
    return {"email": link.email, "role": link.role.value if link.role is not None else None, "state": state}
