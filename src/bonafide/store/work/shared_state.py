"""State that nodes share through the database: leases, rate-limit windows, throttles of live sources.

A lease protects work that only one process of all machines may do at a time; it expires when a process dies. It is not sufficient
by itself: a process may outlive its lease, so its writes must be compared and set (`source_rows.publish_generation`). The caller of
a rate window is a digest: no client address is stored. Reading the state of a throttle locks its row until the transaction ends;
`net.throttle` computes the next state, and the instants are those of the database.
"""

from datetime import datetime

from sqlalchemy import and_, delete, or_, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.organizations import World
from bonafide.net.throttle import ThrottleState
from bonafide.store.database.rows import build_insert, list_fields, select_seconds_now, to_columns, to_value
from bonafide.store.database.schema.shared_tables import leases, paces, rate_windows

EXPIRY_GRACE_S = 60
"""Seconds kept after the end of a window, for nodes whose clocks are behind."""
_COUNT = text(
    """
    INSERT INTO rate_windows (caller, resets_at, used) VALUES (:caller, :resets_at, 1)
    ON CONFLICT (caller) DO UPDATE SET
        used = CASE WHEN excluded.resets_at > rate_windows.resets_at THEN 1 ELSE rate_windows.used + 1 END,
        resets_at = CASE WHEN excluded.resets_at > rate_windows.resets_at THEN excluded.resets_at ELSE rate_windows.resets_at END
    RETURNING used, resets_at
    """
)
"""Valid on both databases. As text, because building the statement would take longer than running it."""
_STATE_COLUMNS = [paces.c[name] for name in list_fields(ThrottleState)]


async def acquire_lease(connection: AsyncConnection, name: str, holder: str, now: datetime, until: datetime) -> bool:
    """Acquire the lease until then; False while another process holds it."""
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
    """Extend the lease; False when it was lost."""
    mine = and_(leases.c.name == name, leases.c.holder == holder)
    return (await connection.execute(update(leases).where(mine).values(until=until))).rowcount == 1


async def release_lease(connection: AsyncConnection, name: str, holder: str) -> None:
    """Release the lease; nothing changes when it was lost."""
    await connection.execute(delete(leases).where(leases.c.name == name, leases.c.holder == holder))


async def count_request(connection: AsyncConnection, caller: str, resets_at: int) -> tuple[int, int]:
    """Count a request in the window that resets at this Unix second; returns the requests in the window, and when it resets.

    A caller's window only moves forward: a node whose clock is behind counts in the existing window.
    """
    row = (await connection.execute(_COUNT, {"caller": caller, "resets_at": resets_at})).one()
    return row.used, row.resets_at


async def purge_rate_windows(connection: AsyncConnection, now_s: float, window_s: int) -> None:
    """Delete windows that have ended, and those so far in the future that only a wrong clock can have created them."""
    over = rate_windows.c.resets_at < now_s - EXPIRY_GRACE_S
    impossible = rate_windows.c.resets_at > now_s + 2 * window_s + EXPIRY_GRACE_S
    await connection.execute(delete(rate_windows).where(or_(over, impossible)))


async def lock_throttle(connection: AsyncConnection, world: World, source: str) -> tuple[ThrottleState, float]:
    """Lock and return the state of a source, with the current time in seconds."""
    added = build_insert(connection, paces).values(world=world, source=source, **to_columns(ThrottleState()))
    # The update changes nothing but locks the row; the clock is read once it is locked.
    locked = added.on_conflict_do_update(index_elements=["world", "source"], set_={"source": source})
    returned = locked.returning(*_STATE_COLUMNS, select_seconds_now(connection.dialect.name).label("now"))
    row = (await connection.execute(returned)).one()
    return to_value(ThrottleState, row), row.now


async def save_throttle(connection: AsyncConnection, world: World, source: str, standing: ThrottleState) -> None:
    """Store the state of a locked source."""
    held = (paces.c.world == world) & (paces.c.source == source)
    await connection.execute(update(paces).where(held).values(to_columns(standing)))
