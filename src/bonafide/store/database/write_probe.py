"""Write to the database, to find out whether it can be written: its disk may be full, its file or its server read-only."""

import secrets
import sqlite3
from datetime import datetime

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bonafide.errors import ServerBusy
from bonafide.store.database.engine import Store
from bonafide.store.database.rows import build_insert
from bonafide.store.database.schema.shared_tables import leases

PROBE = "readiness"
"""The name of the row that is written. It is a lease that nobody acquires, because it has always expired."""
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


async def find_write_problem(store: Store, now: datetime) -> str | None:
    """Write one row and commit. Returns the database's error; None if it was written, or is only busy with other writes."""
    holder = secrets.token_hex(8)  # SQLite writes nothing to disk for a row that stays the same
    try:
        async with store.write() as connection:
            row = build_insert(connection, leases).values(name=PROBE, holder=holder, until=now)
            written = row.on_conflict_do_update(index_elements=["name"], set_={"holder": holder, "until": now})
            await connection.execute(written)
    except (ServerBusy, DBAPIError) as error:
        return _describe(error.__cause__ if isinstance(error, ServerBusy) else error)
    return None


def _describe(error: BaseException | None) -> str | None:
    if error is None or isinstance(error, PoolTimeout):  # the store is closing, or other writes take their time
        return None
    original = error.orig if isinstance(error, DBAPIError) else error
    # The low byte of SQLite's error code is its primary code.
    if isinstance(original, sqlite3.Error) and getattr(original, "sqlite_errorcode", 0) & 0xFF in _BUSY:
        return None
    return str(original).partition("\n")[0]
