"""Recognize the browsers in which a user has signed in, so that failed attempts from elsewhere do not keep the user out.

After a sign-in the browser has a signed token (OWASP, device cookie). It is valid for one account and expires; it names neither the
account nor the user, and it gives no access by itself: failed attempts that carry it are counted for this device only. A browser
keeps the tokens of several accounts in one cookie.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta

from bonafide.model.accounts.users import normalize_email
from bonafide.runtime import Runtime

LIFETIME = timedelta(days=180)
MAX_ACCOUNTS = 5
"""Tokens in one cookie; the oldest are dropped."""
SEPARATOR = "."
_ID_BYTES = 16
_EXPIRY_BYTES = 8
_SIGNATURE_BYTES = 32
_TOKEN_CHARACTERS = 75
"""The tokens' 56 bytes in Base64 without padding."""


def find_device(runtime: Runtime, email: str, cookie: str | None) -> str | None:
    """The ID of the device whose valid token for this account is in the cookie; None without one."""
    for token in _split_cookie(cookie):
        device = _verify_token(runtime, email, token)
        if device is not None:
            return device
    return None


def add_device(runtime: Runtime, email: str, cookie: str | None) -> str:
    """The cookie with a new token for this account before those of other accounts. A known device keeps its ID."""
    others = [token for token in _split_cookie(cookie) if _verify_token(runtime, email, token) is None]
    known = find_device(runtime, email, cookie)
    device = bytes.fromhex(known) if known is not None else secrets.token_bytes(_ID_BYTES)
    expires_at = runtime.clock() + LIFETIME
    claim = device + int(expires_at.timestamp()).to_bytes(_EXPIRY_BYTES, "big")
    return SEPARATOR.join([_encode(claim + _compute_signature(runtime, email, claim)), *others][:MAX_ACCOUNTS])


def _split_cookie(cookie: str | None) -> list[str]:
    parts = cookie.split(SEPARATOR, MAX_ACCOUNTS) if cookie is not None else []
    return [part for part in parts[:MAX_ACCOUNTS] if len(part) == _TOKEN_CHARACTERS]


def _verify_token(runtime: Runtime, email: str, token: str) -> str | None:
    """The ID of the device; None for a token that is forged, expired or of another account."""
    try:
        raw = urlsafe_b64decode(f"{token}=")
    except ValueError:
        return None
    claim, signature = raw[:-_SIGNATURE_BYTES], raw[-_SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _compute_signature(runtime, email, claim)):
        return None
    expires_at = datetime.fromtimestamp(int.from_bytes(claim[_ID_BYTES:], "big"), UTC)
    return claim[:_ID_BYTES].hex() if expires_at > runtime.clock() else None


def _compute_signature(runtime: Runtime, email: str, claim: bytes) -> bytes:
    # A key of its own, so that no other signed value of this installation is a token.
    key = hmac.new(runtime.signing_key, b"known device", hashlib.sha256).digest()
    account = hashlib.sha256(normalize_email(email).encode("utf-8", "surrogatepass")).digest()
    return hmac.new(key, account + claim, hashlib.sha256).digest()


def _encode(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
