"""Answer requests while the service starts: probes get its state, everything else a 503.

It is a plain ASGI application that imports nothing of the service, so that it answers before the service is imported.
"""

import json
from uuid import uuid4

from starlette.types import ASGIApp, Receive, Scope, Send

RETRY_AFTER_S = 2


class StartingApp:
    """Responds itself until `hand_over`, then forwards every request. `waiting_for` is what `/readyz` reports until then."""

    def __init__(self) -> None:
        self.waiting_for = "the application"
        self._app: ASGIApp | None = None

    def wait_for(self, part: str) -> None:
        """Set the part that readiness waits for."""
        self.waiting_for = part

    def hand_over(self, app: ASGIApp) -> None:
        """Forward all further requests to this application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if self._app is not None:
            await self._app(scope, receive, send)
        elif scope["path"] == "/healthz":
            await _send_json(send, 200, {"status": "ok"})
        else:
            request_id = str(uuid4())
            error = f"Not ready. starting: waiting for {self.waiting_for}."
            body = {"error": error, "code": "SERVER_ERROR", "requestId": request_id}
            await _send_json(send, 503, body, {"Retry-After": str(RETRY_AFTER_S), "X-Request-Id": request_id})


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
