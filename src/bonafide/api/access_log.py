"""One log line and one measurement for each request, when it is over.

Neither holds a path, a query string or a body: names of businesses and people stand in those. The route's template says enough.
"""

from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.api.routes import RouteTable
from bonafide.log import get_logger
from bonafide.metrics import Metrics
from bonafide.web.exchange import KnownRoute, exchange_of

UNMATCHED = KnownRoute("unmatched", ())
"""What a path that is none of ours is called: its own text would be anybody's, and there would be no end of them."""
CLIENT_CLOSED = 499
"""The status of a request whose caller left before the answer, as nginx counts it."""
_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_log = get_logger(__name__)


class AccessLog:
    """ASGI middleware that finds the request's route, and reports status and duration under its template."""

    def __init__(self, app: ASGIApp, routes: RouteTable, metrics: Metrics) -> None:
        self.app = app
        self.routes = routes
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request and report it, whatever becomes of it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        exchange_of(scope).route = self.routes.find(scope)
        status = CLIENT_CLOSED
        started = perf_counter()

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            self._report(scope, status, perf_counter() - started)

    def _report(self, scope: Scope, status: int, seconds: float) -> None:
        exchange = exchange_of(scope)
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        template = (exchange.route if exchange.route is not None else UNMATCHED).template
        self.metrics.observe_request(method, template, status, seconds)
        _log.info("request", method=method, route=template, status=status, code=exchange.error_code, ms=round(seconds * 1000, 1))
