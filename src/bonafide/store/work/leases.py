"""Leases: what only one process of all machines may do at a time, by name, for a while; who dies loses it when the while is over.

A lease keeps work from being done twice. It makes nothing safe by itself: a process may sleep through the end of its lease, so
whatever it then changes has to be compared with what is there (`publications.publish`).
"""

from datetime import datetime

from sqlalchemy import and_, delete, or_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.dialect import insert
from bonafide.store.database.shared_tables import leases


async def acquire(connection: AsyncConnection, name: str, holder: str, now: datetime, until: datetime) -> bool:
    """Hold the lease until then; False while it is another's."""
    held = (
        insert(connection, leases)
        .values(name=name, holder=holder, until=until)
        .on_conflict_do_update(
            index_elements=["name"],
            set_={"holder": holder, "until": until},
            where=or_(leases.c.until <= now, leases.c.holder == holder),
        )
    )
    return (await connection.execute(held.returning(leases.c.holder))).one_or_none() is not None


async def renew(connection: AsyncConnection, name: str, holder: str, until: datetime) -> bool:
    """Hold it longer; False when it is another's by now."""
    mine = and_(leases.c.name == name, leases.c.holder == holder)
    return (await connection.execute(update(leases).where(mine).values(until=until))).rowcount == 1


async def release(connection: AsyncConnection, name: str, holder: str) -> None:
    """Give it back; nothing changes when it is another's."""
    await connection.execute(delete(leases).where(leases.c.name == name, leases.c.holder == holder))
