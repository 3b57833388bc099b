"""Webhook endpoints, and the deliveries of events to them.

`services/webhooks/endpoints` checks `url` against the guard of outbound addresses, because that depends on the settings.
"""

from datetime import timedelta
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant, create_field_error
from bonafide.model.events.event import EXAMPLE_BUSINESS_ID, EXAMPLE_EVENT_ID, EventSeverity, EventType
from bonafide.model.query import Text
from bonafide.model.records.business_record import Cursor, FeedPagination

EXAMPLE_ENDPOINT_ID = "5f0d8f6e-2b7c-4d0a-9c55-3f4e8a1b2c3d"
EXAMPLE_DELIVERY_ID = "c3d4e5f6-a7b8-4c9d-8e0f-1a2b3c4d5e6f"
MAX_URL_CHARACTERS = 2048
MAX_BUSINESSES = 1000
MAX_REPLAYED = 10_000
"""Deliveries that one request may repeat."""
DEFAULT_OVERLAP = timedelta(days=1)
MAX_OVERLAP = timedelta(days=30)


class WebhookKind(StrEnum):
    """What an endpoint receives."""

    STANDARD = "standard"
    """Signed events, as Standard Webhooks defines."""
    SLACK = "slack"
    """Messages for the incoming webhook of a chat, without a signature."""


class SigningMethod(StrEnum):
    """How the deliveries to an endpoint are signed."""

    HMAC = "hmac"
    """With a secret that both sides have (`v1`)."""
    ED25519 = "ed25519"
    """With a private key, so that the receiver needs the public key only (`v1a`)."""


class DisabledReason(StrEnum):
    """Why an endpoint receives nothing."""

    PAUSED = "paused"
    """A user or a program has disabled it."""
    GONE = "gone"
    """It has returned 410."""
    FAILING = "failing"
    """Every delivery has failed for days."""


class DeliveryStatus(StrEnum):
    """The status of a delivery."""

    PENDING = "pending"
    """It has not been attempted yet."""
    DELIVERED = "delivered"
    """The endpoint has confirmed it with a status from 200 to 299."""
    FAILED = "failed"
    """The last attempt has failed, and another one follows."""
    EXHAUSTED = "exhausted"
    """All attempts have failed."""


class DeliveryError(StrEnum):
    """Why an attempt has failed."""

    UNEXPECTED_STATUS = "unexpected_status"
    """The status was not from 200 to 299. Redirects are not followed."""
    TIMEOUT = "timeout"
    """There was no response in time."""
    CONNECTION_FAILED = "connection_failed"
    """The name could not be resolved, or the connection failed or was interrupted."""
    TLS_FAILED = "tls_failed"
    """The certificate could not be verified, or TLS failed in another way."""
    ADDRESS_REFUSED = "address_refused"
    """The address is not public."""
    SECRET_UNREADABLE = "secret_unreadable"  # noqa: S105 - the code of an error
    """The secret was stored under another signing key of the service: rotate it."""


class SecretStatus(StrEnum):
    """Whether the deliveries to an endpoint can be signed."""

    READY = "ready"
    UNREADABLE = "unreadable"
    """The secret was stored under another signing key of the service: rotate it."""
    NONE = "none"
    """The endpoint needs no secret: messages for chats are not signed."""


def _sort_types(types: tuple[EventType, ...]) -> tuple[EventType, ...]:
    return tuple(one for one in EventType if one in set(types))


def _remove_duplicates(ids: tuple[UUID, ...]) -> tuple[UUID, ...]:
    return tuple(dict.fromkeys(ids))


EndpointUrl = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_URL_CHARACTERS)]
EventTypeFilter = Annotated[tuple[EventType, ...], AfterValidator(_sort_types)]
BusinessFilter = Annotated[tuple[UUID, ...], Field(max_length=MAX_BUSINESSES), AfterValidator(_remove_duplicates)]
_URL = Field(examples=["https://hooks.example.com/bonafide"])
_DESCRIPTION = Field(examples=["Case management"])
_TYPES = Field(examples=[["screening.hit_found", "verification.completed"]])
_SEVERITY = Field(examples=["medium"])
_BUSINESSES = Field(examples=[[EXAMPLE_BUSINESS_ID]])


class NewWebhookEndpoint(Document):
    """The body of `POST /webhook-endpoints`."""

    url: Annotated[EndpointUrl, _URL]
    """Address that receives the events: `https`, on a public address."""
    description: Annotated[Text | None, _DESCRIPTION] = None
    """What the endpoint is for."""
    types: Annotated[EventTypeFilter, _TYPES] = ()
    """Types of events that are delivered; empty for all, including those of later releases."""
    min_severity: Annotated[EventSeverity, _SEVERITY] = EventSeverity.INFO
    """Lowest severity that is delivered."""
    business_ids: Annotated[BusinessFilter, _BUSINESSES] = ()
    """IDs of the business records whose events are delivered; empty for all events, including those without a record."""
    kind: Annotated[WebhookKind, Field(examples=["standard"])] = WebhookKind.STANDARD
    """What the endpoint receives: signed events, or messages for the incoming webhook of a chat."""
    enabled: Annotated[bool, Field(examples=[True])] = True
    """Whether events are delivered."""
    signing: Annotated[SigningMethod, Field(examples=["hmac"])] = SigningMethod.HMAC
    """How deliveries are signed; has no effect for kind `slack`."""


class WebhookEndpointChange(Document):
    """The body of `PATCH /webhook-endpoints/{id}`: what is sent is set, what is not stays as it is.

    `kind` and `signing` can't be changed: create another endpoint instead.
    """

    url: Annotated[EndpointUrl | None, _URL] = None
    """Address that receives the events."""
    description: Annotated[Text | None, _DESCRIPTION] = None
    """What the endpoint is for; null removes the description."""
    types: Annotated[EventTypeFilter | None, _TYPES] = None
    """Types of events that are delivered; empty for all."""
    min_severity: Annotated[EventSeverity | None, _SEVERITY] = None
    """Lowest severity that is delivered."""
    business_ids: Annotated[BusinessFilter | None, _BUSINESSES] = None
    """IDs of the business records whose events are delivered; empty for all events."""
    enabled: Annotated[bool | None, Field(examples=[True])] = None
    """Whether events are delivered. An endpoint that is enabled again continues with new events and with deliveries that had been
    created before; replay what happened in between."""

    @model_validator(mode="after")
    def _check_nulls(self) -> "WebhookEndpointChange":
        for name in self.model_fields_set - {"description"}:
            if getattr(self, name) is None:
                field = type(self).model_fields[name].alias or name
                raise create_field_error(field, Message("must not be null"))
        return self


class WebhookEndpoint(Document):
    """A webhook endpoint, without its secret."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_ENDPOINT_ID])]
    """ID of the endpoint."""
    url: Annotated[str, _URL]
    """Address that receives the events."""
    description: Annotated[str | None, _DESCRIPTION]
    """What the endpoint is for."""
    types: Annotated[tuple[EventType, ...], _TYPES]
    """Types of events that are delivered; empty for all."""
    min_severity: Annotated[EventSeverity, _SEVERITY]
    """Lowest severity that is delivered."""
    business_ids: Annotated[tuple[UUID, ...], _BUSINESSES]
    """IDs of the business records whose events are delivered; empty for all events."""
    kind: Annotated[WebhookKind, Field(examples=["standard"])]
    """What the endpoint receives."""
    signing: Annotated[SigningMethod, Field(examples=["hmac"])]
    """How deliveries are signed."""
    enabled: Annotated[bool, Field(examples=[True])]
    """Whether events are delivered."""
    disabled_reason: Annotated[DisabledReason | None, Field(examples=[None])]
    """Why no events are delivered; null if they are."""
    failing_since: Annotated[Instant | None, Field(examples=[None])]
    """First failed attempt since the last delivery; null if the last attempt succeeded."""
    secret_status: Annotated[SecretStatus, Field(examples=["ready"])]
    """Whether deliveries can be signed."""
    public_key: Annotated[str | None, Field(examples=[None])]
    """Public key that verifies signatures (`whpk_…`); null unless `signing` is `ed25519`."""
    previous_secret_expires_at: Annotated[Instant | None, Field(examples=[None])]
    """Until when deliveries are also signed with the secret before the last rotation; null without one."""
    created_at: Annotated[Instant, Field(examples=["2026-11-20T14:33:00.125Z"])]
    """When the endpoint was created."""


class EndpointConfiguration(Document):
    """What users decide about an endpoint, as it is stored."""

    url: str
    description: str | None
    types: tuple[EventType, ...]
    min_severity: EventSeverity
    business_ids: tuple[UUID, ...]
    kind: WebhookKind
    signing: SigningMethod
    public_key: str | None


class CreatedWebhookEndpoint(WebhookEndpoint):
    """A new webhook endpoint with its secret, which is returned only here."""

    secret: Annotated[str | None, Field(examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])]
    """Secret that verifies signatures (`whsec_…`); null if `signing` is `ed25519` or `kind` is `slack`."""


class WebhookEndpointList(Document):
    """All webhook endpoints of the organization, oldest first."""

    webhook_endpoints: tuple[WebhookEndpoint, ...]
    """Webhook endpoints, oldest first."""


class SecretRotation(Document):
    """The body of `POST /webhook-endpoints/{id}/rotate-secret`."""

    overlap_seconds: Annotated[int, Field(ge=0, le=int(MAX_OVERLAP.total_seconds()), examples=[86400])] = int(
        DEFAULT_OVERLAP.total_seconds()
    )
    """For how many seconds deliveries are also signed with the previous secret."""


class RotatedSecret(Document):
    """The new secret of an endpoint, which is returned only here."""

    secret: Annotated[str | None, Field(examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])]
    """New secret; null for an endpoint with `signing` `ed25519`."""
    public_key: Annotated[str | None, Field(examples=[None])]
    """New public key; null unless `signing` is `ed25519`."""
    previous_expires_at: Annotated[Instant | None, Field(examples=["2026-11-21T14:33:00.125Z"])]
    """Until when deliveries are also signed with the previous secret; null if it is no longer used."""


class DeliveryAttempt(Document):
    """One attempt to deliver an event."""

    at: Annotated[Instant, Field(examples=["2026-11-20T14:33:00.125Z"])]
    """When the attempt began."""
    status: Annotated[int | None, Field(examples=[503])]
    """HTTP status of the response; null without a response."""
    duration_ms: Annotated[int, Field(examples=[84])]
    """Duration in milliseconds."""
    error: Annotated[DeliveryError | None, Field(examples=["unexpected_status"])]
    """Why the attempt failed; null if it succeeded."""
    response_start: Annotated[str | None, Field(examples=["Service Unavailable"])]
    """First 256 characters of the response; null without a body."""


class Delivery(Document):
    """The delivery of one event to one endpoint."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_DELIVERY_ID])]
    """ID of the delivery. A replayed event has a delivery of its own."""
    event_id: Annotated[UUID, Field(examples=[EXAMPLE_EVENT_ID])]
    """ID of the event, which the header `webhook-id` of each attempt has."""
    event_type: Annotated[EventType, Field(examples=["screening.hit_changed"])]
    """Type of the event."""
    sequence: Annotated[int, Field(examples=[1841])]
    """Number of the event in the organization."""
    status: Annotated[DeliveryStatus, Field(examples=["failed"])]
    """Status of the delivery."""
    attempts: tuple[DeliveryAttempt, ...]
    """Attempts, oldest first."""
    next_attempt_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:05.300Z"])]
    """When the next attempt is due; null if none follows, or while the endpoint is disabled."""
    created_at: Annotated[Instant, Field(examples=["2026-11-20T14:33:00.100Z"])]
    """When the delivery was created."""


class DeliveryPage(Document):
    """A page of the deliveries to an endpoint, oldest first."""

    deliveries: tuple[Delivery, ...]
    """Deliveries, oldest first."""
    cursor: Cursor
    """Position in the list."""
    pagination: FeedPagination
    """Size of the page."""


class SentTestEvent(Document):
    """A test event that was recorded, to be delivered."""

    event_id: Annotated[UUID, Field(examples=[EXAMPLE_EVENT_ID])]
    """ID of the event."""


class ReplayRequest(Document):
    """The body of `POST /webhook-endpoints/{id}/replay`: either IDs of events, or a span of time."""

    event_ids: Annotated[
        tuple[UUID, ...] | None,
        Field(min_length=1, max_length=MAX_REPLAYED, examples=[[EXAMPLE_EVENT_ID]]),
    ] = None
    """IDs of the events to deliver again, whatever the filter of the endpoint."""
    since: Annotated[Instant | None, Field(examples=[None])] = None
    """Deliver the events after this instant that match the filter of the endpoint."""
    until: Annotated[Instant | None, Field(examples=[None])] = None
    """Deliver the events until this instant; without it, all events until now."""

    @model_validator(mode="after")
    def _check_choice(self) -> "ReplayRequest":
        if (self.event_ids is None) == (self.since is None):
            raise create_field_error("eventIds", Message("send either `eventIds` or `since`"))
        if self.event_ids is not None and self.until is not None:
            raise create_field_error("until", Message("applies to `since` only"))
        if self.since is not None and self.until is not None and self.until < self.since:
            raise create_field_error("until", Message("must not be before `since`"))
        return self


class ReplayResult(Document):
    """How many deliveries a replay has created."""

    count: Annotated[int, Field(examples=[12])]
    """Number of deliveries."""
