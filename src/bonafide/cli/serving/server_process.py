"""Run one serving process: start, become ready, drain, close.

Told to stop, it says so at `/readyz` and goes on for as long as a load balancer takes to notice; then it accepts nobody any more,
finishes what is under way within the grace, and closes. How many processes there are is not its business.
"""

import asyncio
from collections.abc import Callable, Sequence
from socket import socket

from bonafide.app.application import create_ready_app
from bonafide.cli.serving.shutdown import ShutdownSignals
from bonafide.concurrency.executors import configure_executors
from bonafide.observability import log
from bonafide.runtime import Runtime, open_runtime
from bonafide.server.http_server import freeze_gc, serve_app
from bonafide.services.indexing.index_sync import sync_index
from bonafide.settings import Settings

_log = log.get_logger(__name__)


async def run_server(settings: Settings, sockets: Sequence[socket], on_ready: Callable[[ShutdownSignals], None]) -> None:
    """Serve on reserved sockets until told to stop. Raises what opening raises."""
    stopping = ShutdownSignals()
    await configure_executors()
    async with (
        open_runtime(settings) as runtime,
        sync_index(runtime),
        serve_app(await create_ready_app(runtime), sockets, settings.grace_s, stopping.hurry) as ended,
    ):
        freeze_gc()
        stopping.begin()
        on_ready(stopping)
        await _wait_for_first(ended, stopping.told)
        await _drain(runtime, ended, stopping)


async def _drain(runtime: Runtime, ended: asyncio.Event, stopping: ShutdownSignals) -> None:
    runtime.process_state.drain()
    _log.info("draining", seconds=runtime.settings.drain_s)
    if runtime.settings.drain_s > 0:
        await _wait_for_first(ended, stopping.hurry, within_s=runtime.settings.drain_s)


async def _wait_for_first(*events: asyncio.Event, within_s: float | None = None) -> None:
    """Wait for whichever of these comes first, or until the time is up."""
    waiting = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
