"""Encrypt the stored responses that contain a secret.

A secret is shown once and stored encrypted. The response that is kept for a repeated request with the same idempotency key must not
be a copy in plain text.
"""

from dataclasses import replace
from uuid import UUID

from bonafide.errors import Conflict
from bonafide.i18n.message import Message
from bonafide.model.webhooks import CreatedWebhookEndpoint, RotatedSecret
from bonafide.services.webhooks.secret_encryption import decrypt_secret, encrypt_secret
from bonafide.store.work.idempotency import StoredResponse

SECRET_DOCUMENTS = frozenset(document.__name__ for document in (CreatedWebhookEndpoint, RotatedSecret))
"""The names of the documents that contain a secret."""


def encrypt_response(signing_key: bytes, organization_id: UUID, key_id: UUID, response: StoredResponse) -> StoredResponse:
    """The response with an encrypted body if its document contains a secret. It is bound to the API key of the request."""
    if response.model not in SECRET_DOCUMENTS:
        return response
    return replace(response, body=encrypt_secret(signing_key, organization_id, key_id, response.body.decode()))


def decrypt_response(signing_key: bytes, organization_id: UUID, key_id: UUID, response: StoredResponse) -> StoredResponse:
    """The response that `encrypt_response` was given.

    Raises `Conflict` if it was stored under another signing key: the request has been run, but its response can't be repeated.
    """
    if response.model not in SECRET_DOCUMENTS:
        return response
    body = decrypt_secret(signing_key, organization_id, key_id, response.body)
    if body is None:
        raise Conflict(Message("The request with this `Idempotency-Key` was run, but its response can no longer be read."))
    return replace(response, body=body.encode())
