"""Answer requests while the service starts: probes get its state, everything else a 503.

It is a plain ASGI application that imports nothing of the service, so that it answers before the service is imported.
"""

import json
from collections.abc import Callable, Mapping
from time import time
from uuid import uuid4

from starlette.types import ASGIApp, Receive, Scope, Send

RETRY_AFTER_S = 2


class StartingApp:
    """Responds itself until `hand_over`, then forwards every request. `waiting_for` is what `/readyz` reports until then.

    Its own responses have the headers of a rate limit of which nothing is used.
    """

    def __init__(self, rate_limit: int = 60, window_s: int = 60) -> None:
        self.waiting_for = "the application"
        self._rate_limit = rate_limit
        self._window_s = window_s
        self._app: ASGIApp | None = None
        self._limit_headers: Callable[[str], Mapping[str, str]] = self._get_own_limit_headers

    def wait_for(self, part: str) -> None:
        """Set the part that readiness waits for."""
        self.waiting_for = part

    def hand_over(self, app: ASGIApp, limit_headers: Callable[[str], Mapping[str, str]] | None = None) -> None:
        """Forward all further requests to this application. `limit_headers` are its headers for a client address."""
        self._app = app
        if limit_headers is not None:
            self._limit_headers = limit_headers

    def get_limit_headers(self, address: str) -> Mapping[str, str]:
        """The rate-limit headers of a client address."""
        return self._limit_headers(address)

    def _get_own_limit_headers(self, _address: str) -> Mapping[str, str]:
        limit = str(self._rate_limit)
        resets_at = (int(time()) // self._window_s + 1) * self._window_s
        return {"X-RateLimit-Limit": limit, "X-RateLimit-Remaining": limit, "X-RateLimit-Reset": str(resets_at)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if self._app is not None:
            await self._app(scope, receive, send)
            return
        request_id = str(uuid4())
        headers = {"X-Request-Id": request_id, **self._get_own_limit_headers("")}
        if scope["path"] == "/healthz":
            await _send_json(send, 200, {"status": "ok"}, headers)
        else:
            error = f"Not ready. starting: waiting for {self.waiting_for}."
            body = {"error": error, "code": "SERVER_ERROR", "requestId": request_id}
            await _send_json(send, 503, body, {**headers, "Retry-After": str(RETRY_AFTER_S)})


async def _send_json(send: Send, status: int, body: dict[str, str], headers: dict[str, str] | None = None) -> None:
    content = json.dumps(body).encode()
    fields = {
        "Content-Type": "application/json",
        "Content-Length": str(len(content)),
        "Cache-Control": "no-store",
        **(headers if headers is not None else {}),
    }
    encoded = [(name.lower().encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": content})
