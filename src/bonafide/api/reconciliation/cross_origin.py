"""Let pages of other sites use the reconciliation service (CORS), as its protocol requires.

They gain nothing by it: a request needs an API key in a header or in its path, and cookies do not count.
"""

from types import MappingProxyType

from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.api.protocol.reconciliation_paths import is_reconciliation_route
from bonafide.web.request_context import get_request_context

HEADERS = MappingProxyType({
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Authorization, X-API-Key, Content-Type, Accept-Language",
    "Access-Control-Expose-Headers": "Retry-After, X-Request-Id",
    "Access-Control-Max-Age": "86400",
})  # fmt: skip


class CrossOriginHeaders:
    """ASGI middleware that adds the headers to every response of the service, whatever its status."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http":
            context = get_request_context(scope)
            if is_reconciliation_route(context.route):
                context.headers.update(HEADERS)
        await self.app(scope, receive, send)
