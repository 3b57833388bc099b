"""Record events in the transaction of the change that they report."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from bonafide.model.events.event import EventSeverity, NewEvent
from bonafide.model.events.event_types import EVENT_TYPES
from bonafide.store.database.autocommit import PlannedWrite
from bonafide.store.database.engine import Connection, Store
from bonafide.store.records import events


async def record_events(
    connection: Connection,
    organization_id: UUID,
    new: Sequence[NewEvent],
    now: datetime,
    alerts_from: EventSeverity = EventSeverity.INFO,
) -> None:
    """Store events in the given order, and open the alerts of those that are at least as urgent as `alerts_from`.

    Other writers of the organization's events wait until the transaction ends. Call this after every other lock of the transaction:
    the audit head, and the row of a search or a verification. Only the request's idempotency key may be completed afterwards: other
    attempts of the same request lock the two rows in the same order.
    """
    await events.append(connection, organization_id, _rate(new), now, alerts_from)


def plan_events(store: Store, organization_id: UUID, new: Sequence[NewEvent], now: datetime) -> list[PlannedWrite]:
    """The writes that store events, for a change that reads nothing in its transaction."""
    return events.plan_append(store.dialect, organization_id, _rate(new), now)


def _rate(new: Sequence[NewEvent]) -> list[tuple[NewEvent, EventSeverity]]:
    return [(one, one.severity if one.severity is not None else EVENT_TYPES[one.type].severity) for one in new]
