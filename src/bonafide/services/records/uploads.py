"""Store uploaded files, and record them.

A file is stored first, then its description with an audit entry in one transaction: a description never refers to a missing file.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar
from uuid import UUID, uuid4

from bonafide.errors import ServerBusy
from bonafide.model.records.business_record import Author
from bonafide.model.records.documents import BusinessDocument, DocumentType, check_document
from bonafide.runtime import Runtime
from bonafide.store.blobs.file_store import StoredFile
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditLogState

DescriptionT = TypeVar("DescriptionT", bound=BusinessDocument)
CheckLimit = Callable[[Connection], Awaitable[None]]
"""Raises `NotFound` for an unknown owner of the file, and `ValidationFailed` if it has as many files as it may have."""


class UploadFolder(StrEnum):
    """The folders of uploaded files in the storage."""

    ATTACHMENTS = "attachments"
    """Of cases and manual checks."""
    DOCUMENTS = "documents"
    """Of business records."""


@dataclass(frozen=True, slots=True)
class UploadedDocument:
    """A file as it was sent. `field` is the name of the field that it was sent in, for errors."""

    name: str
    content: bytes
    field: str = "content"


@dataclass(frozen=True, slots=True)
class UploadTransaction:
    """The transaction that records a stored file. `ledger` is the locked audit head."""

    connection: Connection
    ledger: AuditLogState
    file_id: UUID
    name: str
    """As it was uploaded."""
    media_type: DocumentType
    file: StoredFile

    def describe(self, kind: type[DescriptionT], at: datetime, author: Author) -> DescriptionT:
        """The description of the file, to be stored in this transaction. `at` is the time of the change."""
        return kind(
            id=self.file_id,
            name=self.name,
            media_type=self.media_type,
            size=self.file.size,
            sha256=self.file.sha256,
            uploaded_at=at,
            uploaded_by=author.actor,
        )


@asynccontextmanager
async def record_upload(
    runtime: Runtime, organization_id: UUID, folder: UploadFolder, upload: UploadedDocument, check_limit: CheckLimit
) -> AsyncIterator[UploadTransaction]:
    """Store a file, and open the transaction that records it. If it can't be recorded, the file is removed.

    The limit is checked before the file is stored, and again while the audit head is locked. Raises what `check_limit` does,
    `ValidationFailed` for content that isn't accepted, and `ServerBusy`.
    """
    media_type = check_document(upload.content, upload.field)
    async with runtime.store.read() as connection:
        await check_limit(connection)
    file_id = uuid4()
    name = build_upload_name(folder, file_id, media_type)
    file = await runtime.files.put(organization_id, name, upload.content, media_type.value)
    async with record_files(runtime, organization_id, [name]) as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        await check_limit(connection)
        yield UploadTransaction(connection, ledger, file_id, upload.name, media_type, file)


@asynccontextmanager
async def record_files(runtime: Runtime, organization_id: UUID, names: Collection[str]) -> AsyncIterator[Connection]:
    """A transaction that records stored files. If it fails, the files are removed.

    If only its commit fails, the files may be recorded all the same, and are kept.
    """
    is_prepared = False
    try:
        async with runtime.store.write() as connection:
            yield connection
            is_prepared = True
    except Exception:
        if not is_prepared:
            for name in names:
                with suppress(ServerBusy):
                    await runtime.files.delete(organization_id, name)
        raise


async def read_upload(runtime: Runtime, organization_id: UUID, folder: UploadFolder, described: BusinessDocument) -> bytes:
    """The content of a recorded file. Raises `NotFound`, `ServerBusy`, and `InternalFailure` if the file has changed."""
    name = build_upload_name(folder, described.id, described.media_type)
    return await runtime.files.get(organization_id, name, described.sha256)


def build_upload_name(folder: UploadFolder, file_id: UUID, media_type: DocumentType) -> str:
    """The name of an uploaded file in the storage."""
    return f"{folder}/{file_id}.{media_type.extension}"
