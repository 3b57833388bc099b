"""Whether a form was sent from a page of ours: a token in the form that only our pages know, and where the browser says it is.

The token is the secret under a mask that is new for each page: a compressed answer that repeats a caller's words would otherwise
give the secret away letter by letter (BREACH). Whose secret it is, and which requests are checked, is not decided here.
"""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from urllib.parse import urlsplit

_OWN_SITES = frozenset({"same-origin", "none"})
"""Of `Sec-Fetch-Site`: from the page itself, or by the person's own hand."""
_DEFAULT_PORTS = {"http": 80, "https": 443}


def create_token(secret: bytes) -> str:
    """A token for the forms of one page."""
    mask = secrets.token_bytes(len(secret))
    return urlsafe_b64encode(mask + _xor(mask, secret)).decode()


def is_valid(secret: bytes, token: str) -> bool:
    """Whether the token was made from this secret; takes as long for one that was not."""
    try:
        given = urlsafe_b64decode(token.encode())
    except (NotBase64, ValueError):
        return False
    mask, hidden = given[: len(secret)], given[len(secret) :]
    return len(given) == 2 * len(secret) and hmac.compare_digest(_xor(mask, hidden), secret)


def is_same_origin(headers: Mapping[str, str], base_url: str) -> bool:
    """Whether the browser says that the request comes from a page of this service, by what no script can set.

    A client that sends neither header is not a current browser, so no other site can make it use a person's session.
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
