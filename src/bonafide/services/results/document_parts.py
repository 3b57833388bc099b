"""Convert ranked entries and source results into the parts of a result document. Pure.

It decides what is said, never what matched: scores and explanations come from `matching/rank`.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from uuid import UUID, uuid5

from bonafide.errors import SourceErrorCode
from bonafide.matching.entries.entity_types import parse_entity_type_code
from bonafide.matching.entries.ranking import RankedEntry, RankedParty
from bonafide.matching.screening.dismissal_keys import build_party_digest
from bonafide.model.entry import ListingEntry, RegistryEntry, RegulatoryEntry
from bonafide.model.loading.loads import DataOrigin, LoadRecord
from bonafide.model.search.match import (
    BusinessMatch,
    BusinessReport,
    BusinessReportDetails,
    ListingDetails,
    ListingMatch,
    MatchExplanation,
    RegulatoryMatch,
    SanctionsMatch,
    ScoredName,
    ScreenedList,
    ScreenedName,
    ScreeningExplanation,
)
from bonafide.model.search.result import CheckError, Coverage, CoverageStatus
from bonafide.services.lookup.source_lookup import SourceResult
from bonafide.sources.framework.discovery import Source


def build_business_match(search_id: UUID, ranked: RankedEntry[RegistryEntry], source: Source, origin: DataOrigin) -> BusinessMatch:
    """A register's entry as an element of `businesses`. Its match id is a function of the search and the entry."""
    entry = ranked.entry
    return BusinessMatch(
        legal_name=ScoredName(name=entry.legal_name, match_score=ranked.name_score),
        match=MatchExplanation(score=ranked.score, fields=ranked.fields),
        registration_numbers=entry.registration_numbers,
        match_id=uuid5(search_id, f"{source.key}/{entry.entry_id}"),
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
        business_report=build_business_profile(entry),
        source=source.key,
        route=origin.route,
        as_of=origin.as_of,
        retrieved_at=origin.retrieved_at,
    )


def build_business_profile(entry: RegistryEntry) -> BusinessReport:
    """The report part of an entry: what is null or empty in it the register doesn't publish, or not by this route."""
    details = BusinessReportDetails(
        good_standing=entry.good_standing,
        name_history=entry.name_history,
        status_history=entry.status_history,
        naics_classification=entry.naics_classification,
    )
    return BusinessReport(people=entry.people, addresses=entry.addresses, details=details)


def build_regulatory_match(ranked: RankedEntry[RegulatoryEntry], source: Source, origin: DataOrigin) -> RegulatoryMatch:
    """A regulator's entry as an element of its `regulatory` key."""
    entry = ranked.entry
    return RegulatoryMatch(
        legal_name=ScoredName(name=entry.legal_name, match_score=ranked.name_score),
        match=MatchExplanation(score=ranked.score, fields=ranked.fields),
        alternate_names=entry.alternate_names,
        registration_number=entry.registration_number,
        status=entry.status,
        status_code=entry.status_code,
        addresses=entry.addresses,
        details=entry.details,
        source=source.key,
        source_url=entry.source_url or source.metadata.page,
        route=origin.route,
        as_of=origin.as_of,
        retrieved_at=origin.retrieved_at,
    )


def build_listing_match(ranked: RankedEntry[ListingEntry], source: Source, origin: DataOrigin) -> ListingMatch:
    """A listed trade name as an element of its `listings` key; weak, however high it scores."""
    entry = ranked.entry
    return ListingMatch(
        legal_name=ScoredName(name=entry.legal_name, match_score=ranked.name_score),
        match=MatchExplanation(score=ranked.score, fields=ranked.fields),
        alternate_names=entry.alternate_names,
        registration_number=None,
        status=entry.status,
        status_code=entry.status_code,
        addresses=entry.addresses,
        details=entry.details,
        source=source.key,
        source_url=entry.source_url or source.metadata.page,
        route=origin.route,
        as_of=origin.as_of,
        retrieved_at=origin.retrieved_at,
        weight="weak",
    )


def build_sanctions_match(ranked: RankedParty, source: Source, origin: DataOrigin) -> SanctionsMatch:
    """A listed entity as an element of `sanctions.matches`."""
    entry = ranked.entry
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
            score=ranked.score, fields=ranked.fields, penalties=ranked.penalties, lifts=ranked.lifts, reasons=ranked.reasons
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
        digest=build_party_digest(entry),
    )


def to_screened_list(lookup: SourceResult) -> ScreenedList | None:
    """What was screened, for a list that could be; None for one that could not."""
    load = lookup.origin
    if lookup.error is not None or not isinstance(load, LoadRecord):
        return None
    return ScreenedList(source=lookup.source.key, as_of=load.as_of, retrieved_at=load.retrieved_at, entries=load.entries)


def build_coverage_row(lookup: SourceResult, matches: int, today: date) -> Coverage:
    """Whether a source that was asked could be looked at, and how old what it said is."""
    status, note = _describe_coverage(lookup, today)
    return Coverage(
        source=lookup.source.key,
        kind=lookup.source.metadata.kind,
        jurisdiction=lookup.source.metadata.jurisdiction,
        status=status,
        route=lookup.origin.route if lookup.origin is not None else None,
        as_of=lookup.origin.as_of if lookup.origin is not None else None,
        retrieved_at=lookup.origin.retrieved_at if lookup.origin is not None else None,
        matches=matches,
        duration_ms=lookup.elapsed_ms,
        note=note,
    )


def _describe_coverage(lookup: SourceResult, today: date) -> tuple[CoverageStatus, str | None]:
    metadata = lookup.source.metadata
    if lookup.error is not None:
        return CoverageStatus.FAILED, lookup.error.message
    origin = lookup.origin
    if origin is None:
        return CoverageStatus.NOT_AVAILABLE, lookup.note
    if isinstance(origin, LoadRecord) and origin.is_stale(metadata.max_age_days, today):
        return CoverageStatus.STALE, f"The data is of {origin.day.isoformat()}, older than this source should be"
    return CoverageStatus.SEARCHED, None


def build_not_requested_row(source: Source, note: str) -> Coverage:
    """The row of a source that the request did not ask for."""
    return Coverage(
        source=source.key,
        kind=source.metadata.kind,
        jurisdiction=source.metadata.jurisdiction,
        status=CoverageStatus.NOT_REQUESTED,
        as_of=None,
        matches=0,
        duration_ms=0,
        note=note,
    )


def find_check_error(what: str, lookups: Sequence[SourceResult]) -> CheckError | None:
    """Why a check is incomplete: a source failed, or none of its sources could be looked at at all."""
    failed = [lookup.error for lookup in lookups if lookup.error is not None]
    if failed:
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        return CheckError(code=failed[0].code, message=f"{failed[0].message}{more}", retryable=failed[0].retryable)
    if not is_any_searched(lookups):
        message = f"No {what} could be searched: none has data loaded. The coverage says why for each."
        return CheckError(code=SourceErrorCode.UNAVAILABLE, message=message, retryable=False)
    return None


def is_any_searched(lookups: Iterable[SourceResult]) -> bool:
    """Whether at least one source could be looked at."""
    return any(lookup.error is None and lookup.origin is not None for lookup in lookups)
