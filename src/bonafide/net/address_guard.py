"""Refuse outbound connections to addresses that are not public, at the socket that opens them.

The check sits where the socket is opened, on the very address that is connected to. Checking a host name first and letting the
client resolve it again is unsafe: the second resolution may return another address. This module does not check URLs.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache
from typing import Protocol, cast

import httpcore2
import httpx2
from typing_extensions import override

from bonafide.errors import AddressRefused
from bonafide.i18n.message import Message

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Every address of a host name, as text. Raises `OSError` when the name does not resolve."""

# The tables are written out, because what the standard library calls global differs between the Python versions that we run on.
_SPECIAL_V4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network: reaches the machine itself
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT, and the metadata of one cloud (100.100.100.200)
        "127.0.0.0/8",
        "168.63.129.16/32",  # looks public, but is Azure's internal server for each virtual machine
        "169.254.0.0/16",  # link-local, with the metadata of most clouds (169.254.169.254)
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments, and the metadata of one cloud (192.0.0.192)
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
# Every routed address is in this range. Outside are loopback, IPv4-compatible and IPv4-translated addresses, local-use translation
# (64:ff9b:1::/48), unique local (with metadata such as fd00:ec2::254), link-local, site-local and multicast ones.
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_SPECIAL_V6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: hides an IPv4 address, and no site needs it any more (RFC 7526)
        "3fff::/20",  # documentation
    )
)
# RFC 6052: an IPv6 address that a translator turns into the IPv4 address in its last 32 bits. A network may use a prefix of its own
# instead, which can't be recognised from outside: an egress proxy has to know it.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})
"""RFC 5214: the first half of an interface's identifier whose second half is an IPv4 address."""
MAX_CONNECTIONS = 16
MAX_TRIED = 4
"""Addresses of one host that are tried one after the other; all are checked."""


def is_public(address: IPAddress) -> bool:
    """Whether an address is one of the public Internet; an embedded IPv4 address must be public too."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _SPECIAL_V4)
    last_32_bits = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address.scope_id is not None:
        return False
    if address.ipv4_mapped is not None or address in _NAT64:
        return is_public(last_32_bits)
    if address not in _GLOBAL_UNICAST or any(address in network for network in _SPECIAL_V6):
        return False
    return (int(address) >> 32) & 0xFFFFFFFF not in _ISATAP or is_public(last_32_bits)


async def resolve_with_system(host: str, port: int) -> Sequence[str]:
    """Resolve a host with the system's resolver, including obsolete spellings of IPv4 addresses. Raises `OSError`."""
    answers = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [cast("str", answer[4][0]) for answer in answers]


class AddressExemptions(Protocol):
    """What the operator exempts from the check (`net/private_targets`)."""

    def has_host(self, host: str) -> bool:
        """Whether this host name is exempt, whatever it resolves to."""

    def has_address(self, address: IPAddress) -> bool:
        """Whether this address is exempt."""


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Opens sockets only to addresses that have passed the check.

    `allowed` lists `(host, port)` pairs that are exempt, and `exemptions` hosts and addresses. A name is resolved once for each
    connection, with `resolve`; `sockets` receives the address that was checked.
    """

    def __init__(
        self,
        allowed: frozenset[tuple[str, int]],
        resolve: Resolver = resolve_with_system,
        sockets: httpcore2.AsyncNetworkBackend | None = None,
        exemptions: AddressExemptions | None = None,
    ) -> None:
        self._allowed = allowed
        self._exemptions = exemptions
        self._resolve = resolve
        self._sockets = sockets if sockets is not None else httpcore2.AnyIOBackend()

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        last_error: httpcore2.ConnectError | httpcore2.ConnectTimeout | None = None
        for address in (await self._addresses(host, port))[:MAX_TRIED]:
            try:
                return await self._sockets.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                last_error = error
        raise last_error if last_error is not None else httpcore2.ConnectError("its name has no address")

    @override
    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[SocketOption] | None = None
    ) -> httpcore2.AsyncNetworkStream:
        raise AddressRefused(Message("{path} is a local socket", path=path))

    @override
    async def sleep(self, seconds: float) -> None:
        await self._sockets.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> list[str]:
        """Every address of a host. Raises `AddressRefused` when any of them is not public: mixed addresses indicate an attack."""
        exemptions = self._exemptions
        if (host, port) in self._allowed or (exemptions is not None and exemptions.has_host(host)):
            return [host]
        try:
            addresses = list(dict.fromkeys(await self._resolve(host, port)))
        except OSError as error:
            raise httpcore2.ConnectError(f"its name can't be resolved ({error.strerror})") from error
        check_addresses(host, addresses, exemptions)
        return addresses


def check_addresses(host: str, addresses: Iterable[str], exemptions: AddressExemptions | None) -> None:
    """Check every address of a host. Raises `AddressRefused` when any of them is neither public nor exempt."""
    for address in addresses:
        if not _may_connect(address, exemptions):
            raise AddressRefused(Message("{host} resolves to {address}, which is not a public address", host=host, address=address))


def _may_connect(text: str, exemptions: AddressExemptions | None) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return is_public(address) or (exemptions is not None and exemptions.has_address(address))


@cache
def _create_ssl_context() -> ssl.SSLContext:
    """The trusted certificates of HTTPS connections, loaded once because loading is slow."""
    return httpx2.create_ssl_context()


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over the guarded sockets; ignores proxies of the environment, whose connections would not be checked.

    An idle connection is closed after `keepalive_s` seconds, or, with None, when the other side closes it.
    """

    def __init__(
        self,
        allowed: frozenset[tuple[str, int]] = frozenset(),
        *,
        resolve: Resolver = resolve_with_system,
        sockets: httpcore2.AsyncNetworkBackend | None = None,
        max_connections: int = MAX_CONNECTIONS,
        keepalive_s: float | None = None,
        exemptions: AddressExemptions | None = None,
    ) -> None:
        context = _create_ssl_context()
        super().__init__(verify=context, trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=context,
            max_connections=max_connections,
            keepalive_expiry=keepalive_s,
            network_backend=GuardedBackend(allowed, resolve, sockets, exemptions),
        )
