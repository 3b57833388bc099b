"""Keep documents with a business record: store, list and read them.

The file is stored first, then its description with an audit entry in one transaction: a description never refers to a missing file.
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID, uuid4

from bonafide.errors import NotFound, ServerBusy, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.model.records.documents import (
    MAX_BUSINESS_DOCUMENTS,
    BusinessDocument,
    BusinessDocumentList,
    check_document,
)
from bonafide.runtime import Runtime
from bonafide.services.records import business_records
from bonafide.store.database.engine import Connection
from bonafide.store.records import business_documents
from bonafide.store.records.business_documents import StoredBusinessDocument
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

UNKNOWN_DOCUMENT = Message("We couldn’t find that document.")


@dataclass(frozen=True, slots=True)
class UploadedDocument:
    """A file as it was sent. `field` is the name of the field that it was sent in, for errors."""

    name: str
    content: bytes
    field: str = "content"


async def add_document(
    runtime: Runtime, organization_id: UUID, business_id: UUID, upload: UploadedDocument, author: Author
) -> BusinessDocument:
    """Store a document. If it can't be recorded, its file is removed.

    Raises `NotFound` for an unknown business, `ValidationFailed` for content that isn't accepted or beyond the limit of a business,
    and `ServerBusy`.
    """
    kind = check_document(upload.content, upload.field)
    async with runtime.store.read() as connection:
        await _check_limit(connection, organization_id, business_id, upload.field)
    document_id = uuid4()
    name = build_file_name(document_id, kind.extension)
    file = await runtime.files.put(organization_id, name, upload.content, kind.value)
    is_prepared = False
    try:
        async with runtime.store.write() as connection:
            ledger = await audit_log.lock_head(connection, organization_id)
            await _check_limit(connection, organization_id, business_id, upload.field)
            document = BusinessDocument(
                id=document_id,
                name=upload.name,
                media_type=kind,
                size=file.size,
                sha256=file.sha256,
                uploaded_at=ledger.next_instant(runtime.clock()),
                uploaded_by=author.actor,
            )
            row = StoredBusinessDocument(document_id, business_id, document.uploaded_at, document.to_json())
            await business_documents.add(connection, organization_id, row)
            added = FieldChange("document.added", None, document.model_dump(mode="json", by_alias=True))
            change = audit_log.AuditChange(business_id, document.uploaded_at, author, [added])
            await audit_log.record_change(connection, organization_id, ledger, change)
            await complete_key(connection, document)
            is_prepared = True
    except Exception:
        # If the commit fails, the document may be recorded all the same, and needs its file.
        if not is_prepared:
            with suppress(ServerBusy):
                await runtime.files.delete(organization_id, name)
        raise
    return document


async def _check_limit(connection: Connection, organization_id: UUID, business_id: UUID, field: str) -> None:
    """Raise `NotFound` for an unknown business, and `ValidationFailed` if it has as many documents as it may have."""
    await business_records.load_record(connection, organization_id, business_id, None)
    if await business_documents.count(connection, organization_id, business_id) >= MAX_BUSINESS_DOCUMENTS:
        limit = Message("the business has {limit} documents, which is the limit", limit=MAX_BUSINESS_DOCUMENTS)
        raise ValidationFailed.of_field(field, limit)


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
    name = build_file_name(document.id, document.media_type.extension)
    return document, await runtime.files.get(organization_id, name, document.sha256)


async def load_documents(
    connection: Connection, organization_id: UUID, business_id: UUID, ids: Collection[UUID], field: str
) -> tuple[BusinessDocument, ...]:
    """The documents of the business with these IDs, in their order. Raises `ValidationFailed`, which names the field."""
    found = await business_documents.list_by_ids(connection, organization_id, business_id, ids)
    if any(document_id not in found for document_id in ids):
        raise ValidationFailed.of_field(field, Message("is not the ID of a document of this business"))
    return tuple(BusinessDocument.model_validate_json(found[document_id]) for document_id in dict.fromkeys(ids))


def build_file_name(document_id: UUID, extension: str) -> str:
    """The name of a document's file in the storage."""
    return f"documents/{document_id}.{extension}"
