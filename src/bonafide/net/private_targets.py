"""Receivers on private addresses that the operator allows (`allow_private_targets`), and the check of a receiver's address."""

import ipaddress
import socket
from dataclasses import dataclass
from typing import Self

import httpx2

from bonafide.errors import AddressRefused, InvalidInput
from bonafide.i18n.message import Message
from bonafide.net.address_guard import IPAddress, is_public
from bonafide.net.web_url import is_private_name

IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class PrivateTargets:
    """Host names, addresses and networks that may be connected to although they are not public."""

    hosts: frozenset[str] = frozenset()
    networks: tuple[IPNetwork, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse host names, addresses and networks, separated by commas."""
        hosts, networks = set[str](), list[IPNetwork]()
        for part in (one.strip().lower() for one in text.split(",")):
            try:
                networks.append(ipaddress.ip_network(part, strict=False))
            except ValueError:
                if part != "":
                    hosts.add(part)
        return cls(frozenset(hosts), tuple(networks))

    def has_host(self, host: str) -> bool:
        """Whether this host name is allowed, whatever it resolves to."""
        return host.lower().removesuffix(".") in self.hosts

    def has_address(self, address: IPAddress) -> bool:
        """Whether this address is allowed."""
        return any(address in network for network in self.networks)


def check_receiver_url(text: str, targets: PrivateTargets) -> str:
    """Check the address of a receiver and return it in its normal form. Names are not resolved: `address_guard` does that.

    Plain `http` is accepted only for hosts and addresses that are allowed explicitly. Raises `InvalidInput`, or `AddressRefused`
    for an address that must not be connected to.
    """
    if not text.isprintable() or "\\" in text or " " in text:
        raise InvalidInput(Message("the address contains spaces, control characters or backslashes"))
    try:
        url = httpx2.URL(text)
    except httpx2.InvalidURL as error:
        raise InvalidInput(Message("it is not a web address")) from error
    if url.scheme not in {"http", "https"} or url.host == "":
        raise InvalidInput(Message("it is not a web address that begins with https://"))
    if url.userinfo:
        raise AddressRefused(Message("the address contains a user name or a password"))
    is_allowed = _is_allowed(url.host, targets)
    if url.scheme == "http" and not is_allowed:
        raise AddressRefused(Message("the address must begin with https://"))
    return str(url.copy_with(fragment=None))


def _is_allowed(host: str, targets: PrivateTargets) -> bool:
    """Whether the host is allowed explicitly. Raises `AddressRefused` for an address that is neither public nor allowed."""
    if targets.has_host(host):
        return True
    address = _parse_address(host)
    if address is not None and targets.has_address(address):
        return True
    if address is not None and not is_public(address):
        raise AddressRefused(Message("{address} is not a public address", address=str(address)))
    if address is None and is_private_name(host.lower().removesuffix(".")):
        raise AddressRefused(Message("{name} is not a public name", name=host))
    return False


def _parse_address(host: str) -> IPAddress | None:
    """The address that a socket would connect to, obsolete spellings of IPv4 included; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, UnicodeEncodeError):
        return None
