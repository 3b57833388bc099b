"""The groups of an identity provider, their members, and the roles that they give.

A group whose name is that of a role (`Analysts`, `bonafide-owner`) gives that role when it is created. An owner of the organization
chooses the role of any group in the console or on the command line. Renaming a group does not change its role.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.errors import BodyTooLarge, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Organization
from bonafide.model.accounts.provisioning import GroupAttributes, parse_role
from bonafide.model.accounts.users import Role
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.accounts import members
from bonafide.services.provisioning.conflicts import AlreadyExists
from bonafide.services.provisioning.roles import apply_grants, list_grants
from bonafide.store.database.engine import Connection
from bonafide.store.people import provisioned_groups, provisioned_users
from bonafide.store.people.provisioned_groups import GroupCondition, GroupSummary, ProvisionedGroup
from bonafide.store.people.provisioned_users import ProvisionedUser
from bonafide.store.tenants import audit_log

GROUP = "provisionedGroup"
"""The field of the audit log for a group and its role."""
GROUP_MEMBERS = "provisionedGroupMembers"
"""The field of the audit log for people who join or leave a group."""
MAX_CHANGED_MEMBERS = 500
"""People who join or leave a group in one request, so that other writers don't wait for long."""
GroupChange = Callable[[ProvisionedGroup], GroupAttributes]
"""Computes the attributes after a change from the stored group. It may raise, and nothing is changed then."""


@dataclass(frozen=True, slots=True)
class GroupPage:
    """A page of groups, and how many there are in total."""

    groups: tuple[ProvisionedGroup, ...]
    total: int


async def list_groups(
    runtime: Runtime, organization_id: UUID, condition: GroupCondition, limit: int, offset: int, *, with_members: bool = True
) -> GroupPage:
    """A page of the organization's groups, in a fixed order; without their members unless `with_members`."""
    async with runtime.store.read() as connection:
        total = await provisioned_groups.count_groups(connection, organization_id, condition)
        page = (
            await provisioned_groups.list_groups(connection, organization_id, condition, limit, offset, with_members=with_members)
            if limit > 0
            else []
        )
    return GroupPage(tuple(page), total)


async def list_group_summaries(runtime: Runtime, organization_id: UUID) -> list[GroupSummary]:
    """All groups by name, with the number of their members."""
    async with runtime.store.read() as connection:
        return await provisioned_groups.list_summaries(connection, organization_id)


async def read_group(runtime: Runtime, organization_id: UUID, group_id: UUID) -> ProvisionedGroup:
    """One group. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        return await _get(connection, organization_id, group_id)


async def create_group(runtime: Runtime, organization_id: UUID, attributes: GroupAttributes, author: Author) -> ProvisionedGroup:
    """Create the group. Raises as `change_group`, except `NotFound`."""
    now, group_id = runtime.clock(), uuid4()
    async with runtime.store.write() as connection:
        organization = (await members.lock_worlds(connection, organization_id, now))[0]
        await _check_name(connection, organization_id, attributes.display_name, None)
        role = parse_role(attributes.display_name)
        await provisioned_groups.add(connection, organization_id, group_id, attributes, role, now)
        empty = await _get(connection, organization_id, group_id)
        await _record_group(connection, organization_id, author, None, empty, now)
        await _change_members(connection, organization, empty, attributes.members, author, now)
        return await _get(connection, organization_id, group_id)


async def change_group(
    runtime: Runtime, organization_id: UUID, group_id: UUID, change: GroupChange, author: Author
) -> ProvisionedGroup:
    """Change the group and its members, and with it their roles.

    Raises `NotFound`; `AlreadyExists` for the name of another group; `ValidationFailed` for members who don't exist;
    `BodyTooLarge` for more than `MAX_CHANGED_MEMBERS`; `Conflict` for the last owner; and what `change` raises.
    """
    now = runtime.clock()
    async with runtime.store.write() as connection:
        organization = (await members.lock_worlds(connection, organization_id, now))[0]
        old = await _get(connection, organization_id, group_id)
        new = change(old)
        if new == old.attributes:
            return old
        await _check_name(connection, organization_id, new.display_name, group_id)
        await provisioned_groups.save(connection, organization_id, group_id, new, now)
        await _change_members(connection, organization, old, new.members, author, now)
        changed = await _get(connection, organization_id, group_id)
        await _record_group(connection, organization_id, author, old, changed, now)
        return changed


async def set_group_role(
    runtime: Runtime, organization_id: UUID, group_id: UUID, role: Role | None, author: Author
) -> ProvisionedGroup:
    """Set the role that the group gives its members; None for no role. Raises `NotFound`, and `Conflict` for the last owner."""
    now = runtime.clock()
    async with runtime.store.write() as connection:
        organization = (await members.lock_worlds(connection, organization_id, now))[0]
        old = await _get(connection, organization_id, group_id)
        if old.role is role:
            return old
        before = await list_grants(connection, organization_id, old.attributes.members)
        await provisioned_groups.set_role(connection, organization_id, group_id, role, now)
        changed = await _get(connection, organization_id, group_id)
        await _record_group(connection, organization_id, author, old, changed, now)
        await apply_grants(connection, organization, before, old.attributes.members, author, now)
        return changed


async def remove_group(
    runtime: Runtime, organization_id: UUID, group_id: UUID, author: Author, check: Callable[[ProvisionedGroup], None]
) -> None:
    """Remove the group, not its members. `check` may raise to prevent that.

    Raises `NotFound`, and `Conflict` if the last owner would lose their role.
    """
    now = runtime.clock()
    async with runtime.store.write() as connection:
        organization = (await members.lock_worlds(connection, organization_id, now))[0]
        old = await _get(connection, organization_id, group_id)
        check(old)
        before = await list_grants(connection, organization_id, old.attributes.members)
        await provisioned_groups.remove(connection, organization_id, group_id)
        await _record_group(connection, organization_id, author, old, None, now)
        await provisioned_users.touch(connection, organization_id, old.attributes.members, now)
        await apply_grants(connection, organization, before, old.attributes.members, author, now)


async def _change_members(
    connection: Connection,
    organization: Organization,
    group: ProvisionedGroup,
    new: frozenset[UUID],
    author: Author,
    now: datetime,
) -> None:
    old = group.attributes.members
    added, removed = new - old, old - new
    affected = added | removed
    if not affected:
        return
    if len(affected) > MAX_CHANGED_MEMBERS:
        raise BodyTooLarge(Message("One request can add and remove {limit} members.", limit=MAX_CHANGED_MEMBERS))
    people = await provisioned_users.get_many(connection, organization.id, affected)
    if added - people.keys():
        raise ValidationFailed.of_field("members", Message("must be users of this organization"))
    await _describe(connection, organization.id, [people[user_id] for user_id in added], now)
    before = await list_grants(connection, organization.id, affected)
    await provisioned_groups.add_members(connection, organization.id, group.id, added)
    await provisioned_groups.remove_members(connection, organization.id, group.id, removed)
    await provisioned_users.touch(connection, organization.id, affected, now)
    change = FieldChange(
        GROUP_MEMBERS,
        {"group": group.attributes.display_name, "left": _list_emails(people, removed)},
        {"group": group.attributes.display_name, "joined": _list_emails(people, added)},
    )
    await audit_log.record_field_change(connection, organization.id, group.id, author, change, now)
    await apply_grants(connection, organization, before, affected, author, now)


async def _describe(connection: Connection, organization_id: UUID, people: list[ProvisionedUser], now: datetime) -> None:
    """Store the attributes of members whom the identity provider has not described: groups refer to stored ones."""
    for person in people:
        if not person.is_described:
            await provisioned_users.save(connection, organization_id, person.id, person.attributes, now)


async def _check_name(connection: Connection, organization_id: UUID, name: str, group_id: UUID | None) -> None:
    condition = GroupCondition(display_name=name)
    found = await provisioned_groups.list_groups(connection, organization_id, condition, 1, with_members=False)
    if found and found[0].id != group_id:
        raise AlreadyExists(Message("A group with this name exists already."))


async def _get(connection: Connection, organization_id: UUID, group_id: UUID) -> ProvisionedGroup:
    found = await provisioned_groups.get(connection, organization_id, group_id)
    if found is None:
        raise NotFound(Message("We couldn’t find that group."))
    return found


async def _record_group(
    connection: Connection,
    organization_id: UUID,
    author: Author,
    old: ProvisionedGroup | None,
    new: ProvisionedGroup | None,
    now: datetime,
) -> None:
    before = _to_audit_value(old) if old is not None else None
    after = _to_audit_value(new) if new is not None else None
    subject = new if new is not None else old
    if before != after and subject is not None:
        change = FieldChange(GROUP, before, after)
        await audit_log.record_field_change(connection, organization_id, subject.id, author, change, now)


def _to_audit_value(group: ProvisionedGroup) -> JsonValue:
    return {
        "displayName": group.attributes.display_name,
        "externalId": group.attributes.external_id,
        "role": group.role.value if group.role is not None else None,
    }


def _list_emails(people: dict[UUID, ProvisionedUser], user_ids: Collection[UUID]) -> JsonValue:
    return [*sorted(people[user_id].email for user_id in user_ids)]
