"""What nodes share through the database besides records and jobs: leases, rate-limit windows, throttles of live sources.

A lease names what only one process of all machines may do at a time; a process that dies loses it when it ends. It makes nothing
safe by itself: a process may sleep through the end of its lease, so whatever it then changes has to be compared with what is there
(`source_rows.publish_generation`). A caller of a rate window is a digest: no address of a client is kept. Reading the state of a
throttle locks its row until the transaction ends; `net.throttle` computes the next state, and the instants are the database's own.
"""

from datetime import datetime

from sqlalchemy import and_, delete, or_, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.net.throttle import ThrottleState
from bonafide.store.database.rows import build_insert, list_fields, select_seconds_now, to_columns, to_value
from bonafide.store.database.shared_tables import leases, paces, rate_windows

EXPIRY_GRACE_S = 60
"""After the end of a window, for nodes whose clocks are behind."""
_COUNT = text(
    """
    INSERT INTO rate_windows (caller, resets_at, used) VALUES (:caller, :resets_at, 1)
    ON CONFLICT (caller) DO UPDATE SET
        used = CASE WHEN excluded.resets_at > rate_windows.resets_at THEN 1 ELSE rate_windows.used + 1 END,
        resets_at = CASE WHEN excluded.resets_at > rate_windows.resets_at THEN excluded.resets_at ELSE rate_windows.resets_at END
    RETURNING used, resets_at
    """
)
"""Both databases spell it so. As text, because every request waits for it, and to put it together takes longer than to run it."""
_STATE_COLUMNS = [paces.c[name] for name in list_fields(ThrottleState)]


async def acquire_lease(connection: AsyncConnection, name: str, holder: str, now: datetime, until: datetime) -> bool:
    """Hold the lease until then; False while it is another's."""
    held = (
        build_insert(connection, leases)
        .values(name=name, holder=holder, until=until)
        .on_conflict_do_update(
            index_elements=["name"],
            set_={"holder": holder, "until": until},
            where=or_(leases.c.until <= now, leases.c.holder == holder),
        )
    )
    return (await connection.execute(held.returning(leases.c.holder))).one_or_none() is not None


async def renew_lease(connection: AsyncConnection, name: str, holder: str, until: datetime) -> bool:
    """Hold it longer; False when it is another's by now."""
    mine = and_(leases.c.name == name, leases.c.holder == holder)
    return (await connection.execute(update(leases).where(mine).values(until=until))).rowcount == 1


async def release_lease(connection: AsyncConnection, name: str, holder: str) -> None:
    """Give it back; nothing changes when it is another's."""
    await connection.execute(delete(leases).where(leases.c.name == name, leases.c.holder == holder))


async def count_request(connection: AsyncConnection, caller: str, resets_at: int) -> tuple[int, int]:
    """Count a request in the window that resets at this Unix second; returns the requests in the window, and when it resets.

    A caller's window only ever moves on: a node whose clock is slow, or was set back, counts in the window that is there.
    """
    row = (await connection.execute(_COUNT, {"caller": caller, "resets_at": resets_at})).one()
    return row.used, row.resets_at


async def purge_rate_windows(connection: AsyncConnection, now_s: float, window_s: int) -> None:
    """Forget windows that are over, and those that begin so late that only a wrong clock can have opened them."""
    over = rate_windows.c.resets_at < now_s - EXPIRY_GRACE_S
    impossible = rate_windows.c.resets_at > now_s + 2 * window_s + EXPIRY_GRACE_S
    await connection.execute(delete(rate_windows).where(or_(over, impossible)))


async def lock_throttle(connection: AsyncConnection, world: World, source: str) -> tuple[ThrottleState, float]:
    """The standing of a source, nobody else's to change until the transaction ends, and the present in seconds."""
    added = build_insert(connection, paces).values(world=world, source=source, **to_columns(ThrottleState()))
    # It changes nothing but takes the row's lock; the clock is read when that is ours.
    locked = added.on_conflict_do_update(index_elements=["world", "source"], set_={"source": source})
    returned = locked.returning(*_STATE_COLUMNS, select_seconds_now(connection.dialect.name).label("now"))
    row = (await connection.execute(returned)).one()
    return to_value(ThrottleState, row), row.now


async def save_throttle(connection: AsyncConnection, world: World, source: str, standing: ThrottleState) -> None:
    """Write down the standing of a source that is held."""
    held = (paces.c.world == world) & (paces.c.source == source)
    await connection.execute(update(paces).where(held).values(to_columns(standing)))
