"""Leases in the database: one process of all machines holds one at a time, and renews it while it works.

Who dies loses it when it runs out. It saves work and is no proof: what is done in a turn must bear that another has taken it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from time import monotonic
from uuid import uuid4

import anyio

from bonafide.errors import BonafideError, RefreshRefused
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.store.work import leases

LEASE_DURATION = timedelta(seconds=30)
"""So long others wait for a builder that was killed."""
RENEW_EVERY_S = 5.0
RELEASE_WITHIN_S = 5
_log = get_logger(__name__)


class Lease:
    """A lease that this process has, as far as it knows."""

    def __init__(self) -> None:
        self._until = 0.0
        self.renewed()

    def renewed(self) -> None:
        """It is held from now on."""
        self._until = monotonic() + LEASE_DURATION.total_seconds()

    def lost(self) -> None:
        """Another has it."""
        self._until = 0.0

    @property
    def is_held(self) -> bool:
        """Whether nobody else can have it yet."""
        return monotonic() < self._until


@asynccontextmanager
async def hold_lease(runtime: Runtime, name: str) -> AsyncIterator[Lease]:
    """Have a turn while the block runs. Raises `RefreshRefused` while another has it, `ServerBusy` when the database is away."""
    holder, turn = f"{_get_node_name(runtime)}:{uuid4().hex[:8]}", Lease()
    async with runtime.store.write() as connection:
        now = runtime.clock()
        if not await leases.acquire(connection, name, holder, now, now + LEASE_DURATION):
            raise RefreshRefused(f"{name} is being built by another machine")
    renewal = asyncio.create_task(_renewal_loop(runtime, name, holder, turn))
    try:
        yield turn
    finally:
        renewal.cancel()
        await asyncio.gather(renewal, return_exceptions=True)
        await _release(runtime, name, holder)


async def _renewal_loop(runtime: Runtime, name: str, holder: str, turn: Lease) -> None:
    while True:
        await asyncio.sleep(RENEW_EVERY_S)
        try:
            async with runtime.store.write() as connection:
                renewed = await leases.renew(connection, name, holder, runtime.clock() + LEASE_DURATION)
        except BonafideError:
            continue  # the database is away: the lease outlasts a few beats
        if renewed:
            turn.renewed()
        else:
            _log.warning("another machine has taken over", lease=name)
            turn.lost()


async def _release(runtime: Runtime, name: str, holder: str) -> None:
    with anyio.move_on_after(RELEASE_WITHIN_S, shield=True):
        try:
            async with runtime.store.write() as connection:
                await leases.release(connection, name, holder)
        except BonafideError as error:
            _log.warning("lease not given back", lease=name, problem=error.message)


def _get_node_name(runtime: Runtime) -> str:
    return runtime.index_sync.node if runtime.index_sync is not None else "alone"
