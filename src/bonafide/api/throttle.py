"""Counts each request against its caller's limit before anything is done for it, and finds out who that caller is.

A valid key counts on itself, everything else on the client's address: guessing keys is limited too. The probes, the
documentation and the console are outside; a path that is nobody's is inside. It does not refuse a bad key: the endpoints do.
"""

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.api.auth import presented_key
from bonafide.api.rate_limit import RateLimiter
from bonafide.model.accounts.organizations import Principal
from bonafide.runtime import Runtime
from bonafide.services import accounts
from bonafide.services.key_usage import RequestCounter
from bonafide.web.client import ClientAddresses
from bonafide.web.exchange import KnownRoute, exchange_of

API_PREFIX = "/v1/"


class Throttle:
    """ASGI middleware that authenticates and limits."""

    def __init__(self, app: ASGIApp, runtime: Runtime, limiter: RateLimiter) -> None:
        self.app = app
        self._runtime = runtime
        self._limiter = limiter
        self._clients = ClientAddresses(runtime.settings.trusted_proxies)
        self._counter = RequestCounter(runtime)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request if its caller has any left. Raises `RateLimited`."""
        if scope["type"] == "http" and _is_limited(exchange_of(scope).route):
            await self._admit(scope)
        await self.app(scope, receive, send)

    async def _admit(self, scope: Scope) -> None:
        exchange = exchange_of(scope)
        exchange.caller = caller = await self._authenticate(scope)
        now = self._runtime.clock()
        if isinstance(caller, Principal):
            structlog.contextvars.bind_contextvars(organization_id=str(caller.organization_id), key_id=str(caller.key_id))
            usage = await self._limiter.hit(f"key:{caller.key_id}", caller.rate_limit, now)
            self._counter.count(caller, now, refused=usage.is_over)
        else:
            limit = self._runtime.settings.anonymous_rate_limit
            usage = await self._limiter.hit(f"address:{self._clients.find(scope)}", limit, now)
        exchange.headers.update(usage.headers)
        usage.check(now)

    async def _authenticate(self, scope: Scope) -> Principal | Exception:
        try:
            return await accounts.authenticate(self._runtime, presented_key(Headers(scope=scope)))
        except Exception as error:  # noqa: BLE001 - whoever needs the caller raises it; a path that is nobody's does not
            return error


def _is_limited(route: KnownRoute | None) -> bool:
    return route is None or route.template.startswith(API_PREFIX)
