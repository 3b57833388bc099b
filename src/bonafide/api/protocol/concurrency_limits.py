"""Limit the requests under way and, among them, the expensive ones; the rest is refused with 503.

Probes and metrics are not limited, and cheap requests do not wait for expensive ones. Bodies that are being received are limited
separately (`concurrency/request_admission`). Refusals of a client that repeats refused requests at once are delayed. `rate_limit`
limits how often a caller may call; the console's expensive pages wait for slots in `console/frame/console_request`.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import UUID

from fastapi import Request
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.api.protocol.dependencies import prefers_async
from bonafide.concurrency.request_admission import RequestAdmission
from bonafide.concurrency.work_limiter import ShareExceeded
from bonafide.errors import BodyTooLarge, RateLimited, ServerBusy
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal
from bonafide.runtime import Runtime
from bonafide.web.client_address import ClientAddressResolver, get_client_resolver
from bonafide.web.request_context import KnownRoute, RequestContext, get_request_context

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
MIN_REFUSAL_DELAY_S = 0.5
"""How long the refusal of a body that is too large is delayed, and of a caller that exceeds its own share or far exceeds its rate
limit."""
MAX_REFUSAL_DELAY_S = 10.0
QUEUED_WAIT_S = 2.0
"""How long a request whose work is done later may wait for a slot."""
REFUSALS_PER_S = 20
"""Delays grow with the number of refusals that one caller waits for, so that each caller gets about this many a second."""
GRACE_S = 5.0
"""Added to a search's deadline, after which any request is cancelled."""


class ConcurrencyLimit:
    """ASGI middleware that bounds the requests under way. While the service drains, it closes connections."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self.app = app
        self._runtime = runtime
        settings, metrics, work = runtime.settings, runtime.metrics, runtime.work_limiter
        self._admission = admission = RequestAdmission(
            settings.max_requests, settings.max_incoming_bodies, settings.max_incoming_bodies_per_client, metrics.count_refused
        )
        metrics.watch_load(lambda: work.under_way, lambda: work.waiting, lambda: admission.incoming)
        self._clients = get_client_resolver(settings.trusted_proxies)
        self._refusals: Counter[str] = Counter()
        """How many refusals each caller waits for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request if the limit allows it. Raises `ServerBusy`."""
        if scope["type"] != "http" or _is_unlimited(get_request_context(scope).route):
            await self.app(scope, receive, send)
            return
        context = get_request_context(scope)
        if self._runtime.process_state.is_draining:
            context.headers["Connection"] = "close"
        try:
            with self._admission.count_request():
                context.admission = self._admission
                await self.app(scope, receive, send)
        except (ShareExceeded, BodyTooLarge, RateLimited) as error:
            # No longer counted. A client that repeats the request at once would otherwise keep the event loop busy with refusals.
            if not isinstance(error, RateLimited) or context.is_flood:
                await self._delay_refusal(_identify_sender(context, scope, self._clients))
            raise
        except asyncio.CancelledError:
            if not self._runtime.process_state.is_draining:
                raise
            # The server has cancelled it; the caller receives a response.
            raise ServerBusy(Message("The service is restarting. Try again.")) from None

    async def _delay_refusal(self, sender: str) -> None:
        self._refusals[sender] += 1
        try:
            await asyncio.sleep(compute_refusal_delay_s(self._refusals[sender]))
        finally:
            self._refusals[sender] -= 1
            if self._refusals[sender] == 0:
                del self._refusals[sender]


def compute_refusal_delay_s(waiting: int) -> float:
    """How long a refusal is delayed if its caller waits for this many refusals, itself included."""
    return min(max(MIN_REFUSAL_DELAY_S, waiting / REFUSALS_PER_S), MAX_REFUSAL_DELAY_S)


class CallerConcurrencyLimit:
    """ASGI middleware, behind authentication, that bounds the requests under way of one organization or client address."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self.app = app
        self._runtime = runtime
        self._clients = get_client_resolver(runtime.settings.trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request if the caller has fewer than its share. Raises `ServerBusy`."""
        context = get_request_context(scope) if scope["type"] == "http" else None
        if context is None or context.admission is None:
            await self.app(scope, receive, send)
            return
        context.sender = _identify_sender(context, scope, self._clients)
        if _is_expensive(scope) and isinstance(context.caller, Principal):
            self._runtime.check_work_share(context.caller.organization_id)
        with context.admission.count_caller(context.sender):
            await self.app(scope, receive, send)


async def run_in_work_slot(request: Request, run: Callable[[], Awaitable[Response]]) -> Response:
    """Run an expensive operation in a work slot, within its time limit. Raises `ServerBusy`.

    The body has been read and validated before, so that no slot waits for a caller.
    """
    runtime: Runtime = request.app.state.runtime
    organization_id = get_request_context(request.scope).principal.organization_id
    if prefers_async(request.headers):
        async with _hold_available_slot(runtime, organization_id):
            return await run()
    async with hold_limited_slot(runtime, organization_id):
        return await run()


@asynccontextmanager
async def hold_limited_slot(runtime: Runtime, organization_id: UUID) -> AsyncIterator[None]:
    """Hold a work slot for expensive work, which ends within its time limit. Raises `ServerBusy`."""
    limit_s = runtime.settings.search_deadline_s + GRACE_S
    try:
        async with runtime.hold_work_slot(organization_id, WAIT_SHARE), asyncio.timeout(limit_s) as limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise ServerBusy(Message("The request did not finish within its deadline. Try again.")) from error


@asynccontextmanager
async def _hold_available_slot(runtime: Runtime, organization_id: UUID) -> AsyncIterator[None]:
    """Hold a work slot if one becomes free soon. Work that a worker does later is accepted without one too.

    Raises `ShareExceeded` for an organization that has used its own share.
    """
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(runtime.work_limiter.slot(str(organization_id), QUEUED_WAIT_S))
        except ShareExceeded:
            runtime.metrics.count_refused("work")
            raise
        except ServerBusy:
            pass
        yield


def _identify_sender(context: RequestContext, scope: Scope, clients: ClientAddressResolver) -> str:
    if isinstance(context.caller, Principal):
        return f"organization:{context.caller.organization_id}"
    return f"address:{clients.find(scope)}"


def _is_expensive(scope: Scope) -> bool:
    route = get_request_context(scope).route
    return route is not None and (scope["method"], route.template) in EXPENSIVE_ROUTES and not prefers_async(Headers(scope=scope))


def _is_unlimited(route: KnownRoute | None) -> bool:
    return route is not None and route.template in UNLIMITED_ROUTES
