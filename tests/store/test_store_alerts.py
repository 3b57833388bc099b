"""Alerts on both databases: opened with their event, acknowledged once, counted and listed by their state."""

from uuid import UUID

import pytest

from bonafide.model.base import Document
from bonafide.model.events.alerts import ALERT_TYPES
from bonafide.model.events.event import AlertStatus, EventSeverity, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.store.database.engine import Store
from bonafide.store.overview.open_work import count_open_work
from bonafide.store.records import events
from bonafide.store.records.events import EventFilter, StoredEvent
from tests.support.store.rows import MINUTE
from tests.support.store.rows import NOW as NOW_WITH_MICROSECONDS

pytestmark = pytest.mark.anyio
NOW = NOW_WITH_MICROSECONDS.replace(microsecond=125_000)
HIT, UPDATE = EventType.SCREENING_HIT_FOUND, EventType.BUSINESS_UPDATED
ANN = "ann@north.example"


class _Nothing(Document):
    pass


async def record(store: Store, organization: UUID, *kinds: EventType) -> None:
    new = [NewEvent(kind, EventSubject(kind=EventSubjectKind.BUSINESS), _Nothing()) for kind in kinds]
    async with store.write() as connection:
        await events.append(connection, organization, [(one, EventSeverity.HIGH) for one in new], NOW)


async def listed(store: Store, organization: UUID, status: AlertStatus | None = None) -> list[StoredEvent]:
    async with store.read() as connection:
        return await events.list_after(connection, organization, EventFilter(alerts=status), 0, 100)


async def acknowledge(store: Store, organization: UUID, *sequences: int, by: str = ANN, note: str | None = None) -> None:
    async with store.write() as connection:
        await events.acknowledge(connection, organization, sequences, by, NOW + MINUTE, note)


async def test_events_of_some_types_are_alerts(store: Store, north: UUID, south: UUID) -> None:
    await record(store, north, UPDATE, HIT, UPDATE, EventType.DISCREPANCY_DUE)
    await record(store, south, HIT)
    assert [row.is_alert for row in await listed(store, north)] == [False, True, False, True]
    assert [row.sequence for row in await listed(store, north, AlertStatus.OPEN)] == [2, 4]
    assert (await count_open_work(store, north, ANN, 100)).alerts == 2
    assert (await count_open_work(store, north, ANN, 1)).alerts == 1
    assert {row.type for row in await listed(store, north, AlertStatus.OPEN)} <= ALERT_TYPES


async def test_events_below_the_lowest_severity_of_alerts_open_none(store: Store, north: UUID) -> None:
    event = NewEvent(HIT, EventSubject(kind=EventSubjectKind.BUSINESS), _Nothing())
    async with store.write() as connection:
        await events.append(connection, north, [(event, severity) for severity in EventSeverity], NOW, EventSeverity.HIGH)
    opened = [row.severity for row in await listed(store, north, AlertStatus.OPEN)]
    assert opened == [EventSeverity.HIGH, EventSeverity.CRITICAL]
    assert len(await listed(store, north)) == len(EventSeverity)


async def test_an_alert_is_acknowledged_once(store: Store, north: UUID, south: UUID) -> None:
    await record(store, north, HIT, HIT, UPDATE)
    await record(store, south, HIT)
    await acknowledge(store, north, 1, 3, note="Known")
    await acknowledge(store, north, 1, by="eve@north.example")
    first, second, update = await listed(store, north)
    assert (first.acknowledged_at, first.acknowledged_by, first.note) == (NOW + MINUTE, ANN, "Known")
    assert (second.acknowledged_at, update.acknowledged_at, update.is_alert) == (None, None, False)
    assert await listed(store, north, AlertStatus.ACKNOWLEDGED) == [first]
    assert await listed(store, north, AlertStatus.OPEN) == [second]
    assert (await count_open_work(store, north, ANN, 100)).alerts == 1
    assert (await count_open_work(store, south, ANN, 100)).alerts == 1


async def test_only_open_alerts_of_the_organization_are_found_by_id(store: Store, north: UUID, south: UUID) -> None:
    await record(store, north, HIT, HIT, UPDATE)
    await record(store, south, HIT)
    await acknowledge(store, north, 1)
    ids = [row.id for organization in (north, south) for row in await listed(store, organization)]
    async with store.read() as connection:
        assert [row.sequence for row in await events.list_open_alerts(connection, north, ids)] == [2]
        assert await events.list_open_alerts(connection, north, []) == []
