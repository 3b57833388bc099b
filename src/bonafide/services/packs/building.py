"""Build an examiner's pack: the job of a worker.

Everything is written to temporary files first, which disappear with the process. The files are then stored in the folder of this
attempt, and offered by the transaction that marks the pack as ready. A worker that is killed leaves no half pack, and the next
attempt begins again.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO
from uuid import UUID, uuid4

from bonafide import __version__
from bonafide.errors import NotFound, PackTooLarge
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Organization
from bonafide.model.packs.manifest import AUDIT_LOG, PackedAuditHead, PackedFile, PackManifest
from bonafide.model.packs.pack import PackAudit, PackContent, PackFormat
from bonafide.observability.tracing import span
from bonafide.pdf.print_packs import PrintedPackItem
from bonafide.pdf.render import render
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_print_style
from bonafide.services.monitoring.status import read_record_monitoring
from bonafide.services.packs import completion
from bonafide.services.packs.archive import PackArchive
from bonafide.services.packs.audit_extract import NEWLINE, write_audit_extract
from bonafide.services.packs.collection import collect_entries, collect_events
from bonafide.services.packs.entries import ItemContext, PackEntry, StoredAttachment, build_print_folder, describe_text
from bonafide.services.packs.event_entries import MONITORING_EVENTS, build_event_item
from bonafide.services.packs.item_list import PackItemList
from bonafide.services.packs.pack_files import build_attempt_folder, store_file
from bonafide.services.packs.pack_sheet import build_file_stem, build_pack_sheet
from bonafide.services.records.business_records import find_record
from bonafide.services.screening.owner_screening import read_ownership
from bonafide.store.packs import packs
from bonafide.store.packs.pack_rows import PackRange
from bonafide.store.packs.packs import StoredPack
from bonafide.store.retention import file_deletions
from bonafide.store.tenants import organizations

PACK_PDF = "pack.pdf"
EVENTS = "events.jsonl"
ITEMS = "items.csv"
FAILED = Message("An unexpected error occurred. Request a new pack.")
MISSING_FILE = Message("The stored file {name} no longer exists.")
CHANGED_FILE = Message("The stored file {name} does not have the digest that was recorded when it was stored.")


async def build_pack(runtime: Runtime, organization_id: UUID, pack_id: UUID, *, is_last_attempt: bool) -> None:
    """Build a pack, unless it is finished. A failure is raised, and the pack fails with the last attempt."""
    begun = await _begin(runtime, organization_id, pack_id)
    if begun is None:
        return
    row, organization = begun
    try:
        with ExitStack() as files, span("build pack"):
            work = _PackWork(runtime, organization, row, files)
            await work.collect()
            await work.finish()
    except (PackTooLarge, NotFound) as error:
        await completion.fail_pack(runtime, organization_id, row, error.message)
    except Exception:
        if is_last_attempt:
            await completion.fail_pack(runtime, organization_id, row, FAILED)
        raise


async def _begin(runtime: Runtime, organization_id: UUID, pack_id: UUID) -> tuple[StoredPack, Organization] | None:
    """Begin an attempt, and delete the files of the one before; None if the pack is finished."""
    async with runtime.store.write() as connection:
        before = await packs.get(connection, organization_id, pack_id)
        if before is None or not await packs.begin(connection, organization_id, pack_id, uuid4()):
            return None
        if before.build_id is not None:
            left = build_attempt_folder(pack_id, before.build_id)
            await file_deletions.add(connection, organization_id, [left], runtime.clock())
        row = await packs.get(connection, organization_id, pack_id)
        organization = await organizations.get(connection, organization_id)
    assert row is not None  # noqa: S101 - it has just been changed
    assert organization is not None  # noqa: S101 - its packs refer to it
    return row, organization


class _PackWork:
    """One attempt: the archive so far, and what the PDF will print."""

    def __init__(self, runtime: Runtime, organization: Organization, row: StoredPack, files: ExitStack) -> None:
        self._runtime = runtime
        self._organization = organization
        self._row = row
        self._files = files
        self._zip = self._open_file()
        self._archive = PackArchive(self._zip, row.requested_at)
        files.callback(self._archive.discard)
        self._content = PackContent.model_validate_json(row.document)
        self._context = ItemContext(runtime.sources, self._content.language, row.requested_at)
        self._chosen = PackRange(row.business_id, row.from_at, row.to_at)
        self._rows = self._open_file()
        self._items = PackItemList(self._rows, self._content.language, runtime.settings.pack_max_items)
        self._subjects: set[UUID] = {row.id} if row.business_id is None else {row.id, row.business_id}

    def _open_file(self) -> IO[bytes]:
        """A temporary file without a name: it disappears with the process, however that ends."""
        return self._files.enter_context(TemporaryFile(prefix="bonafide-pack-"))

    async def collect(self) -> None:
        """Add every check, decision and change to the archive. Raises `PackTooLarge` and `NotFound`."""
        if self._row.business_id is not None:
            await self._add_record(self._row.business_id)
        async for title, entries in collect_entries(self._runtime, self._organization.id, self._chosen, self._context):
            self._subjects.update(entry.id for entry in entries)
            await asyncio.to_thread(self._items.add, title, await self._add_entries(entries))
        await self._add_events()

    async def _add_record(self, business_id: UUID) -> None:
        """The record itself, who owns it, and the state of its monitoring."""
        runtime, organization_id = self._runtime, self._organization.id
        record = await find_record(runtime, organization_id, business_id=business_id)
        ownership = await read_ownership(runtime, organization_id, business_id, is_screened=False)
        monitoring = await read_record_monitoring(runtime, organization_id, business_id)
        documents = {"business": record.to_json(), "ownership": ownership.to_json(), "monitoring": monitoring.to_json()}
        for name, body in documents.items():
            await self._add(f"{name}.json", body.encode())
        for printed in await self._list_printed([build_print_folder(business_id)]):
            await self._add_attachment(printed)

    async def _add_entries(self, entries: Sequence[PackEntry]) -> list[PrintedPackItem]:
        documents = await asyncio.to_thread(lambda: [self._add_documents(entry) for entry in entries])
        printed = await asyncio.gather(*(self._list_printed(entry.folders) for entry in entries))
        return [await self._add_entry(*each) for each in zip(entries, documents, printed, strict=True)]

    def _add_documents(self, entry: PackEntry) -> list[PackedFile]:
        return [self._archive.add(name, body.encode()) for name, body in entry.files.items()]

    async def _list_printed(self, folders: Iterable[str]) -> list[StoredAttachment]:
        """The printed reports in folders of stored files."""
        files, organization_id = self._runtime.files, self._organization.id
        names = [name for folder in folders async for name in files.list_folder(organization_id, folder) if name.endswith(".pdf")]
        return [StoredAttachment(name, name) for name in sorted(names)]

    async def _add_entry(
        self, entry: PackEntry, documents: Sequence[PackedFile], printed: Sequence[StoredAttachment]
    ) -> PrintedPackItem:
        added = list(documents)
        problems = []
        for attachment in (*entry.attachments, *printed):
            file, problem = await self._add_attachment(attachment)
            added += [file] if file is not None else []
            problems += [describe_text("problem", problem)] if problem is not None else []
        details = (*entry.item.details, *(problem for problem in problems if problem is not None))
        return entry.item.model_copy(update={"files": tuple(added), "details": details})

    async def _add_attachment(self, attachment: StoredAttachment) -> tuple[PackedFile | None, Message | None]:
        """Copy a stored file, unless the pack has it; returns the problem of one that is missing or was changed."""
        file = self._archive.files.get(attachment.name)
        if file is None:
            try:
                content = await self._runtime.files.get(self._organization.id, attachment.stored_name)
            except NotFound:
                return None, MISSING_FILE.fill(name=attachment.name)
            file = await self._add(attachment.name, content)
        is_changed = attachment.sha256 is not None and file.sha256 != attachment.sha256
        return file, CHANGED_FILE.fill(name=attachment.name) if is_changed else None

    async def _add(self, name: str, content: bytes) -> PackedFile:
        return await asyncio.to_thread(self._archive.add, name, content)

    async def _add_events(self) -> None:
        file = self._open_file()
        async for batch in collect_events(self._runtime, self._organization.id, self._chosen):
            self._subjects.update(event.id for event in batch)
            await asyncio.to_thread(file.write, b"".join(event.to_json().encode() + NEWLINE for event in batch))
            listed = [build_event_item(event, self._context) for event in batch if event.type in MONITORING_EVENTS]
            if listed:
                await asyncio.to_thread(self._items.add, "monitoring", listed)
        await asyncio.to_thread(self._archive.add_stream, EVENTS, file)

    async def finish(self) -> None:
        """Add the list of items, the audit log, the PDF and the manifest, store both files, and offer them."""
        runtime, organization, row = self._runtime, self._organization, self._row
        await asyncio.to_thread(self._archive.add_stream, ITEMS, self._rows)
        log = self._open_file()
        extract = await write_audit_extract(runtime, organization.id, self._chosen, self._subjects, log)
        await asyncio.to_thread(self._archive.add_stream, AUDIT_LOG, log)
        others = [file for file in self._archive.files.values() if "/" not in file.name]
        sheet = build_pack_sheet(
            row, organization, self._items.build_sections(), extract, others, is_detailed=self._items.is_detailed
        )
        style = await read_print_style(runtime, organization.id)
        pdf = await asyncio.to_thread(render, sheet, style.branding, style.time_zone)
        await self._add(PACK_PDF, pdf)
        await asyncio.to_thread(self._archive.finish, self._build_manifest(extract.audit))
        stem = build_file_stem(row, self._content)
        assert row.build_id is not None  # noqa: S101 - the attempt has begun
        folder = build_attempt_folder(row.id, row.build_id)
        stored_pdf = await store_file(runtime, organization.id, folder, PackFormat.PDF, (f"{stem}.pdf", BytesIO(pdf)))
        stored_zip = await store_file(runtime, organization.id, folder, PackFormat.ZIP, (f"{stem}.zip", self._zip))
        ready = {"items": self._items.count, "audit": extract.audit, "pdf": stored_pdf, "zip": stored_zip}
        await completion.complete_pack(runtime, organization.id, row, self._content.model_copy(update=ready))

    def _build_manifest(self, audit: PackAudit) -> PackManifest:
        row = self._row
        return PackManifest(
            version=__version__,
            pack_id=row.id,
            organization_id=self._organization.id,
            organization=self._organization.name,
            world=self._organization.world,
            business_id=row.business_id,
            from_=row.from_at,
            to=row.to_at,
            language=self._content.language,
            requested_at=row.requested_at,
            requested_by=row.requested_by,
            items=self._items.count,
            audit=PackedAuditHead(entries=audit.entries, hash=audit.hash, disclosed=audit.disclosed, intact=audit.is_intact),
            files=tuple(self._archive.files.values()),
        )
