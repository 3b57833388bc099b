"""Attach files to a manual check, and read them.

The file is stored first, then its description with an audit entry in one transaction: a description never refers to a missing file.
"""

from contextlib import suppress
from dataclasses import replace
from uuid import UUID, uuid4

from bonafide.errors import NotFound, ServerBusy, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.manual_checks.manual_check import ManualCheckAttachment
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.model.records.documents import check_document
from bonafide.runtime import Runtime
from bonafide.services.manual_checks.check_rows import ATTACHED
from bonafide.services.manual_checks.reading import load_check_row
from bonafide.services.records.documents import UploadedDocument
from bonafide.store.cases import manual_checks
from bonafide.store.cases.manual_checks import StoredCheckFile
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

MAX_CHECK_FILES = 20
"""Of one manual check."""
UNKNOWN_FILE = Message("We couldn’t find that attachment.")


async def add_check_file(
    runtime: Runtime, organization_id: UUID, check_id: UUID, upload: UploadedDocument, author: Author
) -> ManualCheckAttachment:
    """Attach a file, also to a check that is done. If it can't be recorded, the file is removed.

    Raises `NotFound`, `ValidationFailed` for content that isn't accepted or beyond the limit of a check, and `ServerBusy`.
    """
    kind = check_document(upload.content, upload.field)
    async with runtime.store.read() as connection:
        await _check_limit(connection, organization_id, check_id, upload.field)
    attachment_id = uuid4()
    name = build_attachment_name(attachment_id, kind.extension)
    file = await runtime.files.put(organization_id, name, upload.content, kind.value)
    is_prepared = False
    try:
        async with runtime.store.write() as connection:
            ledger = await audit_log.lock_head(connection, organization_id)
            await _check_limit(connection, organization_id, check_id, upload.field)
            row = await load_check_row(connection, organization_id, check_id)
            attachment = ManualCheckAttachment(
                id=attachment_id,
                name=upload.name,
                media_type=kind,
                size=file.size,
                sha256=file.sha256,
                uploaded_at=ledger.next_instant(runtime.clock()),
                uploaded_by=author.actor,
            )
            stored = StoredCheckFile(attachment_id, check_id, attachment.uploaded_at, attachment.to_json())
            await manual_checks.add_file(connection, organization_id, stored)
            await manual_checks.replace(connection, organization_id, replace(row, updated_at=attachment.uploaded_at))
            added = FieldChange(ATTACHED, None, attachment.model_dump(mode="json", by_alias=True))
            change = audit_log.AuditChange(check_id, attachment.uploaded_at, author, [added])
            await audit_log.record_change(connection, organization_id, ledger, change)
            await complete_key(connection, attachment)
            is_prepared = True
    except Exception:
        # If the commit fails, the attachment may be recorded all the same, and needs its file.
        if not is_prepared:
            with suppress(ServerBusy):
                await runtime.files.delete(organization_id, name)
        raise
    return attachment


async def _check_limit(connection: Connection, organization_id: UUID, check_id: UUID, field: str) -> None:
    """Raise `NotFound` for an unknown check, and `ValidationFailed` if it has as many files as it may have."""
    await load_check_row(connection, organization_id, check_id)
    if await manual_checks.count_files(connection, organization_id, check_id) >= MAX_CHECK_FILES:
        limit = Message("the manual check has {limit} files, which is the limit", limit=MAX_CHECK_FILES)
        raise ValidationFailed.of_field(field, limit)


async def read_check_file(
    runtime: Runtime, organization_id: UUID, check_id: UUID, attachment_id: UUID
) -> tuple[ManualCheckAttachment, bytes]:
    """A file of a check with its content. Raises `NotFound`, `ServerBusy`, and `InternalFailure` if the file has changed."""
    async with runtime.store.read() as connection:
        found = await manual_checks.get_file(connection, organization_id, check_id, attachment_id)
    if found is None:
        raise NotFound(UNKNOWN_FILE)
    attachment = ManualCheckAttachment.model_validate_json(found)
    name = build_attachment_name(attachment.id, attachment.media_type.extension)
    return attachment, await runtime.files.get(organization_id, name, attachment.sha256)


def build_attachment_name(attachment_id: UUID, extension: str) -> str:
    """The name of an attachment's file in the storage."""
    return f"attachments/{attachment_id}.{extension}"
