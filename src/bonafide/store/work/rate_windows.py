"""How many requests each caller has made in its window, for all nodes that share the database.

A caller is a digest: no address of a client is kept. A crash of PostgreSQL may empty the table, which costs counts and no more.
"""

from sqlalchemy import delete, or_, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.shared_tables import rate_windows

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


async def count_request(connection: AsyncConnection, caller: str, resets_at: int) -> tuple[int, int]:
    """Count a request in the window that resets at this Unix second; returns the requests in the window, and when it resets.

    A caller's window only ever moves on: a node whose clock is slow, or was set back, counts in the window that is there.
    """
    row = (await connection.execute(_COUNT, {"caller": caller, "resets_at": resets_at})).one()
    return row.used, row.resets_at


async def purge_expired(connection: AsyncConnection, now_s: float, window_s: int) -> None:
    """Forget windows that are over, and those that begin so late that only a wrong clock can have opened them."""
    over = rate_windows.c.resets_at < now_s - EXPIRY_GRACE_S
    impossible = rate_windows.c.resets_at > now_s + 2 * window_s + EXPIRY_GRACE_S
    await connection.execute(delete(rate_windows).where(or_(over, impossible)))
