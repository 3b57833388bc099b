"""An HTTP server that responds to each request as a test says, and remembers what it received."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from tests.support.servers.ports import HOST

BROKEN = 0
"""The status of a response that never comes: the connection is closed."""


@dataclass(frozen=True, slots=True)
class ScriptedResponse:
    """A response, or a connection that is closed (`BROKEN`)."""

    status: int = 200
    body: Any = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class ScriptedServer:
    """The server's address, its next responses and the requests so far."""

    url: str
    responses: list[ScriptedResponse]
    received: list[ReceivedRequest] = field(default_factory=list)

    @property
    def idempotency_keys(self) -> list[str | None]:
        """The key of each request."""
        return [request.headers.get("idempotency-key") for request in self.received]


@contextmanager
def serve_script(*responses: ScriptedResponse) -> Iterator[ScriptedServer]:
    """A server that sends these responses in their order, and the last one to every further request."""
    script = ScriptedServer("", list(responses))

    class ScriptedHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def __getattr__(self, name: str) -> Callable[[], None]:
            if name.startswith("do_"):
                return self.respond
            raise AttributeError(name)

        def respond(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            script.received.append(ReceivedRequest(self.command, self.path, headers, body))
            response = script.responses.pop(0) if len(script.responses) > 1 else script.responses[0]
            if response.status == BROKEN:
                self.close_connection = True
                return
            content = response.body if isinstance(response.body, bytes) else json.dumps(response.body).encode()
            self.send_response(response.status)
            for name, value in {"Content-Length": str(len(content)), **response.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
            # A body that is shorter than announced is one that breaks off.
            self.close_connection = "Content-Length" in response.headers

        def log_message(self, *arguments: Any) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer((HOST, 0), ScriptedHandler)
    server.daemon_threads = True
    script.url = f"http://{HOST}:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
