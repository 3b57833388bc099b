"""Requests for PDF documents, and their responses.

What stands in a document is decided in the services and in `pdf`.
"""

from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import Field, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant, create_field_error

PDF: Final = "application/pdf"
_IDS = 5
"""The kinds of documents that can be printed."""


class PdfRequest(Document):
    """The body of `POST /pdf`: exactly one ID, of what is printed."""

    search_id: UUID | None = None
    """The `meta.searchId` of a search. Give exactly one of the ids. Requires the scope `search:read`."""
    verification_id: Annotated[UUID | None, Field(examples=["87377c18-b422-4c57-a44a-cf566ccf9ce0"])] = None
    """The `meta.verificationId` of a completed verification. Requires the scope `verify:read`."""
    screening_id: Annotated[UUID | None, Field(examples=["7e2f9c1b-3a4d-4e5f-8a6b-0c1d2e3f4a5b"])] = None
    """The `meta.screeningId` of a screening. Requires the scope `sanctions:read`."""
    ownership_business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])] = None
    """ID of a business record: the report of its ownership today. Requires the scope `businesses:read`."""
    ownership_review_id: Annotated[UUID | None, Field(examples=["5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a"])] = None
    """The `review.id` of an ownership review. Requires the scope `businesses:read`."""

    @model_validator(mode="after")
    def _exactly_one(self) -> "PdfRequest":
        given = [self.search_id, self.verification_id, self.screening_id, self.ownership_business_id, self.ownership_review_id]
        if given.count(None) != _IDS - 1:
            message = Message(
                "give exactly one of searchId, verificationId, screeningId, ownershipBusinessId and ownershipReviewId"
            )
            raise create_field_error("searchId", message)
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
