"""The data of printed documents: search, verification and business reports."""

import hashlib
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from bonafide.model.base import Document, Instant
from bonafide.model.language import Language
from bonafide.model.search.result import SearchResult
from bonafide.model.verification.results import VerifyResponse
from bonafide.pdf.registry_profile import RegistryProfile


class PrintedDocument(Document):
    """The data of one document. Everything in it is data: no text of it is ever read as markup."""

    template: ClassVar[str]
    """The file in `templates/`, without `.typ`, that lays it out."""
    language: Language
    document_id: UUID
    issued_at: Instant
    """Also the file's own date of creation, so that the same data gives the same bytes."""

    @property
    def digest(self) -> str:
        """SHA-256 of the wire form (`to_json`, UTF-8) in hexadecimal, as it is printed on every page."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()


class PrintedEvidence(Document):
    """One answer of the source that is kept as it came: what was asked for, when, and its size in bytes and SHA-256."""

    asked: str = Field(min_length=1)
    retrieved_at: Instant
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class PrintedBusinessReport(RegistryProfile, PrintedDocument):
    """All that a business report prints."""

    template: ClassVar[str] = "business_report"
    evidence: tuple[PrintedEvidence, ...] = ()


class PrintedSource(Document):
    """What a source is called, who publishes it, and where a person can look."""

    title: str
    publisher: str
    page: str


class PrintedSearchReport(PrintedDocument):
    """All that a search report prints. Sentences of the result are in the sheet's language already."""

    template: ClassVar[str] = "search_report"
    result: SearchResult
    sources: dict[str, PrintedSource]
    """By key, every source of the result's coverage."""
    profile: RegistryProfile | None
    """Of the selected match, else of the best one; null where there is none."""


class PrintedVerificationReport(PrintedDocument):
    """All that a verification report prints. Sentences of the document are in the sheet's language already."""

    template: ClassVar[str] = "verification_report"
    verification: VerifyResponse
    profile: RegistryProfile | None
    """Null when the register has no such number."""
    evidence: tuple[PrintedEvidence, ...] = ()
