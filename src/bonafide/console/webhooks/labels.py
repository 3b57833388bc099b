"""Labels and badge colours of the codes of webhook endpoints and deliveries."""

from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType

from bonafide.i18n.message import Message, context_message
from bonafide.model.webhooks import (
    DeliveryError,
    DeliveryStatus,
    DisabledReason,
    SecretStatus,
    SigningMethod,
    WebhookEndpoint,
    WebhookKind,
)


class EndpointState(StrEnum):
    """The state of an endpoint as the pages show it."""

    ACTIVE = "active"
    FAILING = "failing"
    UNREADABLE_SECRET = "unreadable_secret"  # noqa: S105 - the code of a state
    PAUSED = "paused"
    GONE = "gone"
    DISABLED = "disabled"


def get_state(endpoint: WebhookEndpoint) -> EndpointState:
    """The state of an endpoint."""
    match endpoint.disabled_reason:
        case DisabledReason.GONE:
            return EndpointState.GONE
        case DisabledReason.FAILING:
            return EndpointState.DISABLED
        case _ if not endpoint.enabled:
            return EndpointState.PAUSED
    if endpoint.secret_status is SecretStatus.UNREADABLE:
        return EndpointState.UNREADABLE_SECRET
    return EndpointState.FAILING if endpoint.failing_since is not None else EndpointState.ACTIVE


STATE = MappingProxyType({
    EndpointState.ACTIVE: context_message("webhook", "Active"),
    EndpointState.FAILING: context_message("webhook", "Failing"),
    EndpointState.UNREADABLE_SECRET: Message("Secret must be rotated"),
    EndpointState.PAUSED: context_message("webhook", "Paused"),
    EndpointState.GONE: Message("Disabled: the receiver returned 410"),
    EndpointState.DISABLED: Message("Disabled after days of failures"),
})  # fmt: skip
STATE_COLOUR = MappingProxyType({
    EndpointState.ACTIVE: "good",
    EndpointState.FAILING: "warn",
    EndpointState.UNREADABLE_SECRET: "bad",
    EndpointState.GONE: "bad",
    EndpointState.DISABLED: "bad",
})  # fmt: skip
KIND = MappingProxyType({
    WebhookKind.STANDARD: Message("Signed events"),
    WebhookKind.SLACK: Message("Chat messages (Slack)"),
})  # fmt: skip
SIGNING = MappingProxyType({
    SigningMethod.HMAC: Message("Shared secret"),
    SigningMethod.ED25519: Message("Public key (Ed25519)"),
})  # fmt: skip
DELIVERY = MappingProxyType({
    DeliveryStatus.PENDING: context_message("delivery", "Pending"),
    DeliveryStatus.DELIVERED: context_message("delivery", "Delivered"),
    DeliveryStatus.FAILED: context_message("delivery", "Failed, will be retried"),
    DeliveryStatus.EXHAUSTED: context_message("delivery", "Failed"),
})  # fmt: skip
DELIVERY_COLOUR = MappingProxyType({
    DeliveryStatus.PENDING: "note",
    DeliveryStatus.DELIVERED: "good",
    DeliveryStatus.FAILED: "warn",
    DeliveryStatus.EXHAUSTED: "bad",
})  # fmt: skip
ERROR = MappingProxyType({
    DeliveryError.UNEXPECTED_STATUS: Message("Unexpected status"),
    DeliveryError.TIMEOUT: Message("No response in time"),
    DeliveryError.CONNECTION_FAILED: Message("The connection failed"),
    DeliveryError.TLS_FAILED: Message("The certificate couldn’t be verified, or TLS failed"),
    DeliveryError.ADDRESS_REFUSED: Message("The address isn’t public"),
    DeliveryError.SECRET_UNREADABLE: Message("The secret couldn’t be read: rotate it"),
})  # fmt: skip
OVERLAPS = MappingProxyType({
    timedelta(0): Message("immediately"),
    timedelta(hours=1): Message("in 1 hour"),
    timedelta(days=1): Message("in 24 hours"),
    timedelta(days=7): Message("in 7 days"),
})  # fmt: skip
"""The choices for how long the previous secret still signs after a rotation."""
