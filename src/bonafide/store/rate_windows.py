"""How many requests each caller has made in its window, for all nodes that share the database.

A caller is a digest: no address of a client is kept. A crash of PostgreSQL may empty the table, which costs counts and no more.
"""

from sqlalchemy import case, delete, or_
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.dialect import insert
from bonafide.store.tables import rate_windows

KEEP_S = 60
"""After the end of a window, for nodes whose clocks are behind."""


async def count(connection: AsyncConnection, caller: str, resets_at: int) -> tuple[int, int]:
    """Count a request in the window that resets at this Unix second; returns the requests in the window, and when it resets.

    A caller's window only ever moves on: a node whose clock is slow, or was set back, counts in the window that is there.
    """
    added = insert(connection, rate_windows).values(caller=caller, resets_at=resets_at, used=1)
    is_new = added.excluded.resets_at > rate_windows.c.resets_at
    counted = added.on_conflict_do_update(
        index_elements=["caller"],
        set_={
            "resets_at": case((is_new, added.excluded.resets_at), else_=rate_windows.c.resets_at),
            "used": case((is_new, 1), else_=rate_windows.c.used + 1),
        },
    ).returning(rate_windows.c.used, rate_windows.c.resets_at)
    row = (await connection.execute(counted)).one()
    return row.used, row.resets_at


async def purge(connection: AsyncConnection, now_s: float, window_s: int) -> None:
    """Forget windows that are over, and those that begin so late that only a wrong clock can have opened them."""
    over = rate_windows.c.resets_at < now_s - KEEP_S
    impossible = rate_windows.c.resets_at > now_s + 2 * window_s + KEEP_S
    await connection.execute(delete(rate_windows).where(or_(over, impossible)))
