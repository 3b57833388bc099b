"""Attach files to a manual check, and read them."""

from dataclasses import replace
from uuid import UUID

from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.manual_checks.manual_check import ManualCheckAttachment
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.manual_checks.check_rows import ATTACHED
from bonafide.services.manual_checks.reading import load_check_row
from bonafide.services.records.uploads import UploadedDocument, UploadFolder, read_upload, record_upload
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

    async def check_limit(connection: Connection) -> None:
        await load_check_row(connection, organization_id, check_id)
        if await manual_checks.count_files(connection, organization_id, check_id) >= MAX_CHECK_FILES:
            limit = Message("the manual check has {limit} files, which is the limit", limit=MAX_CHECK_FILES)
            raise ValidationFailed.of_field(upload.field, limit)

    async with record_upload(runtime, organization_id, UploadFolder.ATTACHMENTS, upload, check_limit) as recording:
        connection, ledger = recording.connection, recording.ledger
        row = await load_check_row(connection, organization_id, check_id)
        at = ledger.next_instant(runtime.clock())
        attachment = recording.describe(ManualCheckAttachment, at, author)
        await manual_checks.add_file(
            connection, organization_id, StoredCheckFile(attachment.id, check_id, at, attachment.to_json())
        )
        await manual_checks.replace(connection, organization_id, replace(row, updated_at=at))
        added = FieldChange(ATTACHED, None, attachment.model_dump(mode="json", by_alias=True))
        change = audit_log.AuditChange(check_id, at, author, [added])
        await audit_log.record_change(connection, organization_id, ledger, change)
        await complete_key(connection, attachment)
    return attachment


async def read_check_file(
    runtime: Runtime, organization_id: UUID, check_id: UUID, attachment_id: UUID
) -> tuple[ManualCheckAttachment, bytes]:
    """A file of a check with its content. Raises `NotFound`, `ServerBusy`, and `InternalFailure` if the file has changed."""
    async with runtime.store.read() as connection:
        found = await manual_checks.get_file(connection, organization_id, check_id, attachment_id)
    if found is None:
        raise NotFound(UNKNOWN_FILE)
    attachment = ManualCheckAttachment.model_validate_json(found)
    return attachment, await read_upload(runtime, organization_id, UploadFolder.ATTACHMENTS, attachment)
