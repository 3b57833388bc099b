"""A uvicorn HTTP protocol that limits the size of request headers and the time they may take.

uvicorn's fast parser has no limit of either, so one connection that never ends its headers would take all memory, and many that say
nothing all connections. What is in a head is not judged here; bodies have their own limit where they are read.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEADER_BYTES = 64 * 1024
"""Request line and headers together, give or take one read of the socket."""
HEADER_TIMEOUT_S = 30.0
"""From the first byte of a request, or from the connection to that, until its head has come."""
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class HeaderLimitProtocol(HttpToolsProtocol):
    """Closes a connection whose head is too large (431) or does not come to its end."""

    head_timeout_s = HEADER_TIMEOUT_S

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_bytes = 0
        self._is_in_head = True
        self._too_late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own narrows it
        """A client has connected, and is expected to say something."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._end_wait()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what belongs to a head, and refuse one that goes on for too long."""
        if self._is_in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_bytes > MAX_HEADER_BYTES and not self.transport.is_closing():
            self.transport.write(_TOO_LARGE)
            self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins; on a kept connection it may be long after the last one."""
        super().on_message_begin()
        self._is_in_head = True
        self._await_head()

    def on_headers_complete(self) -> None:
        """The head has come."""
        self._is_in_head = False
        self._head_bytes = 0
        self._end_wait()
        super().on_headers_complete()

    def _await_head(self) -> None:
        self._end_wait()
        self._too_late = self.loop.call_later(self.head_timeout_s, self.transport.close)

    def _end_wait(self) -> None:
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None
