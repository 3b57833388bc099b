"""Find the registrable domain of a web address: `example.qc.ca` for `https://www.example.qc.ca/about`.

The suffixes are a short list of our own (`suffixes.yml`), not the public suffix list. Nothing here asks anybody.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from bonafide.website.tables import read_website_table

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""A host that ends in such a label is an IPv4 address, however it is spelled (WHATWG URL, "ends in a number")."""

_NO_HOST = "the address has no host name"


@dataclass(frozen=True, slots=True)
class RegistrableDomain:
    """A domain as its registry knows it, in A-labels; where there is none, the host as it was given, and why in `reason`."""

    domain: str
    service: str | None = None
    """The RDAP address of its registry; None when no registry can be asked."""
    reason: str | None = None


def parse_registrable_domain(url: str) -> RegistrableDomain:
    """The registrable domain of an address and who keeps it. It does not raise: an address without a host has a reason."""
    try:
        given = urlsplit(url if "://" in url else f"//{url}").hostname or ""
        # The standard library's IDNA is the one of 2003, which knows no `ß`; names of Canadian businesses are the same in both.
        host = given.rstrip(".").encode("idna").decode("ascii").lower()
    except ValueError:
        return RegistrableDomain(url, reason=_NO_HOST)
    if host == "":
        return RegistrableDomain(url, reason=_NO_HOST)
    labels = host.split(".")
    if ":" in host or _NUMBER.fullmatch(labels[-1]) is not None:
        return RegistrableDomain(host, reason="the address is an IP address, which has no domain")
    return _find_registrable(host, labels)


def _find_registrable(host: str, labels: list[str]) -> RegistrableDomain:
    service, suffixes = _load_services().get(labels[-1]), _load_suffixes()
    if service is None and ".".join(labels[-2:]) not in suffixes.second_level:
        return RegistrableDomain(".".join(labels[-2:]), reason=f"no registry is known for .{labels[-1]}")
    platform = next((name for name in suffixes.platforms if host.endswith(f".{name}")), None)
    if platform is not None:
        return RegistrableDomain(host, reason=f"the site is a customer's of {platform}, whose age says nothing of it")
    depth = 2 + (".".join(labels[-2:]) in suffixes.second_level)
    domain = labels[-depth:]
    if len(domain) < depth or any(_LABEL.fullmatch(label) is None for label in domain):
        return RegistrableDomain(host, reason="the host is no name that can be registered")
    reason = None if service is not None else f"no registry is known for .{labels[-1]}"
    return RegistrableDomain(".".join(domain), service, reason)


@dataclass(frozen=True, slots=True)
class _Suffixes:
    second_level: frozenset[str]
    platforms: tuple[str, ...]


@cache
def _load_suffixes() -> _Suffixes:
    table = read_website_table("suffixes.yml")
    second = (f"{label}.{top}" for top, labels in table["second_level"].items() for label in labels)
    return _Suffixes(frozenset(second), tuple(table["platforms"]))


@cache
def _load_services() -> Mapping[str, str]:
    """By top-level domain the first secure address of its service (RFC 9224, section 3: any of them will do)."""
    table: dict[str, Any] = read_website_table("rdap.json")
    return {
        domain: next(address for address in addresses if address.startswith("https://"))
        for domains, addresses in table["services"]
        for domain in domains
    }
