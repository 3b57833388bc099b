"""Which addresses may be connected to: public ones, and whatever the caller has named as an exception.

The check sits where the socket is opened, on the very address that is connected to. Checking a host name first and letting the
client resolve it again is the classic hole: the second answer may be another one. This module does not judge URLs.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Iterable
from typing import cast

import httpcore2
import httpx2
from typing_extensions import override

from bonafide.errors import AddressRefused

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
# RFC 6052: an IPv6 address that a translator turns into the IPv4 address in its last 32 bits.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
MAX_CONNECTIONS = 16


def is_public(address: IPAddress) -> bool:
    """Whether an address is one of the public Internet; an address that hides another is judged by the hidden one too."""
    hidden: IPAddress | None = None
    if isinstance(address, ipaddress.IPv6Address):
        teredo = address.teredo
        hidden = address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo is not None else None)
        if address in _NAT64:
            hidden = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.is_global and not address.is_multicast if hidden is None else is_public(hidden)


class GuardedBackend(httpcore2.AnyIOBackend):
    """Opens sockets only to addresses that have passed the check. `allowed` names exact `(host, port)` pairs that need not."""

    def __init__(self, allowed: frozenset[tuple[str, int]]) -> None:
        self._allowed = allowed

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        last_error: httpcore2.ConnectError | None = None
        for address in await self._addresses(host, port):
            try:
                return await super().connect_tcp(address, port, timeout, local_address, socket_options)
            except httpcore2.ConnectError as error:
                last_error = error
        raise last_error if last_error is not None else httpcore2.ConnectError("its name has no address")

    @override
    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[SocketOption] | None = None
    ) -> httpcore2.AsyncNetworkStream:
        raise AddressRefused(f"{path} is a local socket")

    async def _addresses(self, host: str, port: int) -> list[str]:
        """Every address of a host. Raises `AddressRefused` when any of them is not public: a mixed answer is an attack."""
        if (host, port) in self._allowed:
            return [host]
        try:
            answers = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore2.ConnectError(f"its name can't be resolved ({error.strerror})") from error
        addresses = list(dict.fromkeys(cast("str", answer[4][0]) for answer in answers))
        for address in addresses:
            if not is_public(ipaddress.ip_address(address.partition("%")[0])):
                raise AddressRefused(f"{host} is at {address}, which is not a public address")
        return addresses


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over the guarded sockets; ignores proxies of the environment, which would connect for us unchecked."""

    def __init__(self, allowed: frozenset[tuple[str, int]] = frozenset()) -> None:
        super().__init__(trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=httpx2.create_ssl_context(),
            max_connections=MAX_CONNECTIONS,
            network_backend=GuardedBackend(allowed),
        )
