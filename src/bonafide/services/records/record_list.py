"""List the business records of an organization for people: filtered, newest change first, by cursor."""

from dataclasses import dataclass
from uuid import UUID

from bonafide.model.records.business_record import BusinessRecord, FeedPosition
from bonafide.runtime import Runtime
from bonafide.services.records.change_feed import decode_cursor, encode_cursor
from bonafide.store.records import businesses
from bonafide.store.records.businesses import RecordFilter


@dataclass(frozen=True, slots=True)
class RecordListPage:
    """A page of records, newest change first, and the cursor of the next page, if there is one."""

    records: list[BusinessRecord]
    older: str | None


async def list_newest_records(
    runtime: Runtime, organization_id: UUID, chosen: RecordFilter, limit: int, cursor: str | None
) -> RecordListPage:
    """A page of the organization's records by cursor; they are not counted. Raises `ValidationFailed` for an invalid cursor."""
    place = decode_cursor(cursor) if cursor is not None else None
    async with runtime.store.read_lagging() as connection:
        documents = await businesses.list_page(connection, organization_id, chosen, limit + 1, place)
    records = [BusinessRecord.model_validate_json(document) for document in documents[:limit]]
    older = encode_cursor(FeedPosition(records[-1].updated_at, records[-1].id)) if len(documents) > limit else None
    return RecordListPage(records, older)
