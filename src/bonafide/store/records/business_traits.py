"""The keys of what business records may share, one row for each key of a record.

`matching/connections` defines the keys; here they are opaque. Writers hold the organization's audit head.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, case, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.tables import business_traits, businesses


@dataclass(frozen=True, slots=True)
class TraitOwners:
    """The records that have a trait: how many, and the first of them."""

    count: int
    first: tuple[UUID, ...]


async def add(connection: AsyncConnection, organization_id: UUID, business_id: UUID, keys: Collection[str]) -> None:
    """Store the keys of a record that has none yet."""
    if keys:
        row = {"organization_id": organization_id, "business_id": business_id}
        await connection.execute(insert(business_traits), [{**row, "key": key} for key in sorted(keys)])


async def replace(connection: AsyncConnection, organization_id: UUID, business_id: UUID, keys: Collection[str]) -> None:
    """Replace the keys of a record; equal ones stay."""
    mine = (business_traits.c.organization_id == organization_id, business_traits.c.business_id == business_id)
    stored = frozenset((await connection.execute(select(business_traits.c.key).where(*mine))).scalars())
    stale = sorted(stored.difference(keys))
    if stale:
        await connection.execute(delete(business_traits).where(*mine, business_traits.c.key.in_(stale)))
    await add(connection, organization_id, business_id, frozenset(keys) - stored)


async def list_shared(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, keys: Collection[str]
) -> frozenset[str]:
    """Those of the keys that another record of the organization has too."""
    shared = select(business_traits.c.key).distinct().where(*_belongs_to_others(organization_id, business_id, keys))
    return frozenset((await connection.execute(shared)).scalars())


async def list_owners(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, traits: Sequence[Collection[str]], limit: int
) -> Mapping[int, TraitOwners]:
    """The other records that have one of a trait's keys, by the position of the trait; at most `limit` of each are returned."""
    places = {key: place for place, keys in enumerate(traits) for key in keys}
    if not places:
        return {}
    owners = (
        select(case(places, value=business_traits.c.key).label("place"), business_traits.c.business_id)
        .distinct()
        .where(*_belongs_to_others(organization_id, business_id, places))
        .subquery()
    )
    ranked = select(
        owners.c.place,
        owners.c.business_id,
        func.row_number().over(partition_by=owners.c.place, order_by=owners.c.business_id).label("rank"),
        func.count().over(partition_by=owners.c.place).label("total"),
    ).subquery()
    rows = (await connection.execute(select(ranked).where(ranked.c.rank <= limit).order_by(ranked.c.place, ranked.c.rank))).all()
    found: dict[int, TraitOwners] = {}
    for row in rows:
        before = found[row.place].first if row.place in found else ()
        found[row.place] = TraitOwners(row.total, (*before, row.business_id))
    return found


async def list_documents(connection: AsyncConnection, organization_id: UUID, business_ids: Collection[UUID]) -> list[str]:
    """The documents of records, in no order."""
    documents = select(businesses.c.document).where(
        businesses.c.organization_id == organization_id, businesses.c.id.in_(sorted(business_ids))
    )
    return list((await connection.execute(documents)).scalars()) if business_ids else []


def _belongs_to_others(organization_id: UUID, business_id: UUID, keys: Collection[str]) -> Sequence[ColumnElement[bool]]:
    return (
        business_traits.c.organization_id == organization_id,
        business_traits.c.key.in_(sorted(keys)),
        business_traits.c.business_id != business_id,
    )
