"""Keep documents with a business record: store, list and read them."""

from collections.abc import Collection
from uuid import UUID

from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.model.records.documents import (
    MAX_BUSINESS_DOCUMENTS,
    BusinessDocument,
    BusinessDocumentList,
)
from bonafide.runtime import Runtime
from bonafide.services.records import business_records
from bonafide.services.records.uploads import UploadedDocument, UploadFolder, read_upload, record_upload
from bonafide.store.database.engine import Connection
from bonafide.store.records import business_documents
from bonafide.store.records.business_documents import StoredBusinessDocument
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

UNKNOWN_DOCUMENT = Message("We couldn’t find that document.")


async def add_document(
    runtime: Runtime, organization_id: UUID, business_id: UUID, upload: UploadedDocument, author: Author
) -> BusinessDocument:
    """Store a document. If it can't be recorded, its file is removed.

    Raises `NotFound` for an unknown business, `ValidationFailed` for content that isn't accepted or beyond the limit of a business,
    and `ServerBusy`.
    """

    async def check_limit(connection: Connection) -> None:
        await business_records.load_record(connection, organization_id, business_id, None)
        if await business_documents.count(connection, organization_id, business_id) >= MAX_BUSINESS_DOCUMENTS:
            limit = Message("the business has {limit} documents, which is the limit", limit=MAX_BUSINESS_DOCUMENTS)
            raise ValidationFailed.of_field(upload.field, limit)

    async with record_upload(runtime, organization_id, UploadFolder.DOCUMENTS, upload, check_limit) as recording:
        at = recording.ledger.next_instant(runtime.clock())
        document = recording.describe(BusinessDocument, at, author)
        row = StoredBusinessDocument(document.id, business_id, at, document.to_json())
        await business_documents.add(recording.connection, organization_id, row)
        added = FieldChange("document.added", None, document.model_dump(mode="json", by_alias=True))
        change = audit_log.AuditChange(business_id, at, author, [added])
        await audit_log.record_change(recording.connection, organization_id, recording.ledger, change)
        await complete_key(recording.connection, document)
    return document


async def list_documents(runtime: Runtime, organization_id: UUID, business_id: UUID) -> BusinessDocumentList:
    """The documents of a business, newest first. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await business_records.load_record(connection, organization_id, business_id, None)
        listed = await business_documents.list_for_business(connection, organization_id, business_id)
    return BusinessDocumentList(documents=tuple(BusinessDocument.model_validate_json(text) for text in listed))


async def read_document(
    runtime: Runtime, organization_id: UUID, business_id: UUID, document_id: UUID
) -> tuple[BusinessDocument, bytes]:
    """A document with its content. Raises `NotFound`, `ServerBusy`, and `InternalFailure` if the file has changed."""
    async with runtime.store.read() as connection:
        found = await business_documents.list_by_ids(connection, organization_id, business_id, [document_id])
    if document_id not in found:
        raise NotFound(UNKNOWN_DOCUMENT)
    document = BusinessDocument.model_validate_json(found[document_id])
    return document, await read_upload(runtime, organization_id, UploadFolder.DOCUMENTS, document)


async def load_documents(
    connection: Connection, organization_id: UUID, business_id: UUID, ids: Collection[UUID], field: str
) -> tuple[BusinessDocument, ...]:
    """The documents of the business with these IDs, in their order. Raises `ValidationFailed`, which names the field."""
    found = await business_documents.list_by_ids(connection, organization_id, business_id, ids)
    if any(document_id not in found for document_id in ids):
        raise ValidationFailed.of_field(field, Message("is not the ID of a document of this business"))
    return tuple(BusinessDocument.model_validate_json(found[document_id]) for document_id in dict.fromkeys(ids))
