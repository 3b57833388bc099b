"""Find searches and verifications by words, among the newest ones.

Texts are compared in an index, one after the other, so the number of compared rows is limited: an organization may have millions.
"""

from typing import Any
from uuid import UUID

from sqlalchemy import Column, Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.tables import searches, verifications
from bonafide.store.records.searches import fold_text

MAX_COMPARED = 20_000
"""The newest rows whose texts are compared."""


async def find_searches(connection: AsyncConnection, organization_id: UUID, text: str, limit: int) -> list[tuple[UUID, str]]:
    """The IDs and the searched names of the newest searches whose name contains the text."""
    ids = await _find_ids(connection, organization_id, (searches, searches.c.searched_at, searches.c.folded_query), text, limit)
    listed = select(searches.c.id, searches.c.query).where(searches.c.organization_id == organization_id, searches.c.id.in_(ids))
    names = {row.id: row.query for row in await connection.execute(listed)} if ids else {}
    return [(id_, names[id_]) for id_ in ids]


async def find_verifications(connection: AsyncConnection, organization_id: UUID, text: str, limit: int) -> list[tuple[UUID, str]]:
    """The IDs and the specifications (JSON) of the newest verifications whose name or number contains the text."""
    places = (verifications, verifications.c.created_at, verifications.c.search_text)
    ids = await _find_ids(connection, organization_id, places, text, limit)
    own = verifications.c.organization_id == organization_id
    listed = select(verifications.c.id, verifications.c.request).where(own, verifications.c.id.in_(ids))
    requests = {row.id: row.request for row in await connection.execute(listed)} if ids else {}
    return [(id_, requests[id_]) for id_ in ids]


async def _find_ids(
    connection: AsyncConnection, organization_id: UUID, places: tuple[Table, Column[Any], Column[Any]], text: str, limit: int
) -> list[UUID]:
    table, order, searched = places
    newest = (
        select(table.c.id, searched.label("searched"))
        .where(table.c.organization_id == organization_id)
        .order_by(order.desc(), table.c.id.desc())
        .limit(MAX_COMPARED)
        .subquery()
    )
    found = select(newest.c.id).where(newest.c.searched.contains(fold_text(text), autoescape=True)).limit(limit)
    return list((await connection.execute(found)).scalars())
