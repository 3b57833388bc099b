"""The releases in the changelog that were announced to the organizations, by date. They belong to no organization."""

from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import build_insert
from bonafide.store.database.tables import announced_releases


async def list_days(connection: AsyncConnection) -> set[date]:
    """The dates of all announced releases."""
    return set((await connection.execute(select(announced_releases.c.day))).scalars())


async def add(connection: AsyncConnection, day: date, now: datetime) -> bool:
    """Store that a release is announced; False if it was already."""
    new = build_insert(connection, announced_releases).values(day=day, announced_at=now).on_conflict_do_nothing()
    return (await connection.execute(new.returning(announced_releases.c.day))).one_or_none() is not None
