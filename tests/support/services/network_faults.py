"""All that can go wrong with a source that is asked live, as its network does it, and the error that each becomes.

The table is what the documentation prints (`docs/reference/errors.md`). Nothing of the service is replaced: its own door is given a
resolver and sockets, and behind them are real listeners.
"""

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.errors import SourceErrorCode
from bonafide.net.address_guard import Resolver
from bonafide_sandbox.publisher_faults import CHALLENGE_PAGE
from tests.support.servers.asgi_server import served
from tests.support.servers.fake_internet import Answerer, Internet, Site, answer, listening, trapped
from tests.support.servers.ports import refusing_port
from tests.support.waiting import TIMEOUT_S

SOUND, TROUBLED = "93.184.216.34", "93.184.216.35"
"""Public addresses: of every source that is well, and of the one that is not."""
PRIVATE = {"loopback": "127.0.0.1", "private": "10.0.0.1", "metadata": "169.254.169.254"}
PREFIX = "troubled."
"""Before the host of the source that is in trouble: two registers are asked at the same."""
DRIP_S = 0.02
SHORT_S = 0.5
"""The timeout of a source that does not answer."""
RESPONSE_S = 30.0
"""Enough for an answer, and less than the pause that it demands."""
PIECE = b"x" * 65_536
JSON = "application/json; charset=utf-8"
Change = Callable[[bytes], bytes]
"""What a body becomes on its way."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that goes wrong, and what the error says then. `timeout_s` is the source's own timeout, where it ends the query."""

    name: str
    code: SourceErrorCode
    timeout_s: float = TIMEOUT_S
    site: Answerer | bytes | None = None
    """What the source's address answers; None where nothing does."""
    change: Change | None = None
    """What becomes of the true answers."""
    resolves_to: str | None = TROUBLED
    """None where its name has no address."""


def _once(head: bytes, *pieces: bytes) -> Answerer:
    """An answer as it is written down here, after which the connection ends."""

    async def write(_path: str, writer: asyncio.StreamWriter) -> None:
        for piece in (head, *pieces):
            writer.write(piece)
        await writer.drain()

    return write


async def _silence(_path: str, _writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


def _for_ever(head: bytes, piece: bytes, pause_s: float) -> Answerer:
    async def write(_path: str, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause_s)

    return write


def _head(*headers: str, status: int = 200) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", f"Content-Type: {JSON}", *headers, "", ""]).encode()


def _redirect(address: str) -> bytes:
    return answer(status=302, location=f"http://{address}/latest/meta-data/")


def _half(body: bytes) -> bytes:
    return body[: len(body) // 2]


def _in_latin_1(body: bytes) -> bytes:
    """What says UTF-8 and has an é in Latin-1 where a letter e was."""
    return body.replace(b"e", "é".encode("latin-1"))


def _in_utf_16(body: bytes) -> bytes:
    return body.decode().encode("utf-16")


BOMB = gzip.compress(b" " * (64 * 1024**2))
"""64 KiB that become 64 MiB."""
DRIPPING = _for_ever(_head("Content-Length: 99999"), b" ", DRIP_S)
BROKEN_OFF = _once(_head("Content-Length: 9999"), b'{"results": [')
ENDLESS = _for_ever(_head("Connection: close"), PIECE, 0)
ENDLESS_HEAD = _for_ever(b"HTTP/1.1 200 OK\r\n", b"X-Pad: 0\r\n" * 1000, 0)
_CODE = SourceErrorCode
RETRYABLE = {
    _CODE.TIMEOUT: True,
    _CODE.RATE_LIMITED: True,
    _CODE.UPSTREAM_ERROR: True,
    _CODE.UNAVAILABLE: True,
    _CODE.PARSE_ERROR: False,
}
"""Whether trying again may help; the same for every error of the code."""
TROUBLES = (
    Trouble("The connection is refused", _CODE.UNAVAILABLE),
    Trouble("Its name has no address", _CODE.UNAVAILABLE, resolves_to=None),
    Trouble("Its name leads to a private address", _CODE.UNAVAILABLE, resolves_to=PRIVATE["private"]),
    Trouble("It does not answer in time", _CODE.TIMEOUT, timeout_s=SHORT_S, site=_silence),
    Trouble("It sends a byte now and then", _CODE.TIMEOUT, timeout_s=SHORT_S, site=DRIPPING),
    Trouble("It answers 429", _CODE.RATE_LIMITED, timeout_s=RESPONSE_S, site=answer("slow down", 429, retry_after="60")),
    Trouble("It answers 500", _CODE.UPSTREAM_ERROR, site=answer("out of order", 500)),
    Trouble("A web page comes in place of data", _CODE.UNAVAILABLE, site=answer(CHALLENGE_PAGE)),
    Trouble(
        "The connection ends in the middle of an answer",
        _CODE.UPSTREAM_ERROR,
        site=BROKEN_OFF,
    ),
    Trouble("An answer is whole for HTTP and ends in its middle", _CODE.PARSE_ERROR, change=_half),
    Trouble("It says UTF-8 and sends Latin-1", _CODE.PARSE_ERROR, change=_in_latin_1),
    Trouble("It says UTF-8 and sends UTF-16", _CODE.PARSE_ERROR, change=_in_utf_16),
    Trouble("It says gzip and sends none", _CODE.UPSTREAM_ERROR, site=answer("{}", content_type=JSON, content_encoding="gzip")),
    Trouble("An answer does not end", _CODE.UPSTREAM_ERROR, site=ENDLESS),
    Trouble(
        "An answer is small and unpacks to more than is read",
        _CODE.UPSTREAM_ERROR,
        site=answer(BOMB, content_type=JSON, content_encoding="gzip"),
    ),
    Trouble(
        "The head of an answer does not end",
        _CODE.UPSTREAM_ERROR,
        site=ENDLESS_HEAD,
    ),
    *(Trouble(f"It redirects to {address}", _CODE.UNAVAILABLE, site=_redirect(address)) for address in PRIVATE.values()),
)


@dataclass(frozen=True, slots=True)
class Line:
    """The way to all live sources while one of them is in trouble."""

    resolve: Resolver
    sockets: Internet


@asynccontextmanager
async def line_to(register: ASGIApp, trouble: Trouble | None) -> AsyncIterator[Line]:
    """Every host leads to `register`, but what begins with `PREFIX` has the trouble; whatever is not public leads to a trap."""
    async with AsyncExitStack() as stack:
        made = Internet(await stack.enter_async_context(trapped()))
        made.places[SOUND, 80] = _port(await stack.enter_async_context(served(_Hosts(register))))
        if trouble is not None:
            made.places[TROUBLED, 80] = await _troubled_port(register, trouble, stack)

        async def resolve(host: str, _port: int) -> Sequence[str]:
            address = trouble.resolves_to if trouble is not None and host.startswith(PREFIX) else SOUND
            if address is None:
                raise OSError(-2, "Name or service not known")
            return [address]

        yield Line(resolve, made)


async def _troubled_port(register: ASGIApp, trouble: Trouble, stack: AsyncExitStack) -> int:
    if trouble.site is not None:
        return await stack.enter_async_context(listening(Site({"*": trouble.site}).serve))
    if trouble.change is not None:
        return _port(await stack.enter_async_context(served(_Hosts(register, trouble.change))))
    return stack.enter_context(refusing_port())


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


@dataclass(frozen=True, slots=True)
class _Hosts:
    """The sandbox by the hosts' own names, which it has in its paths; what it says is changed on the way."""

    register: ASGIApp
    change: Change | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            host = dict(scope["headers"])[b"host"].decode().removeprefix(PREFIX)
            scope = {**scope, "path": f"/{host}{scope['path']}"}
        if self.change is None or scope["type"] != "http":
            await self.register(scope, receive, send)
            return
        start, body = await self._answer(scope, receive)
        headers = [(name, value) for name, value in start["headers"] if name not in {b"content-length", b"content-type"}]
        said = dict(start["headers"])[b"content-type"].split(b";")[0]
        stated = [(b"content-length", b"%d" % len(body)), (b"content-type", said + b"; charset=utf-8")]
        await send({**start, "headers": headers + stated})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Scope, receive: Receive) -> tuple[Message, bytes]:
        assert self.change is not None
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await self.register(scope, receive, keep)
        return messages[0], self.change(b"".join(message.get("body", b"") for message in messages[1:]))
