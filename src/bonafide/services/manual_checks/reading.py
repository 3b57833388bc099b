"""List and read manual checks."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.manual_checks.manual_check import ManualCheck, ManualCheckAttachment, ManualCheckListItem, ManualCheckPage
from bonafide.model.records.business_record import AuditPage, Cursor, FeedPagination, FeedPosition
from bonafide.model.search.result import Pagination
from bonafide.runtime import Runtime
from bonafide.services.manual_checks.check_rows import to_list_item
from bonafide.services.records.change_feed import encode_cursor
from bonafide.store.cases import manual_checks
from bonafide.store.cases.manual_checks import ManualCheckFilter, StoredManualCheck
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log

UNKNOWN_CHECK = Message("We couldn’t find that manual check.")


@dataclass(frozen=True, slots=True)
class ManualCheckListing:
    """A page of manual checks for a person."""

    checks: tuple[ManualCheckListItem, ...]
    pagination: Pagination


async def list_manual_checks(
    runtime: Runtime, organization_id: UUID, chosen: ManualCheckFilter, start: FeedPosition, limit: int
) -> ManualCheckPage:
    """The manual checks that changed after a position, oldest change first."""
    async with runtime.store.read_lagging() as connection:
        found = await manual_checks.list_changes(connection, organization_id, chosen, start, limit + 1)
    listed, now = found[:limit], runtime.clock()
    end = FeedPosition(listed[-1].updated_at, listed[-1].id) if listed else start
    return ManualCheckPage(
        manual_checks=tuple(to_list_item(row, now) for row in listed),
        cursor=Cursor(next=encode_cursor(end)),
        pagination=FeedPagination(limit=limit, has_more=len(found) > limit),
    )


async def list_queue(
    runtime: Runtime, organization_id: UUID, chosen: ManualCheckFilter, limit: int, offset: int
) -> ManualCheckListing:
    """A page for a person: open checks by their due dates, others newest change first."""
    async with runtime.store.read_lagging() as connection:
        found, total = await manual_checks.list_page(connection, organization_id, chosen, limit, offset)
    now = runtime.clock()
    pagination = Pagination(total=total, limit=limit, offset=offset, has_more=offset + len(found) < total)
    return ManualCheckListing(tuple(to_list_item(row, now) for row in found), pagination)


async def list_open_checks(runtime: Runtime, organization_id: UUID, subjects: Collection[str]) -> list[ManualCheckListItem]:
    """The open checks of subjects (`opening.list_subjects`)."""
    now = runtime.clock()
    async with runtime.store.read() as connection:
        found = await manual_checks.list_open(connection, organization_id, subjects)
    return [to_list_item(row, now) for row in found]


async def read_manual_check(runtime: Runtime, organization_id: UUID, check_id: UUID) -> ManualCheck:
    """A manual check with its files. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        return await load_check(runtime, connection, organization_id, await load_check_row(connection, organization_id, check_id))


async def read_check_audit_log(runtime: Runtime, organization_id: UUID, check_id: UUID, limit: int, offset: int) -> AuditPage:
    """The changes of a manual check, oldest first. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await load_check_row(connection, organization_id, check_id)
        return await audit_log.list_for_subject(connection, organization_id, check_id, limit, offset)


async def load_check_row(connection: Connection, organization_id: UUID, check_id: UUID) -> StoredManualCheck:
    """The row of a manual check. Raises `NotFound`."""
    row = await manual_checks.get(connection, organization_id, check_id)
    if row is None:
        raise NotFound(UNKNOWN_CHECK)
    return row


async def load_check(runtime: Runtime, connection: Connection, organization_id: UUID, row: StoredManualCheck) -> ManualCheck:
    """The manual check of a row with its files."""
    files = await manual_checks.list_files(connection, organization_id, row.id)
    attachments = tuple(map(ManualCheckAttachment.model_validate_json, files))
    return ManualCheck(**dict(to_list_item(row, runtime.clock())), attachments=attachments)
