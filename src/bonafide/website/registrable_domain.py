"""Find the registrable domain of a web address: `example.qc.ca` for `https://www.example.qc.ca/about`.

The suffixes are the snapshot of the public suffix list in `tldextract`; nothing is downloaded.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bonafide.i18n.message import Message
from bonafide.website.tables import read_website_table

if TYPE_CHECKING:
    from tldextract import TLDExtract

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""A host that ends in such a label is an IPv4 address, however it is spelled (WHATWG URL, "ends in a number")."""
_OTHER_PLATFORMS = (
    "blogspot.ca",
    "business.site",
    "godaddysites.com",
    "jimdosite.com",
    "mystrikingly.com",
    "squarespace.com",
    "tumblr.com",
    "weebly.com",
    "wordpress.com",
)
"""Platforms that give each customer a subdomain and are not in the private part of the public suffix list."""
_SANDBOX_SUFFIX = "sandbox.example"

_NO_HOST = Message("the address has no host name")


@dataclass(frozen=True, slots=True)
class RegistrableDomain:
    """A registered domain in A-labels; if there is none, the given host, with the `reason`."""

    domain: str
    service: str | None = None
    """The RDAP address of its registry; None if no registry can be queried."""
    reason: Message | None = None


def parse_registrable_domain(url: str) -> RegistrableDomain:
    """Return the registrable domain of an address and its registry. Never raises: an address without a host has a reason."""
    try:
        given = urlsplit(url if "://" in url else f"//{url}").hostname or ""
        # The standard library's IDNA is the one of 2003, which has no `ß`; names of Canadian businesses are the same in both.
        host = given.rstrip(".").encode("idna").decode("ascii").lower()
    except ValueError:
        return RegistrableDomain(url, reason=_NO_HOST)
    if host == "":
        return RegistrableDomain(url, reason=_NO_HOST)
    top_level = host.rpartition(".")[2]
    if ":" in host or _NUMBER.fullmatch(top_level) is not None:
        return RegistrableDomain(host, reason=Message("an IP address has no domain"))
    return _find_registrable(host, top_level)


def _find_registrable(host: str, top_level: str) -> RegistrableDomain:
    found = _create_extractor()(host)
    no_registry = None if top_level in _load_services() else Message("no RDAP service is known for .{domain}", domain=top_level)
    if no_registry is not None and found.suffix == "":
        return RegistrableDomain(".".join(host.split(".")[-2:]), reason=no_registry)
    platform = (
        found.suffix
        if found.is_private and found.domain != ""
        else next((name for name in _OTHER_PLATFORMS if host.endswith(f".{name}")), None)
    )
    if platform is not None:
        return RegistrableDomain(
            host, reason=Message("the site is a subdomain of {platform}, whose age does not apply to it", platform=platform)
        )
    depth = found.registry_suffix.count(".") + 2
    domain = host.split(".")[-depth:]
    if len(domain) < depth or any(_LABEL.fullmatch(label) is None for label in domain):
        return RegistrableDomain(host, reason=Message("the host is not a domain that can be registered"))
    return RegistrableDomain(".".join(domain), _load_services().get(top_level), no_registry)


@cache
def _create_extractor() -> "TLDExtract":
    from tldextract import TLDExtract  # noqa: PLC0415 - takes 0.25 s, and most processes never need it

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True, extra_suffixes=(_SANDBOX_SUFFIX,))


@cache
def _load_services() -> Mapping[str, str]:
    """Load the first https address of each top-level domain's service (RFC 9224, section 3: any of them can be used)."""
    table: dict[str, Any] = read_website_table("rdap.json")
    return {
        domain: next(address for address in addresses if address.startswith("https://"))
        for domains, addresses in table["services"]
        for domain in domains
    }
