"""Events of an organization: numbered in the order in which they are committed, never changed; and which alerts are open.

`append` locks the head of the organization's events until the transaction ends. No event with a lower number can be committed after
one with a higher number, so a reader that has read up to a number has read everything before it. A transaction that is rolled back
leaves no gap. Append events last in a transaction, after all other locks, to avoid deadlocks and because other writers wait.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import ColumnElement, Insert, Row, ScalarSelect, Select, bindparam, case, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.events.alerts import ALERT_TYPES
from bonafide.model.events.event import AlertStatus, EventSeverity, EventType, NewEvent
from bonafide.store.database.autocommit import PlannedWrite, WriteStatement
from bonafide.store.database.rows import build_insert_for, select_json_rows
from bonafide.store.database.tables import AT_LEAST, IS_OPEN_ALERT, alerts, event_heads, events

_CELLS = {column.name: column.type for column in events.c if column.name not in {"organization_id", "sequence", "occurred_at"}}
"""The values that differ between the events of one change."""
UNREAD = frozenset({"organization_id", "business_id"})
"""The columns of no `StoredEvent`; the document has the business."""
_READ = (
    *(column for column in events.c if column.name not in UNREAD),
    alerts.c.sequence.is_not(None).label("is_alert"),
    *(alerts.c.acknowledged_at, alerts.c.acknowledged_by, alerts.c.note),
)
_ALERT = (alerts.c.organization_id == events.c.organization_id) & (alerts.c.sequence == events.c.sequence)
"""The condition that joins an event with its alert, if it has one."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event; `document` is the JSON of its `StoredEventBody`."""

    sequence: int
    id: UUID
    type: EventType
    severity: EventSeverity
    occurred_at: datetime
    document: str
    is_alert: bool
    acknowledged_at: datetime | None
    acknowledged_by: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which events are listed; None for all."""

    types: frozenset[EventType] | None = None
    business_id: UUID | None = None
    min_severity: EventSeverity | None = None
    """The lowest severity that is listed."""
    alerts: AlertStatus | None = None
    """Only alerts with this status."""


@dataclass(frozen=True, slots=True)
class EventSpan:
    """The events after one number, up to and including another."""

    after: int
    until: int


async def append(
    connection: AsyncConnection,
    organization_id: UUID,
    new: Sequence[tuple[NewEvent, EventSeverity]],
    now: datetime,
    alerts_from: EventSeverity = EventSeverity.INFO,
) -> None:
    """Store events with their severities in the given order, in the transaction of the change that they report.

    Of the types that are alerts, those that are less urgent than `alerts_from` open none.
    """
    for write in plan_append(connection.dialect.name, organization_id, new, now, alerts_from):
        await connection.execute(write.statement, write.values)


def plan_append(
    dialect: str,
    organization_id: UUID,
    new: Sequence[tuple[NewEvent, EventSeverity]],
    now: datetime,
    alerts_from: EventSeverity = EventSeverity.INFO,
) -> list[PlannedWrite]:
    """The writes that store events. They must be in one transaction, in this order: the head is locked before it is read."""
    if not new:
        return []
    rows = [
        {
            "place": place,
            "id": uuid4().hex,
            "type": event.type,
            "severity": severity,
            "business_id": event.business.id.hex if event.business is not None else None,
            "document": event.to_body().to_json(),
        }
        for place, (event, severity) in enumerate(new, 1 - len(new))
    ]
    head = {
        "organization_id": organization_id,
        "sequence": len(new),
        "occurred_at": now.replace(microsecond=now.microsecond // 1000 * 1000),
    }
    stored = {"organization_id": organization_id, "rows": json.dumps(rows)}
    alerting = [
        {"id": row["id"]}
        for row, (event, severity) in zip(rows, new, strict=True)
        if event.opens_alert and event.type in ALERT_TYPES and severity.is_at_least(alerts_from)
    ]
    opened = [PlannedWrite(_build_alert_insert(dialect), stored | {"rows": json.dumps(alerting)})] if alerting else []
    if dialect == "postgresql":
        return [PlannedWrite(_build_append(), head | stored), *opened]
    return [PlannedWrite(_build_head_update(dialect), head), PlannedWrite(_build_insert(), stored), *opened]


@cache
def _build_append() -> WriteStatement:
    """Both writes in one statement, which saves PostgreSQL a round trip while the head is locked."""
    updated = _build_head_update("postgresql").returning(event_heads.c.sequence, event_heads.c.occurred_at).cte("head")
    last, at = (select(column).scalar_subquery() for column in (updated.c.sequence, updated.c.occurred_at))
    return _build_event_insert("postgresql", last, at)


@cache
def _build_insert() -> WriteStatement:
    """Store the events under the last numbers of the head."""
    mine = event_heads.c.organization_id == bindparam("organization_id", type_=events.c.organization_id.type)
    last, at = (select(column).where(mine).scalar_subquery() for column in (event_heads.c.sequence, event_heads.c.occurred_at))
    return _build_event_insert("sqlite", last, at)


@cache
def _build_head_update(dialect: str) -> postgresql.Insert | sqlite.Insert:
    """Lock the head, and add the number and the time of the new events to it.

    Clocks are set back and differ between machines; the times of events must have the order of their numbers.
    """
    added = build_insert_for(dialect, event_heads).values({column.name: bindparam(column.name) for column in event_heads.c})
    occurred_at = event_heads.c.occurred_at
    later = case((occurred_at > added.excluded.occurred_at, occurred_at), else_=added.excluded.occurred_at)
    return added.on_conflict_do_update(
        index_elements=[event_heads.c.organization_id],
        set_={"sequence": event_heads.c.sequence + added.excluded.sequence, "occurred_at": later},
    )


def _build_event_insert(dialect: str, last: ScalarSelect[Any], at: ScalarSelect[Any]) -> Insert:
    """Store the events that end with the number `last`. The place of the last one is 0."""
    organization = bindparam("organization_id", type_=events.c.organization_id.type)
    place, *cells = select_json_rows(dialect, "rows", {"place": events.c.sequence.type, **_CELLS})
    return insert(events).from_select(
        ["organization_id", "sequence", "occurred_at", *_CELLS], select(organization, last + place, at, *cells)
    )


@cache
def _build_alert_insert(dialect: str) -> WriteStatement:
    """Open an alert for each event with one of these IDs."""
    ids = select(*select_json_rows(dialect, "rows", {"id": events.c.id.type}))
    mine = events.c.organization_id == bindparam("organization_id", type_=events.c.organization_id.type)
    chosen = select(events.c.organization_id, events.c.sequence).where(mine, events.c.id.in_(ids))
    return insert(alerts).from_select(["organization_id", "sequence"], chosen)


async def get(connection: AsyncConnection, organization_id: UUID, event_id: UUID) -> StoredEvent | None:
    """The event of this id; None if the organization has no such event."""
    chosen = _select_events().where(events.c.organization_id == organization_id, events.c.id == event_id)
    row = (await connection.execute(chosen)).one_or_none()
    return _to_stored_event(row) if row is not None else None


async def find_position_after(connection: AsyncConnection, organization_id: UUID, instant: datetime) -> int:
    """The number of the last event at or before this instant; 0 without any."""
    earlier = (
        select(events.c.sequence)
        .where(events.c.organization_id == organization_id, events.c.occurred_at <= instant)
        .order_by(events.c.occurred_at.desc(), events.c.sequence.desc())
        .limit(1)
    )
    found: int | None = (await connection.execute(earlier)).scalar_one_or_none()
    return found if found is not None else 0


async def list_after(
    connection: AsyncConnection, organization_id: UUID, chosen: EventFilter, position: int, limit: int
) -> list[StoredEvent]:
    """The events after the one of this number, oldest first."""
    conditions = [*_build_conditions(organization_id, chosen), events.c.sequence > position]
    listed = _select_events().where(*conditions).order_by(events.c.sequence).limit(limit)
    return [_to_stored_event(row) for row in await connection.execute(listed)]


async def list_before(
    connection: AsyncConnection, organization_id: UUID, chosen: EventFilter, position: int | None, limit: int
) -> list[StoredEvent]:
    """The events before the one of this number, newest first; without a number, the last ones."""
    conditions = _build_conditions(organization_id, chosen)
    # Alerts are few, so they are read in the order of their own index, and not looked for among the events.
    number = alerts.c.sequence if chosen.alerts is not None and chosen.business_id is None else events.c.sequence
    if position is not None:
        conditions.append(number < position)
    listed = _select_events().where(*conditions).order_by(number.desc()).limit(limit)
    return [_to_stored_event(row) for row in await connection.execute(listed)]


def _build_conditions(organization_id: UUID, chosen: EventFilter) -> list[ColumnElement[bool]]:
    conditions = [events.c.organization_id == organization_id]
    if chosen.business_id is not None:
        conditions.append(events.c.business_id == chosen.business_id)
    if chosen.types is not None:
        conditions.append(events.c.type.in_(sorted(chosen.types)))
    if chosen.min_severity in AT_LEAST:
        conditions.append(AT_LEAST[chosen.min_severity])
    if chosen.alerts is not None:
        # The partial index has the open alerts of the organization. Few events are alerts, and few alerts are open.
        conditions.append(alerts.c.organization_id == organization_id)
        conditions.append(IS_OPEN_ALERT if chosen.alerts is AlertStatus.OPEN else alerts.c.acknowledged_at.is_not(None))
    return conditions


def _select_events() -> Select[Any]:
    return select(*_READ).select_from(events.outerjoin(alerts, _ALERT))


async def list_open_alerts(connection: AsyncConnection, organization_id: UUID, event_ids: Collection[UUID]) -> list[StoredEvent]:
    """Those of the events that are open alerts of the organization, oldest first."""
    mine = events.c.organization_id == organization_id, events.c.id.in_(event_ids)
    is_open = alerts.c.sequence.is_not(None), IS_OPEN_ALERT
    # Sorted here: SQLite would read all events in their order to find the few.
    found = await connection.execute(_select_events().where(*mine, *is_open))
    return sorted((_to_stored_event(row) for row in found), key=lambda event: event.sequence)


async def acknowledge(
    connection: AsyncConnection, organization_id: UUID, sequences: Collection[int], by: str, at: datetime, note: str | None
) -> None:
    """Acknowledge the open alerts of these events. The caller has locked the audit head."""
    mine = alerts.c.organization_id == organization_id, alerts.c.sequence.in_(sequences), IS_OPEN_ALERT
    await connection.execute(update(alerts).where(*mine).values(acknowledged_at=at, acknowledged_by=by, note=note))


async def list_most_severe(
    connection: AsyncConnection, organization_id: UUID, chosen: EventFilter, span: EventSpan, limit: int
) -> list[StoredEvent]:
    """The most severe events of a span, and of equally severe ones the newest first."""
    rank = case({severity: place for place, severity in enumerate(EventSeverity)}, value=events.c.severity)
    listed = _select_events().where(*_build_conditions(organization_id, chosen), *_build_span_conditions(span))
    found = await connection.execute(listed.order_by(rank.desc(), events.c.sequence.desc()).limit(limit))
    return [_to_stored_event(row) for row in found]


async def count_by_severity(
    connection: AsyncConnection, organization_id: UUID, chosen: EventFilter, span: EventSpan
) -> dict[EventSeverity, int]:
    """The number of events of a span by severity; severities without any are left out."""
    conditions = (*_build_conditions(organization_id, chosen), *_build_span_conditions(span))
    counted = select(events.c.severity, func.count()).where(*conditions).group_by(events.c.severity)
    return {row[0]: row[1] for row in await connection.execute(counted)}


def _build_span_conditions(span: EventSpan) -> tuple[ColumnElement[bool], ...]:
    return (events.c.sequence > span.after, events.c.sequence <= span.until)


async def list_numbered(connection: AsyncConnection, organization_id: UUID, sequences: Collection[int]) -> list[StoredEvent]:
    """The events with these numbers, oldest first."""
    chosen = _select_events().where(events.c.organization_id == organization_id, events.c.sequence.in_(sequences))
    return [_to_stored_event(row) for row in await connection.execute(chosen.order_by(events.c.sequence))]


async def get_last_position(connection: AsyncConnection, organization_id: UUID) -> int:
    """The number of the organization's last event; 0 without any."""
    last = select(event_heads.c.sequence).where(event_heads.c.organization_id == organization_id)
    found: int | None = (await connection.execute(last)).scalar_one_or_none()
    return found if found is not None else 0


def _to_stored_event(row: Row[Any]) -> StoredEvent:
    return StoredEvent(**row._mapping)  # noqa: SLF001 - how SQLAlchemy publishes a row's names
