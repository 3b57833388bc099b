"""Monitored records, and short ways to evaluate them as a worker does."""

from typing import Any
from uuid import UUID

from bonafide.app.worker import work_once
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.events.event import Event, EventType
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.events.feed import read_events
from bonafide.services.monitoring.scheduling import schedule_monitoring
from bonafide.services.records.business_records import upsert
from bonafide.store.records.events import EventFilter
from tests.support.services.runtimes import clock_of

MAX_JOBS = 500
HIT_EVENTS = frozenset({EventType.SCREENING_HIT_FOUND, EventType.SCREENING_HIT_CHANGED, EventType.SCREENING_HIT_CLEARED})
SUPPORT = Author("support@north.example")


async def monitored(runtime: Runtime, principal: Principal, name: str, **fields: Any) -> BusinessRecord:
    """A new monitored record."""
    request = BusinessUpsert.model_validate({"name": name, "isMonitored": True, **fields})
    return (await upsert(runtime, principal.organization_id, request, SUPPORT)).record


async def changed(runtime: Runtime, principal: Principal, record: BusinessRecord, **fields: Any) -> BusinessRecord:
    request = BusinessUpsert.model_validate({"id": str(record.id), **fields})
    return (await upsert(runtime, principal.organization_id, request, SUPPORT)).record


async def evaluate(runtime: Runtime) -> None:
    """Do everything that is due, as the scheduler and a worker do, a minute later."""
    clock_of(runtime).advance(minutes=1)
    await schedule_monitoring(runtime)
    await work_all(runtime)
    await schedule_monitoring(runtime)


async def work_all(runtime: Runtime) -> None:
    for _ in range(MAX_JOBS):
        if not await work_once(runtime, "worker"):
            return
    raise AssertionError(f"more than {MAX_JOBS} jobs")


async def hit_events(runtime: Runtime, principal: Principal, business_id: UUID | None = None) -> list[Event]:
    """All events of hits, oldest first."""
    page = await read_events(runtime, principal.organization_id, EventFilter(HIT_EVENTS, business_id), 100)
    return list(page.events)


def describe(events: list[Event]) -> list[tuple[str, str | None]]:
    """The type of each event, and the listed party."""
    return [(event.type.value, event.subject.entry_id) for event in events]


SANDBOX = World.SANDBOX
