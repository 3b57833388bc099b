"""Requests for PDF documents, and their responses.

What stands in a document is decided in the services and in `pdf`.
"""

from typing import Any, Final, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from bonafide.model.base import FIELD, Document, Instant

PDF: Final = "application/pdf"


def _build_exclusive_schema(given: str, absent: str) -> dict[str, Any]:
    """A JSON schema in which one of two fields has a value and the other has none."""
    return {"required": [given], "properties": {given: {"type": "string"}, absent: {"type": "null"}}}


class PdfRequest(Document):
    """The body of `POST /pdf`: a search or a verification, and not both."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [_build_exclusive_schema("searchId", "verificationId"), _build_exclusive_schema("verificationId", "searchId")]
        }
    )

    search_id: UUID | None = Field(None, description="The `meta.searchId` of a search")
    verification_id: UUID | None = Field(None, description="The `meta.verificationId` of a completed verification")

    @model_validator(mode="after")
    def _exactly_one(self) -> "PdfRequest":
        if (self.search_id is None) == (self.verification_id is None):
            raise PydanticCustomError("one_of", "must be given, or else verificationId, and not both", {FIELD: "searchId"})
        return self


class PdfDocument(Document):
    """The answer of `POST /pdf`: a file, and an address at which it can be read without a key until that expires."""

    document_id: UUID
    """The same while what it is made from is the same; it stands on every page."""
    url: str
    expires_at: Instant
    content_type: Literal["application/pdf"] = PDF
    size: int
    """Bytes."""
    sha256: str
    """Of the file. The one on its pages is that of the data."""
