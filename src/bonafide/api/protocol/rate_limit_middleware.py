"""Authenticate each request and count it against the rate limit of its caller.

A request with a valid key counts against the key, any other against the client's address, so that guessing keys is limited too.
Probes, documentation and console are not limited; unknown paths are. Endpoints, not this middleware, refuse a bad key.
"""

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.api.protocol.auth import extract_api_key
from bonafide.api.protocol.rate_limiter import RateLimiter
from bonafide.model.accounts.organizations import Principal
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.accounts.api_key_usage import KeyUsageCounter
from bonafide.web.client_address import ClientAddressResolver
from bonafide.web.request_context import KnownRoute, get_request_context

API_PREFIX = "/v1/"


class RateLimitMiddleware:
    """ASGI middleware that authenticates and limits."""

    def __init__(self, app: ASGIApp, runtime: Runtime, limiter: RateLimiter) -> None:
        self.app = app
        self._runtime = runtime
        self._limiter = limiter
        self._clients = ClientAddressResolver(runtime.settings.trusted_proxies)
        self._counter = KeyUsageCounter(runtime)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request if its caller is within the limit. Raises `RateLimited`."""
        if scope["type"] == "http" and _is_rate_limited(get_request_context(scope).route):
            await self._authenticate_and_count(scope)
        await self.app(scope, receive, send)

    async def _authenticate_and_count(self, scope: Scope) -> None:
        context = get_request_context(scope)
        context.caller = caller = await self._authenticate(scope)
        now = self._runtime.clock()
        if isinstance(caller, Principal):
            structlog.contextvars.bind_contextvars(organization_id=str(caller.organization_id), key_id=str(caller.key_id))
            usage = await self._limiter.hit(f"key:{caller.key_id}", caller.rate_limit, now)
            self._counter.count(caller, now, refused=usage.is_over)
        else:
            limit = self._runtime.settings.anonymous_rate_limit
            usage = await self._limiter.hit(f"address:{self._clients.find(scope)}", limit, now)
        context.headers.update(usage.headers)
        usage.check(now)

    async def _authenticate(self, scope: Scope) -> Principal | Exception:
        try:
            return await api_access.authenticate(self._runtime, extract_api_key(Headers(scope=scope)))
        except Exception as error:  # noqa: BLE001 - an endpoint that needs the caller raises it; an unknown path does not
            return error


def _is_rate_limited(route: KnownRoute | None) -> bool:
    return route is None or route.template.startswith(API_PREFIX)
