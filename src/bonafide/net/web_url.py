"""Parse, check and normalise the URL of a web site before it is fetched.

Requests are built from the checked parts, never from the given text. Names are not resolved here: `address_guard` checks what they
resolve to.
"""

import ipaddress
import re
import socket
import unicodedata
from dataclasses import dataclass
from typing import Self
from urllib.parse import urljoin

import httpx2

from bonafide.errors import AddressRefused, InvalidInput
from bonafide.i18n.message import Message
from bonafide.net.address_guard import is_public

DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_LENGTH = 2048
MAX_HOST_LENGTH = 253
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?://([^/?#]*))?([^?#]*)(\?[^#]*)?(?:#.*)?", re.DOTALL)
_HOST_AND_PORT = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]*))?")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_DELIMITERS = re.compile(r"[/?#@:%\[\]\\]")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PRIVATE_ENDS = ("localhost", "local", "internal", "home.arpa", "onion")
"""Names that no public server answers for (RFC 6761, 6762, 7686, 8375; `internal` by ICANN): a query would disclose them."""


@dataclass(frozen=True, slots=True)
class WebUrl:
    """An address that may be fetched. `host` is in lower-case ASCII, an IPv6 address without its brackets."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query, percent-encoded; begins with a slash."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an absolute address. Raises `InvalidInput`, or `AddressRefused` for an address that must not be fetched."""
        _check_characters(text)
        found = _URL.fullmatch(text)
        if found is None:
            raise InvalidInput(Message("it is not a web address"))
        scheme, authority, path, query = found[1].lower(), found[2], found[3], found[4] or ""
        if scheme not in DEFAULT_PORTS:
            raise AddressRefused(Message("only http and https are supported, not {scheme}", scheme=scheme))
        if not authority:
            raise InvalidInput(Message("the address has no host"))
        host, port = _parse_host_and_port(authority, DEFAULT_PORTS[scheme])
        url = cls(scheme, host, port, _build_target(path, query))
        _check_length(str(url))
        return url

    def join(self, reference: str) -> "WebUrl":
        """Resolve a reference on this page and check it. Raises as `parse_web_url` does."""
        _check_characters(reference)  # before urljoin, which silently removes some of them
        try:
            absolute = urljoin(str(self), reference)
        except ValueError as error:
            raise InvalidInput(Message("it is not a web address")) from error
        return WebUrl.parse(absolute)

    @property
    def origin(self) -> str:
        """Scheme, host and port, the port only where it is not the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}")

    def __str__(self) -> str:
        return self.origin + self.target


def _check_characters(text: str) -> None:
    """Refuse characters that parsers treat differently: control and invisible characters, backslashes."""
    _check_length(text)
    if not text.isprintable() or "\\" in text:
        raise AddressRefused(Message("the address contains control characters or backslashes"))
    if " " in text:
        raise InvalidInput(Message("the address contains spaces"))


def _check_length(text: str) -> None:
    if len(text) > MAX_LENGTH:
        raise InvalidInput(Message("the address is longer than {limit:,} characters", limit=MAX_LENGTH))


def _parse_host_and_port(authority: str, default_port: int) -> tuple[str, int]:
    if "@" in authority:
        raise AddressRefused(Message("the address contains a user name or a password"))
    found = _HOST_AND_PORT.fullmatch(authority)
    if found is None:
        raise InvalidInput(Message("the address’s host is invalid"))
    port = int(found[2]) if found[2] else default_port
    if port not in DEFAULT_PORTS.values():
        raise AddressRefused(Message("only ports 80 and 443 are allowed, not {port}", port=port))
    host = found[1]
    return (_parse_ipv6(host[1:-1]) if host.startswith("[") else _parse_name_or_ipv4(host)), port


def _parse_ipv6(text: str) -> str:
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError as error:
        raise InvalidInput(Message("the address’s host is not a valid IPv6 address")) from error
    if not is_public(address):
        raise AddressRefused(Message("{address} is not a public address", address=address))
    return str(address)


def _parse_name_or_ipv4(text: str) -> str:
    if "%" in text:
        raise AddressRefused(Message("the address’s host is percent-encoded"))
    name = _to_ascii(text).removesuffix(".")
    labels = name.split(".")
    if len(name) > MAX_HOST_LENGTH or not all(_LABEL.fullmatch(label) for label in labels):
        raise InvalidInput(Message("the address’s host is not a valid name"))
    if _NUMBER.fullmatch(labels[-1]):
        return _parse_ipv4(name)
    if is_private_name(name):
        raise AddressRefused(Message("{name} is not a public name", name=name))
    if len(labels) == 1:
        raise InvalidInput(Message("{name} is not a full host name", name=name))
    return name


def is_private_name(name: str) -> bool:
    """Whether a host name, in lower case and without a final dot, is never public."""
    return any(name == end or name.endswith(f".{end}") for end in _PRIVATE_ENDS)


def _to_ascii(text: str) -> str:
    """The name as it is resolved: full-width digits, other dots and capitals become plain, other letters their IDNA form."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("。", ".")
    if plain.isascii():
        return plain
    if _DELIMITERS.search(plain):  # ℀ and ／ contain a slash, at which the host would end
        raise InvalidInput(Message("the address’s host is not a valid name"))
    try:
        return httpx2.URL(f"https://{plain}/").raw_host.decode("ascii")
    except httpx2.InvalidURL as error:
        raise InvalidInput(Message("the address’s host is not a valid name")) from error


def _parse_ipv4(text: str) -> str:
    """The address that a socket would connect to: `2130706433`, `0x7f.1` and `0177.0.0.1` are 127.0.0.1."""
    try:
        address = ipaddress.IPv4Address(socket.inet_aton(text))
    except OSError as error:
        raise InvalidInput(Message("the address’s host is not a valid IPv4 address")) from error
    if not is_public(address):
        raise AddressRefused(Message("{address} is not a public address", address=address))
    return str(address)


def _build_target(path: str, query: str) -> str:
    # httpx2 removes dot segments and encodes where needed; host.invalid is a placeholder.
    url = httpx2.URL(f"https://host.invalid{path if path.startswith('/') else '/' + path}{query}")
    return url.raw_path.decode("ascii")
