"""Log and measure each completed request under its route template.

Logs and metrics contain no path, query string or body, because these contain names of businesses and people.
"""

from time import perf_counter

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from bonafide.observability.log import get_logger, mask_secrets
from bonafide.observability.metrics import Metrics
from bonafide.observability.tracing import METHOD, REQUEST, Span, Tracer, trace_id
from bonafide.web.request_context import KnownRoute, get_request_context
from bonafide.web.routing import RouteTable

UNMATCHED = KnownRoute("unmatched", ())
"""The route of unknown paths. Their own text would be unbounded."""
CLIENT_CLOSED_REQUEST = 499
"""The status of a request whose caller disconnected before the response, as in nginx."""
TRACEPARENT = "traceparent"
"""The header that names the trace of the caller (W3C Trace Context)."""
_FAILED = 500
_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_log = get_logger(__name__)


class AccessLog:
    """ASGI middleware that finds the request's route, and reports status and duration under its template."""

    def __init__(self, app: ASGIApp, routes: RouteTable, metrics: Metrics, tracer: Tracer) -> None:
        self.app = app
        self.routes = routes
        self.metrics = metrics
        self.tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request and report it, even if it fails."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        context = get_request_context(scope)
        context.route, context.parameters = self.routes.find(scope)
        self.metrics.gauges.requests_in_flight += 1
        try:
            await self._serve(scope, receive, send)
        finally:
            self.metrics.gauges.requests_in_flight -= 1

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = CLIENT_CLOSED_REQUEST
        started = perf_counter()

        async def send_and_record(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        method, template = _label_request(scope)
        with self._span(scope, method, template) as span:
            _bind_trace_id(trace_id())
            try:
                await self.app(scope, receive, send_and_record)
            finally:
                span.set("http.response.status_code", status)
                if status >= _FAILED:
                    span.fail(str(status))
                self._report(scope, status, perf_counter() - started)

    def _span(self, scope: Scope, method: str, template: str) -> Span:
        given = Headers(scope=scope).getlist(TRACEPARENT) if self.tracer.is_on else []
        attributes = {METHOD: method, "http.route": template, REQUEST: mask_secrets(get_request_context(scope).request_id)}
        return self.tracer.begin(f"{method} {template}", attributes, parent=given[0] if len(given) == 1 else None)

    def _report(self, scope: Scope, status: int, seconds: float) -> None:
        context = get_request_context(scope)
        method, template = _label_request(scope)
        self.metrics.observe_request(method, template, status, seconds)
        _log.info(
            "request.completed", method=method, route=template, status=status, code=context.error_code, ms=round(seconds * 1000, 1)
        )


def _bind_trace_id(trace: str | None) -> None:
    if trace is not None:
        bind_contextvars(trace_id=trace)


def _label_request(scope: Scope) -> tuple[str, str]:
    """The method and the template of a request, each one of a closed set."""
    route = get_request_context(scope).route
    return scope["method"] if scope["method"] in _METHODS else "OTHER", (route if route is not None else UNMATCHED).template
