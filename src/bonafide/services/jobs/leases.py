"""Leases in the database: one process of all machines holds a lease at a time, and renews it while it works.

The lease of a dead process expires. A lease avoids duplicate work but is not a lock: the work must tolerate that another process
takes the lease over.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from time import monotonic
from uuid import uuid4

import anyio

from bonafide.errors import BonafideError, RefreshRefused
from bonafide.i18n.message import Message
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.store.work import shared_state

LEASE_DURATION = timedelta(seconds=30)
"""How long other processes wait after the holder was killed."""
RENEW_EVERY_S = 5.0
RELEASE_WITHIN_S = 5
_log = get_logger(__name__)


class Lease:
    """A lease that this process holds according to its last renewal."""

    def __init__(self) -> None:
        self._until = 0.0
        self.mark_renewed()

    def mark_renewed(self) -> None:
        """Hold it for another duration from now on."""
        self._until = monotonic() + LEASE_DURATION.total_seconds()

    def mark_lost(self) -> None:
        """Record that another process holds it."""
        self._until = 0.0

    @property
    def is_held(self) -> bool:
        """Whether no other process can hold it yet."""
        return monotonic() < self._until


@asynccontextmanager
async def hold_lease(runtime: Runtime, name: str) -> AsyncIterator[Lease]:
    """Hold a lease while the block runs. Raises `RefreshRefused` if another machine holds it, `ServerBusy` without a database."""
    node = runtime.index_sync.node if runtime.index_sync is not None else "alone"
    holder, lease = f"{node}:{uuid4().hex[:8]}", Lease()
    async with runtime.store.write() as connection:
        now = runtime.clock()
        if not await shared_state.acquire_lease(connection, name, holder, now, now + LEASE_DURATION):
            raise RefreshRefused(Message("Another machine is building {name}.", name=name))
    renewal = asyncio.create_task(_renewal_loop(runtime, name, holder, lease))
    try:
        yield lease
    finally:
        renewal.cancel()
        await asyncio.gather(renewal, return_exceptions=True)
        await _release(runtime, name, holder)


async def _renewal_loop(runtime: Runtime, name: str, holder: str, lease: Lease) -> None:
    while True:
        await asyncio.sleep(RENEW_EVERY_S)
        try:
            async with runtime.store.write() as connection:
                renewed = await shared_state.renew_lease(connection, name, holder, runtime.clock() + LEASE_DURATION)
        except BonafideError:
            continue  # the database is unavailable: the lease outlasts a few renewals
        if renewed:
            lease.mark_renewed()
        else:
            _log.warning("lease.lost", lease=name)
            lease.mark_lost()


async def _release(runtime: Runtime, name: str, holder: str) -> None:
    with anyio.move_on_after(RELEASE_WITHIN_S, shield=True):
        try:
            async with runtime.store.write() as connection:
                await shared_state.release_lease(connection, name, holder)
        except BonafideError as error:
            _log.warning("lease.not_released", lease=name, problem=error.message)
