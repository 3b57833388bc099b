"""Find the address of the client behind trusted proxies.

`X-Forwarded-For` is used only as far as it was written by trusted addresses. The address is used for rate limits and never logged.
"""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import Scope

UNKNOWN = "unknown"
"""The client of a request that came over no network address (a Unix socket)."""
_IPV6_CUSTOMER_BITS = 64
"""Providers assign at least a /64 network to a customer, so an IPv6 client is identified by its network."""
ClientIPAddress = IPv4Address | IPv6Address


class ClientAddressResolver:
    """Finds clients' addresses behind the proxies that the operator trusts."""

    def __init__(self, trusted_proxies: str) -> None:
        self._trusted = [ip_network(text.strip()) for text in trusted_proxies.split(",") if text.strip() != ""]

    def find(self, scope: Scope) -> str:
        """The client's IPv4 address or IPv6 network."""
        peer = _parse_address(scope["client"][0]) if scope.get("client") is not None else None
        if peer is None:
            return UNKNOWN
        client = peer
        # Each proxy appends the address that it was called from, so the list is read from its end.
        for hop in reversed(_read_forwarded_for(scope)):
            address = _parse_address(hop)
            if address is None or not self._is_trusted(client):
                break
            client = address
        return _normalize_address(client)

    def _is_trusted(self, address: ClientIPAddress) -> bool:
        return any(address in network for network in self._trusted)


@lru_cache
def get_client_resolver(trusted_proxies: str) -> ClientAddressResolver:
    """The resolver for this setting."""
    return ClientAddressResolver(trusted_proxies)


def _read_forwarded_for(scope: Scope) -> list[str]:
    return [hop for value in Headers(scope=scope).getlist("x-forwarded-for") for hop in value.split(",")]


def _parse_address(text: str) -> ClientIPAddress | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped if mapped is not None else address


def _normalize_address(address: ClientIPAddress) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((int(address), _IPV6_CUSTOMER_BITS), strict=False))
