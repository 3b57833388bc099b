"""A real HTTP receiver in the test's process that accepts a delivery only if an independent verifier accepts its signature."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from tests.support.servers.ports import HOST


@dataclass
class VerifyingReceiver:
    """What arrived: the events by `webhook-id`, and the headers of deliveries whose signature was wrong."""

    url: str = ""
    secret: str = ""
    """Set it before the first delivery."""
    events: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: list[dict[str, str]] = field(default_factory=list)

    def receive(self, headers: dict[str, str], body: bytes) -> int:
        """Verify and keep a delivery; returns the status of the response."""
        try:
            message = Webhook(self.secret).verify(body, headers)
        except WebhookVerificationError:
            self.refused.append(headers)
            return 400
        self.events[headers["webhook-id"]] = message["data"]
        return 200


@contextmanager
def verifying_receiver() -> Iterator[VerifyingReceiver]:
    """Receive on a free loopback port while the block runs."""
    receiver = VerifyingReceiver()

    class VerifyingHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(receiver.receive({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    with ThreadingHTTPServer((HOST, 0), VerifyingHandler) as served:
        served.daemon_threads = True
        receiver.url = f"http://{HOST}:{served.server_port}/"
        thread = Thread(target=served.serve_forever)
        thread.start()
        try:
            yield receiver
        finally:
            served.shutdown()
            thread.join()
