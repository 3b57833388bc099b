"""The id of each request: the caller's if it is usable, else a new one; on every answer and in every log line.

It does not make the id unique: a caller may send the same one twice, and gets it back twice.
"""

import re
from uuid import uuid4

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.api.exchange import begin_exchange

REQUEST_ID = "X-Request-Id"
_USABLE = re.compile(r"[\x20-\x7e]{1,128}")


class RequestIds:
    """ASGI middleware, the outermost: names the request before anything can go wrong with it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request under its id."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _supplied_or_new(Headers(scope=scope))
        begin_exchange(scope, request_id)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[REQUEST_ID] = request_id
            await send(message)

        structlog.contextvars.clear_contextvars()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self.app(scope, receive, send_named)


def _supplied_or_new(headers: Headers) -> str:
    given = headers.getlist(REQUEST_ID)
    if len(given) == 1 and _USABLE.fullmatch(given[0]) is not None:
        return given[0]
    return str(uuid4())
