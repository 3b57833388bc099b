"""Members of organizations and their roles, and users as the operator manages them.

Members of a live organization are members of the sandbox organization of the same name, with the same role. An organization always
has an owner who can sign in. `services/accounts/one_time_links` invites people.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.errors import Conflict, NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Organization, World
from bonafide.model.accounts.users import Member, Membership, Role, User, UserRequest, normalize_email
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.accounts import passwords
from bonafide.services.accounts.api_access import find_or_create_organization
from bonafide.store.database.engine import Connection
from bonafide.store.people import one_time_links, sign_ins, users
from bonafide.store.people.users import UserCredentials
from bonafide.store.tenants import audit_log, organizations

MEMBER = "member"
"""The field of the audit log for a membership and its role."""
ACCESS = "access"
"""The field of the audit log for whether a member may sign in."""
MAX_SUGGESTED_MEMBERS = 50


@dataclass(frozen=True, slots=True)
class UserOverview:
    """A user as shown to the operator."""

    user: User
    memberships: tuple[Membership, ...]
    has_password: bool
    disabled_at: datetime | None


async def list_member_emails(runtime: Runtime, organization_id: UUID) -> list[str]:
    """The email addresses of members for a filter, at most `MAX_SUGGESTED_MEMBERS`."""
    return await users.list_emails(runtime.store, organization_id, MAX_SUGGESTED_MEMBERS)


# ------------------------------------------------------------------------------------------------------------ operation


async def create_user(runtime: Runtime, request: UserRequest, author: Author, password: str | None = None) -> UserOverview:
    """Create the user if the email is new, and add them to the organization.

    Raises `Conflict` for a user who is a member already, or already has a password if one is given; `ValidationFailed` for a
    password that is refused.
    """
    now, email, password_hash = runtime.clock(), normalize_email(request.email), None
    if password is not None:
        passwords.check_password(password, email, [request.organization])
        password_hash = await passwords.hash_password(runtime, password)
    async with runtime.store.write() as connection:
        user, _ = await users.get_or_create(connection, User(id=uuid4(), email=email, name=request.name), now)
        organization = await find_or_create_organization(connection, request.organization, request.world, now)
        if not await add_member(connection, organization, user, request.role, author, now):
            raise Conflict(Message("{email} is already a member of this organization.", email=email))
        if password_hash is not None:
            await _set_first_password(connection, user, password_hash)
    return await find_user(runtime, email)


async def list_users(runtime: Runtime, organization: str | None = None) -> list[UserOverview]:
    """Every user, or those of an organization of this name in either world."""
    async with runtime.store.read() as connection:
        seen = [await _to_user_overview(connection, credentials) for credentials in await users.list_all(connection)]
    return [found for found in seen if organization is None or any(organization == mine.organization for mine in found.memberships)]


async def find_user(runtime: Runtime, email: str) -> UserOverview:
    """The user of this email. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        return await _to_user_overview(connection, await _get_credentials(connection, email))


async def set_role_in_organization(runtime: Runtime, email: str, role: Role, organization: str, author: Author) -> UserOverview:
    """Set the user's role in the organization of this name, in each world in which they are a member.

    Raises `NotFound`, and `Conflict` for the last owner.
    """
    seen = await find_user(runtime, email)
    mine = [membership for membership in seen.memberships if membership.organization == organization]
    if not mine:
        raise NotFound(
            Message("{email} is not a member of an organization named {name}.", email=seen.user.email, name=organization)
        )
    for membership in mine:
        await change_role(runtime, membership.organization_id, seen.user.id, role, author)
    return await find_user(runtime, email)


async def disable_user(runtime: Runtime, email: str, author: Author) -> UserOverview:
    """Disable the user and end their sessions; their records are kept. Raises `NotFound`, `Conflict`."""
    now = runtime.clock()
    async with runtime.store.write() as connection:
        found = await _get_credentials(connection, email)
        for organization_id in await _lock_organizations(connection, found.user):
            await _check_owner_remains(connection, organization_id, found.user.id)
            if found.disabled_at is None:
                await _record_access(connection, organization_id, found.user, author, now, is_open=False)
        await users.set_disabled(connection, found.user.id, now)
        await sign_ins.end_sessions(connection, found.user.id)
        await one_time_links.revoke_password_links(connection, found.user.email, now)
    return await find_user(runtime, email)


async def enable_user(runtime: Runtime, email: str, author: Author) -> UserOverview:
    """Enable a disabled user. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        found = await _get_credentials(connection, email)
        if found.disabled_at is not None:
            for organization_id in await _lock_organizations(connection, found.user):
                await _record_access(connection, organization_id, found.user, author, runtime.clock(), is_open=True)
        await users.set_disabled(connection, found.user.id, None)
    return await find_user(runtime, email)


async def unbind_user(runtime: Runtime, email: str) -> UserOverview:
    """Remove the user's identities of the identity provider and end their sessions. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        found = await _get_credentials(connection, email)
        await users.unbind_identities(connection, found.user.id)
        await sign_ins.end_sessions(connection, found.user.id)
    return await find_user(runtime, email)


# ------------------------------------------------------------------------------------------------------------ members


async def list_members(runtime: Runtime, organization_id: UUID) -> list[Member]:
    """The organization's members, ordered by email."""
    async with runtime.store.read() as connection:
        return await users.list_members(connection, organization_id)


async def change_role(runtime: Runtime, organization_id: UUID, user_id: UUID, role: Role, author: Author) -> None:
    """Give the member another role. Raises `NotFound`, and `Conflict` for the last owner."""
    await _change_membership(runtime, organization_id, user_id, role, author)


async def remove_member(runtime: Runtime, organization_id: UUID, user_id: UUID, author: Author) -> None:
    """Remove the member from the organization. Raises `NotFound`, and `Conflict` for the last owner."""
    await _change_membership(runtime, organization_id, user_id, None, author)


async def add_member(
    connection: Connection, organization: Organization, user: User, role: Role, author: Author, now: datetime
) -> bool:
    """Add the user to the organization and its sandbox, and record that in the audit log; False if they are a member already."""
    change, has_joined = FieldChange(MEMBER, None, _to_audit_value(user, role)), False
    for each in await _list_world_organizations(connection, organization, now):
        if await users.add_membership(connection, each.id, user.id, role, now):
            await audit_log.record_field_change(connection, each.id, user.id, author, change, now)
            has_joined = True
    return has_joined


async def _change_membership(runtime: Runtime, organization_id: UUID, user_id: UUID, role: Role | None, author: Author) -> None:
    now = runtime.clock()
    async with runtime.store.write() as connection:
        organization = await organizations.get(connection, organization_id)
        if organization is None or await users.get_role(connection, organization_id, user_id) is None:
            raise NotFound(Message("We couldn’t find that member."))
        await set_membership(connection, organization, user_id, role, author, now)


async def set_membership(
    connection: Connection, organization: Organization, user_id: UUID, role: Role | None, author: Author, now: datetime
) -> None:
    """Give the member another role in the organization and its sandbox, or remove them from both.

    Sessions that show either end with the membership, and all sessions of a user who belongs to no organization any more.
    Raises `Conflict` for the last owner.
    """
    worlds = await _list_world_organizations(connection, organization, now)
    for each in worlds:
        await _change_membership_in_world(connection, each.id, user_id, role, author, now)
    if role is None:
        for each in worlds:
            await sign_ins.end_sessions_in(connection, user_id, each.id)
        if not await users.list_memberships(connection, user_id):
            await sign_ins.end_sessions(connection, user_id)


async def lock_worlds(connection: Connection, organization_id: UUID, now: datetime) -> list[Organization]:
    """Lock the audit logs of the organization and of its sandbox, and return both, the organization first. Raises `NotFound`."""
    organization = await organizations.get(connection, organization_id)
    if organization is None:
        raise NotFound(Message("We couldn’t find that organization."))
    worlds = await _list_world_organizations(connection, organization, now)
    for each in worlds:
        await audit_log.lock_head(connection, each.id)
    return sorted(worlds, key=lambda each: each.id != organization_id)


async def _change_membership_in_world(
    connection: Connection, organization_id: UUID, user_id: UUID, role: Role | None, author: Author, now: datetime
) -> None:
    """Change or remove a member of one world. Does nothing for a user who is not a member."""
    await audit_log.lock_head(connection, organization_id)
    old, found = await users.get_role(connection, organization_id, user_id), await users.get_by_id(connection, user_id)
    if old is None or old is role or found is None:
        return
    if old is Role.OWNER:
        await _check_owner_remains(connection, organization_id, user_id)
    if role is None:
        await users.remove_membership(connection, organization_id, user_id)
    else:
        await users.set_role(connection, organization_id, user_id, role)
    new = _to_audit_value(found.user, role) if role is not None else None
    change = FieldChange(MEMBER, _to_audit_value(found.user, old), new)
    await audit_log.record_field_change(connection, organization_id, user_id, author, change, now)


async def _lock_organizations(connection: Connection, user: User) -> list[UUID]:
    """Lock the audit logs of the user's organizations in a fixed order, to avoid deadlocks, and return the organizations."""
    mine = sorted(membership.organization_id for membership in await users.list_memberships(connection, user.id))
    for organization_id in mine:
        await audit_log.lock_head(connection, organization_id)
    return mine


async def _record_access(
    connection: Connection, organization_id: UUID, user: User, author: Author, now: datetime, *, is_open: bool
) -> None:
    old, new = ("disabled", "enabled") if is_open else ("enabled", "disabled")
    change = FieldChange(ACCESS, {"email": user.email, "state": old}, {"email": user.email, "state": new})
    await audit_log.record_field_change(connection, organization_id, user.id, author, change, now)


async def _check_owner_remains(connection: Connection, organization_id: UUID, leaving: UUID) -> None:
    if await users.list_owners(connection, organization_id) == {leaving}:
        raise Conflict(Message("An organization needs an owner. Make another member an owner first."))


async def _list_world_organizations(connection: Connection, organization: Organization, now: datetime) -> list[Organization]:
    """The organization, and the sandbox of a live one, in the order in which their audit logs are locked."""
    if organization.world is World.SANDBOX:
        return [organization]
    sandbox = await organizations.get_or_create(connection, organization.name, World.SANDBOX, now)
    return sorted([organization, sandbox], key=lambda each: each.id)


async def _set_first_password(connection: Connection, user: User, password_hash: str) -> None:
    found = await users.get_by_id(connection, user.id)
    if found is not None and found.password_hash is not None:
        raise Conflict(
            Message("{email} already has a password. Run `bonafide users link` to create a link that resets it.", email=user.email)
        )
    await users.set_password_hash(connection, user.id, password_hash)


async def _get_credentials(connection: Connection, email: str) -> UserCredentials:
    found = await users.get_by_email(connection, normalize_email(email))
    if found is None:
        raise NotFound(Message("There is no user with this email address."))
    return found


async def _to_user_overview(connection: Connection, found: UserCredentials) -> UserOverview:
    mine = await users.list_memberships(connection, found.user.id)
    return UserOverview(found.user, tuple(mine), found.password_hash is not None, found.disabled_at)


def _to_audit_value(user: User, role: Role) -> JsonValue:
    return {"email": user.email, "role": role.value}
