"""List and read cases."""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.cases.case import Case, CaseAttachment, CaseDecision, CaseNote, CasePage
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.records.business_record import AuditPage, Cursor, FeedPagination, FeedPosition
from bonafide.runtime import Runtime
from bonafide.services.cases.case_rows import to_item, to_list_item
from bonafide.services.records.change_feed import encode_cursor
from bonafide.store.cases import case_parts, cases
from bonafide.store.cases.case_parts import CasePart, StoredCaseItem
from bonafide.store.cases.cases import CaseFilter, StoredCase
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log

UNKNOWN_CASE = Message("We couldn’t find that case.")


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
    items = await case_parts.list_items(connection, organization_id, row.id)
    notes, attachments, decisions = [
        await case_parts.list_parts(connection, organization_id, kind, row.id)
        for kind in (CasePart.NOTE, CasePart.ATTACHMENT, CasePart.DECISION)
    ]
    return Case(
        **dict(to_list_item(row, _count_open(items), runtime.clock())),
        items=tuple(map(to_item, items)),
        notes=tuple(map(CaseNote.model_validate_json, notes)),
        attachments=tuple(map(CaseAttachment.model_validate_json, attachments)),
        decisions=tuple(map(CaseDecision.model_validate_json, decisions)),
    )


def _count_open(items: Sequence[StoredCaseItem]) -> dict[CaseItemKind, int]:
    return dict(Counter(item.kind for item in items if item.settled_at is None))
