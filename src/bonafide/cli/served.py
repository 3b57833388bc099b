"""One process that serves: opened, ready, draining, closed.

Told to stop, it says so at `/readyz` and goes on for as long as a load balancer takes to notice; then it accepts nobody any more,
finishes what is under way within the grace, and closes. How many processes there are is not its business.
"""

import asyncio
from collections.abc import Callable, Sequence
from socket import socket

from bonafide import log
from bonafide.application import ready_service
from bonafide.cli.stopping import Stopping
from bonafide.runtime import Runtime, open_runtime
from bonafide.server import served, settle
from bonafide.services.index_following import following
from bonafide.settings import Settings
from bonafide.threads import bound_threads

_log = log.get_logger(__name__)


async def serve_on(settings: Settings, sockets: Sequence[socket], on_ready: Callable[[Stopping], None]) -> None:
    """Serve on reserved sockets until told to stop. Raises what opening raises."""
    stopping = Stopping()
    await bound_threads()
    async with (
        open_runtime(settings) as runtime,
        following(runtime),
        served(await ready_service(runtime), sockets, settings.grace_s, stopping.hurry) as ended,
    ):
        settle()
        stopping.begin()
        on_ready(stopping)
        await _first(ended, stopping.told)
        await _drain(runtime, ended, stopping)


async def _drain(runtime: Runtime, ended: asyncio.Event, stopping: Stopping) -> None:
    runtime.life.drain()
    _log.info("draining", seconds=runtime.settings.drain_s)
    if runtime.settings.drain_s > 0:
        await _first(ended, stopping.hurry, within_s=runtime.settings.drain_s)


async def _first(*events: asyncio.Event, within_s: float | None = None) -> None:
    """Wait for whichever of these comes first, or until the time is up."""
    waiting = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
