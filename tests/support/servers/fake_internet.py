"""A small Internet for tests: public addresses at which local servers answer, a real name server, and traps.

Whatever is connected to and is not one of its public addresses reaches a trap: a real listener that must stay silent. Nothing of
the code under test is replaced: it gets a resolver and sockets, as it does from the system.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import cast

import dns.asyncresolver
import dns.message
import dns.name
import dns.rdatatype
import dns.resolver
import dns.rrset
import httpcore2
import pytest
from typing_extensions import override

from bonafide.net.address_guard import Resolver

Answerer = Callable[[str, asyncio.StreamWriter], Awaitable[None]]
"""Given the path that was asked for, and where to answer."""


def answer(body: bytes | str = b"", status: int = 200, *, content_type: str = "text/html; charset=utf-8", **headers: str) -> bytes:
    """The bytes of an HTTP answer; `content_encoding="gzip"` becomes a header."""
    content = body.encode() if isinstance(body, str) else body
    named = {"Content-Length": str(len(content)), "Content-Type": content_type} | {
        name.replace("_", "-").title(): value for name, value in headers.items()
    }
    lines = [f"HTTP/1.1 {status} Answer", *(f"{name}: {value}" for name, value in named.items() if value != ""), "", ""]
    return "\r\n".join(lines).encode("utf-8") + content


@dataclass
class Site:
    """A server of one host: fixed answers by path, or a function that writes what it likes."""

    answers: dict[str, bytes | Answerer] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    """Each request's head, as it came."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                path = head.split(" ", 2)[1]
                self.asked.append(path)
                self.requests.append(head)
                found = self.answers.get(path, self.answers.get("*", answer("nothing here", 404)))
                await (_write(writer, found) if isinstance(found, bytes) else found(path, writer))
                if not isinstance(found, bytes):
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


async def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


@dataclass
class Trap:
    """A listener that must stay silent."""

    address: str
    port: int = 0
    accepted: int = 0

    async def serve(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        writer.write(answer("a secret"))
        writer.close()


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]]


@asynccontextmanager
async def listening(serve: Serve, address: str = "127.0.0.1") -> AsyncIterator[int]:
    """A server on a free port, which it gives; its conversations end with it."""
    talking: set[asyncio.Task[None]] = set()

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talking.add(asyncio.create_task(serve(reader, writer)))

    async with await asyncio.start_server(begin, address, 0) as server:
        yield server.sockets[0].getsockname()[1]
        for task in talking:
            task.cancel()
        await asyncio.gather(*talking, return_exceptions=True)


class Internet(httpcore2.AsyncNetworkBackend):
    """Sockets of the make-believe Internet: public addresses lead to sites, all others to a trap."""

    def __init__(self, trap: Trap) -> None:
        self.trap = trap
        self.places: dict[tuple[str, int], int] = {}
        """Local port by public address and port."""
        self.connected: list[tuple[str, int]] = []
        self._real = httpcore2.AnyIOBackend()

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.connected.append((host, port))
        place = ("127.0.0.1", self.places[host, port]) if (host, port) in self.places else (self.trap.address, self.trap.port)
        return await self._real.connect_tcp(*place, timeout, local_address, socket_options)


@asynccontextmanager
async def trapped(address: str = "127.0.0.1") -> AsyncIterator[Trap]:
    """A trap on a free port."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            pytest.skip(f"this machine has no {address}")
    trap = Trap(address)
    async with listening(trap.serve, address) as trap.port:
        yield trap


@asynccontextmanager
async def internet(sites: dict[str, Site]) -> AsyncIterator[Internet]:
    """An Internet where each site answers at its public address, on port 80."""
    async with AsyncExitStack() as stack:
        made = Internet(await stack.enter_async_context(trapped()))
        for address, site in sites.items():
            made.places[address, 80] = await stack.enter_async_context(listening(site.serve))
        yield made


def names(table: Mapping[str, Sequence[str]]) -> Resolver:
    """A resolver that knows these names."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        if host in table:
            return table[host]
        try:
            return [str(ip_address(host))]
        except ValueError as error:
            raise OSError(-2, "Name or service not known") from error

    return resolve


@dataclass
class NameServer(asyncio.DatagramProtocol):
    """Answers each question for a name's address with the next of its answers, and with the last for ever; each is good for 0 s."""

    answers: dict[str, list[list[str]]]
    asked: list[str] = field(default_factory=list)
    _transport: asyncio.DatagramTransport | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.DatagramTransport", transport)

    @override
    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        query = dns.message.from_wire(data)
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True)
        response = dns.message.make_response(query)
        turns = self.answers.get(name, [[]])
        if question.rdtype == dns.rdatatype.A:
            self.asked.append(name)
        addresses = [text for text in turns[0] if (":" in text) == (question.rdtype == dns.rdatatype.AAAA)]
        if addresses:
            response.answer.append(dns.rrset.from_text(question.name, 0, "IN", dns.rdatatype.to_text(question.rdtype), *addresses))
        if question.rdtype == dns.rdatatype.AAAA and len(turns) > 1:
            turns.pop(0)  # the resolver below asks for A and then for AAAA: one turn is both
        assert self._transport is not None
        self._transport.sendto(response.to_wire(), addr)


@asynccontextmanager
async def name_server(answers: dict[str, list[list[str]]]) -> AsyncIterator[tuple[NameServer, Resolver]]:
    """A real name server on UDP, and a resolver that asks it."""
    loop = asyncio.get_running_loop()
    transport, server = await loop.create_datagram_endpoint(lambda: NameServer(answers), local_addr=("127.0.0.1", 0))
    asking = dns.asyncresolver.Resolver(configure=False)
    asking.nameservers, asking.port = ["127.0.0.1"], transport.get_extra_info("sockname")[1]
    asking.lifetime = 2.0

    async def resolve(host: str, port: int) -> Sequence[str]:
        found: list[str] = []
        for kind in ("A", "AAAA"):
            answered = await asking.resolve(dns.name.from_text(host), kind, raise_on_no_answer=False)
            found += [record.address for record in answered if answered.rrset is not None]
        return found

    try:
        yield server, resolve
    finally:
        transport.close()
