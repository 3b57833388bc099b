"""Announce an event to all organizations: recorded for one organization after another, once for each.

The change that is announced stores the announcement in its own transaction. The worker then records the event for each organization
in a transaction that also moves the announcement on, so that a process that is killed neither loses nor repeats one, and no
organization waits for another.
"""

from collections.abc import Iterable
from datetime import datetime
from uuid import uuid4

from pydantic import ConfigDict

from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document
from bonafide.model.events.event import NewEvent, StoredEventBody
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.store.database.engine import Connection
from bonafide.store.records import announcements
from bonafide.store.records.announcements import Announcement


class AnnouncedData(Document):
    """The data of an announced event as it was stored, even if this release has another schema of its type."""

    model_config = ConfigDict(extra="allow")


async def announce(connection: Connection, worlds: Iterable[World], event: NewEvent, now: datetime) -> None:
    """Store an event for all organizations of these worlds that exist now, in the transaction of its change.

    Announcements of one subject are recorded in their order if the caller has locked a row of that subject.
    """
    document = event.to_body().to_json()
    for world in worlds:
        number = await announcements.get_next_number(connection)
        await announcements.add(connection, Announcement(uuid4(), world, number, now, event.type, event.severity, document))


async def record_announcements(runtime: Runtime) -> int:
    """Record all announced events for the organizations that have not got them yet; returns how many were recorded."""
    recorded = 0
    while True:
        async with runtime.store.read() as connection:
            announcement = await announcements.get_oldest(connection)
        if announcement is None:
            return recorded
        recorded += await _record_next(runtime, announcement)


async def _record_next(runtime: Runtime, announcement: Announcement) -> bool:
    """Record an announcement for the next organization; False if there is none, or if another worker has recorded it."""
    async with runtime.store.write() as connection:
        organization_id = await announcements.find_next_organization(connection, announcement)
        if organization_id is None:
            await announcements.complete(connection, announcement)
            return False
        if not await announcements.advance(connection, announcement, organization_id):
            return False
        await record_events(connection, organization_id, [_to_event(announcement)], runtime.clock())
    return True


def _to_event(announcement: Announcement) -> NewEvent:
    body = StoredEventBody.model_validate_json(announcement.document)
    return NewEvent(
        announcement.type,
        body.subject,
        AnnouncedData.model_validate(body.data),
        business=body.business,
        changes=body.changes,
        source=body.source,
        resource=body.resource,
        severity=announcement.severity,
    )
