"""Documents that an organization keeps with a business record: evidence that a person has found and uploaded."""

import binascii
from base64 import b64decode
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.model.base import Document, Instant
from bonafide.model.query import Text

MAX_DOCUMENT_BYTES = 10 * 1024 * 1024
"""A scanned register of several pages. A request's own limit (`BONAFIDE_MAX_BODY_BYTES`) may be lower."""
MAX_FILE_NAME_CHARACTERS = 200
MAX_BUSINESS_DOCUMENTS = 1000
"""Of one business record."""
_MAX_BASE64_CHARACTERS = MAX_DOCUMENT_BYTES * 4 // 3 + 4
Base64Text = Annotated[str, StringConstraints(min_length=1, max_length=_MAX_BASE64_CHARACTERS)]
FileName = Annotated[Text, StringConstraints(max_length=MAX_FILE_NAME_CHARACTERS)]


class DocumentType(StrEnum):
    """The media types of documents."""

    PDF = "application/pdf"
    PNG = "image/png"
    JPEG = "image/jpeg"

    @property
    def extension(self) -> str:
        """The extension of file names."""
        return self.value.partition("/")[2]


_SIGNATURES = {DocumentType.PDF: b"%PDF-", DocumentType.PNG: b"\x89PNG\r\n\x1a\n", DocumentType.JPEG: b"\xff\xd8\xff"}
"""The first bytes of a file of each type (ISO 32000-2, 7.5.2; PNG, 5.2; JPEG, B.1.1.2)."""


def detect_document_type(content: bytes) -> DocumentType | None:
    """The type of a file by its first bytes; None for any other file."""
    return next((kind for kind, signature in _SIGNATURES.items() if content.startswith(signature)), None)


class BusinessDocument(Document):
    """A document that is kept with a business record."""

    id: Annotated[UUID, Field(examples=["2b5c8e1f-4a6d-4f3b-9c7e-8d1a2b3c4d5e"])]
    """ID of the document."""
    name: Annotated[str, Field(examples=["isc-register-2026-11-20.pdf"])]
    """File name, as it was uploaded."""
    media_type: DocumentType
    """Media type, found from the content."""
    size: Annotated[int, Field(examples=[48213])]
    """Size in bytes."""
    sha256: Annotated[str, Field(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])]
    """SHA-256 digest of the content, in hexadecimal."""
    uploaded_at: Instant
    """When the document was uploaded."""
    uploaded_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who uploaded it."""


class DocumentUpload(Document):
    """The body of `POST /businesses/{id}/documents`."""

    name: Annotated[FileName, Field(examples=["isc-register-2026-11-20.pdf"])]
    """File name."""
    content: Annotated[Base64Text, Field(examples=["JVBERi0xLjcKJeLjz9MK"])]
    """Content of a PDF, PNG or JPEG file in base64 (RFC 4648, section 4)."""

    def decode(self) -> bytes:
        """The content. Raises `ValidationFailed` if it isn't base64."""
        try:
            return b64decode(self.content, validate=True)
        except (binascii.Error, ValueError):
            raise ValidationFailed.of_field("content", Message("must be base64")) from None


class BusinessDocumentList(Document):
    """The answer of `GET /businesses/{id}/documents`."""

    documents: tuple[BusinessDocument, ...]
    """Documents, newest first."""


def check_document(content: bytes, field: str) -> DocumentType:
    """The type of a document's content. Raises `ValidationFailed`, which names the field, for a wrong size or type."""
    if len(content) > MAX_DOCUMENT_BYTES:
        raise ValidationFailed.of_field(field, Message("must be at most {limit} bytes", limit=MAX_DOCUMENT_BYTES))
    kind = detect_document_type(content)
    if kind is None:
        names = join_values(sorted(kind.name for kind in DocumentType))
        raise ValidationFailed.of_field(field, Message("must be a file of one of these types: {types}", types=names))
    return kind
