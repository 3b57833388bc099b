"""Verify webhooks by a shared secret (`v1`) or a public key (`v1a`), as Standard Webhooks defines them."""

import base64
import json
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from standardwebhooks import Webhook, WebhookVerificationError

from bonafide_client.errors import InvalidWebhook
from bonafide_client.models import Event

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

TOLERANCE_S = 300
"""The greatest difference between the time of a webhook and the clock of the receiver."""
_SECRET_PREFIX, _PUBLIC_KEY_PREFIX = "whsec_", "whpk_"
_HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")
_Headers = dict[str, str]


def verify_webhook(body: bytes, headers: Mapping[str, str], key: str) -> Event:
    """The event of a webhook, after its signature has been verified.

    `body` is the unchanged body of the request. `key` is the secret of the endpoint (`whsec_…`) or, if its `signing` is `ed25519`,
    its public key (`whpk_…`), which needs the extra `ed25519`. Raises `InvalidWebhook` if no signature fits, or if the webhook is
    more than five minutes old, and `ValueError` for another key. Events can arrive more than once: store them under their `id`.
    """
    verify = _open_verifier(key)
    try:
        verify(body, {name.lower(): value for name, value in headers.items()})
        message = json.loads(body)
    except (WebhookVerificationError, ValueError) as error:
        raise InvalidWebhook(str(error)) from error
    return Event.from_dict(message["data"])


def _open_verifier(key: str) -> Callable[[bytes, _Headers], None]:
    """A function that verifies a body with its headers. It raises `WebhookVerificationError`, or `ValueError`."""
    if key.startswith(_SECRET_PREFIX):
        webhook = Webhook(key)
        return lambda body, headers: webhook.verify(body, headers, json_parse=False)
    if key.startswith(_PUBLIC_KEY_PREFIX):
        public_key = _read_public_key(key.removeprefix(_PUBLIC_KEY_PREFIX))
        return lambda body, headers: _verify_by_public_key(public_key, body, headers)
    raise ValueError(f"The key of a webhook endpoint begins with {_SECRET_PREFIX} or {_PUBLIC_KEY_PREFIX}.")


def _read_public_key(encoded: str) -> "Ed25519PublicKey":
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415 - comes with an extra
    except ImportError as error:
        raise ImportError("Public keys need the extra: pip install 'bonafide-client[ed25519]'") from error
    return Ed25519PublicKey.from_public_bytes(base64.b64decode(encoded, validate=True))


def _verify_by_public_key(public_key: "Ed25519PublicKey", body: bytes, headers: _Headers) -> None:
    message_id, timestamp, signatures = (headers.get(name, "") for name in _HEADERS)
    if not (message_id and timestamp and signatures):
        raise WebhookVerificationError("A header is missing.")
    if abs(time.time() - int(timestamp)) > TOLERANCE_S:
        raise WebhookVerificationError("The webhook is too old or too new.")
    content = f"{message_id}.{timestamp}.".encode() + body
    versions = (signature.partition(",") for signature in signatures.split())
    if not any(version == "v1a" and _is_signature(public_key, encoded, content) for version, _, encoded in versions):
        raise WebhookVerificationError("No signature fits.")


def _is_signature(public_key: "Ed25519PublicKey", encoded: str, content: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - comes with an extra

    try:
        public_key.verify(base64.b64decode(encoded, validate=True), content)
    except (InvalidSignature, ValueError):
        return False
    return True
