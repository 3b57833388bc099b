"""What the tests of business records share: short ways to send a record as a caller would, and to follow the feed to its end."""

import json
from typing import Any
from uuid import UUID

from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessPage, BusinessRecord, FeedPosition
from bonafide.runtime import Runtime
from bonafide.services.records import business_records, change_feed
from bonafide.services.records.business_records import UpsertResult
from bonafide.store.records.businesses import FeedFilter

AUTHOR = Author("ada@north.example", "request-1")


def body(**fields: Any) -> BusinessUpsert:
    """A request's body, validated as the API validates it; fields in camelCase."""
    return BusinessUpsert.model_validate_json(json.dumps(fields), strict=True, by_alias=True, by_name=False)


async def send(runtime: Runtime, organization_id: UUID, **fields: Any) -> UpsertResult:
    return await business_records.upsert(runtime, organization_id, body(**fields), AUTHOR)


async def sent(runtime: Runtime, organization_id: UUID, **fields: Any) -> BusinessRecord:
    return (await send(runtime, organization_id, **fields)).record


async def page(
    runtime: Runtime,
    organization_id: UUID,
    start: FeedPosition = change_feed.START,
    limit: int = 100,
    chosen: FeedFilter | None = None,
) -> BusinessPage:
    return await change_feed.read_feed(runtime, organization_id, chosen if chosen is not None else FeedFilter(), start, limit)


async def trail(runtime: Runtime, organization_id: UUID, business_id: UUID) -> list[tuple[str, Any, Any]]:
    """What became of a record: field, old, new."""
    entries = (await change_feed.read_audit_log(runtime, organization_id, business_id, 100, 0)).entries
    return [(entry.field, entry.old, entry.new) for entry in entries]
