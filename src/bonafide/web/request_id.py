"""Assign an id to each request: the one the caller sent, or a new UUID.

A caller may send the same id twice.
"""

import re
from uuid import uuid4

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.web.request_context import RequestContext, set_request_context

REQUEST_ID = "X-Request-Id"
_USABLE = re.compile(r"[\x20-\x7e]{1,128}")


class RequestIdMiddleware:
    """ASGI middleware that creates the request's context and adds the context's headers to the response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request under its id."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        context = RequestContext(_choose_request_id(Headers(scope=scope)))
        context.headers[REQUEST_ID] = context.request_id
        set_request_context(scope, context)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in context.headers.items()]
                names = {name for name, _ in own}
                message["headers"] = [*(header for header in message["headers"] if header[0].lower() not in names), *own]
            await send(message)

        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=context.request_id)
        await self.app(scope, receive, send_with_headers)
        # Not after an exception: the server's log line about it carries the id too, and the next request clears the context.
        structlog.contextvars.clear_contextvars()


def _choose_request_id(headers: Headers) -> str:
    given = headers.getlist(REQUEST_ID)
    if len(given) == 1 and _USABLE.fullmatch(given[0]) is not None:
        return given[0]
    return str(uuid4())
