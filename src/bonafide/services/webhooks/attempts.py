"""The state of a delivery and the health of its endpoint after an attempt. Pure."""

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from http import HTTPStatus

from bonafide.model.webhooks import DeliveryAttempt, DeliveryStatus, DisabledReason
from bonafide.store.work.webhook_deliveries import DeliveryUpdate, EndpointReference, StoredDelivery

RETRY_DELAYS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
)
"""How long to wait after each failed attempt; after the last one the delivery is exhausted."""
MAX_JITTER = 0.1
"""The share of a delay that is added to it at most."""
REPORT_FAILURE_AFTER = timedelta(days=2)
DISABLE_AFTER = timedelta(days=4)
_JITTER_STEPS = 1000


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """One attempt to deliver an event, which has ended."""

    endpoint: EndpointReference
    delivery: StoredDelivery
    attempt: DeliveryAttempt


@dataclass(frozen=True, slots=True)
class EndpointHealth:
    """The health of an endpoint: since when it fails, whether that was reported, and why it was disabled."""

    failing_since: datetime | None
    is_failure_reported: bool = False
    disabled_reason: DisabledReason | None = None


def settle_delivery(result: AttemptResult) -> DeliveryUpdate:
    """The state of a delivery after an attempt."""
    delivery, attempt = result.delivery, result.attempt
    attempts = delivery.attempts + 1
    ended_at = attempt.at + timedelta(milliseconds=attempt.duration_ms)
    if attempt.error is None:
        status = DeliveryStatus.DELIVERED
    else:
        status = DeliveryStatus.FAILED if attempts <= len(RETRY_DELAYS) else DeliveryStatus.EXHAUSTED
    is_retried = status is DeliveryStatus.FAILED
    log = [*json.loads(delivery.document), attempt.model_dump(mode="json", by_alias=True)]
    return DeliveryUpdate(
        endpoint=result.endpoint,
        number=delivery.number,
        attempts=attempts,
        status=status,
        next_attempt_at=ended_at + compute_delay(delivery) if is_retried else None,
        finished_at=None if is_retried else ended_at,
        document=json.dumps(log, ensure_ascii=False),
    )


def compute_delay(delivery: StoredDelivery) -> timedelta:
    """The delay after the next attempt of a delivery, if that fails. A part that follows from the delivery's ID spreads retries."""
    share = (delivery.id.int >> delivery.attempts) % _JITTER_STEPS / _JITTER_STEPS
    return RETRY_DELAYS[delivery.attempts] * (1 + MAX_JITTER * share)


def update_health(health: EndpointHealth, attempt: DeliveryAttempt) -> EndpointHealth:
    """The health of an endpoint after an attempt. Days of failure disable it only after they were reported."""
    if attempt.error is None:
        return EndpointHealth(failing_since=None)
    since = health.failing_since if health.failing_since is not None else attempt.at
    failing = replace(health, failing_since=since)
    if attempt.status == HTTPStatus.GONE:
        return replace(failing, disabled_reason=DisabledReason.GONE)
    if attempt.at - since >= DISABLE_AFTER and health.is_failure_reported:
        return replace(failing, disabled_reason=DisabledReason.FAILING)
    if attempt.at - since >= REPORT_FAILURE_AFTER:
        return replace(failing, is_failure_reported=True)
    return failing
