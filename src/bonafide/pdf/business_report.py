"""The sheet of a business report: what one register says of one business, with the evidence that is kept of it.

It is not the `businessReport` of the API, which the caller folds into it.
"""

from typing import ClassVar

from pydantic import Field

from bonafide.model.base import Document, Instant
from bonafide.pdf.printable import Printable
from bonafide.pdf.profile import Profile


class Evidence(Document):
    """One answer of the source that is kept as it came: what was asked for, when, and its size in bytes and SHA-256."""

    asked: str = Field(min_length=1)
    retrieved_at: Instant
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class BusinessReportSheet(Profile, Printable):
    """All that a business report prints."""

    template: ClassVar[str] = "business_report"
    evidence: tuple[Evidence, ...] = ()
