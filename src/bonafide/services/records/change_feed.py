"""The change feed of business records and its cursors, and the audit log of one record.

A position is an instant and an id. Instants have the order in which changes are committed (`store/tenants/audit_log`), so no change
can appear before a returned position.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.model.cursors import EPOCH, decode_cursor_text, encode_cursor_text, from_microseconds, to_microseconds
from bonafide.model.records.business_record import (
    AuditEntry,
    AuditPage,
    BusinessPage,
    BusinessRecord,
    Cursor,
    FeedPagination,
    FeedPosition,
)
from bonafide.runtime import Runtime
from bonafide.services.records.business_records import UNKNOWN
from bonafide.store.records import businesses
from bonafide.store.records.businesses import FeedFilter
from bonafide.store.tenants import audit_log

_LAST_ID = UUID(int=2**128 - 1)
_POSITION = re.compile(r"1\.(0|[1-9]\d{0,16})\.([0-9a-f]{32})", re.ASCII)
"""The form of a position: its version, microseconds since 1970, the id."""
START = FeedPosition(EPOCH, UUID(int=0))
"""Before every change."""


def build_position_after(instant: datetime) -> FeedPosition:
    """The position after every change at or before this instant."""
    return FeedPosition(max(instant, EPOCH), _LAST_ID)


def encode_cursor(position: FeedPosition) -> str:
    """A position as an opaque text."""
    return encode_cursor_text(f"1.{to_microseconds(position.updated_at)}.{position.id.hex}")


def decode_cursor(cursor: str) -> FeedPosition:
    """The position of a cursor. Raises `ValidationFailed` for any other text."""
    parts = decode_cursor_text(cursor, _POSITION)
    return FeedPosition(from_microseconds(parts[1]), UUID(parts[2]))


async def read_feed(runtime: Runtime, organization_id: UUID, chosen: FeedFilter, start: FeedPosition, limit: int) -> BusinessPage:
    """The records that changed after a position, oldest change first."""
    async with runtime.store.read_lagging() as connection:
        found = await businesses.list_changes(connection, organization_id, chosen, start, limit + 1)
    listed = found[:limit]
    end = FeedPosition(listed[-1].updated_at, listed[-1].id) if listed else start
    return BusinessPage(
        businesses=tuple(BusinessRecord.model_validate_json(row.document) for row in listed),
        cursor=Cursor(next=encode_cursor(end)),
        pagination=FeedPagination(limit=limit, has_more=len(found) > limit),
    )


async def read_audit_log(runtime: Runtime, organization_id: UUID, business_id: UUID, limit: int, offset: int) -> AuditPage:
    """A page of the audit log of a record, oldest first. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        if await businesses.get(connection, organization_id, business_id) is None:
            raise NotFound(UNKNOWN)
        return await audit_log.list_for_subject(connection, organization_id, business_id, limit, offset)


async def read_last_changes(runtime: Runtime, organization_id: UUID, business_id: UUID) -> Mapping[str, AuditEntry]:
    """The last change of each field of a record, by its path (`address.city`)."""
    async with runtime.store.read() as connection:
        entries = await audit_log.list_latest_by_field(connection, organization_id, business_id)
    return {entry.field: entry for entry in entries}
