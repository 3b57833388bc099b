"""Run uvicorn inside this process for as long as a block runs, and limit the size and the time of request headers.

Signals are left to the caller: uvicorn would end the process at the first one, before the database is closed and the worker's job
released. Its fast parser does not limit headers, so one connection with endless headers would use all memory, and idle connections
would use all connections. Bodies are limited where they are read (`web/body_stream`); a body that is not read is limited here.
"""

import asyncio
import errno
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from http import HTTPStatus
from typing import Any
from uuid import uuid4

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message

MAX_HEADER_BYTES = 64 * 1024
"""Bytes of the request line and headers, to the accuracy of one read of the socket."""
HEADER_TIMEOUT_S = 30.0
"""From the first byte of a request, or from the connection, until its headers are complete."""
LimitHeaders = Callable[[str], Mapping[str, str]]
"""The rate-limit headers of a client address, for responses that the application does not make."""
KEEP_ALIVE_S = 75
"""Seconds after which an idle connection is closed. It must be longer than a proxy keeps one (haproxy, nginx, Amazon's: 60 s), or
the proxy sends a request into a connection that is being closed."""
_NO_SUCH_FAMILY = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL}


def no_limit_headers(_address: str) -> Mapping[str, str]:
    """No headers: for an application without a rate limit."""
    return {}


class HeaderLimitProtocol(HttpToolsProtocol):
    """Closes a connection whose headers are too large (431) or not completed in time, or that does not speak HTTP (400).

    Also closes one whose unread body does not end in time. Errors have the form of those of the API.
    """

    head_timeout_s = HEADER_TIMEOUT_S

    def __init__(self, *args: Any, limit_headers: LimitHeaders = no_limit_headers, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limit_headers = limit_headers
        self._head_bytes = 0
        self._is_in_head = True
        self._is_in_body = False
        self._too_late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own narrows it
        """A client has connected; its first request is due within the time limit."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection was closed."""
        self._end_wait()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count the bytes of headers, and refuse those that are too large."""
        if self._is_in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_bytes > MAX_HEADER_BYTES and not self.transport.is_closing():
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, Message("The request headers are too large."))

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser could not read. `msg` is uvicorn's own text."""
        del msg
        self._refuse(HTTPStatus.BAD_REQUEST, Message("The request is not valid HTTP."))

    def _refuse(self, status: HTTPStatus, message: Message) -> None:
        request_id = str(uuid4())
        details = [{"path": "", "message": message}]
        body = json.dumps({"error": message, "code": "VALIDATION_ERROR", "requestId": request_id, "details": details}).encode()
        headers = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "cache-control": "no-store",
            "connection": "close",
            "x-request-id": request_id,
            **self._limit_headers(self.client[0] if self.client is not None else ""),
        }
        lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        self.transport.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins; on a keep-alive connection possibly long after the last one."""
        super().on_message_begin()
        self._is_in_head = True
        self._await_head()

    def on_headers_complete(self) -> None:
        """The headers are complete."""
        self._is_in_head = False
        self._is_in_body = True
        self._head_bytes = 0
        self._end_wait()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The body is complete."""
        self._is_in_body = False
        self._end_wait()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The response was sent. The rest of a body that was not read must follow within the time limit for headers."""
        super().on_response_complete()
        if self._is_in_body and self.cycle.response_complete and not self.transport.is_closing():
            self._await_head()

    def _await_head(self) -> None:
        self._end_wait()
        self._too_late = self.loop.call_later(self.head_timeout_s, self.transport.close)

    def _end_wait(self) -> None:
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None


class _ServerWithoutSignals(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def bind_sockets(host: str, port: int) -> list[socket.socket]:
    """Bind sockets to this address exclusively; to any free port when `port` is 0. They listen once they are served.

    Raises `ConfigurationError` when the address can't be used.
    """
    try:
        return _bind_all(host, port)
    except OSError as error:
        raise ConfigurationError(
            Message(
                "Port {port} of {host} can’t be used ({error}). Choose another with --port.",
                port=port,
                host=host,
                error=error.strerror,
            )
        ) from error


def _bind_all(host: str, port: int) -> list[socket.socket]:
    """The addresses of a host in each family that this machine supports (localhost has two)."""
    bound, missing = [], None
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, address in dict.fromkeys((item[0], item[4]) for item in found):
        try:
            bound.append(_bind(family, address))
        except OSError as error:
            if error.errno not in _NO_SUCH_FAMILY:
                raise
            missing = error
    if missing is not None and not bound:
        raise missing
    return bound


def _bind(family: socket.AddressFamily, address: tuple[Any, ...]) -> socket.socket:
    # With the protocol set to TCP; otherwise asyncio leaves Nagle's algorithm on, which delays every second response by 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    return listener


@asynccontextmanager
async def serve_app(
    app: ASGIApp,
    sockets: Sequence[socket.socket],
    grace_s: int,
    hurry: asyncio.Event | None = None,
    limit_headers: LimitHeaders = no_limit_headers,
) -> AsyncIterator[asyncio.Event]:
    """Serve while the block runs; requests under way then have `grace_s` seconds, or until `hurry` is set.

    `limit_headers` are added to the responses to what is not HTTP.

    The yielded event is set if the server ends before the block.
    """
    config = uvicorn.Config(
        app,
        http=partial(HeaderLimitProtocol, limit_headers=limit_headers),  # type: ignore[arg-type]  # uvicorn only calls it
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # trusted proxies are a setting, which `web/client_address` applies
        ws="none",
        timeout_keep_alive=KEEP_ALIVE_S,
        lifespan="off",
        timeout_graceful_shutdown=grace_s,
    )
    server, ended = _ServerWithoutSignals(config), asyncio.Event()
    task = asyncio.create_task(server.serve(sockets=list(sockets)))
    task.add_done_callback(lambda _: ended.set())
    hurrying = asyncio.create_task(_force_exit(server, hurry)) if hurry is not None else None
    try:
        while not server.started and not task.done():  # noqa: ASYNC110 - uvicorn tells by a flag alone
            await asyncio.sleep(0.01)
        yield ended
    finally:
        server.should_exit = True
        await task
        if hurrying is not None:
            hurrying.cancel()
        for listener in sockets:
            listener.close()


async def _force_exit(server: _ServerWithoutSignals, hurry: asyncio.Event) -> None:
    await hurry.wait()
    server.force_exit = True
    for request in server.server_state.tasks:
        request.cancel()
