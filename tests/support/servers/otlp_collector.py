"""A collector of traces for tests: an HTTP server that reads what OTLP brings, and what it has read as plain values."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(frozen=True, slots=True)
class Received:
    """One span."""

    name: str
    trace: str
    id: str
    parent: str
    links: tuple[str, ...]
    attributes: dict[str, Any]
    failure: str


@dataclass(slots=True)
class Collector:
    """What has come; `status` is what is answered."""

    url: str = ""
    status: int = 200
    spans: list[Received] = field(default_factory=list)

    def named(self, name: str) -> list[Received]:
        """The spans of this name."""
        return [span for span in self.spans if span.name == name]

    def below(self, span: Received) -> list[Received]:
        """All spans within one."""
        children = [other for other in self.spans if (other.trace, other.parent) == (span.trace, span.id)]
        return [*children, *(deeper for child in children for deeper in self.below(child))]


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector on a free loopback port while the block runs."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if collector.status == 200:
                collector.spans += _spans(body)
            self.send_response(collector.status)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_address[1]}/v1/traces"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _spans(body: bytes) -> list[Received]:
    request = ExportTraceServiceRequest.FromString(body)
    found = [span for resource in request.resource_spans for scope in resource.scope_spans for span in scope.spans]
    return [
        Received(
            name=span.name,
            trace=span.trace_id.hex(),
            id=span.span_id.hex(),
            parent=span.parent_span_id.hex(),
            links=tuple(link.span_id.hex() for link in span.links),
            attributes={item.key: getattr(item.value, item.value.WhichOneof("value") or "") for item in span.attributes},
            failure=span.status.message,
        )
        for span in found
    ]
