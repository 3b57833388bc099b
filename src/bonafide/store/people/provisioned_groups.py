"""Groups that an identity provider has sent, their members, and the roles that they give."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.provisioning import GroupAttributes, fold_identifier
from bonafide.model.accounts.users import Role
from bonafide.store.database.schema.provisioning_tables import provisioned_group_members, provisioned_groups

_MAX_PARAMETERS = 500
"""IDs in one statement."""


@dataclass(frozen=True, slots=True)
class ProvisionedGroup:
    """A group and the role that it gives its members; None where it gives none."""

    id: UUID
    attributes: GroupAttributes
    role: Role | None
    created_at: datetime
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class GroupSummary:
    """A group with the number of its members instead of the members."""

    id: UUID
    display_name: str
    role: Role | None
    members: int


@dataclass(frozen=True, slots=True)
class GroupCondition:
    """The values that a group must have. None of them selects all."""

    id: UUID | None = None
    display_name: str | None = None
    external_id: str | None = None
    member: UUID | None = None


async def get(connection: AsyncConnection, organization_id: UUID, group_id: UUID) -> ProvisionedGroup | None:
    """The group of this ID, or None."""
    found = await list_groups(connection, organization_id, GroupCondition(id=group_id), limit=1)
    return found[0] if found else None


async def count_groups(connection: AsyncConnection, organization_id: UUID, condition: GroupCondition) -> int:
    """How many groups there are."""
    mine = select(func.count()).select_from(provisioned_groups).where(*_build_conditions(organization_id, condition))
    return (await connection.execute(mine)).scalar_one()


async def list_groups(
    connection: AsyncConnection,
    organization_id: UUID,
    condition: GroupCondition,
    limit: int,
    offset: int = 0,
    *,
    with_members: bool = True,
) -> list[ProvisionedGroup]:
    """A page of the groups, in the order of their IDs; without their members unless `with_members`."""
    mine = select(provisioned_groups).where(*_build_conditions(organization_id, condition))
    rows = (await connection.execute(mine.order_by(provisioned_groups.c.id).limit(limit).offset(offset))).all()
    members = await _list_members(connection, organization_id, [row.id for row in rows]) if with_members else {}
    return [_to_group(row, members.get(row.id, frozenset())) for row in rows]


async def list_summaries(connection: AsyncConnection, organization_id: UUID) -> list[GroupSummary]:
    """All groups by name."""
    members = func.count(provisioned_group_members.c.user_id)
    mine = (
        select(provisioned_groups.c.id, provisioned_groups.c.display_name, provisioned_groups.c.role, members.label("members"))
        .outerjoin(
            provisioned_group_members,
            and_(
                provisioned_group_members.c.organization_id == provisioned_groups.c.organization_id,
                provisioned_group_members.c.group_id == provisioned_groups.c.id,
            ),
        )
        .where(provisioned_groups.c.organization_id == organization_id)
        .group_by(
            provisioned_groups.c.id, provisioned_groups.c.display_name, provisioned_groups.c.role, provisioned_groups.c.folded_name
        )
        .order_by(provisioned_groups.c.folded_name)
    )
    return [GroupSummary(row.id, row.display_name, row.role, row.members) for row in await connection.execute(mine)]


async def add(
    connection: AsyncConnection,
    organization_id: UUID,
    group_id: UUID,
    attributes: GroupAttributes,
    role: Role | None,
    now: datetime,
) -> None:
    """Store a new group without its members."""
    values = _to_columns(attributes)
    await connection.execute(
        insert(provisioned_groups).values(
            organization_id=organization_id, id=group_id, role=role, created_at=now, modified_at=now, **values
        )
    )


async def save(
    connection: AsyncConnection, organization_id: UUID, group_id: UUID, attributes: GroupAttributes, now: datetime
) -> None:
    """Store the attributes of an existing group, except its members."""
    changed = update(provisioned_groups).where(_has_id(organization_id, group_id))
    await connection.execute(changed.values(modified_at=now, **_to_columns(attributes)))


async def set_role(connection: AsyncConnection, organization_id: UUID, group_id: UUID, role: Role | None, now: datetime) -> None:
    """Set the role that the group gives."""
    await connection.execute(
        update(provisioned_groups).where(_has_id(organization_id, group_id)).values(role=role, modified_at=now)
    )


async def add_members(connection: AsyncConnection, organization_id: UUID, group_id: UUID, user_ids: Collection[UUID]) -> None:
    """Add people who are not in the group yet."""
    rows = [{"organization_id": organization_id, "group_id": group_id, "user_id": user_id} for user_id in sorted(user_ids)]
    if rows:
        await connection.execute(insert(provisioned_group_members), rows)


async def remove_members(connection: AsyncConnection, organization_id: UUID, group_id: UUID, user_ids: Collection[UUID]) -> None:
    """Remove people from the group."""
    for part in _split(user_ids):
        mine = and_(
            provisioned_group_members.c.organization_id == organization_id,
            provisioned_group_members.c.group_id == group_id,
            provisioned_group_members.c.user_id.in_(part),
        )
        await connection.execute(delete(provisioned_group_members).where(mine))


async def remove(connection: AsyncConnection, organization_id: UUID, group_id: UUID) -> None:
    """Remove the group and its memberships."""
    mine = and_(provisioned_group_members.c.organization_id == organization_id, provisioned_group_members.c.group_id == group_id)
    await connection.execute(delete(provisioned_group_members).where(mine))
    await connection.execute(delete(provisioned_groups).where(_has_id(organization_id, group_id)))


async def list_granted_roles(
    connection: AsyncConnection, organization_id: UUID, user_ids: Collection[UUID]
) -> dict[UUID, frozenset[Role]]:
    """The roles that their groups give to each of these people; people without any are left out."""
    found: dict[UUID, set[Role]] = {}
    for part in _split(user_ids):
        mine = (
            select(provisioned_group_members.c.user_id, provisioned_groups.c.role)
            .join_from(provisioned_group_members, provisioned_groups)
            .where(
                provisioned_group_members.c.organization_id == organization_id,
                provisioned_group_members.c.user_id.in_(part),
                provisioned_groups.c.role.is_not(None),
            )
        )
        for row in await connection.execute(mine):
            found.setdefault(row.user_id, set()).add(row.role)
    return {user_id: frozenset(roles) for user_id, roles in found.items()}


async def _list_members(
    connection: AsyncConnection, organization_id: UUID, group_ids: Collection[UUID]
) -> dict[UUID, frozenset[UUID]]:
    found: dict[UUID, set[UUID]] = {}
    for part in _split(group_ids):
        mine = select(provisioned_group_members.c.group_id, provisioned_group_members.c.user_id).where(
            provisioned_group_members.c.organization_id == organization_id, provisioned_group_members.c.group_id.in_(part)
        )
        for row in await connection.execute(mine):
            found.setdefault(row.group_id, set()).add(row.user_id)
    return {group_id: frozenset(members) for group_id, members in found.items()}


def _build_conditions(organization_id: UUID, condition: GroupCondition) -> Iterable[ColumnElement[bool]]:
    yield provisioned_groups.c.organization_id == organization_id
    if condition.id is not None:
        yield provisioned_groups.c.id == condition.id
    if condition.display_name is not None:
        yield provisioned_groups.c.folded_name == fold_identifier(condition.display_name)
    if condition.external_id is not None:
        yield provisioned_groups.c.external_id == condition.external_id
    if condition.member is not None:
        yield provisioned_groups.c.id.in_(
            select(provisioned_group_members.c.group_id).where(
                provisioned_group_members.c.organization_id == organization_id,
                provisioned_group_members.c.user_id == condition.member,
            )
        )


def _to_group(row: Row[Any], members: frozenset[UUID]) -> ProvisionedGroup:
    attributes = GroupAttributes(display_name=row.display_name, external_id=row.external_id, members=members)
    return ProvisionedGroup(row.id, attributes, row.role, row.created_at, row.modified_at)


def _to_columns(attributes: GroupAttributes) -> dict[str, Any]:
    name = attributes.display_name
    return {"display_name": name, "folded_name": fold_identifier(name), "external_id": attributes.external_id}


def _has_id(organization_id: UUID, group_id: UUID) -> ColumnElement[bool]:
    return and_(provisioned_groups.c.organization_id == organization_id, provisioned_groups.c.id == group_id)


def _split(ids: Collection[UUID]) -> Iterable[list[UUID]]:
    listed = sorted(ids)
    return (listed[start : start + _MAX_PARAMETERS] for start in range(0, len(listed), _MAX_PARAMETERS))
