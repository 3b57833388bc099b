"""Requests for PDF documents, and their responses.

What stands in a document is decided in the services and in `pdf`.
"""

from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import Field, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant, create_field_error

PDF: Final = "application/pdf"


class PdfRequest(Document):
    """The body of `POST /pdf`: a search or a verification, and not both."""

    search_id: UUID | None = None
    """The `meta.searchId` of a search. Give either this or `verificationId`. Requires the scope `search:read`."""
    verification_id: Annotated[UUID | None, Field(examples=["87377c18-b422-4c57-a44a-cf566ccf9ce0"])] = None
    """The `meta.verificationId` of a completed verification. Requires the scope `verify:read`."""

    @model_validator(mode="after")
    def _exactly_one(self) -> "PdfRequest":
        if (self.search_id is None) == (self.verification_id is None):
            raise create_field_error("searchId", Message("give either searchId or verificationId, not both"))
        return self


class PdfDocument(Document):
    """The answer of `POST /pdf`: a file, and an address at which it can be read without a key until that expires."""

    document_id: UUID
    """ID of the document, printed on every page. It is the same while the content is the same."""
    url: str
    """Signed URL of the PDF; it needs no API key."""
    expires_at: Instant
    """When the signed URL expires."""
    content_type: Literal["application/pdf"] = PDF
    """Media type of the file."""
    size: int
    """Size in bytes."""
    sha256: str
    """SHA-256 digest of the file. The digest on its pages is that of the data."""
