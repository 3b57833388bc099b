"""Limit the requests under way and, among them, the expensive ones; the rest is refused with 503.

Probes and metrics are not limited, and cheap requests do not wait for expensive ones. `rate_limit` limits how often a
caller may call; the console's expensive pages wait for slots in `console/frame/console_request`.
"""

import asyncio
import random

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.api.protocol.dependencies import prefers_async
from bonafide.concurrency.work_limiter import build_overload_error
from bonafide.errors import ServerBusy
from bonafide.i18n.message import Message
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
"""Operations that query sources, compare or print, rather than read a row."""
WAIT_SHARE = 0.5
"""The share of a search's deadline for which a request may wait for a slot."""
GRACE_S = 5.0
"""Added to a search's deadline, after which any request is cancelled."""
RETRY_S = (1, 2, 3)
"""`Retry-After` when there are too many requests of any kind, chosen at random to spread the retries."""


class ConcurrencyLimit:
    """ASGI middleware that bounds the requests under way. While the service drains, it closes connections."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self.app = app
        self._runtime = runtime
        self._under_way = 0
        runtime.metrics.watch_load(lambda: runtime.work_limiter.under_way, lambda: runtime.work_limiter.waiting)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request if the limit allows it. Raises `ServerBusy`."""
        if scope["type"] != "http" or _is_unlimited(get_request_context(scope).route):
            await self.app(scope, receive, send)
            return
        if self._runtime.process_state.is_draining:
            get_request_context(scope).headers["Connection"] = "close"
        if self._under_way >= self._runtime.settings.max_requests:
            self._runtime.metrics.count_refused("requests")
            raise build_overload_error(random.choice(RETRY_S))  # noqa: S311 - not a secret
        self._under_way += 1
        try:
            await self.app(scope, receive, send)
        except asyncio.CancelledError:
            if not self._runtime.process_state.is_draining:
                raise
            # The server has cancelled it; the caller receives a response.
            raise ServerBusy(Message("The service is restarting. Try again.")) from None
        finally:
            self._under_way -= 1


class ExpensiveWorkLimit:
    """ASGI middleware that lets an authenticated caller's expensive request wait for a slot."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self.app = app
        self._runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request in a slot. Raises `ServerBusy`."""
        caller = get_request_context(scope).caller if scope["type"] == "http" and _is_expensive(scope) else None
        if not isinstance(caller, Principal):
            await self.app(scope, receive, send)
            return
        limit_s = self._runtime.settings.search_deadline_s + GRACE_S
        try:
            async with self._runtime.hold_work_slot(str(caller.organization_id), WAIT_SHARE), asyncio.timeout(limit_s) as limit:
                await self.app(scope, receive, send)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise ServerBusy(Message("The request did not finish within its deadline. Try again.")) from error


def _is_unlimited(route: KnownRoute | None) -> bool:
    return route is not None and route.template in UNLIMITED_ROUTES


def _is_expensive(scope: Scope) -> bool:
    route = get_request_context(scope).route
    return route is not None and (scope["method"], route.template) in EXPENSIVE_ROUTES and not prefers_async(Headers(scope=scope))
