"""The service as an ASGI application for a server that starts its own processes: `uvicorn bonafide.asgi:application`.

Each process opens its own runtime when the server starts it. Nothing is opened at import.
"""

from contextlib import AsyncExitStack

from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide import log
from bonafide.application import ready_service
from bonafide.runtime import open_runtime
from bonafide.server import settle
from bonafide.services.index_following import following
from bonafide.settings import Settings


class Application:
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
            # A server that sees the exception alone takes it for "no lifespan here", and goes on to serve.
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._stack.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    async def _open(self) -> ASGIApp:
        settings = Settings()
        log.configure(settings.log_level)
        runtime = await self._stack.enter_async_context(open_runtime(settings))
        await self._stack.enter_async_context(following(runtime))
        app = await ready_service(runtime)
        settle()
        return app


application = Application()
