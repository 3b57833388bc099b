"""The ASGI application for a server that starts its own processes: `uvicorn bonafide.asgi:application`.

Each process opens its own runtime when the server starts it. Nothing is opened at import.
"""

import asyncio
import signal
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack
from types import FrameType
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.app.application import create_ready_app
from bonafide.concurrency.executors import configure_executors
from bonafide.concurrency.process_tuning import freeze_gc
from bonafide.observability import log
from bonafide.runtime import Runtime, open_runtime
from bonafide.server.private_files import restrict_new_files
from bonafide.services.indexing.index_sync import sync_index
from bonafide.services.indexing.index_verification import verify_indexes
from bonafide.settings import Settings


class AsgiApplication:
    """Opens the runtime at the server's start-up event, serves, and closes it at shutdown."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI conversation: the server's lifespan, or one request."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif self._app is not None:
            await self._app(scope, receive, send)
        else:
            raise RuntimeError("the server sent a request before its start-up event; run it with lifespan on")

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            self._app = await self._open()
        except Exception as error:
            # A server that only sees the exception would assume that there is no lifespan, and would serve.
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._stack.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    async def _open(self) -> ASGIApp:
        restrict_new_files()
        settings = Settings()
        log.configure(settings.log_level)
        await configure_executors()
        runtime = await self._stack.enter_async_context(open_runtime(settings))
        await self._stack.enter_async_context(sync_index(runtime))
        app = await create_ready_app(runtime)
        await self._stack.enter_async_context(verify_indexes(runtime))
        freeze_gc()
        if threading.current_thread() is threading.main_thread():
            _install_drain_handlers(runtime)
        return app


def _install_drain_handlers(runtime: Runtime) -> None:
    """Handle signals before the server, which would stop accepting at once, and forward them once the balancer has reacted."""
    for number in (signal.SIGINT, signal.SIGTERM):
        of_server = signal.getsignal(number)
        if callable(of_server):
            signal.signal(number, _create_drain_handler(runtime, of_server))


def _create_drain_handler(
    runtime: Runtime, of_server: Callable[[int, FrameType | None], Any]
) -> Callable[[int, FrameType | None], None]:
    loop = asyncio.get_running_loop()

    def heard(number: int, frame: FrameType | None) -> None:
        if runtime.process_state.is_draining:
            of_server(number, frame)  # the second signal stops immediately
            return
        runtime.process_state.drain()
        loop.call_soon_threadsafe(lambda: loop.call_later(runtime.settings.drain_s, of_server, number, None))

    return heard


application = AsgiApplication()
