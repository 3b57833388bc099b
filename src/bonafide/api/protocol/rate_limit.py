"""Authenticate each request and count it against the rate limit of its caller, in fixed windows.

A request with a valid key counts against the key, any other against the client's address, so that guessing keys is limited too.
Probes, documentation and console are not limited; unknown paths are. Endpoints, not this middleware, reject an invalid key. If the
database is unavailable, a key can't be checked: the response is 503, and nothing is counted. A window starts at a whole multiple
of its length, so it resets at the same second for every caller. Requests of SCIM carry a provisioning token instead of a key, and
those of the reconciliation service may carry the key in their path.
`services/operations/rate_counters` is the counter that all nodes share. While it is unavailable, each node counts by itself, and no
request fails.
"""

from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hmac import compare_digest
from math import ceil
from typing import Protocol
from uuid import UUID

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as ServerMessage

from bonafide.api.protocol.dependencies import extract_api_key
from bonafide.api.protocol.reconciliation_paths import PREFIX, find_path_key
from bonafide.api.protocol.scim_errors import SCIM_PREFIX, is_scim_request
from bonafide.errors import ExpiredApiKey, InvalidApiKey, MissingApiKey, RateLimited, RevokedApiKey, ServerBusy
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import ApiKey, Principal
from bonafide.net.circuit_breaker import DependencyUnavailable
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.accounts.api_key_usage import KeyUsageCounter
from bonafide.services.operations.rate_counters import RateCounter, create_shared_counter, pseudonymize
from bonafide.services.provisioning import tokens
from bonafide.web.client_address import get_client_resolver
from bonafide.web.request_context import KnownRoute, get_request_context

MAX_CALLERS = 100_000
"""Callers counted at once (about 20 MB); beyond that the least recently active one is dropped."""
FLOOD_FACTOR = 2
"""A caller that sends this many times its limit ignores `Retry-After`."""
LIMITED_PREFIXES = ("/v1/", f"{SCIM_PREFIX}/", "/mcp", PREFIX)
LIMIT_HEADER = "X-RateLimit-Limit"
INVALID_KEYS = (MissingApiKey, InvalidApiKey, RevokedApiKey, ExpiredApiKey)
"""The errors after which a request counts against its address. After any other the caller is not known."""


@dataclass(frozen=True, slots=True)
class RateLimitUsage:
    """How much of its window a caller has used. `used` includes this request; `resets_at` is a Unix timestamp."""

    limit: int
    used: int
    resets_at: int

    @property
    def is_over(self) -> bool:
        """Whether this request exceeds the limit."""
        return self.used > self.limit

    @property
    def headers(self) -> dict[str, str]:
        """The three headers of every response."""
        remaining = max(0, self.limit - self.used)
        return {
            LIMIT_HEADER: str(self.limit),
            "X-RateLimit-Remaining": str(remaining),
            "X-RateLimit-Reset": str(self.resets_at),
        }

    def check(self, now: datetime) -> None:
        """Raises `RateLimited` with the time to wait if this request exceeds the limit."""
        if self.is_over:
            wait = max(1, ceil(self.resets_at - now.timestamp()))
            message = Message(
                "Rate limit of {limit} requests per window exceeded. Retry in {seconds} s.", limit=self.limit, seconds=wait
            )
            raise RateLimited(message, headers={"Retry-After": str(wait)})


class RateLimiter(Protocol):
    """Counts requests by caller."""

    async def hit(self, caller: str, limit: int, now: datetime) -> RateLimitUsage:
        """Count one request of `caller`, who may make `limit` a window."""

    def peek(self, caller: str, limit: int, now: datetime) -> RateLimitUsage:
        """The usage of `caller` as far as this process knows it. Nothing is counted."""


class MemoryRateLimiter:
    """Counts in this process. Windows are `window_s` seconds."""

    def __init__(self, window_s: int) -> None:
        self._window_s = window_s
        self._window = 0
        self._used: OrderedDict[str, int] = OrderedDict()

    async def hit(self, caller: str, limit: int, now: datetime) -> RateLimitUsage:
        """Count one request of `caller`, who may make `limit` a window."""
        self._advance_window(int(now.timestamp()) // self._window_s)
        used = self._used.pop(caller, 0) + 1
        self._used[caller] = used
        if len(self._used) > MAX_CALLERS:
            self._used.popitem(last=False)
        return RateLimitUsage(limit, used, (self._window + 1) * self._window_s)

    def peek(self, caller: str, limit: int, now: datetime) -> RateLimitUsage:
        """The usage of `caller`. Nothing is counted."""
        self._advance_window(int(now.timestamp()) // self._window_s)
        return RateLimitUsage(limit, self._used.get(caller, 0), (self._window + 1) * self._window_s)

    def _advance_window(self, window: int) -> None:
        # A clock that is set back must not give everyone a fresh window.
        if window > self._window:
            self._window = window
            self._used.clear()


class SharedRateLimiter:
    """Counts for all nodes. While the shared counter is unavailable, it counts this process's own requests of the window."""

    def __init__(self, counter: RateCounter, window_s: int, secret: bytes) -> None:
        self._counter = counter
        self._window_s = window_s
        self._secret = secret
        self._own = MemoryRateLimiter(window_s)

    async def hit(self, caller: str, limit: int, now: datetime) -> RateLimitUsage:
        """Count one request of `caller`, who may make `limit` a window."""
        own = await self._own.hit(caller, limit, now)
        resets_at = (int(now.timestamp()) // self._window_s + 1) * self._window_s
        try:
            return RateLimitUsage(limit, *await self._counter.count(pseudonymize(self._secret, caller), resets_at))
        except DependencyUnavailable:
            return own

    def peek(self, caller: str, limit: int, now: datetime) -> RateLimitUsage:
        """The usage of `caller` by the count of this process. Nothing is counted."""
        return self._own.peek(caller, limit, now)


def create_rate_limiter(runtime: Runtime) -> RateLimiter:
    """The limiter that the settings name."""
    window_s, counter = runtime.settings.rate_limit_window_s, create_shared_counter(runtime)
    return SharedRateLimiter(counter, window_s, runtime.signing_key) if counter is not None else MemoryRateLimiter(window_s)


class RateLimitHeaders:
    """ASGI middleware that adds the headers of their caller's window to responses to requests that are not counted.

    These are probes, documentation and refusals at capacity. `RateLimitMiddleware` sets the headers of counted requests.
    """

    def __init__(self, app: ASGIApp, runtime: Runtime, limiter: RateLimiter) -> None:
        self.app = app
        self._runtime = runtime
        self._limiter = limiter
        self._clients = get_client_resolver(runtime.settings.trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        context = get_request_context(scope)

        async def send_with_headers(message: ServerMessage) -> None:
            if message["type"] == "http.response.start" and LIMIT_HEADER not in context.headers:
                context.headers.update(self._peek(scope).headers)
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _peek(self, scope: Scope) -> RateLimitUsage:
        now = self._runtime.clock()
        key = self._find_known_key(scope)
        if key is not None:
            return self._limiter.peek(_name_key(key.id), key.rate_limit, now)
        return self._limiter.peek(_name_client(self._clients.find(scope)), self._runtime.settings.anonymous_rate_limit, now)

    def _find_known_key(self, scope: Scope) -> ApiKey | None:
        try:
            return api_access.find_known_key(self._runtime, _extract_key(scope))
        except INVALID_KEYS:
            return None


def peek_client_headers(runtime: Runtime, limiter: RateLimiter, address: str) -> dict[str, str]:
    """The headers of the window of a client address, without counting a request."""
    client = get_client_resolver("").find({"client": (address, 0), "headers": []})
    return limiter.peek(_name_client(client), runtime.settings.anonymous_rate_limit, runtime.clock()).headers


class RateLimitMiddleware:
    """ASGI middleware that authenticates and limits."""

    def __init__(self, app: ASGIApp, runtime: Runtime, limiter: RateLimiter) -> None:
        self.app = app
        self._runtime = runtime
        self._limiter = limiter
        self._clients = get_client_resolver(runtime.settings.trusted_proxies)
        self._counter = KeyUsageCounter(runtime)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request if its caller is within the limit. Raises `RateLimited`."""
        if scope["type"] == "http" and _is_rate_limited(get_request_context(scope).route):
            await self._authenticate_and_count(scope)
        await self.app(scope, receive, send)

    async def _authenticate_and_count(self, scope: Scope) -> None:
        context, is_scim = get_request_context(scope), is_scim_request(scope)
        authenticate = tokens.authenticate if is_scim else api_access.authenticate
        try:
            context.caller = await authenticate(self._runtime, _extract_key(scope))
        except INVALID_KEYS as error:
            # An endpoint that needs the caller raises it; an unknown path does not.
            context.caller = error
        except ServerBusy as error:
            context.caller = error
            return
        caller = context.caller
        now = self._runtime.clock()
        if isinstance(caller, Principal):
            structlog.contextvars.bind_contextvars(organization_id=str(caller.organization_id), key_id=str(caller.key_id))
            usage = await self._limiter.hit(_name_key(caller.key_id), caller.rate_limit, now)
            if not is_scim:
                self._counter.count(caller, now, refused=usage.is_over)
        else:
            limit = self._runtime.settings.anonymous_rate_limit
            usage = await self._limiter.hit(_name_client(self._clients.find(scope)), limit, now)
        context.headers.update(usage.headers)
        context.is_flood = usage.used > FLOOD_FACTOR * usage.limit
        usage.check(now)


def _extract_key(scope: Scope) -> str:
    """The key in the headers or in the path of a request. Raises as `extract_api_key`, also for a key in each of them."""
    in_path = find_path_key(scope)
    if in_path is None:
        return extract_api_key(Headers(scope=scope))
    with suppress(MissingApiKey):
        in_header = extract_api_key(Headers(scope=scope))
        if not compare_digest(in_header.encode(errors="surrogatepass"), in_path.encode(errors="surrogatepass")):
            raise InvalidApiKey(Message("The request carries two different API keys."))
    return in_path


def _name_key(key_id: UUID) -> str:
    return f"key:{key_id}"


def _name_client(address: str) -> str:
    return f"address:{address}"


def _is_rate_limited(route: KnownRoute | None) -> bool:
    return route is None or route.template.startswith(LIMITED_PREFIXES)
