"""A sample website analysis, for PDF benchmarks."""

from datetime import UTC, datetime

from bonafide.model.entity import Address, RegistrationNumber
from bonafide.model.search.match import FieldMatch, FieldStatus
from bonafide.model.search.website import (
    ContactInfo,
    Domain,
    Extracted,
    FoundBy,
    Industry,
    IndustryCandidate,
    WebsiteAnalysis,
    WebsiteComparison,
    WebsiteEvidence,
    WebsitePage,
    WebsitePerson,
    WebsiteStatus,
)

AT = datetime(2026, 11, 20, 14, 33, 5, tzinfo=UTC)
_HOME = "https://maple.example/"


def create_sample_website(pages: int = 5) -> WebsiteAnalysis:
    """An analysis of a site with `pages` pages, all read."""
    return WebsiteAnalysis(
        status=WebsiteStatus.SUCCESS,
        url=_HOME,
        extracted=_extracted(),
        industry=_industry(),
        domain=Domain(url="maple.example", created_at=datetime(2009, 5, 1, tzinfo=UTC), source="https://rdap.example/domain/maple"),
        retrieved_at=AT,
        pages=tuple(WebsitePage(url=f"{_HOME}{place}", retrieved_at=AT, status=200, size=20_481) for place in range(pages)),
        comparison=WebsiteComparison(match_id="00000000-0000-0000-0000-0000000003e8", fields=_compared()),
    )


def _extracted() -> Extracted:
    return Extracted(
        legal_name="Maple Foundry Inc.",
        descriptions=("A foundry for iron and bronze since 1911.",),
        addresses=(Address(street="100 Foundry Lane", city="Hamilton", province="ON", postal_code="L8P 1A1"),),
        people=(WebsitePerson(name="Anneliese Roggenbrot", roles=("Founder",)),),
        registrations=(RegistrationNumber(label="GST/HST", value="123456782 RT0001"),),
        contact_info=ContactInfo(emails=("hello@maple.example",), phone_numbers=("+14165550123",)),
        evidence=tuple(
            WebsiteEvidence(field=field, value=value, page=f"{_HOME}about", found_by=FoundBy.TEXT, snippet=f"… {value} …")
            for field, value in (
                ("legalName", "Maple Foundry Inc."),
                ("people", "Anneliese Roggenbrot"),
                ("emails", "hello@maple.example"),
            )
        ),
    )


def _industry() -> Industry:
    candidates = tuple(
        IndustryCandidate(naics_code=code, naics_code_name=title, score=score, evidence=f"“{title}” is near to “iron castings”")
        for code, title, score in (("331511", "Iron foundries", 0.82), ("331529", "Other non-ferrous foundries", 0.61))
    )
    return Industry(
        naics_code="331511",
        naics_code_name="Iron foundries",
        reasoning="The site speaks of iron castings.",
        confidence=0.82,
        candidates=candidates,
    )


def _compared() -> tuple[FieldMatch, ...]:
    return (
        FieldMatch(
            field="legalName",
            label="Legal name",
            score=1,
            status=FieldStatus.MATCHED,
            submitted="Maple Foundry Inc.",
            found="Maple Foundry Inc.",
            reason="same name",
        ),
        FieldMatch(
            field="people", label="People", score=None, status=FieldStatus.NOT_PUBLISHED, reason="the register names nobody"
        ),
    )
