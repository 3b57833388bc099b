"""Request examiner's packs, list them, and read their files."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from uuid import UUID, uuid4

from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.packs.pack import (
    Pack,
    PackContent,
    PackFile,
    PackFormat,
    PackItem,
    PackPage,
    PackRequest,
    PackStatus,
    SignedPackFile,
    StoredPackFile,
)
from bonafide.model.records.business_record import Author, BusinessRecord, Cursor, FeedPagination, FeedPosition, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.jobs.queue import JobContext
from bonafide.services.packs.pack_files import PACKS, build_attempt_folder, read_parts
from bonafide.services.records.business_records import load_record
from bonafide.services.records.change_feed import decode_cursor, encode_cursor
from bonafide.services.reports.signed_urls import UNKNOWN_DOCUMENT, sign_url
from bonafide.store.packs import pack_rows, packs
from bonafide.store.packs.pack_rows import PackRange, PackTable
from bonafide.store.packs.packs import PackPosition, StoredPack
from bonafide.store.tenants import audit_log
from bonafide.store.work import jobs
from bonafide.store.work.pending_key import complete_key

PACK_JOB = "pack"
MAX_ATTEMPTS = 3
MAX_UNFINISHED = 5
"""Packs of one organization that are still to be made: each occupies a worker for some time."""
REQUESTED = "pack.requested"
"""The field of an audit entry. Its new value has the ID and the scope of the pack."""
UNKNOWN_PACK = Message("We couldn’t find that pack.")
SCOPES: Mapping[str, Scope] = MappingProxyType({
    "searches": Scope.SEARCH_READ,
    "verifications": Scope.VERIFY_READ,
    "businesses": Scope.BUSINESSES_READ,
    "screenings": Scope.SANCTIONS_READ,
    "reports": Scope.REPORTS_READ,
    "events": Scope.EVENTS_READ,
    "cases": Scope.CASES_READ,
})  # fmt: skip
"""The scopes to read what a pack has."""
_COUNTED = (PackTable.SEARCHES, PackTable.VERIFICATIONS, PackTable.SCREENINGS)
NEWEST = FeedPosition(datetime(5000, 1, 1, tzinfo=UTC), UUID(int=2**128 - 1))
"""After every pack: a list begins here."""


def check_scopes(principal: Principal) -> None:
    """Raise `ScopeMissing` unless the key may read everything that a pack has."""
    for part, scope in SCOPES.items():
        principal.check_scope(scope, part)


async def request_pack(
    runtime: Runtime, principal: Principal, request: PackRequest, language: Language, author: Author
) -> PackItem:
    """Store a pack that a worker will make, with the job and an audit entry.

    Raises `NotFound` for an unknown business, `ValidationFailed` for a period with too many checks, and `Conflict` while as many
    packs are made as may be.
    """
    organization_id = principal.organization_id
    await _check_size(runtime, organization_id, request)
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        if await packs.count_unfinished(connection, organization_id) >= MAX_UNFINISHED:
            raise Conflict(Message("{limit} packs are being made. Wait until one of them is ready.", limit=MAX_UNFINISHED))
        business_id = request.business_id
        record = await load_record(connection, organization_id, business_id, None) if business_id is not None else None
        at = ledger.next_instant(runtime.clock())
        row = _build_row(request, record, language, at, author)
        await packs.add(connection, organization_id, row)
        job = jobs.NewJob(PACK_JOB, str(row.id), JobContext.current(principal.world).to_json(), runtime.clock(), MAX_ATTEMPTS)
        await jobs.enqueue(connection, organization_id, job)
        item = to_item(row)
        requested = FieldChange(
            REQUESTED, None, item.model_dump(mode="json", by_alias=True, include={"id", "business_id", "from_", "to", "language"})
        )
        change = audit_log.AuditChange(business_id if business_id is not None else row.id, at, author, [requested])
        await audit_log.record_change(connection, organization_id, ledger, change)
        await complete_key(connection, item)
    return item


async def _check_size(runtime: Runtime, organization_id: UUID, request: PackRequest) -> None:
    """Raise `ValidationFailed` for a period with more checks than a pack may have. The worker counts everything."""
    if request.from_ is None:
        return
    limit, chosen, count = runtime.settings.pack_max_items, PackRange(None, request.from_, request.to), 0
    async with runtime.store.read() as connection:
        for table in _COUNTED:
            count += await pack_rows.count_rows_up_to(connection, organization_id, table, chosen, limit + 1)
    if count > limit:
        raise ValidationFailed.of_field("to", describe_excess(limit))


def describe_excess(limit: int) -> Message:
    """The problem of a pack that would have too much."""
    return Message("A pack has up to {limit:,} checks, decisions and changes. Choose a shorter period.", limit=limit)


def _build_row(request: PackRequest, record: BusinessRecord | None, language: Language, at: datetime, author: Author) -> StoredPack:
    content = PackContent(business_name=get_display_name(record) if record is not None else None, language=language)
    return StoredPack(
        id=uuid4(),
        business_id=request.business_id,
        from_at=request.from_,
        to_at=request.to,
        status=PackStatus.QUEUED,
        requested_at=at,
        requested_by=author.actor,
        ready_at=None,
        expires_at=None,
        build_id=None,
        purge_at=None,
        problem=None,
        document=content.to_json(),
    )


def get_display_name(record: BusinessRecord) -> str:
    """The name of a record, or what it is known by without one."""
    return record.name or record.external_id or record.registration_number or str(record.id)


async def list_packs(
    runtime: Runtime, organization_id: UUID, business_id: UUID | None, limit: int, cursor: str | None = None
) -> PackPage:
    """A page of the packs of an organization, or of one business record, newest first.

    Raises `ValidationFailed` for an invalid cursor.
    """
    start = decode_cursor(cursor) if cursor is not None else NEWEST
    place = PackPosition(start.updated_at, start.id)
    async with runtime.store.read() as connection:
        found = await packs.list_older(connection, organization_id, business_id, place, limit + 1)
    listed = found[:limit]
    end = FeedPosition(listed[-1].requested_at, listed[-1].id) if listed else start
    return PackPage(
        packs=tuple(map(to_item, listed)),
        cursor=Cursor(next=encode_cursor(end)),
        pagination=FeedPagination(limit=limit, has_more=len(found) > limit),
    )


async def read_pack(runtime: Runtime, organization_id: UUID, pack_id: UUID) -> Pack:
    """A pack with new signed URLs of its files. Raises `NotFound`."""
    row = await _load(runtime, organization_id, pack_id)
    content = PackContent.model_validate_json(row.document)
    is_ready = row.status is PackStatus.READY

    def sign(file_format: PackFormat) -> SignedPackFile | None:
        file = content.get_file(file_format)
        if file is None or not is_ready:
            return None
        address = sign_url(runtime, organization_id, f"{PACKS}/{pack_id}.{file_format}")
        described = {name: getattr(file, name) for name in PackFile.model_fields}
        return SignedPackFile(**described, url=address.url, url_expires_at=address.expires_at)

    return Pack(**dict(to_item(row)), audit=content.audit, pdf=sign(PackFormat.PDF), zip=sign(PackFormat.ZIP))


@dataclass(frozen=True, slots=True)
class PackDownload:
    """A file of a pack to download."""

    file: StoredPackFile
    format: PackFormat
    parts: AsyncIterator[bytes]


async def open_download(runtime: Runtime, organization_id: UUID, pack_id: UUID, file_format: PackFormat) -> PackDownload:
    """A file of a ready pack. Raises `NotFound`, and `Conflict` unless the pack is ready."""
    row = await _load(runtime, organization_id, pack_id)
    file = PackContent.model_validate_json(row.document).get_file(file_format)
    if row.status is not PackStatus.READY or file is None or row.build_id is None:
        raise Conflict(_describe_unavailability(row))
    folder = build_attempt_folder(pack_id, row.build_id)
    return PackDownload(file, file_format, read_parts(runtime, organization_id, folder, file_format, file))


def _describe_unavailability(row: StoredPack) -> Message:
    if row.status is PackStatus.EXPIRED:
        return Message("The files of this pack have been deleted. Request a new pack.")
    if row.problem is not None:
        return Message("The pack could not be made: {problem}", problem=row.problem)
    return Message("The pack is not ready yet.")


async def open_signed_download(runtime: Runtime, organization_id: UUID, document: str) -> PackDownload | None:
    """The file of a signed document name; None for another kind of document. Raises `NotFound`."""
    folder, _, name = document.partition("/")
    if folder != PACKS:
        return None
    pack_id, _, file_format = name.partition(".")
    try:
        return await open_download(runtime, organization_id, UUID(pack_id), PackFormat(file_format))
    except (ValueError, Conflict):
        raise NotFound(UNKNOWN_DOCUMENT) from None


async def _load(runtime: Runtime, organization_id: UUID, pack_id: UUID) -> StoredPack:
    async with runtime.store.read() as connection:
        row = await packs.get(connection, organization_id, pack_id)
    if row is None:
        raise NotFound(UNKNOWN_PACK)
    return row


def to_item(row: StoredPack) -> PackItem:
    """The item of a row in a list."""
    content = PackContent.model_validate_json(row.document)
    return PackItem(
        id=row.id,
        status=row.status,
        business_id=row.business_id,
        business_name=content.business_name,
        from_=row.from_at,
        to=row.to_at,
        language=content.language,
        requested_at=row.requested_at,
        requested_by=row.requested_by,
        ready_at=row.ready_at,
        expires_at=row.expires_at,
        items=content.items,
        intact=content.audit.is_intact if content.audit is not None else None,
        sha256=content.zip.sha256 if content.zip is not None else None,
        problem=row.problem,
    )
