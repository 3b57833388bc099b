"""Signed, expiring URLs of documents.

The URL holds all that is needed under a signature; nothing is stored for it. Only the canonical encoding is accepted.
"""

import base64
import hashlib
import hmac
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.runtime import Runtime

PATH = "/v1/documents/"
_ID_BYTES = 16
_EXPIRY_BYTES = 8
_SIGNATURE_BYTES = 32
MAX_TOKEN_CHARACTERS = 1024
_UNKNOWN = "there is no document at this address"


class SignedUrl(NamedTuple):
    """An absolute address, and when it expires."""

    url: str
    expires_at: datetime


def sign_url(runtime: Runtime, organization_id: UUID, document: str) -> SignedUrl:
    """The address of one of the organization's documents, as `services/printing` names it."""
    expires_at = runtime.clock().replace(microsecond=0) + timedelta(seconds=runtime.settings.signed_url_ttl_s)
    claim = organization_id.bytes + int(expires_at.timestamp()).to_bytes(_EXPIRY_BYTES, "big") + document.encode()
    return SignedUrl(f"{runtime.settings.base_url}{PATH}{_encode_token(_compute_signature(runtime, claim) + claim)}", expires_at)


def verify_token(runtime: Runtime, token: str) -> tuple[UUID, str]:
    """The organization and document that a token names. Raises `NotFound` for one that we did not sign, or that has expired."""
    if len(token) > MAX_TOKEN_CHARACTERS:
        raise NotFound(_UNKNOWN)
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise NotFound(_UNKNOWN) from None
    signature, claim = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _compute_signature(runtime, claim)) or not hmac.compare_digest(token, _encode_token(raw)):
        raise NotFound(_UNKNOWN)
    organization_id, rest = UUID(bytes=claim[:_ID_BYTES]), claim[_ID_BYTES:]
    expires_at = datetime.fromtimestamp(int.from_bytes(rest[:_EXPIRY_BYTES], "big"), UTC)
    if expires_at <= runtime.clock():
        raise NotFound("this address has expired; ask for the document again")
    return organization_id, rest[_EXPIRY_BYTES:].decode()


def _compute_signature(runtime: Runtime, claim: bytes) -> bytes:
    return hmac.new(runtime.signing_key, claim, hashlib.sha256).digest()


def _encode_token(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
