"""Route requests to operations; answer 404, 405, HEAD and OPTIONS uniformly.

This table exists because the framework reports the methods of one route only where several share a path, and answers HEAD nowhere.
It is read when the first request comes, so that whatever is mounted before that is known. An operation that it finds is called at
once: to have the framework find it again would take a quarter of what a read costs. All other routes are the framework's.
"""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.routing import iter_route_contexts
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.api.protocol.idempotency import OperationRoute
from bonafide.errors import MethodNotAllowed
from bonafide.web.request_context import Handler, KnownRoute, get_request_context

_ANY_METHOD = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


class _RouteEntry(NamedTuple):
    pattern: re.Pattern[str]
    route: KnownRoute


class RouteTable:
    """The routes of one application in the order in which they are tried."""

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

    def find(self, scope: Scope) -> tuple[KnownRoute | None, Mapping[str, str]]:
        """The route that this request's path belongs to, and what stands in the path for its parameters."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        for entry in self._entries:
            match = entry.pattern.match(path)
            if match is not None:
                return entry.route, match.groupdict()
        return None, {}


def _find_handlers(route: BaseRoute) -> dict[str, Handler]:
    if not isinstance(route, OperationRoute):
        return {}
    return dict.fromkeys(route.methods or (), route.get_route_handler())


def _add_implied_methods(methods: set[str]) -> tuple[str, ...]:
    return tuple(sorted(methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())))


class MethodMiddleware:
    """ASGI middleware: refuses methods that a path does not take, answers OPTIONS, and serves HEAD as a GET without its body."""

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


class OperationMiddleware:
    """ASGI middleware, the innermost: calls the operation that the request is for. What is none goes to the framework's router."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        exchange = get_request_context(scope) if scope["type"] == "http" else None
        handle = exchange.route.handlers.get(scope["method"]) if exchange is not None and exchange.route is not None else None
        if exchange is None or handle is None:
            await self.app(scope, receive, send)
            return
        scope["path_params"] = exchange.parameters
        response = await handle(Request(scope, receive, send))
        await response(scope, receive, send)


def _drop_body(send: Send) -> Send:
    async def send_headers_only(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_headers_only
