"""Limit the requests under way and, among them, the expensive ones; the rest is refused with 503.

The probes and the metrics are always answered, and cheap requests do not wait for dear ones. How often a caller may come is the
business of `throttle`; the console's dear pages take their turns by `console/access`.
"""

import asyncio
import random

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.api.protocol.dependencies import prefers_async
from bonafide.concurrency.work_limiter import build_overload_error
from bonafide.errors import ServerBusy
from bonafide.model.accounts.organizations import Principal
from bonafide.runtime import Runtime
from bonafide.web.request_context import KnownRoute, get_request_context

UNLIMITED_ROUTES = frozenset({"/healthz", "/readyz", "/metrics"})
EXPENSIVE_ROUTES = frozenset(
    {
        ("POST", "/v1/search"),
        ("POST", "/v1/searches"),
        ("POST", "/v1/verify"),
        ("POST", "/v1/sanctions"),
        ("POST", "/v1/pdf"),
        ("POST", "/v1/business-reports"),
        ("GET", "/v1/business-reports/document"),
    }
)
"""What asks, compares or prints, as against what reads a row."""
WAIT_SHARE = 0.5
"""Of a search's deadline, for which a request waits for its turn: what is left must be worth having."""
GRACE_S = 5.0
"""After its deadline a search has ended by itself; whatever else is still under way then is given up."""
RETRY_S = (1, 2, 3)
"""After how long to come back when there are too many requests of any kind: not all at the same moment."""


class ConcurrencyLimit:
    """ASGI middleware that bounds the requests under way. While the service drains it asks each caller to connect anew."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self.app = app
        self._runtime = runtime
        self._under_way = 0
        runtime.metrics.watch_load(lambda: runtime.work_limiter.under_way, lambda: runtime.work_limiter.waiting)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request if there is room for it. Raises `ServerBusy`."""
        if scope["type"] != "http" or _is_unlimited(get_request_context(scope).route):
            await self.app(scope, receive, send)
            return
        if self._runtime.process_state.is_draining:
            get_request_context(scope).headers["Connection"] = "close"
        if self._under_way >= self._runtime.settings.max_requests:
            self._runtime.metrics.count_refused("requests")
            raise build_overload_error(random.choice(RETRY_S))  # noqa: S311 - nobody must not guess it
        self._under_way += 1
        try:
            await self.app(scope, receive, send)
        except asyncio.CancelledError:
            if not self._runtime.process_state.is_draining:
                raise
            # The server has given it up; its caller should hear of it.
            raise ServerBusy("The service has stopped before this was done; try again.") from None
        finally:
            self._under_way -= 1


class ExpensiveWorkLimit:
    """ASGI middleware that lets a known caller's dear request wait for its turn. What will be refused anyway needs none."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self.app = app
        self._runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request in its turn. Raises `ServerBusy`."""
        caller = get_request_context(scope).caller if scope["type"] == "http" and _is_expensive(scope) else None
        if not isinstance(caller, Principal):
            await self.app(scope, receive, send)
            return
        limit_s = self._runtime.settings.search_deadline_s + GRACE_S
        try:
            async with self._runtime.work_slot(str(caller.organization_id), WAIT_SHARE), asyncio.timeout(limit_s) as limit:
                await self.app(scope, receive, send)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise ServerBusy("The request could not be answered within its deadline; try again.") from error


def _is_unlimited(route: KnownRoute | None) -> bool:
    return route is not None and route.template in UNLIMITED_ROUTES


def _is_expensive(scope: Scope) -> bool:
    route = get_request_context(scope).route
    return route is not None and (scope["method"], route.template) in EXPENSIVE_ROUTES and not prefers_async(Headers(scope=scope))
