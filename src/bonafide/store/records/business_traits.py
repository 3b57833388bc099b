"""The keys of what business records may share, one row for each key of a record.

`matching/connections` defines the keys; here they are opaque. Writers hold the organization's audit head.
"""

from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.tables import business_traits, businesses


async def add(connection: AsyncConnection, organization_id: UUID, business_id: UUID, keys: Collection[str]) -> None:
    """Store the keys of a record that has none yet."""
    if keys:
        row = {"organization_id": organization_id, "business_id": business_id}
        await connection.execute(insert(business_traits), [{**row, "key": key} for key in sorted(keys)])


async def replace(connection: AsyncConnection, organization_id: UUID, business_id: UUID, keys: Collection[str]) -> None:
    """Replace the keys of a record."""
    mine = (business_traits.c.organization_id == organization_id, business_traits.c.business_id == business_id)
    await connection.execute(delete(business_traits).where(*mine))
    await add(connection, organization_id, business_id, keys)


async def list_shared(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, keys: Collection[str]
) -> frozenset[str]:
    """Those of the keys that another record of the organization has too."""
    shared = select(business_traits.c.key).distinct().where(*_belongs_to_others(organization_id, business_id, keys))
    return frozenset((await connection.execute(shared)).scalars())


async def list_others(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, keys: Collection[str], limit: int
) -> tuple[list[str], int]:
    """The documents of the first other records that have one of the keys, and how many there are in all."""
    others = select(business_traits.c.business_id).distinct().where(*_belongs_to_others(organization_id, business_id, keys))
    total = (await connection.execute(select(func.count()).select_from(others.subquery()))).scalar_one()
    first = others.order_by(business_traits.c.business_id).limit(limit).subquery()
    documents = (
        select(businesses.c.document)
        .where(businesses.c.organization_id == organization_id, businesses.c.id.in_(select(first.c.business_id)))
        .order_by(businesses.c.id)
    )
    return list((await connection.execute(documents)).scalars()), total


def _belongs_to_others(organization_id: UUID, business_id: UUID, keys: Collection[str]) -> Sequence[ColumnElement[bool]]:
    return (
        business_traits.c.organization_id == organization_id,
        business_traits.c.key.in_(sorted(keys)),
        business_traits.c.business_id != business_id,
    )
