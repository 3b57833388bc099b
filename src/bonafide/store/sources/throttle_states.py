"""The throttle state of each live source, shared by all nodes. The instants are the database's own.

Whoever reads a standing holds its row until the end of the transaction. What follows from it is said by `pace`, not here.
"""

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.net.throttle import ThrottleState
from bonafide.store.database.dialect import insert, select_seconds_now
from bonafide.store.database.shared_tables import paces

_STATE_COLUMNS = (paces.c.free_at, paces.c.rests_until, paces.c.is_silent, paces.c.refusals, paces.c.failures)


async def lock(connection: AsyncConnection, world: World, source: str) -> tuple[ThrottleState, float]:
    """The standing of a source, nobody else's to change until the transaction ends, and the present in seconds."""
    new = ThrottleState()
    added = insert(connection, paces).values(
        world=world,
        source=source,
        free_at=new.free_at,
        rests_until=new.rests_until,
        is_silent=new.is_silent,
        refusals=new.refusals,
        failures=new.failures,
    )
    # It changes nothing but takes the row's lock; the clock is read when that is ours.
    locked = added.on_conflict_do_update(index_elements=["world", "source"], set_={"source": source})
    row = (
        await connection.execute(locked.returning(*_STATE_COLUMNS, select_seconds_now(connection.dialect.name).label("now")))
    ).one()
    return ThrottleState(row.free_at, row.rests_until, row.is_silent, row.refusals, row.failures), row.now


async def save(connection: AsyncConnection, world: World, source: str, standing: ThrottleState) -> None:
    """Write down the standing of a source that is held."""
    held = (paces.c.world == world) & (paces.c.source == source)
    values = {
        "free_at": standing.free_at,
        "rests_until": standing.rests_until,
        "is_silent": standing.is_silent,
        "refusals": standing.refusals,
        "failures": standing.failures,
    }
    await connection.execute(update(paces).where(held).values(values))
