"""Receive the body of a request within limits of size, time and rate, for the API and the console.

Without them, a client that sends a byte from time to time would hold a request for as long as it likes.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass
from time import monotonic

from fastapi import Request
from starlette.requests import ClientDisconnect

from bonafide.concurrency.request_admission import IncomingBody
from bonafide.concurrency.work_limiter import ShareExceeded, build_overload_error
from bonafide.errors import BodyTooLarge, BodyTooSlow, FieldProblem
from bonafide.i18n.message import Message
from bonafide.web.request_context import get_request_context

CLOSE = {"Connection": "close"}
"""The rest of the body is not read, so the connection can't carry another request."""
RETRY_S = 2
"""`Retry-After` of a body that was ended because too many arrive at once."""


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """Bytes, seconds from start to end, and the minimum rate in bytes per second after the first seconds."""

    max_bytes: int
    timeout_s: float
    min_rate: float


@asynccontextmanager
async def receive_body(request: Request, limits: BodyLimits, senders: Sequence[str]) -> AsyncIterator[AsyncGenerator[bytes, None]]:
    """The chunks of the body, to be read within the block; `senders` are counted for the limits on incoming bodies.

    Raises `BodyTooLarge`, `BodyTooSlow`, `ClientDisconnect`, and `ServerBusy` when too many bodies arrive at once.
    """
    announced = request.headers.get("content-length", "0")
    # int() accepts more formats than HTTP does, but servers reject those before this point.
    if announced.isdecimal() and int(announced) > limits.max_bytes:
        raise _build_too_large_error(limits)
    body, admission = IncomingBody(limits.timeout_s, limits.min_rate), get_request_context(request.scope).admission
    async with AsyncExitStack() as stack:
        if admission is not None:
            stack.enter_context(admission.count_incoming(body, senders))
        yield await stack.enter_async_context(aclosing(_stream(request, limits, body)))
    get_request_context(request.scope).began_at = monotonic()


async def _stream(request: Request, limits: BodyLimits, body: IncomingBody) -> AsyncGenerator[bytes, None]:
    received, is_complete = 0, False
    while not is_complete:
        chunk, is_complete = await _receive(request, body)
        received += len(chunk)
        if received > limits.max_bytes:
            raise _build_too_large_error(limits)
        body.add(len(chunk))
        yield chunk


async def _receive(request: Request, body: IncomingBody) -> tuple[bytes, bool]:
    """The next chunk, and whether it is the last one."""
    try:
        async with asyncio.timeout_at(body.deadline) as limit:
            with body.watch(limit):
                message = await request.receive()
    except TimeoutError as error:
        if body.is_ended_early:
            raise build_overload_error(RETRY_S, CLOSE, ShareExceeded) from error
        raise _build_too_slow_error() from error
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message.get("body", b""), not message.get("more_body", False)


def _build_too_large_error(limits: BodyLimits) -> BodyTooLarge:
    message = Message("The body is larger than {limit} bytes.", limit=limits.max_bytes)
    return BodyTooLarge(message, details=[FieldProblem("", message)], headers=CLOSE)


def _build_too_slow_error() -> BodyTooSlow:
    message = BodyTooSlow.default_message
    return BodyTooSlow(message, details=[FieldProblem("", message)], headers=CLOSE)
