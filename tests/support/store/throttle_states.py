"""Rests of live sources that are over at once: they go by a real clock, which no test waits for."""

from sqlalchemy import delete

from bonafide.runtime import Runtime
from bonafide.store.database.schema.shared_tables import paces


async def clear_throttle_states(runtime: Runtime) -> None:
    """No live source rests any more, whoever has kept that it does."""
    runtime.throttles.clear()
    async with runtime.store.write() as connection:
        await connection.execute(delete(paces))
