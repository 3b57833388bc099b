"""Deliveries of events to webhook endpoints: a queue for each endpoint, and its log.

Deliveries are created for the events after the position of an endpoint, in the transaction that moves the position. One worker at a
time holds the lease of an endpoint and sends its deliveries. A delivery stays due until its result is stored, so it is sent again
when the worker dies. Results name the number of the attempt: what another worker has stored meanwhile is not overwritten.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import (
    ColumnElement,
    Insert,
    Update,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.events.event import EventSeverity, EventType
from bonafide.model.webhooks import DeliveryStatus
from bonafide.store.database.change_listener import notify_listeners
from bonafide.store.database.engine import Store, fetch_value
from bonafide.store.database.rows import count_rows, from_row, select_json_rows, to_value
from bonafide.store.database.schema.webhook_tables import (
    FINISHED_DELIVERY,
    HAS_DUE,
    IS_DELETED,
    IS_SENDING,
    OPEN_DELIVERY,
    webhook_deliveries,
    webhook_endpoints,
)
from bonafide.store.database.tables import event_heads, events
from bonafide.store.records.webhook_endpoints import COLUMNS, StoredWebhookEndpoint

CHANNEL = "bonafide_webhooks"
"""Workers listen here for new deliveries (`Store.listen`)."""
WEBHOOK_TYPES = (EventType.WEBHOOK_TEST, EventType.WEBHOOK_FAILING, EventType.WEBHOOK_DISABLED)
"""The types of events that are about an endpoint."""
_NO_ATTEMPTS = "[]"
_deliveries, _endpoints = webhook_deliveries.c, webhook_endpoints.c


@dataclass(frozen=True, slots=True)
class EventKey:
    """What decides to which endpoints an event is delivered. `document` is present for events about endpoints only."""

    sequence: int
    id: UUID
    type: EventType
    severity: EventSeverity
    business_id: UUID | None
    document: str | None


@dataclass(frozen=True, slots=True)
class EndpointPosition:
    """An endpoint of an organization, with the number of the last event for which deliveries were created."""

    id: UUID
    position: int
    document: str


@dataclass(frozen=True, slots=True)
class StoredDelivery:
    """A delivery; `document` is the JSON of its attempts. Numbers are those of the endpoint, in the order of creation."""

    number: int
    id: UUID
    sequence: int
    event_id: UUID
    event_type: EventType
    status: DeliveryStatus
    created_at: datetime
    attempts: int
    next_attempt_at: datetime | None
    document: str


_READ = [webhook_deliveries.c[name] for name in StoredDelivery.__slots__]


@dataclass(frozen=True, slots=True)
class EndpointReference:
    """An endpoint of any organization."""

    organization_id: UUID
    id: UUID


@dataclass(frozen=True, slots=True)
class DeliveryUpdate:
    """The state of a delivery after an attempt. `attempts` counts it."""

    endpoint: EndpointReference
    number: int
    attempts: int
    status: DeliveryStatus
    next_attempt_at: datetime | None
    finished_at: datetime | None
    document: str


# ------------------------------------------------------------------------------------------------------------ creating


async def list_behind(connection: AsyncConnection, limit: int) -> list[UUID]:
    """Organizations with events after the position of one of their endpoints."""
    is_behind = event_heads.c.sequence > _endpoints.position
    behind = (
        select(_endpoints.organization_id)
        .join(event_heads, event_heads.c.organization_id == _endpoints.organization_id)
        .where(IS_SENDING, is_behind)
        .distinct()
        .limit(limit)
    )
    return list((await connection.execute(behind)).scalars())


async def list_positions(connection: AsyncConnection, organization_id: UUID) -> list[EndpointPosition]:
    """The endpoints of the organization that receive events."""
    mine = select(_endpoints.id, _endpoints.position, _endpoints.document).where(
        _endpoints.organization_id == organization_id, IS_SENDING
    )
    return [to_value(EndpointPosition, row) for row in await connection.execute(mine)]


async def list_event_keys(
    connection: AsyncConnection, organization_id: UUID, position: int, limit: int, until: datetime | None = None
) -> list[EventKey]:
    """The events after the one of this number, oldest first, up to an instant."""
    conditions = [events.c.organization_id == organization_id, events.c.sequence > position]
    if until is not None:
        conditions.append(events.c.occurred_at <= until)
    listed = _select_keys().where(*conditions).order_by(events.c.sequence).limit(limit)
    return [to_value(EventKey, row) for row in await connection.execute(listed)]


async def get_event_keys(connection: AsyncConnection, organization_id: UUID, event_ids: Collection[UUID]) -> list[EventKey]:
    """Those of the events that the organization has, oldest first."""
    ids = json.dumps([{"id": one.hex} for one in event_ids])
    (wanted,) = select_json_rows(connection.dialect.name, "rows", {"id": events.c.id.type})
    mine = _select_keys().where(events.c.organization_id == organization_id, events.c.id.in_(select(wanted)))
    found = await connection.execute(mine.order_by(events.c.sequence), {"rows": ids})
    return [to_value(EventKey, row) for row in found]


def _select_keys() -> Any:
    about_endpoint = case((events.c.type.in_(WEBHOOK_TYPES), events.c.document), else_=None).label("document")
    return select(events.c.sequence, events.c.id, events.c.type, events.c.severity, events.c.business_id, about_endpoint)


@dataclass(frozen=True, slots=True)
class NewDeliveries:
    """Events to deliver to an endpoint, in their order, and its position afterwards; None leaves the position as it is."""

    endpoint_id: UUID
    keys: Sequence[EventKey]
    position: int | None = None


async def lock_positions(connection: AsyncConnection, organization_id: UUID, endpoint_ids: Collection[UUID]) -> dict[UUID, int]:
    """Lock the endpoints that receive events, in one order so that no two writers wait for each other; returns their positions."""
    mine = _endpoints.organization_id == organization_id, _endpoints.id.in_(endpoint_ids), IS_SENDING
    locked = select(_endpoints.id, _endpoints.position).where(*mine).order_by(_endpoints.id).with_for_update()
    return {row.id: row.position for row in await connection.execute(locked)}


async def add(connection: AsyncConnection, organization_id: UUID, new: Sequence[NewDeliveries], now: datetime) -> None:
    """Create deliveries, due at once, and move the positions of the endpoints, which the caller has locked."""
    if not new:
        return
    dialect, shared = connection.dialect.name, {"owner": organization_id, "now": now}
    counts = [{"id": one.endpoint_id.hex, "added": len(one.keys), "moved_to": one.position} for one in new]
    counted = await connection.execute(_build_count(dialect), {**shared, "rows": json.dumps(counts)})
    last = {row.id: row.deliveries for row in counted}
    rows = [
        {
            "endpoint_id": one.endpoint_id.hex,
            "number": last[one.endpoint_id] - len(one.keys) + place,
            "id": uuid4().hex,
            "sequence": key.sequence,
            "event_id": key.id.hex,
            "event_type": key.type,
        }
        for one in new
        for place, key in enumerate(one.keys, 1)
    ]
    if rows:
        await connection.execute(_build_insert(dialect), {**shared, "rows": json.dumps(rows)})
        await notify_listeners(connection, CHANNEL)


@cache
def _build_count(dialect: str) -> Update:
    """Count the new deliveries of endpoints, and return their new numbers of deliveries."""
    types = {"id": _endpoints.id.type, "added": _endpoints.deliveries.type, "moved_to": _endpoints.position.type}
    columns = select_json_rows(dialect, "rows", types)
    sent = select(*(column.label(name) for column, name in zip(columns, types, strict=True))).subquery("counts")
    now = bindparam("now", type_=_endpoints.due_at.type)
    is_earlier = or_(sent.c.added == 0, _endpoints.due_at < now)
    organization = bindparam("owner", type_=_endpoints.organization_id.type)
    return (
        update(webhook_endpoints)
        .where(_endpoints.organization_id == organization, _endpoints.id == sent.c.id)
        .values(
            deliveries=_endpoints.deliveries + sent.c.added,
            position=func.coalesce(sent.c.moved_to, _endpoints.position),
            due_at=case((is_earlier, _endpoints.due_at), else_=now),
        )
        .returning(_endpoints.id, _endpoints.deliveries)
    )


@cache
def _build_insert(dialect: str) -> Insert:
    names = ("endpoint_id", "number", "id", "sequence", "event_id", "event_type")
    cells = {name: webhook_deliveries.c[name].type for name in names}
    organization = bindparam("owner", type_=_deliveries.organization_id.type)
    now = bindparam("now", type_=_deliveries.created_at.type)
    columns = ["organization_id", *cells, "status", "created_at", "attempts", "next_attempt_at", "document"]
    return insert(webhook_deliveries).from_select(
        columns,
        select(
            organization,
            *select_json_rows(dialect, "rows", cells),
            literal(DeliveryStatus.PENDING, _deliveries.status.type),
            now,
            literal(0, _deliveries.attempts.type),
            now,
            literal(_NO_ATTEMPTS, _deliveries.document.type),
        ),
    )


# ------------------------------------------------------------------------------------------------------------ sending


async def claim_endpoints(
    connection: AsyncConnection, worker: str, now: datetime, lease: timedelta, limit: int
) -> list[EndpointReference]:
    """Lease endpoints of all organizations that have due deliveries and no worker, those due longest first."""
    is_free = or_(_endpoints.leased_until.is_(None), _endpoints.leased_until <= now)
    due = (
        select(_endpoints.organization_id, _endpoints.id)
        .where(HAS_DUE, _endpoints.due_at <= now, is_free)
        .order_by(_endpoints.due_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    claimed = (
        update(webhook_endpoints)
        .where(_endpoints.organization_id == due.c.organization_id, _endpoints.id == due.c.id)
        .values(worker=worker, leased_until=now + lease)
        .returning(_endpoints.organization_id, _endpoints.id)
    )
    return [to_value(EndpointReference, row) for row in await connection.execute(claimed)]


_NEXT_DUE = (
    select(_endpoints.due_at)
    .where(
        HAS_DUE,
        _endpoints.due_at <= bindparam("until"),
        or_(_endpoints.leased_until.is_(None), _endpoints.leased_until <= bindparam("now")),
    )
    .order_by(_endpoints.due_at)
    .limit(1)
)


async def find_next_due(store: Store, now: datetime, until: datetime) -> datetime | None:
    """When the first endpoint without a worker has a due delivery; None if that is later than `until`. Cheaper than a claim."""
    due_at: datetime | None = await fetch_value(store, _NEXT_DUE, {"now": now, "until": until})
    return due_at


async def renew_leases(connection: AsyncConnection, worker: str, now: datetime, lease: timedelta) -> None:
    """Renew the leases of a worker."""
    held = update(webhook_endpoints).where(_endpoints.worker == worker, _endpoints.leased_until.is_not(None))
    await connection.execute(held.values(leased_until=now + lease))


async def release_endpoint(connection: AsyncConnection, endpoint: EndpointReference, worker: str, now: datetime) -> None:
    """End the lease of an endpoint, and set when its next delivery is due: not before now, so that others have their turn."""
    # Locked by a statement of its own, so that the next one sees deliveries that were committed while it waited.
    mine = _endpoints.organization_id == endpoint.organization_id, _endpoints.id == endpoint.id
    await connection.execute(select(_endpoints.id).where(*mine).with_for_update())
    first = (
        select(func.min(_deliveries.next_attempt_at))
        .where(
            _deliveries.organization_id == endpoint.organization_id,
            _deliveries.endpoint_id == endpoint.id,
            OPEN_DELIVERY,
        )
        .scalar_subquery()
    )
    released = update(webhook_endpoints).where(*mine, _endpoints.worker == worker)
    due_at = case((first < now, literal(now, _endpoints.due_at.type)), else_=first)
    await connection.execute(released.values(worker=None, leased_until=None, due_at=due_at))


async def drop(connection: AsyncConnection, endpoint: EndpointReference, sequences: Collection[int]) -> None:
    """Delete the deliveries of events that there are no more."""
    mine = _deliveries.organization_id == endpoint.organization_id, _deliveries.endpoint_id == endpoint.id
    await connection.execute(delete(webhook_deliveries).where(*mine, _deliveries.sequence.in_(sequences)))


async def release_all(connection: AsyncConnection, worker: str) -> None:
    """End all leases of a worker that stops."""
    held = update(webhook_endpoints).where(_endpoints.worker == worker)
    await connection.execute(held.values(worker=None, leased_until=None))


async def get_leased(connection: AsyncConnection, endpoint: EndpointReference, worker: str) -> StoredWebhookEndpoint | None:
    """An endpoint whose lease the worker holds; None if it has lost the lease, or if the endpoint is disabled or deleted."""
    held = (
        _endpoints.organization_id == endpoint.organization_id,
        _endpoints.id == endpoint.id,
        _endpoints.worker == worker,
        IS_SENDING,
    )
    return from_row(StoredWebhookEndpoint, (await connection.execute(select(*COLUMNS).where(*held))).one_or_none())


async def get_endpoints(
    connection: AsyncConnection, endpoints: Collection[EndpointReference]
) -> dict[EndpointReference, StoredWebhookEndpoint]:
    """Those of the endpoints that are not deleted."""
    # Two lists, because SQLite uses no index for a list of pairs.
    chosen = (
        _endpoints.organization_id.in_({endpoint.organization_id for endpoint in endpoints}),
        _endpoints.id.in_({endpoint.id for endpoint in endpoints}),
        _endpoints.deleted_at.is_(None),
    )
    found = await connection.execute(select(_endpoints.organization_id, *COLUMNS).where(*chosen))
    rows = {EndpointReference(row.organization_id, row.id): to_value(StoredWebhookEndpoint, row) for row in found}
    return {endpoint: rows[endpoint] for endpoint in endpoints if endpoint in rows}


async def list_due(connection: AsyncConnection, endpoint: EndpointReference, now: datetime, limit: int) -> list[StoredDelivery]:
    """The due deliveries to an endpoint, those due longest first."""
    due = (
        select(*_READ)
        .where(
            _deliveries.organization_id == endpoint.organization_id,
            _deliveries.endpoint_id == endpoint.id,
            OPEN_DELIVERY,
            _deliveries.next_attempt_at <= now,
        )
        .order_by(_deliveries.next_attempt_at, _deliveries.number)
        .limit(limit)
    )
    return [to_value(StoredDelivery, row) for row in await connection.execute(due)]


async def store_results(connection: AsyncConnection, results: Sequence[DeliveryUpdate]) -> None:
    """Store the results of attempts, of any organizations. A delivery with a later attempt is unchanged."""
    rows = [
        {
            "organization_id": result.endpoint.organization_id.hex,
            "endpoint_id": result.endpoint.id.hex,
            "number": result.number,
            "attempts": result.attempts,
            "status": result.status,
            "next_attempt_at": _to_json_instant(result.next_attempt_at),
            "finished_at": _to_json_instant(result.finished_at),
            "document": result.document,
        }
        for result in results
    ]
    await connection.execute(_build_update(connection.dialect.name), {"rows": json.dumps(rows)})


def _to_json_instant(instant: datetime | None) -> str | None:
    """As `UtcInstant` stores it on SQLite, which PostgreSQL reads too."""
    return instant.isoformat(timespec="microseconds").replace("+00:00", "Z") if instant is not None else None


@cache
def _build_update(dialect: str) -> Update:
    key = ("organization_id", "endpoint_id", "number")
    changed = ("attempts", "status", "next_attempt_at", "finished_at", "document")
    cells = {name: webhook_deliveries.c[name].type for name in (*key, *changed)}
    columns = select_json_rows(dialect, "rows", cells)
    sent = select(*(column.label(name) for column, name in zip(columns, cells, strict=True))).subquery("results")
    same = [webhook_deliveries.c[name] == sent.c[name] for name in key]
    return (
        update(webhook_deliveries)
        .where(*same, _deliveries.attempts == sent.c.attempts - 1, OPEN_DELIVERY)
        .values({name: sent.c[name] for name in changed})
    )


# ------------------------------------------------------------------------------------------------------------ the log


async def list_after(
    connection: AsyncConnection, organization_id: UUID, endpoint_id: UUID, status: DeliveryStatus | None, number: int, limit: int
) -> list[StoredDelivery]:
    """The deliveries to an endpoint after the one of this number, oldest first."""
    conditions = [*_build_conditions(organization_id, endpoint_id, status), _deliveries.number > number]
    listed = select(*_READ).where(*conditions).order_by(_deliveries.number).limit(limit)
    return [to_value(StoredDelivery, row) for row in await connection.execute(listed)]


async def list_before(
    connection: AsyncConnection,
    organization_id: UUID,
    endpoint_id: UUID,
    status: DeliveryStatus | None,
    number: int | None,
    limit: int,
) -> list[StoredDelivery]:
    """The deliveries to an endpoint before the one of this number, newest first; without a number, the last ones."""
    conditions = _build_conditions(organization_id, endpoint_id, status)
    if number is not None:
        conditions.append(_deliveries.number < number)
    listed = select(*_READ).where(*conditions).order_by(_deliveries.number.desc()).limit(limit)
    return [to_value(StoredDelivery, row) for row in await connection.execute(listed)]


def _build_conditions(organization_id: UUID, endpoint_id: UUID, status: DeliveryStatus | None) -> list[ColumnElement[bool]]:
    conditions = [_deliveries.organization_id == organization_id, _deliveries.endpoint_id == endpoint_id]
    return conditions if status is None else [*conditions, _deliveries.status == status]


@dataclass(frozen=True, slots=True)
class DeliveryQueueStatus:
    """The deliveries of all organizations: since when the oldest one that was never attempted waits, and disabled endpoints."""

    pending_since: datetime | None
    disabled_endpoints: int


async def get_queue_status(connection: AsyncConnection) -> DeliveryQueueStatus:
    """The status of the queue, for the operator."""
    # Of each endpoint with due deliveries one row is read from an index: the first one that has not been attempted.
    first = (
        select(_deliveries.created_at)
        .where(
            _deliveries.organization_id == _endpoints.organization_id,
            _deliveries.endpoint_id == _endpoints.id,
            _deliveries.status == DeliveryStatus.PENDING,
        )
        .order_by(_deliveries.number)
        .limit(1)
        .correlate(webhook_endpoints)
        .scalar_subquery()
    )
    oldest = select(func.min(first)).select_from(webhook_endpoints).where(HAS_DUE)
    pending_since: datetime | None = (await connection.execute(oldest)).scalar_one()
    disabled = await count_rows(connection, webhook_endpoints, ~_endpoints.enabled, _endpoints.deleted_at.is_(None))
    return DeliveryQueueStatus(pending_since, disabled)


async def purge_finished(connection: AsyncConnection, before: datetime, limit: int) -> int:
    """Delete deliveries of all organizations that were finished before then, at most `limit`; returns how many."""
    key = tuple_(_deliveries.organization_id, _deliveries.endpoint_id, _deliveries.number)
    old = select(_deliveries.organization_id, _deliveries.endpoint_id, _deliveries.number).where(
        FINISHED_DELIVERY, _deliveries.finished_at < before
    )
    return (await connection.execute(delete(webhook_deliveries).where(key.in_(old.limit(limit))))).rowcount


async def purge_deleted(connection: AsyncConnection, limit: int) -> int:
    """Delete deliveries to deleted endpoints, at most `limit`, and the endpoints that have none left; returns how many."""
    deleted = select(_endpoints.organization_id, _endpoints.id).where(IS_DELETED).limit(1)
    endpoint = (await connection.execute(deleted)).one_or_none()
    if endpoint is None:
        return 0
    mine = and_(_deliveries.organization_id == endpoint.organization_id, _deliveries.endpoint_id == endpoint.id)
    numbers = select(_deliveries.number).where(mine).limit(limit)
    purged = (await connection.execute(delete(webhook_deliveries).where(mine, _deliveries.number.in_(numbers)))).rowcount
    if purged < limit:
        own = _endpoints.organization_id == endpoint.organization_id, _endpoints.id == endpoint.id
        await connection.execute(delete(webhook_endpoints).where(*own, _endpoints.deleted_at.is_not(None)))
        purged += 1
    return purged
