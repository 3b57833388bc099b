"""Which paths and methods there are: 404 for an unknown path, 405 with `Allow` for an unknown method, HEAD and OPTIONS for all.

The framework routes; this table exists because it reports the methods of one route only where several share a path, and
answers HEAD nowhere. It is read when the first request comes, so that whatever is mounted before that is known.
"""

import re
from functools import cached_property
from typing import NamedTuple

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.errors import MethodNotAllowed
from bonafide.web.exchange import KnownRoute, exchange_of

_ANY_METHOD = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


class _Entry(NamedTuple):
    pattern: re.Pattern[str]
    route: KnownRoute


class RouteTable:
    """The routes of one application in the order in which they are tried."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    @cached_property
    def _entries(self) -> tuple[_Entry, ...]:
        patterns: dict[str, re.Pattern[str]] = {}
        methods: dict[str, set[str]] = {}
        for context in iter_route_contexts(self._app.routes):
            template = context.path_format
            if template is not None:
                patterns.setdefault(template, context.path_regex)
                methods.setdefault(template, set()).update(context.methods or _ANY_METHOD)
        return tuple(
            _Entry(pattern, KnownRoute(template, _with_implied(methods[template]))) for template, pattern in patterns.items()
        )

    def find(self, scope: Scope) -> KnownRoute | None:
        """The route that this request's path belongs to."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        return next((entry.route for entry in self._entries if entry.pattern.match(path) is not None), None)


def _with_implied(methods: set[str]) -> tuple[str, ...]:
    return tuple(sorted(methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())))


class MethodRules:
    """ASGI middleware: refuses methods that a path does not take, answers OPTIONS, and serves HEAD as a GET without its body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. Raises `MethodNotAllowed`."""
        route = exchange_of(scope).route if scope["type"] == "http" else None
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
            await self.app({**scope, "method": "GET"}, receive, _without_body(send))
        else:
            await self.app(scope, receive, send)


def _without_body(send: Send) -> Send:
    async def send_headers_only(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_headers_only
