"""Convert ranked entries and source results into the parts of a result document. Pure.

Scores and explanations come from `matching/entries/ranking` unchanged.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from bonafide.errors import SourceErrorCode
from bonafide.i18n.message import Message, plural_message
from bonafide.matching.entries.ranking import RankedEntry
from bonafide.matching.entries.register_codes import parse_entity_type_code
from bonafide.matching.screening.dismissal_keys import build_party_digest
from bonafide.matching.screening.party_matching import ScreenedParty
from bonafide.model.entry import ListingEntry, RegistryEntry, RegulatoryEntry, SourceKind
from bonafide.model.loading import DataOrigin, LoadRecord, ManualOrigin
from bonafide.model.search.match import (
    Baseline,
    BusinessMatch,
    BusinessReport,
    BusinessReportDetails,
    Dismissed,
    ListingDetails,
    ListingMatch,
    MatchExplanation,
    RegulatoryMatch,
    RelatedMatch,
    SanctionsMatch,
    ScoredName,
    ScreenedList,
    ScreenedName,
    ScreeningExplanation,
)
from bonafide.model.search.result import CheckError, Coverage, CoverageStatus
from bonafide.services.lookup.source_result import EntryCandidate, SourceResult
from bonafide.sources.framework.discovery import Source

ReportAddress = tuple[str, datetime]
"""The signed address of a business report, and when it expires."""
Dismissals = Mapping[tuple[str, str | None, str | None], Dismissed]
"""The dismissals of a subject's hits that are in force, by source, entry id and digest of the listed party."""


def build_business_match(
    match_id: UUID,
    ranked: RankedEntry[RegistryEntry],
    candidate: EntryCandidate,
    baseline: Baseline,
    related: tuple[RelatedMatch, ...] = (),
    report: ReportAddress | None = None,
) -> BusinessMatch:
    """A register's entry as an element of `businesses`."""
    entry, source, origin = ranked.entry, candidate.source, candidate.origin
    return BusinessMatch(
        legal_name=ScoredName(name=entry.legal_name, match_score=ranked.name_score),
        match=MatchExplanation(score=ranked.score, baseline=baseline, fields=ranked.explain()),
        registration_numbers=entry.registration_numbers,
        match_id=match_id,
        entity_type=entry.entity_type,
        entity_type_code=parse_entity_type_code(entry.entity_type),
        jurisdiction=entry.jurisdiction,
        jurisdiction_label=entry.jurisdiction.label,
        status=entry.status,
        status_code=entry.status_code,
        incorporation_date=entry.incorporation_date,
        addresses=entry.addresses,
        alternate_names=entry.alternate_names,
        people=entry.people,
        source_url=entry.source_url or source.metadata.page,
        business_report=build_business_profile(entry, report),
        source=source.key,
        route=origin.route,
        as_of=origin.as_of,
        retrieved_at=origin.retrieved_at,
        related_matches=related,
    )


def build_business_profile(entry: RegistryEntry, report: ReportAddress | None = None) -> BusinessReport:
    """The report part of an entry. Null and empty values are not published by the register, or not by this route."""
    url, expires_at = report if report is not None else (None, None)
    details = BusinessReportDetails(
        good_standing=entry.good_standing,
        name_history=entry.name_history,
        status_history=entry.status_history,
        naics_classification=entry.naics_classification,
    )
    return BusinessReport(
        people=entry.people, addresses=entry.addresses, details=details, report_url=url, report_url_expires_at=expires_at
    )


def build_regulatory_match(
    ranked: RankedEntry[RegulatoryEntry], source: Source, origin: DataOrigin, baseline: Baseline
) -> RegulatoryMatch:
    """A regulator's entry as an element of its `regulatory` key."""
    facts = _build_entry_facts(ranked, source, origin, baseline)
    return RegulatoryMatch(**facts, registration_number=ranked.entry.registration_number)


def build_listing_match(ranked: RankedEntry[ListingEntry], source: Source, origin: DataOrigin, baseline: Baseline) -> ListingMatch:
    """A listed trade name as an element of its `listings` key; a weak match regardless of its score."""
    return ListingMatch(**_build_entry_facts(ranked, source, origin, baseline), registration_number=None, weight="weak")


def _build_entry_facts(
    ranked: RankedEntry[RegulatoryEntry] | RankedEntry[ListingEntry], source: Source, origin: DataOrigin, baseline: Baseline
) -> dict[str, Any]:
    entry = ranked.entry
    return {
        "legal_name": ScoredName(name=entry.legal_name, match_score=ranked.name_score),
        "match": MatchExplanation(score=ranked.score, baseline=baseline, fields=ranked.explain()),
        "alternate_names": entry.alternate_names,
        "status": entry.status,
        "status_code": entry.status_code,
        "addresses": entry.addresses,
        "details": entry.details,
        "source": source.key,
        "source_url": entry.source_url or source.metadata.page,
        "route": origin.route,
        "as_of": origin.as_of,
        "retrieved_at": origin.retrieved_at,
    }


def build_sanctions_match(
    ranked: ScreenedParty, source: Source, origin: DataOrigin, baseline: Baseline, dismissals: Dismissals
) -> SanctionsMatch:
    """A listed entity as an element of `sanctions.matches`, with the dismissal that is in force for it."""
    entry = ranked.entry
    digest = build_party_digest(entry)
    details = ListingDetails(
        source=source.key,
        countries=entry.countries,
        programs=entry.programs,
        identifiers=entry.identifiers,
        listing_date=entry.listing_date,
        date_of_birth=entry.date_of_birth,
        remarks=entry.remarks,
        datasets=(source.key,),
        topics=entry.topics,
        legal_form=entry.legal_form,
    )
    return SanctionsMatch(
        legal_name=ScreenedName(
            name=entry.name, match_score=ranked.score, matched_name=ranked.matched_name, name_scores=ranked.name_scores
        ),
        match=ScreeningExplanation(
            score=ranked.score,
            baseline=baseline,
            fields=ranked.fields,
            penalties=ranked.penalties,
            lifts=ranked.lifts,
            reasons=ranked.reasons,
        ),
        alternate_names=(*entry.aliases, *entry.weak_aliases),
        entity_type=entry.entity_type,
        details=details,
        source_urls=(entry.source_url or source.metadata.page,),
        source=source.key,
        route=origin.route,
        as_of=origin.as_of,
        retrieved_at=origin.retrieved_at,
        entry_id=entry.entry_id,
        digest=digest,
        dismissed=dismissals.get((source.key, entry.entry_id, digest)),
    )


def to_screened_list(result: SourceResult) -> ScreenedList | None:
    """The list as it was screened; None if it could not be screened."""
    load = result.origin
    if result.error is not None or not isinstance(load, LoadRecord):
        return None
    return ScreenedList(
        source=result.source.key,
        as_of=load.as_of,
        retrieved_at=load.retrieved_at,
        entries=load.entries,
        generation=load.generation_id,
    )


def build_coverage_row(result: SourceResult, matches: int, today: date) -> Coverage:
    """Whether a source was searched, and how old its data is."""
    status, note = _describe_coverage(result, today)
    if note is not None or not isinstance(result.origin, LoadRecord):
        return _create_coverage_row(result, status, note, matches)
    # Most sources are searched without a match within a millisecond: their rows are those of the searches before.
    key = id(result.source), id(result.origin), status, matches, result.elapsed_ms
    known = _coverage_rows.get(key)
    if known is None:
        if len(_coverage_rows) >= _MAX_COVERAGE_ROWS:
            _coverage_rows.clear()
        known = _coverage_rows[key] = result.source, result.origin, _create_coverage_row(result, status, note, matches)
    return known[2]


_MAX_COVERAGE_ROWS = 2**12
_coverage_rows: dict[tuple[int, int, CoverageStatus, int, int], tuple[Source, LoadRecord, Coverage]] = {}
"""Rows of earlier searches of loaded sources. Each holds the source and the load whose ids are in its key, so that no other object
gets the same id."""


def _create_coverage_row(result: SourceResult, status: CoverageStatus, note: Message | None, matches: int) -> Coverage:
    metadata, origin = result.source.metadata, result.origin
    return Coverage(
        source=result.source.key,
        kind=metadata.kind,
        jurisdiction=metadata.jurisdiction,
        status=status,
        route=origin.route if origin is not None else None,
        as_of=origin.as_of if origin is not None else None,
        retrieved_at=origin.retrieved_at if origin is not None else None,
        matches=matches,
        duration_ms=result.elapsed_ms,
        note=note,
    )


def _describe_coverage(result: SourceResult, today: date) -> tuple[CoverageStatus, Message | None]:
    metadata = result.source.metadata
    if not result.requested:
        return CoverageStatus.NOT_REQUESTED, result.note
    if result.error is not None:
        return CoverageStatus.FAILED, result.error.message
    origin = result.origin
    if origin is None:
        return CoverageStatus.NOT_AVAILABLE, result.note
    if isinstance(origin, ManualOrigin):
        return CoverageStatus.SEARCHED, result.note
    if isinstance(origin, LoadRecord) and origin.is_stale(metadata.max_age_days, today):
        return CoverageStatus.STALE, Message(
            "The data is from {day} and older than expected for this source", day=origin.day.isoformat()
        )
    return CoverageStatus.SEARCHED, None


NO_DATA: Mapping[SourceKind, Message] = {
    SourceKind.REGISTRY: Message("No business register could be searched. The coverage states the reason for each."),
    SourceKind.REGULATOR: Message("No regulator could be searched. The coverage states the reason for each."),
    SourceKind.SANCTIONS: Message("No sanctions list could be screened. The coverage states the reason for each."),
}
"""The message of a check for which no source has loaded data."""


def find_check_error(kind: SourceKind, results: Sequence[SourceResult]) -> CheckError | None:
    """Why the check of the sources of a kind is incomplete: a source failed, or none could be searched."""
    failed = [result.error for result in results if result.error is not None]
    if failed:
        message = failed[0].message
        if len(failed) > 1:
            message = plural_message("{message} (and {n} more)", "{message} (and {n} more)", len(failed) - 1, message=message)
        return CheckError(code=failed[0].code, message=message, retryable=failed[0].is_retryable)
    if not is_any_searched(results):
        message = NO_DATA[kind]
        return CheckError(code=SourceErrorCode.UNAVAILABLE, message=message, retryable=True)
    return None


def is_any_searched(results: Iterable[SourceResult]) -> bool:
    """Whether at least one source was searched."""
    return any(result.error is None and result.origin is not None for result in results)
