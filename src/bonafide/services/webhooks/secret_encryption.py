"""Encrypt the secrets of webhook endpoints in the database with a key that is derived from the signing key of the installation.

A backup of the database alone does not disclose them. Each ciphertext is bound to its organization and endpoint, so that it can't
be copied to another one.
"""

import secrets
from functools import lru_cache
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32
NONCE_BYTES = 12
LABEL = b"bonafide webhook secrets 1"


def encrypt_secret(signing_key: bytes, organization_id: UUID, endpoint_id: UUID, secret: str) -> bytes:
    """The nonce and the ciphertext of a secret."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + _get_cipher(signing_key).encrypt(nonce, secret.encode(), _bind(organization_id, endpoint_id))


def decrypt_secret(signing_key: bytes, organization_id: UUID, endpoint_id: UUID, encrypted: bytes) -> str | None:
    """The secret; None if it was encrypted under another signing key, or for another endpoint."""
    nonce, ciphertext = encrypted[:NONCE_BYTES], encrypted[NONCE_BYTES:]
    try:
        return _get_cipher(signing_key).decrypt(nonce, ciphertext, _bind(organization_id, endpoint_id)).decode()
    except InvalidTag:
        return None


@lru_cache(maxsize=2)
def _get_cipher(signing_key: bytes) -> AESGCM:
    return AESGCM(HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=LABEL).derive(signing_key))


def _bind(organization_id: UUID, endpoint_id: UUID) -> bytes:
    return organization_id.bytes + endpoint_id.bytes
