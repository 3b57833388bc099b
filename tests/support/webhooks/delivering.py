"""Run the parts of the worker that deliver events, as far as there is something to do."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from bonafide.console.events.chat_message import compose_chat_message
from bonafide.model.events.event import EventBusiness, EventSeverity, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import BusinessChangedData
from bonafide.model.records.business_record import Author
from bonafide.model.webhooks import CreatedWebhookEndpoint, Delivery, NewWebhookEndpoint
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.webhooks.deliveries import list_deliveries
from bonafide.services.webhooks.delivery_loop import DeliveryLoop
from bonafide.services.webhooks.endpoints import create_endpoint
from bonafide.services.webhooks.fan_out import create_deliveries
from bonafide.services.webhooks.webhook_client import TIMEOUT_S, WebhookClient
from bonafide.store.records import events
from bonafide.store.records.events import EventFilter
from tests.support.services.accounts import with_settings
from tests.support.waiting import TIMEOUT_S as TEST_TIMEOUT_S

ANALYST = Author("analyst@north.example")
LOOPBACK = {"allow_private_targets": "127.0.0.1"}
MANY = 1000


def with_loopback(runtime: Runtime) -> Runtime:
    """The same installation, which may deliver to this machine."""
    return with_settings(runtime, **LOOPBACK)


async def add_endpoint(runtime: Runtime, organization_id: UUID, url: str, **fields: Any) -> CreatedWebhookEndpoint:
    """Create an endpoint."""
    return await create_endpoint(runtime, organization_id, NewWebhookEndpoint.model_validate({"url": url, **fields}), ANALYST)


async def record(
    runtime: Runtime,
    organization_id: UUID,
    count: int = 1,
    *,
    event_type: EventType = EventType.BUSINESS_UPDATED,
    severity: EventSeverity | None = None,
    business_id: UUID | None = None,
) -> list[str]:
    """Record events, and return their IDs in order."""
    now = runtime.clock()
    data = BusinessChangedData(changed_by=ANALYST.actor, request_id=None, version=now)
    business = EventBusiness(id=business_id, external_id=None, name="Zoë & Œuvre <Ltd.>") if business_id is not None else None
    subject = EventSubject(kind=EventSubjectKind.BUSINESS, id=business_id, name="Zoë & Œuvre <Ltd.>")
    async with runtime.store.write() as connection:
        new = [NewEvent(event_type, subject, data, business=business, severity=severity) for _ in range(count)]
        await record_events(connection, organization_id, new, now)
        last = await events.get_last_position(connection, organization_id)
        stored = await events.list_after(connection, organization_id, EventFilter(), last - count, count)
    return [str(event.id) for event in stored]


@asynccontextmanager
async def delivering(runtime: Runtime, worker: str = "worker", timeout_s: float = TIMEOUT_S) -> AsyncIterator[DeliveryLoop]:
    """A loop whose `send_due` sends what is due."""
    client = WebhookClient(runtime.settings, runtime.clock, timeout_s=timeout_s)
    yield DeliveryLoop(runtime, worker, compose_chat_message, client)
    await client.close()


async def deliver_all(runtime: Runtime) -> None:
    """Create the deliveries of all events, and attempt what is due."""
    async with delivering(runtime) as loop:
        while await create_deliveries(runtime):
            pass
        while await loop.send_due():
            pass


async def read_deliveries(runtime: Runtime, organization_id: UUID, endpoint_id: UUID) -> tuple[Delivery, ...]:
    """All deliveries to an endpoint, oldest first."""
    return (await list_deliveries(runtime, organization_id, endpoint_id, None, MANY)).deliveries


async def wait_until(is_true: Callable[[], bool]) -> None:
    """Return as soon as it is true."""
    async with asyncio.timeout(TEST_TIMEOUT_S):
        while not is_true():  # noqa: ASYNC110 - what is waited for happens in other tasks and processes
            await asyncio.sleep(0.01)
