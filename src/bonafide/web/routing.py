"""Create FastAPI applications; match each request's path once, and answer 404, 405, HEAD and OPTIONS uniformly.

Applications have none of the framework's own pages, redirects and telemetry. The access log, the limits and the rate limit need
the route before the framework's router runs. Where several routes share a path, the framework reports the methods of one of them
only, and it does not answer HEAD. `DirectRoute`s are called from here without a second match (ADR 18); the framework's router
serves the rest.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from fastapi import APIRouter, FastAPI, Request
from fastapi.routing import APIRoute, iter_route_contexts
from fastapi.telemetry import TelemetryConfig
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.errors import MethodNotAllowed
from bonafide.runtime import Runtime
from bonafide.web.request_context import Handler, KnownRoute, get_request_context

TELEMETRY_OFF: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""The framework would record queries and exception messages; `access_log` records requests. Overrides the environment's `OTEL_` and
`FASTAPI_OTEL_` variables."""
_ANY_METHOD = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


def create_fastapi_app(runtime: Runtime, routers: Iterable[APIRouter]) -> FastAPI:
    """An application over an open runtime. It tries the routers in their order and serves nothing else."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, telemetry=TELEMETRY_OFF)
    app.state.runtime = runtime
    # The routes themselves, not copies: `include_router` builds each route again for each application.
    for router in routers:
        app.router.routes.extend(router.routes)
    return app


class DirectRoute(APIRoute):
    """A route whose handler needs nothing that the framework's router prepares, so that `DirectDispatch` calls it."""


class _RouteEntry(NamedTuple):
    pattern: re.Pattern[str]
    route: KnownRoute


class RouteTable:
    """The routes of one application in the order in which they are tried. It is read at the first request, or by `load`."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    @cached_property
    def _entries(self) -> tuple[_RouteEntry, ...]:
        patterns: dict[str, re.Pattern[str]] = {}
        methods: dict[str, set[str]] = {}
        handlers: dict[str, dict[str, Handler]] = {}
        for context in iter_route_contexts(self._app.routes):
            template = context.path_format
            if template is not None:
                patterns.setdefault(template, context.path_regex)
                methods.setdefault(template, set()).update(context.methods or _ANY_METHOD)
                handlers.setdefault(template, {}).update(_find_handlers(context.original_route))
        return tuple(
            _RouteEntry(pattern, KnownRoute(template, _add_implied_methods(methods[template]), handlers[template]))
            for template, pattern in patterns.items()
        )

    def load(self) -> None:
        """Read the routes now. Routes that are added later are not found."""
        _ = self._entries

    def find(self, scope: Scope) -> tuple[KnownRoute | None, Mapping[str, str]]:
        """The route that matches this request's path, and the values of its path parameters."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        for entry in self._entries:
            match = entry.pattern.match(path)
            if match is not None:
                return entry.route, match.groupdict()
        return None, {}


def _find_handlers(route: BaseRoute) -> dict[str, Handler]:
    if not isinstance(route, DirectRoute):
        return {}
    return dict.fromkeys(route.methods or (), route.get_route_handler())


def _add_implied_methods(methods: set[str]) -> tuple[str, ...]:
    return tuple(sorted(methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())))


class MethodMiddleware:
    """ASGI middleware that refuses methods that a path does not take, answers OPTIONS, and serves HEAD as GET without a body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. Raises `MethodNotAllowed`."""
        route = get_request_context(scope).route if scope["type"] == "http" else None
        if route is None:
            await self.app(scope, receive, send)
            return
        allow = {"Allow": ", ".join(route.methods)}
        if scope["method"] not in route.methods:
            raise MethodNotAllowed(headers=allow)
        if scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=allow)(scope, receive, send)
        elif scope["method"] == "HEAD":
            # A copy: the server goes by its own scope's method when it checks the length of the body.
            await self.app({**scope, "method": "GET"}, receive, _drop_body(send))
        else:
            await self.app(scope, receive, send)


class DirectDispatch:
    """ASGI middleware, the innermost: calls the handler of a `DirectRoute`. Other requests go to the framework's router."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        context = get_request_context(scope) if scope["type"] == "http" else None
        handle = context.route.handlers.get(scope["method"]) if context is not None and context.route is not None else None
        if context is None or handle is None:
            await self.app(scope, receive, send)
            return
        scope["path_params"] = context.parameters
        response = await handle(Request(scope, receive, send))
        await response(scope, receive, send)


def _drop_body(send: Send) -> Send:
    async def send_headers_only(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_headers_only
