"""Attach files to a case, and read them.

The file is stored first, then its description with an audit entry in one transaction: a description never refers to a missing file.
"""

from contextlib import suppress
from uuid import UUID, uuid4

from bonafide.errors import NotFound, ServerBusy, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.cases.case import CaseAttachment
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.model.records.documents import check_document
from bonafide.runtime import Runtime
from bonafide.services.cases.case_changes import ATTACHED, CaseTransaction
from bonafide.services.cases.reading import load_row
from bonafide.services.records.documents import UploadedDocument
from bonafide.store.cases import case_parts
from bonafide.store.cases.case_parts import CasePart, StoredCasePart
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

MAX_ATTACHMENTS = 100
"""Of one case."""
UNKNOWN_ATTACHMENT = Message("We couldn’t find that attachment.")


async def add_attachment(
    runtime: Runtime, organization_id: UUID, case_id: UUID, upload: UploadedDocument, author: Author
) -> CaseAttachment:
    """Attach a file, also to a case that has ended. If it can't be recorded, the file is removed.

    Raises `NotFound`, `ValidationFailed` for content that isn't accepted or beyond the limit of a case, and `ServerBusy`.
    """
    kind = check_document(upload.content, upload.field)
    async with runtime.store.read() as connection:
        await _check_limit(connection, organization_id, case_id, upload.field)
    attachment_id = uuid4()
    name = build_file_name(attachment_id, kind.extension)
    file = await runtime.files.put(organization_id, name, upload.content, kind.value)
    is_prepared = False
    try:
        async with runtime.store.write() as connection:
            ledger = await audit_log.lock_head(connection, organization_id)
            await _check_limit(connection, organization_id, case_id, upload.field)
            row = await load_row(connection, organization_id, case_id)
            changes = CaseTransaction(connection, organization_id, ledger, runtime.clock(), author)
            attachment = CaseAttachment(
                id=attachment_id,
                name=upload.name,
                media_type=kind,
                size=file.size,
                sha256=file.sha256,
                uploaded_at=changes.at,
                uploaded_by=author.actor,
            )
            part = StoredCasePart(attachment_id, case_id, changes.at, attachment.to_json())
            await case_parts.add_part(connection, organization_id, CasePart.ATTACHMENT, part)
            changes.change(row, row, [FieldChange(ATTACHED, None, attachment.model_dump(mode="json", by_alias=True))])
            await changes.finish()
            await complete_key(connection, attachment)
            is_prepared = True
    except Exception:
        # If the commit fails, the attachment may be recorded all the same, and needs its file.
        if not is_prepared:
            with suppress(ServerBusy):
                await runtime.files.delete(organization_id, name)
        raise
    return attachment


async def _check_limit(connection: Connection, organization_id: UUID, case_id: UUID, field: str) -> None:
    """Raise `NotFound` for an unknown case, and `ValidationFailed` if it has as many attachments as it may have."""
    await load_row(connection, organization_id, case_id)
    if await case_parts.count_parts(connection, organization_id, CasePart.ATTACHMENT, case_id) >= MAX_ATTACHMENTS:
        limit = Message("the case has {limit} attachments, which is the limit", limit=MAX_ATTACHMENTS)
        raise ValidationFailed.of_field(field, limit)


async def read_attachment(
    runtime: Runtime, organization_id: UUID, case_id: UUID, attachment_id: UUID
) -> tuple[CaseAttachment, bytes]:
    """An attachment with its content. Raises `NotFound`, `ServerBusy`, and `InternalFailure` if the file has changed."""
    async with runtime.store.read() as connection:
        found = await case_parts.get_part(connection, organization_id, CasePart.ATTACHMENT, case_id, attachment_id)
    if found is None:
        raise NotFound(UNKNOWN_ATTACHMENT)
    attachment = CaseAttachment.model_validate_json(found)
    name = build_file_name(attachment.id, attachment.media_type.extension)
    return attachment, await runtime.files.get(organization_id, name, attachment.sha256)


def build_file_name(attachment_id: UUID, extension: str) -> str:
    """The name of an attachment's file in the storage."""
    return f"attachments/{attachment_id}.{extension}"
