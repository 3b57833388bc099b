"""Protect forms against cross-site request forgery, by a token in the form and the origin headers of the browser.

The token is the secret masked with new random bytes for each page, because compression of a response that contains both the secret
and caller input could otherwise disclose the secret (BREACH). Callers choose the secret and the requests to check.
"""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from urllib.parse import urlsplit

_OWN_SITES = frozenset({"same-origin", "none"})
"""Accepted values of `Sec-Fetch-Site`: the page itself, or a direct action of the user."""
_DEFAULT_PORTS = {"http": 80, "https": 443}


def create_token(secret: bytes) -> str:
    """A token for the forms of one page."""
    mask = secrets.token_bytes(len(secret))
    return urlsafe_b64encode(mask + _xor(mask, secret)).decode()


def is_valid(secret: bytes, token: str) -> bool:
    """Whether the token was created from this secret, in constant time."""
    try:
        given = urlsafe_b64decode(token.encode())
    except (NotBase64, ValueError):
        return False
    mask, hidden = given[: len(secret)], given[len(secret) :]
    return len(given) == 2 * len(secret) and hmac.compare_digest(_xor(mask, hidden), secret)


def is_same_origin(headers: Mapping[str, str], base_url: str) -> bool:
    """Whether the browser's headers, which scripts can't set, state that the request comes from this service.

    A client that sends neither header is not a current browser, so other sites can't use it for forged requests.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site not in _OWN_SITES:
        return False
    return origin is None or site == "same-origin" or _parse_origin(origin) == _parse_origin(base_url)


def _parse_origin(url: str) -> tuple[str, str | None, int | None] | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.hostname is None:
        return None
    return parts.scheme, parts.hostname, port if port is not None else _DEFAULT_PORTS.get(parts.scheme)


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(left ^ right for left, right in zip(one, other, strict=False))
