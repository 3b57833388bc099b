"""Run one serving process: start, become ready, drain, close.

While it starts, `/readyz` reports what it waits for. After a stop signal, `/readyz` reports that it drains, and it keeps serving
until load balancers have noticed. Then it accepts no further connections, finishes requests within the grace period, and closes.
`supervisor` runs several such processes.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from importlib import import_module
from socket import socket
from typing import TYPE_CHECKING

from bonafide.cli.serving.shutdown import ShutdownSignals
from bonafide.concurrency.executors import configure_executors
from bonafide.concurrency.process_tuning import freeze_gc
from bonafide.observability import log
from bonafide.server.http_server import serve_app
from bonafide.server.startup import StartingApp
from bonafide.settings import Settings

if TYPE_CHECKING:
    from bonafide.runtime import Runtime

_log = log.get_logger(__name__)


async def run_server(
    settings: Settings, sockets: Sequence[socket], on_ready: Callable[[ShutdownSignals], None], *, answer_early: bool = True
) -> None:
    """Serve on reserved sockets until a stop signal. Raises what opening raises.

    Without `answer_early`, no connection is accepted before the service is ready: other processes on the same sockets respond.
    """
    stopping = ShutdownSignals()
    await configure_executors()
    app = StartingApp(settings.anonymous_rate_limit, settings.rate_limit_window_s)
    serve = partial(serve_app, app, sockets, settings.grace_s, stopping.stop_now, app.get_limit_headers)
    # The server is closed first: the application needs the rest.
    async with AsyncExitStack() as opened, AsyncExitStack() as server:
        if answer_early:
            ended = await server.enter_async_context(serve())
        runtime = await _open(settings, app, opened)
        if not answer_early:
            ended = await server.enter_async_context(serve())
        freeze_gc()
        stopping.begin()
        on_ready(stopping)
        await _wait_for_first(ended, stopping.stop_requested)
        await _drain(runtime, ended, stopping)


async def _open(settings: Settings, app: StartingApp, opened: AsyncExitStack) -> "Runtime":
    """Open the service and pass requests to it."""
    await asyncio.to_thread(import_module, "bonafide.app.application")
    from bonafide.app.application import create_ready_app  # noqa: PLC0415 - takes seconds, in which the probes are served
    from bonafide.runtime import open_runtime  # noqa: PLC0415
    from bonafide.services.indexing.index_sync import sync_index  # noqa: PLC0415
    from bonafide.services.indexing.index_verification import verify_indexes  # noqa: PLC0415

    app.wait_for("the database")
    runtime = await opened.enter_async_context(open_runtime(settings))
    app.wait_for("published indexes")
    await opened.enter_async_context(sync_index(runtime))
    ready = await create_ready_app(runtime, app.wait_for)
    app.hand_over(ready, ready.state.limit_headers)
    await opened.enter_async_context(verify_indexes(runtime))
    return runtime


async def _drain(runtime: "Runtime", ended: asyncio.Event, stopping: ShutdownSignals) -> None:
    runtime.process_state.drain()
    _log.info("service.draining", seconds=runtime.settings.drain_s)
    if runtime.settings.drain_s > 0:
        await _wait_for_first(ended, stopping.stop_now, within_s=runtime.settings.drain_s)


async def _wait_for_first(*events: asyncio.Event, within_s: float | None = None) -> None:
    """Wait for the first of these events, or until the time is up."""
    waiting = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
