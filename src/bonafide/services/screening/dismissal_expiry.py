"""Record the expiry of dismissals, once for each.

The event and the mark that it is recorded are written in one transaction, so that a process that is killed, or two workers at once,
neither lose an event nor record it twice.
"""

from uuid import UUID

from bonafide.model.base import StoredDocument
from bonafide.model.screening.dismissals import DismissalRecord
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.records.business_records import load_record
from bonafide.services.records.rating_queue import queue_ratings_of_dismissal
from bonafide.services.screening.hit_events import build_expiry_event
from bonafide.store.records import dismissals

EXPIRY_LIMIT = 500
"""Expiries that are recorded in one run; the next run records the rest."""


async def record_expired_dismissals(runtime: Runtime) -> int:
    """Record the dismissals of all organizations that have expired; returns how many."""
    now, recorded = runtime.clock(), 0
    if not await dismissals.is_any_expiry_due(runtime.store, now):
        return 0
    async with runtime.store.read() as connection:
        due = await dismissals.list_due_expiries(connection, now, EXPIRY_LIMIT)
    for expiry in due:
        recorded += await _record_expiry(runtime, expiry.organization_id, expiry.id)
    return recorded


async def _record_expiry(runtime: Runtime, organization_id: UUID, dismissal_id: UUID) -> bool:
    """Record one expiry; False if another worker has, or if somebody has revoked the dismissal meanwhile."""
    async with runtime.store.write() as connection:
        now = runtime.clock()
        if not await dismissals.settle_expiry(connection, organization_id, dismissal_id, now):
            return False
        document = await dismissals.get(connection, organization_id, dismissal_id)
        assert document is not None  # noqa: S101 - its row has just been changed
        dismissal = StoredDocument.from_text(document).parse(DismissalRecord)
        business_id = dismissal.business_id
        record = await load_record(connection, organization_id, business_id, None) if business_id is not None else None
        await record_events(connection, organization_id, [build_expiry_event(dismissal, record)], now)
        await queue_ratings_of_dismissal(connection, organization_id, business_id, now)
    return True
