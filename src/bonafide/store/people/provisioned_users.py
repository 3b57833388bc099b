"""People as provisioning shows them: the members of an organization, and those whom its identity provider has deactivated.

A member whom the identity provider has not described yet is shown with their email and name.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, or_, select, union, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.provisioning import PersonAttributes, ProvisionedEmail, ProvisionedName, fold_identifier
from bonafide.store.database.rows import build_insert
from bonafide.store.database.schema.account_tables import memberships, users
from bonafide.store.database.schema.provisioning_tables import provisioned_group_members, provisioned_groups, provisioned_users

_MAX_PARAMETERS = 500
"""IDs in one statement."""


@dataclass(frozen=True, slots=True)
class GroupReference:
    """A group that a person belongs to."""

    id: UUID
    display_name: str


@dataclass(frozen=True, slots=True)
class ProvisionedUser:
    """A person of an organization. `attributes.active` says whether they are a member."""

    id: UUID
    email: str
    attributes: PersonAttributes
    created_at: datetime
    modified_at: datetime
    is_described: bool
    """Whether the identity provider has sent the attributes. Otherwise they are those of the user."""
    groups: tuple[GroupReference, ...] = ()


@dataclass(frozen=True, slots=True)
class UserCondition:
    """The values that a person must have. None of them selects everyone."""

    id: UUID | None = None
    user_name: str | None = None
    external_id: str | None = None
    email: str | None = None
    """One of their addresses, in any case. A few others may be selected too."""


async def get(connection: AsyncConnection, organization_id: UUID, user_id: UUID) -> ProvisionedUser | None:
    """The person of this ID, or None."""
    found = await list_users(connection, organization_id, UserCondition(id=user_id), limit=1)
    return found[0] if found else None


async def get_many(connection: AsyncConnection, organization_id: UUID, user_ids: Collection[UUID]) -> dict[UUID, ProvisionedUser]:
    """Those of these people who exist, by their IDs, without their groups."""
    found = {}
    for part in _split(user_ids):
        for row in await connection.execute(_select_users(organization_id, UserCondition()).where(users.c.id.in_(part))):
            found[row.id] = _to_user(row, ())
    return found


async def count_users(connection: AsyncConnection, organization_id: UUID, condition: UserCondition) -> int:
    """How many people there are."""
    mine = _select_users(organization_id, condition).subquery()
    return (await connection.execute(select(func.count()).select_from(mine))).scalar_one()


async def list_users(
    connection: AsyncConnection, organization_id: UUID, condition: UserCondition, limit: int, offset: int = 0
) -> list[ProvisionedUser]:
    """A page of the people, in the order of their IDs."""
    page = _select_users(organization_id, condition).order_by(users.c.id).limit(limit).offset(offset)
    rows = (await connection.execute(page)).all()
    groups = await list_groups(connection, organization_id, [row.id for row in rows])
    return [_to_user(row, groups.get(row.id, ())) for row in rows]


async def list_groups(
    connection: AsyncConnection, organization_id: UUID, user_ids: Collection[UUID]
) -> dict[UUID, tuple[GroupReference, ...]]:
    """The groups of each of these people, by name."""
    found: dict[UUID, list[GroupReference]] = {}
    for part in _split(user_ids):
        mine = (
            select(provisioned_group_members.c.user_id, provisioned_groups.c.id, provisioned_groups.c.display_name)
            .join_from(provisioned_group_members, provisioned_groups)
            .where(provisioned_group_members.c.organization_id == organization_id, provisioned_group_members.c.user_id.in_(part))
            .order_by(provisioned_groups.c.folded_name)
        )
        for row in await connection.execute(mine):
            found.setdefault(row.user_id, []).append(GroupReference(row.id, row.display_name))
    return {user_id: tuple(groups) for user_id, groups in found.items()}


async def find_by_user_name(connection: AsyncConnection, organization_id: UUID, user_name: str) -> UUID | None:
    """The ID of the person with this user name, in any case."""
    found = await list_users(connection, organization_id, UserCondition(user_name=user_name), limit=1)
    return found[0].id if found else None


async def save(
    connection: AsyncConnection, organization_id: UUID, user_id: UUID, attributes: PersonAttributes, now: datetime
) -> None:
    """Store what the identity provider says of the user."""
    changing = {
        "user_name": fold_identifier(attributes.user_name),
        "external_id": attributes.external_id,
        "modified_at": now,
        "document": attributes.model_dump_json(by_alias=True, exclude_none=True, exclude={"active"}),
    }
    row = build_insert(connection, provisioned_users).values(
        organization_id=organization_id, user_id=user_id, created_at=now, **changing
    )
    await connection.execute(row.on_conflict_do_update(index_elements=["organization_id", "user_id"], set_=changing))


async def touch(connection: AsyncConnection, organization_id: UUID, user_ids: Collection[UUID], now: datetime) -> None:
    """Record that these people have changed in another way than by their attributes."""
    for part in _split(user_ids):
        mine = and_(provisioned_users.c.organization_id == organization_id, provisioned_users.c.user_id.in_(part))
        await connection.execute(update(provisioned_users).where(mine).values(modified_at=now))


async def remove(connection: AsyncConnection, organization_id: UUID, user_id: UUID) -> None:
    """Remove what the identity provider said of the user, and the user from its groups."""
    for table in (provisioned_group_members, provisioned_users):
        mine = and_(table.c.organization_id == organization_id, table.c.user_id == user_id)
        await connection.execute(delete(table).where(mine))


async def is_known_elsewhere(connection: AsyncConnection, organization_ids: Collection[UUID], user_id: UUID) -> bool:
    """Whether the user belongs to an organization besides these, or is described by another one's identity provider."""
    for table in (memberships, provisioned_users):
        others = select(table.c.user_id).where(table.c.user_id == user_id, table.c.organization_id.not_in(organization_ids))
        if (await connection.execute(others.limit(1))).one_or_none() is not None:
            return True
    return False


def _select_users(organization_id: UUID, condition: UserCondition) -> Select[Any]:
    ids = union(
        select(memberships.c.user_id).where(memberships.c.organization_id == organization_id),
        select(provisioned_users.c.user_id).where(provisioned_users.c.organization_id == organization_id),
    ).subquery()
    is_described = and_(provisioned_users.c.organization_id == organization_id, provisioned_users.c.user_id == users.c.id)
    is_member = and_(memberships.c.organization_id == organization_id, memberships.c.user_id == users.c.id)
    return (
        select(
            users.c.id,
            users.c.email,
            users.c.name,
            memberships.c.joined_at,
            provisioned_users.c.created_at,
            provisioned_users.c.modified_at,
            provisioned_users.c.document,
        )
        .join_from(ids, users, users.c.id == ids.c.user_id)
        .outerjoin(provisioned_users, is_described)
        .outerjoin(memberships, is_member)
        .where(*_build_conditions(condition))
    )


def _build_conditions(condition: UserCondition) -> Iterable[ColumnElement[bool]]:
    if condition.id is not None:
        yield users.c.id == condition.id
    if condition.user_name is not None:
        folded = fold_identifier(condition.user_name)
        undescribed = and_(provisioned_users.c.user_id.is_(None), func.lower(users.c.email) == folded)
        yield or_(provisioned_users.c.user_name == folded, undescribed)
    if condition.external_id is not None:
        yield provisioned_users.c.external_id == condition.external_id
    if condition.email is not None:
        folded = fold_identifier(condition.email)
        mentioned = func.lower(provisioned_users.c.document).contains(json.dumps(folded, ensure_ascii=False), autoescape=True)
        yield or_(func.lower(users.c.email) == folded, mentioned)


def _to_user(row: Row[Any], groups: tuple[GroupReference, ...]) -> ProvisionedUser:
    is_active = row.joined_at is not None
    if row.document is not None:
        described = PersonAttributes.model_validate_json(row.document)
        attributes = described.model_copy(update={"active": is_active})
        return ProvisionedUser(row.id, row.email, attributes, row.created_at, row.modified_at, is_described=True, groups=groups)
    attributes = PersonAttributes(
        user_name=row.email,
        name=ProvisionedName(formatted=row.name) if row.name is not None else None,
        display_name=row.name,
        emails=(ProvisionedEmail(value=row.email, primary=True),),
        active=is_active,
    )
    return ProvisionedUser(row.id, row.email, attributes, row.joined_at, row.joined_at, is_described=False, groups=groups)


def _split(ids: Collection[UUID]) -> Iterable[list[UUID]]:
    listed = sorted(ids)
    return (listed[start : start + _MAX_PARAMETERS] for start in range(0, len(listed), _MAX_PARAMETERS))
