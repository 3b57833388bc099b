"""Attach files to a case, and read them."""

from uuid import UUID

from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.cases.case import CaseAttachment
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.cases.case_changes import ATTACHED, CaseTransaction
from bonafide.services.cases.reading import load_row
from bonafide.services.records.uploads import UploadedDocument, UploadFolder, read_upload, record_upload
from bonafide.store.cases import case_parts
from bonafide.store.cases.case_parts import CasePart, StoredCasePart
from bonafide.store.database.engine import Connection
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

    async def check_limit(connection: Connection) -> None:
        await load_row(connection, organization_id, case_id)
        if await case_parts.count_parts(connection, organization_id, CasePart.ATTACHMENT, case_id) >= MAX_ATTACHMENTS:
            limit = Message("the case has {limit} attachments, which is the limit", limit=MAX_ATTACHMENTS)
            raise ValidationFailed.of_field(upload.field, limit)

    async with record_upload(runtime, organization_id, UploadFolder.ATTACHMENTS, upload, check_limit) as recording:
        row = await load_row(recording.connection, organization_id, case_id)
        changes = CaseTransaction(recording.connection, organization_id, recording.ledger, runtime.clock(), author)
        attachment = recording.describe(CaseAttachment, changes.at, author)
        part = StoredCasePart(attachment.id, case_id, changes.at, attachment.to_json())
        await case_parts.add_part(recording.connection, organization_id, CasePart.ATTACHMENT, part)
        changes.change(row, row, [FieldChange(ATTACHED, None, attachment.model_dump(mode="json", by_alias=True))])
        await changes.finish()
        await complete_key(recording.connection, attachment)
    return attachment


async def read_attachment(
    runtime: Runtime, organization_id: UUID, case_id: UUID, attachment_id: UUID
) -> tuple[CaseAttachment, bytes]:
    """An attachment with its content. Raises `NotFound`, `ServerBusy`, and `InternalFailure` if the file has changed."""
    async with runtime.store.read() as connection:
        found = await case_parts.get_part(connection, organization_id, CasePart.ATTACHMENT, case_id, attachment_id)
    if found is None:
        raise NotFound(UNKNOWN_ATTACHMENT)
    attachment = CaseAttachment.model_validate_json(found)
    return attachment, await read_upload(runtime, organization_id, UploadFolder.ATTACHMENTS, attachment)
