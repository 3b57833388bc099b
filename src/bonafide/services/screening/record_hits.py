"""Record the events of the hits of a business record, whichever kind of screening found them.

The record's open hits are stored when they are reported. So each hit is reported once, by the first standalone screening, search or
verification that finds it, and again only after it has changed, or was cleared or dismissed in between.
"""

from uuid import UUID

from bonafide.model.events.event import NewEvent
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.screening.hit_events import ScreeningDocument, compare_hits
from bonafide.store.database.engine import Connection
from bonafide.store.records import open_hits


async def count_record_hits(runtime: Runtime, organization_id: UUID, business_id: UUID) -> int:
    """The number of open hits of a record, as they were last reported."""
    return len(await open_hits.list_hits(runtime.store, organization_id, business_id))


async def update_open_hits(
    connection: Connection, organization_id: UUID, record: BusinessRecord, current: ScreeningDocument
) -> list[NewEvent]:
    """Update the open hits of a record after a screening, and return the events, to be recorded in the same transaction.

    The caller has locked the record, as `record_system_fields` does.
    """
    known = await open_hits.list_hits(connection, organization_id, record.id)
    compared = compare_hits(known, current, record)
    await open_hits.replace_hits(connection, organization_id, record.id, compared.changed, compared.closed)
    return compared.events
