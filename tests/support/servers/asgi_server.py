"""Real HTTP servers for tests: an ASGI application on a free loopback port, in the test's own event loop."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.types import ASGIApp

from bonafide.server import http_server


@asynccontextmanager
async def served(app: ASGIApp) -> AsyncIterator[str]:
    """Serve the application while the block runs; gives its address, `http://127.0.0.1:<port>`."""
    sockets = http_server.bind_sockets("127.0.0.1", 0)
    state = getattr(app, "state", None)
    limit_headers = getattr(state, "limit_headers", http_server.no_limit_headers)
    async with http_server.serve_app(app, sockets, grace_s=1, limit_headers=limit_headers):
        yield f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
