"""The roles of provisioned people: those that their groups and their attribute `roles` give them, and what follows for memberships.

A role changes only when what is granted changes. Members whom the identity provider has given nothing keep the role that an owner
gave them in the console.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from uuid import UUID

from bonafide.model.accounts.organizations import Organization
from bonafide.model.accounts.provisioning import choose_role
from bonafide.model.accounts.users import Role
from bonafide.model.records.business_record import Author
from bonafide.services.accounts import members
from bonafide.store.database.engine import Connection
from bonafide.store.people import provisioned_groups, provisioned_users

Grants = Mapping[UUID, frozenset[Role]]
"""The roles that are granted to each person."""


async def list_grants(connection: Connection, organization_id: UUID, user_ids: Collection[UUID]) -> Grants:
    """What is granted to each of these people at present."""
    by_groups = await provisioned_groups.list_granted_roles(connection, organization_id, user_ids)
    people = await provisioned_users.get_many(connection, organization_id, user_ids)
    return {user_id: by_groups.get(user_id, frozenset()) | person.attributes.assigned_roles for user_id, person in people.items()}


async def apply_grants(
    connection: Connection, organization: Organization, before: Grants, user_ids: Collection[UUID], author: Author, now: datetime
) -> None:
    """Give new roles to those of these people whose grants differ from `before` and who are active.

    Raises `Conflict` if the last owner would lose their role.
    """
    after = await list_grants(connection, organization.id, user_ids)
    changed = [user_id for user_id in sorted(after) if after[user_id] != before.get(user_id, frozenset())]
    people = await provisioned_users.get_many(connection, organization.id, changed)
    # New owners first, so that an owner can be replaced in one request.
    for user_id in sorted(changed, key=lambda each: (choose_role(after[each]) is not Role.OWNER, each)):
        if people[user_id].attributes.active:
            await members.set_membership(connection, organization, user_id, choose_role(after[user_id]), author, now)
