"""A real HTTP receiver of webhooks, which keeps what it receives and responds as a test sets it."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tests.support.servers.asgi_server import served


@dataclass(frozen=True)
class ReceivedRequest:
    """A request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def message_id(self) -> str:
        return self.headers["webhook-id"]


@dataclass
class WebhookReceiver:
    """The receiver. `responses` are sent first, in turn; then `default` responds to every request."""

    address: str = ""
    received: list[ReceivedRequest] = field(default_factory=list)
    responses: deque[Response] = field(default_factory=deque)
    default: Callable[[], Response] = lambda: Response(status_code=204)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    """While it is not set, requests under `/held` get no response."""

    @property
    def ids(self) -> list[str]:
        return [request.message_id for request in self.received]

    def count(self, path: str) -> int:
        """The number of requests for a path."""
        return sum(request.path == path for request in self.received)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        body = await request.body()
        self.received.append(ReceivedRequest(request.url.path, dict(request.headers), body))
        if request.url.path.startswith("/held"):
            await self.gate.wait()
        response = self.responses.popleft() if self.responses else self.default()
        await response(scope, receive, send)


@asynccontextmanager
async def receiving() -> AsyncIterator[WebhookReceiver]:
    """Serve a receiver on a free loopback port while the block runs."""
    receiver = WebhookReceiver()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await receiver(scope, receive, send)

    async with served(application) as address:
        receiver.address = address
        yield receiver
        receiver.gate.set()


def describe_headers(request: ReceivedRequest) -> dict[str, Any]:
    """The headers that a verifier reads."""
    return {name: request.headers[name] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}
