"""List and read cases."""

import re
from collections.abc import Sequence
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.base import StoredDocument
from bonafide.model.cases.case import (
    MAX_LISTED_ITEMS,
    Case,
    CaseAttachment,
    CaseDecision,
    CaseItem,
    CaseItemPage,
    CaseNote,
    CasePage,
)
from bonafide.model.cursors import EPOCH, decode_cursor_text, encode_cursor_text, from_microseconds, to_microseconds
from bonafide.model.events.event import Event
from bonafide.model.records.business_record import AuditPage, Cursor, FeedPagination, FeedPosition
from bonafide.runtime import Runtime
from bonafide.services.cases.case_rows import to_item, to_list_item
from bonafide.services.events.feed import to_event
from bonafide.services.records.change_feed import encode_cursor
from bonafide.store.cases import case_parts, cases
from bonafide.store.cases.case_parts import CasePart, ItemPosition
from bonafide.store.cases.cases import CaseFilter, StoredCase
from bonafide.store.database.engine import Connection
from bonafide.store.records import events
from bonafide.store.tenants import audit_log

UNKNOWN_CASE = Message("We couldn’t find that case.")
_ITEM_FORM = re.compile(r"i1\.(\d{1,17})\.(\d{1,18})\.([0-9a-f]{32})", re.ASCII)
"""The form of a position: its version, microseconds since 1970, the sequence of the event, the ID of the item."""
FIRST_ITEM = ItemPosition(EPOCH, 0, UUID(int=0))
"""Before every item."""


def encode_item_cursor(position: ItemPosition) -> str:
    """A position among the items of a case as an opaque text."""
    return encode_cursor_text(f"i1.{to_microseconds(position.opened_at)}.{position.sequence}.{position.id.hex}")


def decode_item_cursor(cursor: str) -> ItemPosition:
    """The position of a cursor. Raises `ValidationFailed` for any other text."""
    parts = decode_cursor_text(cursor, _ITEM_FORM)
    return ItemPosition(from_microseconds(parts[1]), int(parts[2]), UUID(parts[3]))


async def list_cases(runtime: Runtime, organization_id: UUID, chosen: CaseFilter, start: FeedPosition, limit: int) -> CasePage:
    """The cases that changed after a position, oldest change first."""
    async with runtime.store.read_lagging() as connection:
        found = await cases.list_changes(connection, organization_id, chosen, start, limit + 1)
        listed = found[:limit]
        counts = await case_parts.count_open_items(connection, organization_id, [row.id for row in listed])
    end = FeedPosition(listed[-1].updated_at, listed[-1].id) if listed else start
    now = runtime.clock()
    return CasePage(
        cases=tuple(to_list_item(row, counts.get(row.id, {}), now) for row in listed),
        cursor=Cursor(next=encode_cursor(end)),
        pagination=FeedPagination(limit=limit, has_more=len(found) > limit),
    )


async def read_case(runtime: Runtime, organization_id: UUID, case_id: UUID) -> Case:
    """A case with everything that belongs to it. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        return await load_case(runtime, connection, organization_id, await load_row(connection, organization_id, case_id))


async def list_case_items(runtime: Runtime, organization_id: UUID, case_id: UUID, start: ItemPosition, limit: int) -> CaseItemPage:
    """A page of all items of a case, oldest first. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await load_row(connection, organization_id, case_id)
        found = await case_parts.list_items(connection, organization_id, case_id, start, limit + 1)
    listed = found[:limit]
    end = ItemPosition(listed[-1].opened_at, listed[-1].sequence, listed[-1].id) if listed else start
    return CaseItemPage(
        items=tuple(map(to_item, listed)),
        cursor=Cursor(next=encode_item_cursor(end)),
        pagination=FeedPagination(limit=limit, has_more=len(found) > limit),
    )


async def read_case_history(runtime: Runtime, organization_id: UUID, case_id: UUID, limit: int) -> AuditPage:
    """The last changes of a case, oldest first. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await load_row(connection, organization_id, case_id)
        first = await audit_log.list_for_subject(connection, organization_id, case_id, limit, 0)
        total = first.pagination.total
        return (
            first
            if total <= limit
            else await audit_log.list_for_subject(connection, organization_id, case_id, limit, total - limit)
        )


async def list_open_alerts(runtime: Runtime, organization_id: UUID, items: Sequence[CaseItem]) -> dict[UUID, Event]:
    """The events that opened these items and are open alerts, by ID."""
    async with runtime.store.read() as connection:
        rows = await events.list_open_alerts(connection, organization_id, [item.event_id for item in items])
    return {row.id: to_event(row) for row in rows}


async def read_case_audit_log(runtime: Runtime, organization_id: UUID, case_id: UUID, limit: int, offset: int) -> AuditPage:
    """The changes of a case, oldest first. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await load_row(connection, organization_id, case_id)
        return await audit_log.list_for_subject(connection, organization_id, case_id, limit, offset)


async def load_row(connection: Connection, organization_id: UUID, case_id: UUID) -> StoredCase:
    """The row of a case. Raises `NotFound`."""
    row = await cases.get(connection, organization_id, case_id)
    if row is None:
        raise NotFound(UNKNOWN_CASE)
    return row


async def load_case(runtime: Runtime, connection: Connection, organization_id: UUID, row: StoredCase) -> Case:
    """The case of a row with everything that belongs to it."""
    items = await case_parts.list_chosen_items(connection, organization_id, row.id, MAX_LISTED_ITEMS)
    counts = await case_parts.count_open_items(connection, organization_id, [row.id])
    notes, attachments, decisions = [
        await case_parts.list_parts(connection, organization_id, kind, row.id)
        for kind in (CasePart.NOTE, CasePart.ATTACHMENT, CasePart.DECISION)
    ]
    return Case(
        **dict(to_list_item(row, counts.get(row.id, {}), runtime.clock())),
        items=tuple(map(to_item, items)),
        item_count=await case_parts.count_items(connection, organization_id, row.id),
        notes=tuple(map(CaseNote.model_validate_json, notes)),
        attachments=tuple(map(CaseAttachment.model_validate_json, attachments)),
        decisions=tuple(StoredDocument.from_text(document).parse(CaseDecision) for document in decisions),
    )
