"""The people of an organization as its identity provider manages them: list, create, change, deactivate and remove.

An active person is a member of the organization and of its sandbox. Whoever is deactivated or removed loses both memberships, the
open invitations and the sessions that show the organization, in the same transaction; memberships in other organizations remain.
The email and the name of a user are those of the installation, so they change only for people who belong to no other organization.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Organization
from bonafide.model.accounts.provisioning import PersonAttributes, choose_role
from bonafide.model.accounts.users import User
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts import members, sign_in
from bonafide.services.provisioning.conflicts import AlreadyExists
from bonafide.services.provisioning.roles import apply_grants, list_grants
from bonafide.store.database.engine import Connection
from bonafide.store.people import one_time_links, provisioned_users, users
from bonafide.store.people.provisioned_users import ProvisionedUser, UserCondition
from bonafide.store.tenants import audit_log

PERSON = "provisionedUser"
"""The field of the audit log for what an identity provider says of a person."""
UserChange = Callable[[ProvisionedUser], PersonAttributes]
"""Computes the attributes after a change from the stored person. It may raise, and nothing is changed then."""
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class UserPage:
    """A page of people, and how many there are in total."""

    users: tuple[ProvisionedUser, ...]
    total: int


async def list_users(runtime: Runtime, organization_id: UUID, condition: UserCondition, limit: int, offset: int) -> UserPage:
    """A page of the organization's people, in a fixed order."""
    async with runtime.store.read() as connection:
        total = await provisioned_users.count_users(connection, organization_id, condition)
        page = await provisioned_users.list_users(connection, organization_id, condition, limit, offset) if limit > 0 else []
    return UserPage(tuple(page), total)


async def read_user(runtime: Runtime, organization_id: UUID, user_id: UUID) -> ProvisionedUser:
    """One person. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        return await _get(connection, organization_id, user_id)


async def create_user(runtime: Runtime, organization_id: UUID, attributes: PersonAttributes, author: Author) -> ProvisionedUser:
    """Create the person, and the user of the installation if the email is new.

    Raises `AlreadyExists` for a user name or an email of a person of the organization, and `ValidationFailed` without an email.
    """
    now, email = runtime.clock(), _choose_email(attributes)
    async with runtime.store.write() as connection:
        organization = (await members.lock_worlds(connection, organization_id, now))[0]
        await _check_user_name(connection, organization_id, attributes.user_name, None)
        user, _ = await users.get_or_create(connection, User(id=uuid4(), email=email, name=attributes.full_name), now)
        if await provisioned_users.get(connection, organization_id, user.id) is not None:
            raise AlreadyExists(Message("A user with this email address exists already."))
        await provisioned_users.save(connection, organization_id, user.id, attributes, now)
        created = await _get(connection, organization_id, user.id)
        await _record_change(connection, organization_id, author, None, created, now)
        if attributes.active:
            await _activate(connection, organization, user, author, now)
        created = await _get(connection, organization_id, user.id)
    _log.info("provisioning.user_created", user=str(created.id), active=attributes.active)
    return created


async def change_user(
    runtime: Runtime, organization_id: UUID, user_id: UUID, change: UserChange, author: Author
) -> ProvisionedUser:
    """Change what the identity provider says of the person, and with it their membership, role, email and name.

    Raises `NotFound`; `AlreadyExists` for a user name or an email of another person; `Conflict` for the last owner, and for the
    email of a person who belongs to another organization too; `ValidationFailed` without an email; and what `change` raises.
    """
    now = runtime.clock()
    async with runtime.store.write() as connection:
        worlds = await members.lock_worlds(connection, organization_id, now)
        old = await _get(connection, organization_id, user_id)
        new = change(old)
        if new == old.attributes and old.is_described:
            return old
        await _check_user_name(connection, organization_id, new.user_name, user_id)
        await _update_identity(connection, worlds, old, new, now)
        before = await list_grants(connection, organization_id, [user_id])
        await provisioned_users.save(connection, organization_id, user_id, new, now)
        changed = await _get(connection, organization_id, user_id)
        await _record_change(connection, organization_id, author, old, changed, now)
        if new.active and not old.attributes.active:
            await _activate(connection, worlds[0], await _get_user(connection, user_id), author, now)
        elif old.attributes.active and not new.active:
            await _deactivate(connection, worlds, old, author, now)
        else:
            await apply_grants(connection, worlds[0], before, [user_id], author, now)
        changed = await _get(connection, organization_id, user_id)
    if changed.attributes.active != old.attributes.active:
        _log.info("provisioning.user_changed", user=str(user_id), active=changed.attributes.active)
    return changed


async def remove_user(
    runtime: Runtime, organization_id: UUID, user_id: UUID, author: Author, check: Callable[[ProvisionedUser], None]
) -> None:
    """Remove the person from the organization. `check` may raise to prevent that.

    Raises `NotFound`, and `Conflict` for the last owner.
    """
    now = runtime.clock()
    async with runtime.store.write() as connection:
        worlds = await members.lock_worlds(connection, organization_id, now)
        old = await _get(connection, organization_id, user_id)
        check(old)
        await _deactivate(connection, worlds, old, author, now)
        await provisioned_users.remove(connection, organization_id, user_id)
        await _record_change(connection, organization_id, author, old, None, now)
    _log.info("provisioning.user_removed", user=str(user_id))


async def _activate(connection: Connection, organization: Organization, user: User, author: Author, now: datetime) -> None:
    grants = await list_grants(connection, organization.id, [user.id])
    await members.add_member(connection, organization, user, choose_role(grants[user.id]), author, now)


async def _deactivate(
    connection: Connection, worlds: list[Organization], person: ProvisionedUser, author: Author, now: datetime
) -> None:
    await members.set_membership(connection, worlds[0], person.id, None, author, now)
    for each in worlds:
        await one_time_links.revoke_invitations(connection, each.id, person.email, now)


async def _update_identity(
    connection: Connection, worlds: list[Organization], old: ProvisionedUser, new: PersonAttributes, now: datetime
) -> None:
    """Set the email and the name of the user of the installation, if they differ and this organization may set them.

    A new email ends the user's sessions, and removes their password and their identities of the identity provider.
    """
    email, user = _choose_email(new), await _get_user(connection, old.id)
    name = new.full_name if new.full_name != old.attributes.full_name or user.name is None else user.name
    if (email, name) == (user.email, user.name):
        return
    is_shared = await provisioned_users.is_known_elsewhere(connection, [each.id for each in worlds], old.id)
    if email != user.email:
        if is_shared:
            raise Conflict(Message("The email address of this user can’t be changed by provisioning."))
        if await users.get_by_email(connection, email) is not None:
            raise AlreadyExists(Message("A user with this email address exists already."))
        # The new address may be another person's, who must not inherit a password or an identity of this one.
        await sign_in.replace_password(connection, user, None, now)
        await users.unbind_identities(connection, old.id)
        await users.set_email(connection, old.id, email)
    if name != user.name and not is_shared:
        await users.save_profile(connection, user.model_copy(update={"name": name}))


async def _check_user_name(connection: Connection, organization_id: UUID, user_name: str, user_id: UUID | None) -> None:
    found = await provisioned_users.find_by_user_name(connection, organization_id, user_name)
    if found is not None and found != user_id:
        raise AlreadyExists(Message("A user with this user name exists already."))


def _choose_email(attributes: PersonAttributes) -> str:
    email = attributes.email
    if email is None:
        raise ValidationFailed.of_field("emails", Message("must have an email address, unless the user name is one"))
    return email


async def _get(connection: Connection, organization_id: UUID, user_id: UUID) -> ProvisionedUser:
    found = await provisioned_users.get(connection, organization_id, user_id)
    if found is None:
        raise NotFound(Message("We couldn’t find that user."))
    return found


async def _get_user(connection: Connection, user_id: UUID) -> User:
    found = await users.get_by_id(connection, user_id)
    if found is None:
        raise NotFound(Message("We couldn’t find that user."))
    return found.user


async def _record_change(
    connection: Connection,
    organization_id: UUID,
    author: Author,
    old: ProvisionedUser | None,
    new: ProvisionedUser | None,
    now: datetime,
) -> None:
    before = _to_audit_value(old) if old is not None and old.is_described else None
    after = _to_audit_value(new) if new is not None else None
    subject = new if new is not None else old
    if before != after and subject is not None:
        change = FieldChange(PERSON, before, after)
        await audit_log.record_field_change(connection, organization_id, subject.id, author, change, now)


def _to_audit_value(person: ProvisionedUser) -> JsonValue:
    """What identifies the person and decides on their access; not the rest of what the identity provider sent."""
    attributes = person.attributes
    return {
        "userName": attributes.user_name,
        "externalId": attributes.external_id,
        "email": person.email,
        "roles": [role.value for role in sorted(attributes.assigned_roles)],
    }
