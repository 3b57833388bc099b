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
"""Names that no public server answers for (RFC 6761, 6762, 7686, 8375; `internal` by ICANN): asking would give them away."""


@dataclass(frozen=True, slots=True)
class WebUrl:
    """An address that may be asked for. `host` is in lower case ASCII, an IPv6 address without its brackets."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query, percent-encoded; begins with a slash."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an absolute address. Raises `InvalidInput` where it is none, `AddressRefused` where it must not be fetched."""
        _check_characters(text)
        found = _URL.fullmatch(text)
        if found is None:
            raise InvalidInput("it is not a web address")
        scheme, authority, path, query = found[1].lower(), found[2], found[3], found[4] or ""
        if scheme not in DEFAULT_PORTS:
            raise AddressRefused(f"only http and https are fetched, not {scheme}")
        if not authority:
            raise InvalidInput("the address names no host")
        host, port = _parse_host_and_port(authority, DEFAULT_PORTS[scheme])
        url = cls(scheme, host, port, _build_target(path, query))
        _check_length(str(url))
        return url

    def join(self, reference: str) -> "WebUrl":
        """Where a reference on this page leads, judged. Raises as `judged` does."""
        _check_characters(reference)  # before urljoin, which takes some of them out in silence
        try:
            absolute = urljoin(str(self), reference)
        except ValueError as error:
            raise InvalidInput("it is not a web address") from error
        return WebUrl.parse(absolute)

    @property
    def origin(self) -> str:
        """Scheme, host and port, the port only where it is not the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}")

    def __str__(self) -> str:
        return self.origin + self.target


def _check_characters(text: str) -> None:
    """Refuse what one reader skips and another does not: control and invisible characters, backslashes."""
    _check_length(text)
    if not text.isprintable() or "\\" in text:
        raise AddressRefused("the address holds control characters or backslashes")
    if " " in text:
        raise InvalidInput("a web address holds no spaces")


def _check_length(text: str) -> None:
    if len(text) > MAX_LENGTH:
        raise InvalidInput(f"the address is longer than {MAX_LENGTH:,} characters")


def _parse_host_and_port(authority: str, default_port: int) -> tuple[str, int]:
    if "@" in authority:
        raise AddressRefused("the address holds a user name or a password")
    found = _HOST_AND_PORT.fullmatch(authority)
    if found is None:
        raise InvalidInput("the address's host can't be read")
    port = int(found[2]) if found[2] else default_port
    if port not in DEFAULT_PORTS.values():
        raise AddressRefused(f"only ports 80 and 443 are asked, not {port}")
    host = found[1]
    return (_parse_ipv6(host[1:-1]) if host.startswith("[") else _parse_name_or_ipv4(host)), port


def _parse_ipv6(text: str) -> str:
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError as error:
        raise InvalidInput("the address's host is not an IPv6 address") from error
    if not is_public(address):
        raise AddressRefused(f"{address} is not a public address")
    return str(address)


def _parse_name_or_ipv4(text: str) -> str:
    if "%" in text:
        raise AddressRefused("the address's host is disguised by percent signs")
    name = _to_ascii(text).removesuffix(".")
    labels = name.split(".")
    if len(name) > MAX_HOST_LENGTH or not all(_LABEL.fullmatch(label) for label in labels):
        raise InvalidInput("the address's host is not a name")
    if _NUMBER.fullmatch(labels[-1]):
        return _parse_ipv4(name)
    if any(name == end or name.endswith(f".{end}") for end in _PRIVATE_ENDS):
        raise AddressRefused(f"{name} is not a public name")
    if len(labels) == 1:
        raise InvalidInput(f"{name} is not a full name of a host")
    return name


def _to_ascii(text: str) -> str:
    """The name as it is asked for: full-width digits, other dots and capitals become plain, other letters their IDNA spelling."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("。", ".")
    if plain.isascii():
        return plain
    if _DELIMITERS.search(plain):  # ℀ and ／ hold a slash: the host would end there
        raise InvalidInput("the address's host is not a name")
    try:
        return httpx2.URL(f"https://{plain}/").raw_host.decode("ascii")
    except httpx2.InvalidURL as error:
        raise InvalidInput("the address's host is not a name") from error


def _parse_ipv4(text: str) -> str:
    """The address that a socket would connect to: `2130706433`, `0x7f.1` and `0177.0.0.1` are 127.0.0.1."""
    try:
        address = ipaddress.IPv4Address(socket.inet_aton(text))
    except OSError as error:
        raise InvalidInput("the address's host is not an IPv4 address") from error
    if not is_public(address):
        raise AddressRefused(f"{address} is not a public address")
    return str(address)


def _build_target(path: str, query: str) -> str:
    # By httpx2, which leaves out dot segments and encodes what must be; host.invalid only stands for one.
    url = httpx2.URL(f"https://host.invalid{path if path.startswith('/') else '/' + path}{query}")
    return url.raw_path.decode("ascii")
