"""Signed, expiring URLs of documents.

The signed URL contains everything that is needed; nothing is stored for it. Only the canonical encoding is accepted. A stored
result contains the URLs of its reports as they were signed first; they are signed again when it is read.
"""

import base64
import hmac
import json
import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.base import StoredDocument, format_instant
from bonafide.runtime import Runtime

PATH = "/v1/documents/"
_ID_BYTES = 16
_EXPIRY_BYTES = 8
_SIGNATURE_BYTES = 32
MAX_TOKEN_CHARACTERS = 1024
UNKNOWN_DOCUMENT = Message("We couldn’t find that document.")
_REPORT_URL = re.compile(rf'"reportUrl":"[^"]*{PATH}([\w-]+)","reportUrlExpiresAt":"[^"]*"', re.ASCII)


class SignedUrl(NamedTuple):
    """An absolute URL and its expiry."""

    url: str
    expires_at: datetime


def sign_url(runtime: Runtime, organization_id: UUID, document: str) -> SignedUrl:
    """Sign the URL of a document of the organization by its name."""
    expires_at = _compute_expiry(runtime)
    token = _sign(runtime, _build_claim(organization_id, expires_at) + document.encode())
    return SignedUrl(f"{runtime.settings.base_url}{PATH}{token}", expires_at)


def renew_signed_urls(runtime: Runtime, organization_id: UUID, stored: StoredDocument) -> StoredDocument:
    """The stored document with each `reportUrl` and `reportUrlExpiresAt` signed again; the rest of its text is unchanged."""
    expires_at = _compute_expiry(runtime)
    claim = _build_claim(organization_id, expires_at)
    # A token has no character that JSON escapes.
    before = f'"reportUrl":{json.dumps(runtime.settings.base_url + PATH)[:-1]}'
    after = f'","reportUrlExpiresAt":"{format_instant(expires_at)}"'

    def renew(found: re.Match[str]) -> str:
        document = _decode_token(found[1])[_SIGNATURE_BYTES + _ID_BYTES + _EXPIRY_BYTES :]
        return f"{before}{_sign(runtime, claim + document)}{after}"

    return stored._replace(body=_REPORT_URL.sub(renew, stored.body))


def _compute_expiry(runtime: Runtime) -> datetime:
    return runtime.clock().replace(microsecond=0) + timedelta(seconds=runtime.settings.signed_url_ttl_s)


def _build_claim(organization_id: UUID, expires_at: datetime) -> bytes:
    """The beginning of a claim, which the name of the document follows."""
    return organization_id.bytes + int(expires_at.timestamp()).to_bytes(_EXPIRY_BYTES, "big")


def _sign(runtime: Runtime, claim: bytes) -> str:
    """The token of a claim."""
    return _encode_token(_compute_signature(runtime, claim) + claim)


def verify_token(runtime: Runtime, token: str) -> tuple[UUID, str]:
    """The organization and document of a token. Raises `NotFound` for a forged or expired one."""
    if len(token) > MAX_TOKEN_CHARACTERS:
        raise NotFound(UNKNOWN_DOCUMENT)
    try:
        raw = _decode_token(token)
    except ValueError:
        raise NotFound(UNKNOWN_DOCUMENT) from None
    signature, claim = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _compute_signature(runtime, claim)) or not hmac.compare_digest(token, _encode_token(raw)):
        raise NotFound(UNKNOWN_DOCUMENT)
    organization_id, rest = UUID(bytes=claim[:_ID_BYTES]), claim[_ID_BYTES:]
    expires_at = datetime.fromtimestamp(int.from_bytes(rest[:_EXPIRY_BYTES], "big"), UTC)
    if expires_at <= runtime.clock():
        raise NotFound(Message("This link has expired. Request the document again."))
    return organization_id, rest[_EXPIRY_BYTES:].decode()


def _compute_signature(runtime: Runtime, claim: bytes) -> bytes:
    return hmac.digest(runtime.signing_key, claim, "sha256")


def _decode_token(token: str) -> bytes:
    """The bytes of a token. Raises `ValueError`."""
    return base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)


def _encode_token(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
