"""Sample search results of any size, for PDF benchmarks.

They contain every part of a real result, so that rendering them costs as much as rendering a real report. No search is run.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from bonafide.errors import SourceErrorCode
from bonafide.model.entity import Address, NaicsClass, NameHistoryItem, Person, RegistrationNumber, StatusCode, StatusHistoryItem
from bonafide.model.entry import EntityKind, SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.query import SearchParams
from bonafide.model.search.match import (
    BusinessMatch,
    BusinessReport,
    BusinessReportDetails,
    ComparedWords,
    Dismissed,
    FieldMatch,
    FieldStatus,
    ListingDetails,
    LoneWord,
    MatchExplanation,
    NameBreakdown,
    NameScore,
    RegulatoryMatch,
    SanctionsMatch,
    ScoreChange,
    ScoredName,
    ScoreStep,
    ScreenedList,
    ScreenedName,
    Screening,
    ScreeningExplanation,
    UnscreenedList,
    WordDifference,
)
from bonafide.model.search.result import (
    CheckErrors,
    Coverage,
    CoverageStatus,
    SearchMeta,
    SearchResult,
    SearchStatus,
    Submitted,
)
from bonafide.sources.framework.discovery import list_regulator_keys

AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
DAY = date(2026, 11, 1)
LISTS = ("ca-sanctions-autonomous", "un-sanctions-consolidated", "us-sanctions-ofac-sdn", "eu-sanctions-consolidated")
_TRADES = ("Boulangerie", "Foundry", "Logistics", "Pharmacy", "Quarry", "Sawmill", "Orchard", "Marina")
_REGULATOR_STATUSES = {
    "calgaryBusinessLicences": CoverageStatus.FAILED,
    "edmontonBusinessLicences": CoverageStatus.STALE,
    "gleif": CoverageStatus.NOT_AVAILABLE,
}
"""Regulators with another status than "searched"."""
_DIRECTORS = ("Anneliese Roggenbrot", "Étienne Lévesque-Dubé", "Margaret Okafor-Lindqvist")


def create_sample_search(matches: int, *, listed: int = 3, **parts: Any) -> SearchResult:
    """A search with `matches` matches, listed by `listed` regulators; `parts` override fields of the result."""
    name = "Maple Foundry Inc."
    values: dict[str, Any] = {
        "meta": _meta(name),
        "businesses": tuple(_match(place, name) for place in range(matches)),
        "regulatory": {key: _entries(key, 1 if place < listed else 0) for place, key in enumerate(list_regulator_keys())},
        "sanctions": _screening(name),
        "errors": CheckErrors(),
    }
    return SearchResult(**(values | parts))


def _meta(name: str) -> SearchMeta:
    params = SearchParams(sanctions_screening=True, registration_number="1000017", website_analysis=True)
    return SearchMeta(
        search_id=UUID(int=1),
        searched_at=AT,
        searched_by="analyst@north.example",
        submitted=Submitted(name=name, website="https://maple.example", params=params),
        status=SearchStatus.COMPLETED_WITH_ERRORS,
        duration=812,
        coverage=_coverage(),
    )


def _coverage() -> tuple[Coverage, ...]:
    registers = [
        _row(code.lower(), SourceKind.REGISTRY, status, code)
        for code, status in zip(Jurisdiction, _statuses(len(Jurisdiction)), strict=True)
    ]
    regulators = [
        _row(key, SourceKind.REGULATOR, _REGULATOR_STATUSES.get(key, CoverageStatus.SEARCHED)) for key in list_regulator_keys()
    ]
    lists = [_row(key, SourceKind.SANCTIONS, CoverageStatus.SEARCHED) for key in LISTS]
    return (*registers, *regulators, *lists, _row("odbus", SourceKind.LISTING, CoverageStatus.NOT_AVAILABLE))


def _statuses(count: int) -> list[CoverageStatus]:
    """Mostly "searched"; the remaining ones cover every other status."""
    others = [CoverageStatus.FAILED, CoverageStatus.STALE, CoverageStatus.NOT_AVAILABLE]
    return [CoverageStatus.SEARCHED] * (count - len(others)) + others


def _row(key: str, kind: SourceKind, status: CoverageStatus, jurisdiction: Jurisdiction | None = None) -> Coverage:
    notes = {
        CoverageStatus.FAILED: f"{key} did not answer within 10 s",
        CoverageStatus.STALE: "The data is of 2026-05-01, older than this source should be",
        CoverageStatus.NOT_AVAILABLE: "No data is loaded. A person can look here: https://register.example",
    }
    looked = status in {CoverageStatus.SEARCHED, CoverageStatus.STALE}
    return Coverage(
        source=key,
        kind=kind,
        jurisdiction=jurisdiction,
        status=status,
        route=Route.BULK if looked else None,
        as_of=DAY if looked else None,
        matches=0,
        duration_ms=3,
        note=notes.get(status),
    )


def _explanation(asked: str, found: str, score: float) -> MatchExplanation:
    breakdown = NameBreakdown(
        matched=(
            ComparedWords(submitted="maple", found="maple", difference=WordDifference.EQUAL, likeness=1, weight=0.9),
            ComparedWords(submitted="foundry", found="foundary", difference=WordDifference.SLIP, likeness=0.9, weight=0.8),
        ),
        missing=(),
        added=(LoneWord(word="north", weight=0.3),),
        factors=(ScoreStep(feature="words", score=0.9, reason="'foundry' read as 'foundary' (1 letter); 'north' added"),),
        caps=(ScoreStep(feature="legal_form", score=0.99, reason="legal form Ltd. instead of Inc."),),
    )
    reason = "'foundry' read as 'foundary' (1 letter); 'north' added; legal form Ltd. instead of Inc."
    rows = (
        ("legalName", score, FieldStatus.PARTIAL, asked, found, reason, breakdown),
        ("registrationNumber", 0.2, FieldStatus.MISMATCHED, "1000017", "1000071", "another number of the same kind", None),
        ("address", None, FieldStatus.NOT_PROVIDED, None, None, "no address was given", None),
    )
    fields = ("field", "score", "status", "submitted", "found", "reason", "breakdown")
    matches = [FieldMatch(label=row[0], **dict(zip(fields, row, strict=True))) for row in rows]
    return MatchExplanation(score=score, fields=tuple(matches))


def _match(place: int, asked: str) -> BusinessMatch:
    name = f"Maple {_TRADES[place % len(_TRADES)]} North {place + 1} Ltd."
    score, jurisdiction = 0.97 - 0.008 * place, list(Jurisdiction)[place % len(Jurisdiction)]
    people = tuple(Person(name=person, roles=("Director",)) for person in _DIRECTORS)
    addresses = (Address(street=f"{100 + place} Foundry Lane", city="Hamilton", province="ON", postal_code="L8P 1A1"),)
    return BusinessMatch(
        legal_name=ScoredName(name=name, match_score=score),
        match=_explanation(asked, name, score),
        registration_numbers=(RegistrationNumber(label="Corporation Number", value=f"{1000071 + place}"),),
        match_id=UUID(int=1000 + place),
        entity_type="Business Corporation",
        jurisdiction=jurisdiction,
        jurisdiction_label=jurisdiction.label,
        status="Active",
        status_code=StatusCode.ACTIVE,
        incorporation_date=date(2001, 4, 17),
        addresses=addresses,
        alternate_names=("Fonderie de l’Érable",),
        people=people,
        source_url="https://register.example/1000071",
        business_report=BusinessReport(people=people, addresses=addresses, details=_details()),
        source=jurisdiction.lower(),
        route=Route.BULK,
        as_of=DAY,
        retrieved_at=AT - timedelta(hours=3),
    )


def _details() -> BusinessReportDetails:
    return BusinessReportDetails(
        good_standing=True,
        name_history=(
            NameHistoryItem(type="former", name="Sugarbush Ltd.", effective_date=date(2001, 4, 17), end_date=date(2009, 6, 30)),
            NameHistoryItem(type="former", name="Érablière inc.", effective_date=date(2009, 6, 30), end_date=date(2018, 2, 1)),
        ),
        status_history=(
            StatusHistoryItem(
                status="Dissolution pending",
                status_code=StatusCode.PENDING_DISSOLUTION,
                effective_date=date(2015, 1, 5),
                end_date=date(2015, 9, 1),
            ),
        ),
        naics_classification=(NaicsClass(code="331511", description="Iron foundries"),),
    )


def _entries(key: str, count: int) -> tuple[RegulatoryMatch, ...]:
    return tuple(
        RegulatoryMatch(
            legal_name=ScoredName(name=f"Maple Foundry {place + 1} Inc.", match_score=0.93),
            match=_explanation("Maple Foundry Inc.", f"Maple Foundry {place + 1} Inc.", 0.93),
            alternate_names=(),
            registration_number=f"L-{place + 1:05}",
            status="Issued",
            status_code=StatusCode.ACTIVE,
            addresses=(Address(raw="17 Foundry Lane, Hamilton"),),
            details={"licenceType": "Foundry", "expiryDate": "2027-03-31", "latitude": 43.2},
            source=key,
            source_url="https://licences.example",
            route=Route.BULK,
            as_of=DAY,
            retrieved_at=AT - timedelta(days=1),
        )
        for place in range(count)
    )


def _screening(name: str) -> Screening:
    decision = Dismissed(
        dismissal_id=UUID(int=2), by="analyst@north.example", at=AT, reason="A ship; our customer is a foundry.", until=None
    )
    missing = UnscreenedList(
        source="uk-sanctions-list", code=SourceErrorCode.UNAVAILABLE, message="No data is loaded", retryable=False
    )
    return Screening(
        query=name,
        total_matches=2,
        matches=(_hit("MAPLE FOUNDRY TRADING LLC", EntityKind.ORGANIZATION), _hit("MAPLE", EntityKind.VESSEL, decision)),
        lists=tuple(ScreenedList(source=key, as_of=DAY, retrieved_at=AT, entries=4817) for key in LISTS),
        lists_not_screened=(missing,),
    )


def _hit(name: str, kind: EntityKind, dismissed: Dismissed | None = None) -> SanctionsMatch:
    explanation = _explanation("Maple Foundry Inc.", name, 0.88)
    return SanctionsMatch(
        legal_name=ScreenedName(name=name, match_score=0.88, matched_name=name, name_scores=(NameScore(name=name, score=0.88),)),
        match=ScreeningExplanation(
            score=0.88,
            fields=explanation.fields[:1],
            penalties=(ScoreChange(feature="listed_words", change=-0.12, reason="'trading' added"),),
            lifts=(),
            reasons=("'trading' added",),
        ),
        alternate_names=("M. F. Trading", "Erable Trading"),
        entity_type=kind,
        details=ListingDetails(
            source=LISTS[2],
            countries=("IR",),
            programs=("IRAN-EO13902",),
            identifiers=(RegistrationNumber(label="Registration Number", value="123456"),),
            listing_date="2021-03-04",
            date_of_birth=None,
            remarks="Linked to a party of the same programme.",
            datasets=(LISTS[2],),
            topics=("sanction",),
            legal_form=None,
        ),
        source_urls=("https://lists.example",),
        source=LISTS[2],
        route=Route.BULK,
        as_of=DAY,
        retrieved_at=AT,
        dismissed=dismissed,
    )
