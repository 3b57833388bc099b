"""Secrets of webhook endpoints, and signatures as Standard Webhooks defines them. Pure, apart from random numbers.

A secret is kept as text: `whsec_` and the base64 of a shared secret (`v1`, HMAC-SHA256), or `whsk_` and the base64 of a private key
(`v1a`, Ed25519), whose public key is `whpk_` and its base64.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bonafide.model.webhooks import SigningMethod

SECRET_BYTES = 32
SHARED_PREFIX, PRIVATE_PREFIX, PUBLIC_PREFIX = "whsec_", "whsk_", "whpk_"
ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
"""The names of the headers."""


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A generated secret: what is stored, what the receiver is given, and the public key. One of the last two is None."""

    stored: str
    shared: str | None
    public_key: str | None


def generate_secret(method: SigningMethod) -> NewSecret:
    """A new random secret."""
    if method is SigningMethod.HMAC:
        shared = SHARED_PREFIX + _encode(secrets.token_bytes(SECRET_BYTES))
        return NewSecret(shared, shared, None)
    key = Ed25519PrivateKey.generate()
    public_key = PUBLIC_PREFIX + _encode(key.public_key().public_bytes_raw())
    return NewSecret(PRIVATE_PREFIX + _encode(key.private_bytes_raw()), None, public_key)


def build_signed_headers(message_id: str, timestamp: int, body: bytes, stored_secrets: Sequence[str]) -> dict[str, str]:
    """The headers of a delivery, with a signature by each secret. `timestamp` has seconds since 1970."""
    content = f"{message_id}.{timestamp}.".encode() + body
    signatures = " ".join(_sign(content, secret) for secret in stored_secrets)
    return {ID: message_id, TIMESTAMP: str(timestamp), SIGNATURE: signatures}


def _sign(content: bytes, secret: str) -> str:
    if secret.startswith(PRIVATE_PREFIX):
        key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(secret.removeprefix(PRIVATE_PREFIX)))
        return "v1a," + _encode(key.sign(content))
    shared = base64.b64decode(secret.removeprefix(SHARED_PREFIX))
    return "v1," + _encode(hmac.new(shared, content, hashlib.sha256).digest())


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
