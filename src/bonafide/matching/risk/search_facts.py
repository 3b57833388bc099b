"""The facts of a search result. Pure: the same document gives the same facts, so that rules can be replayed on past results.

Facts about the business are taken from the selected match only. While a match needs a review, nobody knows which business it is,
and an active register entry of another one must not count.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from bonafide.matching.risk.expected_licences import find_expected_regulators
from bonafide.model.entity import StatusCode
from bonafide.model.entry import SourceKind
from bonafide.model.risk.facts import FactBuilder, Facts
from bonafide.model.search.match import BusinessMatch, FieldMatch, FieldStatus, RegulatoryMatch, SanctionsMatch, Screening
from bonafide.model.search.result import Coverage, CoverageStatus, SearchResult, SelectionStatus
from bonafide.model.search.website import WebsiteAnalysis, WebsiteStatus

REQUEST, RECORD, SANCTIONS, OWNERSHIP, WEBSITE, COVERAGE = "request", "record", "sanctions", "ownership", "website", "coverage"
"""The sources of facts that more than one publisher, or none, states."""
LICENCE_SCORE = 0.9
"""The lowest score at which an entry of a regulator counts as the business's own."""
_SELECTED = frozenset({SelectionStatus.AUTO_SELECTED, SelectionStatus.SELECTED})
_NOT_FOUND = frozenset({SelectionStatus.NO_MATCH_FOUND, SelectionStatus.NO_SELECTION})
_SEARCHED = frozenset({CoverageStatus.SEARCHED, CoverageStatus.STALE})
_UNAVAILABLE = frozenset({CoverageStatus.FAILED, CoverageStatus.NOT_AVAILABLE})
_COMPARED = frozenset({FieldStatus.MATCHED, FieldStatus.PARTIAL, FieldStatus.MISMATCHED})
_READABLE = frozenset({WebsiteStatus.SUCCESS, WebsiteStatus.PARTIAL})


@dataclass(frozen=True, slots=True)
class RatedSelection:
    """The outcome of match selection; None if no register was searched."""

    status: SelectionStatus | None
    match_id: UUID | None

    def find_match(self, result: SearchResult) -> BusinessMatch | None:
        """The match that was selected automatically or by a person; None without one."""
        if self.status not in _SELECTED:
            return None
        return next((match for match in result.businesses or () if match.match_id == self.match_id), None)


def build_search_facts(result: SearchResult, selection: RatedSelection, stated_industry: str | None = None) -> Facts:
    """The facts of a search. `stated_industry` is the NAICS code of the business record, if it has one."""
    facts, day = FactBuilder(), result.meta.searched_at
    match = selection.find_match(result)
    _add_registry_facts(facts, result, selection, match)
    _add_match_facts(facts, result, selection, match)
    if result.sanctions is not None:
        add_screening_facts(facts, result.sanctions, day.date())
    _add_licence_facts(facts, result, match, stated_industry)
    _add_website_facts(facts, result.website, day)
    facts.add("website.given", result.meta.submitted.website is not None, REQUEST, day.date())
    rows = result.meta.coverage
    if rows:
        facts.add_list("coverage.unavailable", (row.source for row in rows if row.status in _UNAVAILABLE), COVERAGE, day.date())
        facts.add_list("coverage.stale", (row.source for row in rows if row.status is CoverageStatus.STALE), COVERAGE, day.date())
    return facts.build()


def _add_registry_facts(facts: FactBuilder, result: SearchResult, selection: RatedSelection, match: BusinessMatch | None) -> None:
    day = result.meta.searched_at
    if match is None:
        if selection.status in _NOT_FOUND:
            facts.add("registry.found", value=False, source=COVERAGE, as_of=day.date())
        return
    source, as_of = match.source, match.as_of
    facts.add("registry.found", value=True, source=source, as_of=as_of)
    if match.status_code is not StatusCode.UNKNOWN:
        facts.add("registry.status", match.status_code.value, source, as_of)
        facts.add("registry.active", match.status_code is StatusCode.ACTIVE, source, as_of)
    facts.add("registry.entityType", match.entity_type_code.value if match.entity_type_code is not None else None, source, as_of)
    details = match.business_report.details if match.business_report is not None else None
    facts.add("registry.goodStanding", details.good_standing if details is not None else None, source, as_of)
    facts.add_list("registry.jurisdictions", _list_jurisdictions(result, match), source, as_of)
    facts.add("registry.dataAgeDays", _count_days(as_of, day), source, as_of)
    facts.add("business.ageDays", _count_days(match.incorporation_date, day), source, as_of)


def _list_jurisdictions(result: SearchResult, match: BusinessMatch) -> Iterable[str]:
    related = {one.match_id for one in match.related_matches}
    return [match.jurisdiction.value, *(one.jurisdiction.value for one in result.businesses or () if one.match_id in related)]


def _count_days(start: date | None, end: datetime) -> int | None:
    return max((end.date() - start).days, 0) if start is not None else None


def _add_match_facts(facts: FactBuilder, result: SearchResult, selection: RatedSelection, match: BusinessMatch | None) -> None:
    day = result.meta.searched_at.date()
    facts.add("match.selection", selection.status.value if selection.status is not None else None, COVERAGE, day)
    best = match if match is not None else next(iter(result.businesses or ()), None)
    if best is not None:
        facts.add("match.score", best.match.score, best.source, best.as_of)
        facts.add("match.nameScore", best.legal_name.match_score, best.source, best.as_of)
    if match is None:
        return
    fields = _index_fields(match.match.fields)
    comparison = result.comparison
    if comparison is not None and comparison.match_id == match.match_id:
        fields = {**fields, **_index_fields(comparison.fields)}
        facts.add("match.discrepancies", comparison.discrepancy_count, match.source, match.as_of)
    facts.add("match.people", fields.get("people"), match.source, match.as_of)
    facts.add("match.address", fields.get("address"), match.source, match.as_of)


def _index_fields(fields: Iterable[FieldMatch]) -> Mapping[str, str]:
    """The outcome of each field that was compared. A field that one side does not state is not known."""
    return {field.field: field.status.value for field in fields if field.status in _COMPARED}


def add_screening_facts(facts: FactBuilder, screening: Screening, day: date) -> None:
    """Add the facts of a screening. Without an open hit they are known only if everything was screened."""
    own: list[SanctionsMatch] = [*screening.matches, *(match for subject in screening.subjects for match in subject.matches)]
    is_complete, hits = screening.is_complete, screening.open_hits
    facts.add("sanctions.complete", is_complete, SANCTIONS, day)
    if hits > 0 or is_complete:
        scores = [match.legal_name.match_score for match in own if match.dismissed is None]
        facts.add("sanctions.openHits", hits, SANCTIONS, day)
        facts.add("sanctions.bestScore", max(scores, default=0.0), SANCTIONS, day)
    facts.add("sanctions.dismissedHits", sum(match.dismissed is not None for match in own), SANCTIONS, day)
    countries = [country for subject in screening.subjects for country in subject.countries]
    if countries:
        facts.add_list("sanctions.partyCountries", countries, SANCTIONS, day)
    if screening.ownership is not None:
        facts.add("ownership.listedStatus", screening.ownership.status.value, OWNERSHIP, screening.ownership.as_of)
        facts.add("ownership.listedShare", screening.ownership.share.max, OWNERSHIP, screening.ownership.as_of)


def _add_licence_facts(facts: FactBuilder, result: SearchResult, match: BusinessMatch | None, stated_industry: str | None) -> None:
    day = result.meta.searched_at.date()
    naics, source = _find_industry(result, match, stated_industry)
    facts.add("industry.naics", naics, source, day)
    searched = {row.source for row in _list_regulators(result.meta.coverage) if row.status in _SEARCHED}
    if match is None or not searched:
        return
    own = {key: [one for one in matches if one.match.score >= LICENCE_SCORE] for key, matches in result.regulatory.items()}
    held = [key for key, matches in own.items() if any(one.status_code is StatusCode.ACTIVE for one in matches)]
    lapsed = [key for key, matches in own.items() if _is_lapsed(matches)]
    facts.add_list("licences.held", held, COVERAGE, day)
    facts.add_list("licences.lapsed", lapsed, COVERAGE, day)
    if naics is None:
        return
    expected = find_expected_regulators(naics, list(_list_jurisdictions(result, match)))
    facts.add_list("licences.expected", expected, source, day)
    if all(key in searched for key in expected):
        facts.add_list("licences.missing", (key for key in expected if key not in held), COVERAGE, day)


def _is_lapsed(matches: Iterable[RegulatoryMatch]) -> bool:
    """Whether there are entries with a known status, and none of them is active."""
    known = [one for one in matches if one.status_code is not StatusCode.UNKNOWN]
    return bool(known) and all(one.status_code is not StatusCode.ACTIVE for one in known)


def _list_regulators(rows: Iterable[Coverage]) -> Iterable[Coverage]:
    return (row for row in rows if row.kind == SourceKind.REGULATOR)


def _find_industry(result: SearchResult, match: BusinessMatch | None, stated_industry: str | None) -> tuple[str | None, str]:
    """The NAICS code of the record, else of the register, else of the website, and its source."""
    if stated_industry is not None:
        return stated_industry, RECORD
    report = match.business_report if match is not None else None
    if match is not None and report is not None and report.details.naics_classification:
        return report.details.naics_classification[0].code, match.source
    industry = result.website.industry if result.website is not None else None
    return (industry.naics_code if industry is not None else None), WEBSITE


def _add_website_facts(facts: FactBuilder, website: WebsiteAnalysis | None, day: datetime) -> None:
    if website is None:
        return
    read_on = website.retrieved_at.date()
    facts.add("website.readable", website.status in _READABLE, WEBSITE, read_on)
    created = website.domain.created_at if website.domain is not None else None
    facts.add("website.domainAgeDays", _count_days(created.date() if created is not None else None, day), WEBSITE, read_on)
    fields = _index_fields(website.comparison.fields) if website.comparison is not None else {}
    facts.add("website.name", fields.get("legalName"), WEBSITE, read_on)
    facts.add("website.address", fields.get("address"), WEBSITE, read_on)
