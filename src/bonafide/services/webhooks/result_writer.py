"""Store the results of attempts, many in one transaction, with what follows from them for the endpoints."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

from bonafide.errors import BonafideError
from bonafide.model.events.event import EventType, NewEvent
from bonafide.model.events.event_data import WebhookDisabledData, WebhookFailingData
from bonafide.model.webhooks import DeliveryAttempt, EndpointConfiguration
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.webhooks.attempts import (
    DISABLE_AFTER,
    AttemptResult,
    EndpointHealth,
    settle_delivery,
    update_health,
)
from bonafide.services.webhooks.endpoints import build_path, build_subject
from bonafide.store.database.engine import Connection
from bonafide.store.records import webhook_endpoints
from bonafide.store.records.webhook_endpoints import StoredWebhookEndpoint
from bonafide.store.work import webhook_deliveries
from bonafide.store.work.webhook_deliveries import EndpointReference

BATCH = 200
RETRY_AFTER_S = 1.0
"""After the database was unavailable."""
_log = get_logger(__name__)


class ResultWriter:
    """Collects results while the previous ones are being stored, so that a transaction has as many as there are."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._waiting: list[tuple[AttemptResult, asyncio.Future[None]]] = []
        self._is_filled = asyncio.Event()

    async def store(self, result: AttemptResult) -> None:
        """Return once the result is stored."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((result, stored))
        self._is_filled.set()
        await stored

    async def run(self) -> None:
        """Store results until cancelled, then what is left; without the database these deliveries are sent again."""
        try:
            while True:
                await self._is_filled.wait()
                await self._store_next()
        finally:
            with suppress(BonafideError):
                await store_results(self._runtime, [result for result, _ in self._waiting])

    async def _store_next(self) -> None:
        batch = self._waiting[:BATCH]
        try:
            await store_results(self._runtime, [result for result, _ in batch])
        except BonafideError as error:
            _log.warning("database.unavailable", problem=error.message)
            await asyncio.sleep(RETRY_AFTER_S)
            return
        del self._waiting[: len(batch)]
        if not self._waiting:
            self._is_filled.clear()
        for _, stored in batch:
            if not stored.done():
                stored.set_result(None)


async def store_results(runtime: Runtime, results: Sequence[AttemptResult]) -> None:
    """Store the results in the given order, and disable and report endpoints. Raises `ServerBusy`."""
    if not results:
        return
    updates = [settle_delivery(result) for result in results]
    by_endpoint = defaultdict[EndpointReference, list[DeliveryAttempt]](list)
    for result in results:
        by_endpoint[result.endpoint].append(result.attempt)
    disabled: list[str] = []
    async with runtime.store.write() as connection:
        await webhook_deliveries.store_results(connection, updates)
        reported = defaultdict[UUID, list[NewEvent]](list)
        rows = await webhook_deliveries.get_endpoints(connection, by_endpoint)
        # In one order, so that two workers do not wait for each other.
        for endpoint in sorted(rows, key=lambda one: (one.organization_id, one.id)):
            event = await _store_health(connection, endpoint.organization_id, rows[endpoint], by_endpoint[endpoint])
            if event is not None:
                reported[endpoint.organization_id].append(event)
                if isinstance(event.data, WebhookDisabledData):
                    disabled.append(event.data.reason)
        for organization_id, new in reported.items():
            await record_events(connection, organization_id, new, runtime.clock())
    for result, update in zip(results, updates, strict=True):
        runtime.metrics.observe_delivery(update.status, result.attempt.duration_ms / 1000)
    for reason in disabled:
        runtime.metrics.count_disabled_endpoint(reason)


async def _store_health(
    connection: Connection, organization_id: UUID, row: StoredWebhookEndpoint, attempts: Sequence[DeliveryAttempt]
) -> NewEvent | None:
    """Store the health of an endpoint after these attempts, and return the event to record, if any."""
    if not row.enabled:
        return None
    before = EndpointHealth(row.failing_since, row.is_failure_reported)
    after, decisive = before, attempts[-1]
    for attempt in attempts:
        after = update_health(after, attempt)
        if after.disabled_reason is not None:
            decisive = attempt
            break
    if after == before:
        return None
    values: dict[str, object] = {"failing_since": after.failing_since, "is_failure_reported": after.is_failure_reported}
    if after.disabled_reason is not None:
        values |= {"enabled": False, "disabled_reason": after.disabled_reason}
    await webhook_endpoints.set_values(connection, organization_id, row.id, **values)
    return _build_event(row, before, after, decisive)


def _build_event(
    row: StoredWebhookEndpoint, before: EndpointHealth, after: EndpointHealth, attempt: DeliveryAttempt
) -> NewEvent | None:
    since = after.failing_since
    if since is None:
        return None
    subject = build_subject(row.id, EndpointConfiguration.model_validate_json(row.document))
    if after.disabled_reason is not None:
        disabled = WebhookDisabledData(endpoint_id=row.id, reason=after.disabled_reason, failing_since=since)
        return NewEvent(EventType.WEBHOOK_DISABLED, subject, disabled, resource=build_path(row.id))
    if after.is_failure_reported and not before.is_failure_reported:
        assert attempt.error is not None  # noqa: S101 - a success would have ended the failure
        failing = WebhookFailingData(
            endpoint_id=row.id,
            failing_since=since,
            disabled_at=since + DISABLE_AFTER,
            last_error=attempt.error,
            last_status=attempt.status,
        )
        return NewEvent(EventType.WEBHOOK_FAILING, subject, failing, resource=build_path(row.id))
    return None
