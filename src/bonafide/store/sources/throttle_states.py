"""The throttle state of each live source, shared by all nodes. The instants are the database's own.

Reading a state locks its row until the transaction ends. `net.throttle` computes the next state.
"""

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.net.throttle import ThrottleState
from bonafide.store.database.dialect import insert, select_seconds_now
from bonafide.store.database.rows import list_fields, to_columns, to_value
from bonafide.store.database.shared_tables import paces

_STATE_COLUMNS = [paces.c[name] for name in list_fields(ThrottleState)]


async def lock(connection: AsyncConnection, world: World, source: str) -> tuple[ThrottleState, float]:
    """The standing of a source, nobody else's to change until the transaction ends, and the present in seconds."""
    added = insert(connection, paces).values(world=world, source=source, **to_columns(ThrottleState()))
    # It changes nothing but takes the row's lock; the clock is read when that is ours.
    locked = added.on_conflict_do_update(index_elements=["world", "source"], set_={"source": source})
    returned = locked.returning(*_STATE_COLUMNS, select_seconds_now(connection.dialect.name).label("now"))
    row = (await connection.execute(returned)).one()
    return to_value(ThrottleState, row), row.now


async def save(connection: AsyncConnection, world: World, source: str, standing: ThrottleState) -> None:
    """Write down the standing of a source that is held."""
    held = (paces.c.world == world) & (paces.c.source == source)
    await connection.execute(update(paces).where(held).values(to_columns(standing)))
