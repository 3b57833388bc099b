"""The log of the deliveries to an endpoint, and the replay of events."""

import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.cursors import decode_cursor_text, encode_cursor_text
from bonafide.model.records.business_record import Author, Cursor, FeedPagination, FieldChange
from bonafide.model.webhooks import (
    MAX_REPLAYED,
    Delivery,
    DeliveryAttempt,
    DeliveryPage,
    DeliveryStatus,
    EndpointConfiguration,
    ReplayRequest,
    ReplayResult,
)
from bonafide.runtime import Runtime
from bonafide.services.webhooks.endpoints import load_endpoint
from bonafide.services.webhooks.event_filter import is_deliverable, matches_filter
from bonafide.store.database.engine import Connection
from bonafide.store.records import events
from bonafide.store.records.webhook_endpoints import StoredWebhookEndpoint
from bonafide.store.tenants import audit_log
from bonafide.store.work import webhook_deliveries
from bonafide.store.work.pending_key import complete_key
from bonafide.store.work.webhook_deliveries import EventKey, NewDeliveries, StoredDelivery

REPLAY = "webhookReplay"
"""The field of the audit log for a replay."""
_POSITION = re.compile(r"d1\.(0|[1-9]\d{0,17})", re.ASCII)
"""The form of a position: its version, and the number of a delivery."""
KEEP_FINISHED = timedelta(days=30)
PURGE_BATCH = 1000
MAX_PURGE_BATCHES = 50
"""Transactions of one purge; the next one deletes the rest."""
_READ_AT_ONCE = 2000
"""Events that a replay reads at once."""


@dataclass(frozen=True, slots=True)
class NewestDeliveries:
    """A page of deliveries, newest first. `older` is the cursor of the next page; None on the last one."""

    deliveries: tuple[Delivery, ...]
    older: str | None


async def list_deliveries(
    runtime: Runtime,
    organization_id: UUID,
    endpoint_id: UUID,
    status: DeliveryStatus | None,
    limit: int,
    cursor: str | None = None,
) -> DeliveryPage:
    """A page of the deliveries to an endpoint, oldest first. Raises `NotFound`, and `ValidationFailed` for a wrong cursor."""
    start = _decode_position(cursor) if cursor is not None else 0
    async with runtime.store.read_lagging() as connection:
        endpoint = await load_endpoint(connection, organization_id, endpoint_id)
        found = await webhook_deliveries.list_after(connection, organization_id, endpoint_id, status, start, limit + 1)
    listed = found[:limit]
    return DeliveryPage(
        deliveries=tuple(_to_delivery(endpoint, row) for row in listed),
        cursor=Cursor(next=_encode_position(listed[-1].number if listed else start)),
        pagination=FeedPagination(limit=limit, has_more=len(found) > limit),
    )


async def list_newest_deliveries(
    runtime: Runtime,
    organization_id: UUID,
    endpoint_id: UUID,
    status: DeliveryStatus | None,
    limit: int,
    cursor: str | None = None,
) -> NewestDeliveries:
    """The last deliveries to an endpoint, newest first, or those before a cursor. Raises as `list_deliveries` does."""
    position = _decode_position(cursor) if cursor is not None else None
    async with runtime.store.read_lagging() as connection:
        endpoint = await load_endpoint(connection, organization_id, endpoint_id)
        found = await webhook_deliveries.list_before(connection, organization_id, endpoint_id, status, position, limit + 1)
    listed = found[:limit]
    older = _encode_position(listed[-1].number) if len(found) > limit else None
    return NewestDeliveries(tuple(_to_delivery(endpoint, row) for row in listed), older)


async def replay_events(
    runtime: Runtime, organization_id: UUID, endpoint_id: UUID, request: ReplayRequest, author: Author
) -> ReplayResult:
    """Create further deliveries of past events: those with these IDs, or those of a span that match the filter of the endpoint.

    The deliveries of a disabled endpoint wait until it is enabled. Raises `NotFound`, and `ValidationFailed` for an unknown event
    and for more than `MAX_REPLAYED` events.
    """
    async with runtime.store.read() as connection:
        endpoint = await load_endpoint(connection, organization_id, endpoint_id)
        configuration = EndpointConfiguration.model_validate_json(endpoint.document)
        keys = await _find_events(connection, organization_id, endpoint_id, configuration, request)
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        await load_endpoint(connection, organization_id, endpoint_id, is_locked=True)
        now = ledger.next_instant(runtime.clock())
        await webhook_deliveries.add(connection, organization_id, [NewDeliveries(endpoint_id, keys)], runtime.clock())
        result = ReplayResult(count=len(keys))
        described = request.model_dump(mode="json", by_alias=True, exclude={"event_ids"}) | {"count": result.count}
        change = audit_log.AuditChange(endpoint_id, now, author, [FieldChange(REPLAY, None, described)])
        await audit_log.record_change(connection, organization_id, ledger, change)
        await complete_key(connection, result)
    return result


async def _find_events(
    connection: Connection, organization_id: UUID, endpoint_id: UUID, configuration: EndpointConfiguration, request: ReplayRequest
) -> list[EventKey]:
    if request.event_ids is not None:
        wanted = dict.fromkeys(request.event_ids)
        found = await webhook_deliveries.get_event_keys(connection, organization_id, wanted)
        unknown = next(iter(wanted.keys() - {key.id for key in found}), None)
        if unknown is not None:
            raise ValidationFailed.of_field("eventIds", Message("there is no event {id}", id=str(unknown)))
        return [key for key in found if is_deliverable(endpoint_id, key)]
    assert request.since is not None  # noqa: S101 - checked by the model
    return await _find_events_of_span(connection, organization_id, endpoint_id, configuration, (request.since, request.until))


async def _find_events_of_span(
    connection: Connection,
    organization_id: UUID,
    endpoint_id: UUID,
    configuration: EndpointConfiguration,
    span: tuple[datetime, datetime | None],
) -> list[EventKey]:
    since, until = span
    position = await events.find_position_after(connection, organization_id, since)
    matching: list[EventKey] = []
    while True:
        found = await webhook_deliveries.list_event_keys(connection, organization_id, position, _READ_AT_ONCE, until)
        matching += (key for key in found if matches_filter(endpoint_id, configuration, key))
        if len(matching) > MAX_REPLAYED:
            problem = Message("more than {limit:,} events of this span match: replay a shorter span first", limit=MAX_REPLAYED)
            raise ValidationFailed.of_field("until", problem)
        if len(found) < _READ_AT_ONCE:
            return matching
        position = found[-1].sequence


async def purge_deliveries(runtime: Runtime) -> int:
    """Delete old finished deliveries and those of deleted endpoints, in short transactions; returns how many."""
    before, deleted = runtime.clock() - KEEP_FINISHED, 0
    for purge in (lambda connection: webhook_deliveries.purge_finished(connection, before, PURGE_BATCH), _purge_deleted):
        for _ in range(MAX_PURGE_BATCHES):
            async with runtime.store.write(durable=False) as connection:
                purged = await purge(connection)
            deleted += purged
            if purged < PURGE_BATCH:
                break
    return deleted


async def _purge_deleted(connection: Connection) -> int:
    return await webhook_deliveries.purge_deleted(connection, PURGE_BATCH)


def parse_attempts(document: str) -> tuple[DeliveryAttempt, ...]:
    """The attempts of a delivery, as they are stored."""
    return tuple(DeliveryAttempt.model_validate(attempt) for attempt in json.loads(document))


def _to_delivery(endpoint: StoredWebhookEndpoint, row: StoredDelivery) -> Delivery:
    return Delivery(
        id=row.id,
        event_id=row.event_id,
        event_type=row.event_type,
        sequence=row.sequence,
        status=row.status,
        attempts=parse_attempts(row.document),
        next_attempt_at=row.next_attempt_at if endpoint.enabled else None,
        created_at=row.created_at,
    )


def _encode_position(number: int) -> str:
    return encode_cursor_text(f"d1.{number}")


def _decode_position(cursor: str) -> int:
    return int(decode_cursor_text(cursor, _POSITION)[1])
