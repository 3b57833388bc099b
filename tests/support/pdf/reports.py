"""Invented searches and verifications to print, from the made-up results of `bonafide bench pdf`."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from bonafide.i18n.language import Language
from bonafide.model.accounts.branding import DEFAULT_BRANDING, Branding
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import SearchResult
from bonafide.model.verification.results import (
    CheckedAddress,
    CheckedAddressPart,
    CheckedField,
    CheckedFields,
    CheckedPerson,
    CheckStatus,
    ClaimedPerson,
    Results,
    ResultStatus,
    Subject,
    Thresholds,
    VerificationMeta,
    VerifyResponse,
)
from bonafide.pdf.render import render
from bonafide.services.printing.pdf_reports import DocumentIssue, build_search_sheet, build_verification_sheet
from bonafide.sources.framework.discovery import discover_sources
from bonafide_bench.datasets.sample_search import create_sample_search
from bonafide_bench.datasets.sample_website import create_sample_website

DOCUMENT_ID = UUID("0190a5f2-7c1e-7d54-9a3b-5f0c2f7e8d11")
ISSUED_AT = datetime(2026, 11, 20, 14, 40, tzinfo=UTC)
SITE = create_sample_website()


def printed(result: SearchResult, language: str = "en", branding: Branding = DEFAULT_BRANDING) -> bytes:
    issue = DocumentIssue(DOCUMENT_ID, ISSUED_AT, Language(language))
    return render(build_search_sheet(result, discover_sources(), issue), branding)


def printed_search(matches: int = 2, language: str = "en", **parts: Any) -> bytes:
    return printed(create_sample_search(matches, **parts), language)


def printed_verification(document: VerifyResponse, language: str = "en") -> bytes:
    return render(build_verification_sheet(document, discover_sources(), DocumentIssue(DOCUMENT_ID, ISSUED_AT, Language(language))))


def checked(status: CheckStatus, score: float | None, provided: str | None, registry: str | None, reason: str) -> CheckedField:
    return CheckedField(status=status, score=score, threshold=0.95, provided=provided, registry=registry, reason=reason)


def verification(**parts: Any) -> VerifyResponse:
    """A claim that differs from its register in name and address; nobody it names is there."""
    part = CheckedAddressPart(
        status=CheckStatus.MISMATCHED, score=0.0, provided="Ottawa", registry="Hamilton", reason="Hamilton instead of Ottawa"
    )
    address = CheckedAddress(
        status=CheckStatus.MISMATCHED,
        score=0.4,
        threshold=0.95,
        provided="100 Foundry Lane, Ottawa",
        registry="100 Foundry Lane, Hamilton",
        reason="city: Hamilton instead of Ottawa",
        fields={"city": part},
    )
    fields = CheckedFields(
        legal_name=checked(
            CheckStatus.MISMATCHED, 0.9, "Maple Foundary Inc.", "Maple Foundry Inc.", "'foundary' read as 'foundry' (1 letter)"
        ),
        registration_number=checked(CheckStatus.MATCHED, 1.0, "1000071", "1000071", "the same number (Corporation Number)"),
        address=address,
    )
    person = CheckedPerson(
        name="Jane Nobody",
        role="Director",
        status=CheckStatus.NOT_PUBLISHED,
        score=None,
        threshold=0.95,
        reason="the register does not name people this way",
        registry=None,
    )
    results = {
        "status": ResultStatus.DISCREPANCIES,
        "fields": fields,
        "people": (person,),
        "discrepancy_count": 2,
        "analyst_summary": "The name differs by one letter.",
        "summary_language": Language.ENGLISH,
    }
    return VerifyResponse(meta=_meta(), results=Results(**(results | parts)), registry_data=None)


def _meta() -> VerificationMeta:
    return VerificationMeta(
        verification_id=UUID(int=9),
        external_id="C-17",
        business_id=None,
        verified_at=ISSUED_AT,
        verified_by="analyst@north.example",
        duration=40,
        submitted=Subject(
            legal_name="Maple Foundary Inc.",
            jurisdiction=Jurisdiction.ON,
            jurisdiction_label="Ontario",
            registration_number="1000071",
            people=(ClaimedPerson(name="Jane Nobody", roles=("Director",)),),
        ),
        thresholds=Thresholds(legal_name=0.95, registration_number=1.0, address=0.95, people=0.95),
    )
