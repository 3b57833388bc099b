"""Build the result document of a search in each of its states: loading, timed out, completed. Pure.

`assemble` words the single parts; here it is decided what a search as a whole came to. It asks no source and stores nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from bonafide.errors import SourceErrorCode
from bonafide.matching.identifiers.number_formats import find_number_problem
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.accounts.organizations import MatchSelectionSettings
from bonafide.model.entry import SourceKind
from bonafide.model.query import Query, SearchParams
from bonafide.model.search.match import BusinessMatch, ListingMatch, RegulatoryMatch
from bonafide.model.search.result import (
    CheckError,
    CheckErrors,
    Coverage,
    SearchMeta,
    SearchResult,
    SearchStatus,
    SearchWarning,
    Submitted,
)
from bonafide.services.lookup.source_lookup import SourceResult
from bonafide.services.results.document_parts import build_coverage_row, build_not_requested_row, find_check_error, is_any_searched
from bonafide.services.results.match_building import build_listing_matches, build_regulatory_matches
from bonafide.services.results.match_selection import build_initial_selection
from bonafide.services.screening.list_cache import COLLECTION
from bonafide.services.screening.subject_screening import ScreeningResult, build_screening_result
from bonafide.services.search.website_analysis import WebsiteResult
from bonafide.sources.framework.discovery import Source, list_regulator_keys

TIMEOUT_ERROR = CheckError(
    code=SourceErrorCode.TIMEOUT,
    message="The search was not finished within its deadline; nothing is known of any source. Search again.",
    retryable=True,
)


@dataclass(frozen=True, slots=True)
class SearchHeader:
    """What is known of a search before anything is looked up."""

    search_id: UUID
    searched_at: datetime
    searched_by: str
    submitted: Submitted


@dataclass(frozen=True, slots=True)
class CheckResults:
    """What came of asking: lookups, the registers' matches, how rare words are, all sources, the day, a stopwatch that runs.

    `website` is None when no analysis was asked for.
    """

    lookups: Sequence[SourceResult]
    businesses: tuple[BusinessMatch, ...]
    rarity: WordRarity
    sources: Iterable[Source]
    today: date
    elapsed_ms: Callable[[], int]
    website: WebsiteResult | None = None


def build_loading_result(heading: SearchHeader) -> SearchResult:
    """The document of a search that has not finished."""
    return _build_empty_result(heading, SearchStatus.LOADING, None)


def build_timeout_result(heading: SearchHeader) -> SearchResult:
    """The document of a search that nobody finished by its deadline."""
    return _build_empty_result(heading, SearchStatus.ERROR, CheckErrors(general=TIMEOUT_ERROR))


def build_result(heading: SearchHeader, query: Query, answers: CheckResults, selection: MatchSelectionSettings) -> SearchResult:
    """The document of a search whose sources have all been asked; `selection` says when a match is selected by itself."""
    params = heading.submitted.params
    found = _group_by_check(query, params, answers)
    errors = _build_errors(params, found)
    site = found.website.analysis if found.website is not None else None
    return SearchResult(
        meta=_build_meta(
            heading, _determine_status(params, found, errors), answers.elapsed_ms(), _build_coverage(params, found, answers)
        ),
        businesses=found.businesses if params.business_registry else None,
        regulatory=found.regulatory,
        sanctions=found.sanctions.screening if found.sanctions is not None else None,
        website=site,
        errors=errors if errors.any() else None,
        match_selection=build_initial_selection(heading.search_id, found.businesses, selection) if params.match_selection else None,
        listings=found.listings or None,
    )


def find_exclusion_reason(source: Source, params: SearchParams) -> str | None:
    """Why the request does not want a source; None when it does."""
    metadata = source.metadata
    if metadata.kind in {SourceKind.REGULATOR, SourceKind.LISTING}:
        return None if params.regulatory_registry else "regulatoryRegistry is false"
    if source.key == COLLECTION:
        return "it is screened by itself (POST /sanctions)"
    if metadata.kind is SourceKind.SANCTIONS:
        return None if params.sanctions_screening else "sanctionsScreening is false"
    if not params.business_registry:
        return "businessRegistry is false"
    wanted, own = params.jurisdictions, metadata.jurisdiction
    if wanted is not None and own is not None and own not in wanted:
        return "not among the requested jurisdictions"
    return None


def _build_empty_result(heading: SearchHeader, status: SearchStatus, errors: CheckErrors | None) -> SearchResult:
    nothing: dict[str, tuple[RegulatoryMatch, ...]] = dict.fromkeys(list_regulator_keys(), ())
    return SearchResult(
        meta=_build_meta(heading, status, 0, ()), businesses=None, regulatory=nothing, sanctions=None, errors=errors
    )


def _build_meta(heading: SearchHeader, status: SearchStatus, duration_ms: int, coverage: tuple[Coverage, ...]) -> SearchMeta:
    return SearchMeta(
        search_id=heading.search_id,
        searched_at=heading.searched_at,
        searched_by=heading.searched_by,
        submitted=heading.submitted,
        status=status,
        duration=duration_ms,
        coverage=coverage,
        warnings=tuple(_find_warnings(heading.submitted.params)),
    )


def _find_warnings(params: SearchParams) -> Iterator[SearchWarning]:
    """What looks wrong in the request: a number that fails its check is searched for all the same."""
    if params.registration_number is not None:
        doubt = find_number_problem(params.registration_number, params.jurisdictions or ())
        if doubt is not None:
            yield SearchWarning(path="registrationNumber", message=doubt)


@dataclass(frozen=True, slots=True)
class _ResultsByCheck:
    """What came back, by check."""

    by_kind: dict[SourceKind, list[SourceResult]]
    businesses: tuple[BusinessMatch, ...]
    regulatory: dict[str, tuple[RegulatoryMatch, ...]]
    sanctions: ScreeningResult | None
    listings: dict[str, tuple[ListingMatch, ...]]
    """Of each listing that could be looked at."""
    website: WebsiteResult | None

    def matches(self, source: Source) -> int:
        """How many matches a source has in the document."""
        if source.metadata.kind is SourceKind.REGULATOR:
            return len(self.regulatory[source.key])
        if source.metadata.kind is SourceKind.LISTING:
            return len(self.listings.get(source.key, ()))
        if source.metadata.kind is SourceKind.REGISTRY:
            return sum(match.source == source.key for match in self.businesses)
        listed = self.sanctions.screening.matches if self.sanctions is not None else ()
        return sum(match.source == source.key for match in listed)


def _group_by_check(query: Query, params: SearchParams, answers: CheckResults) -> _ResultsByCheck:
    lookups, rarity = answers.lookups, answers.rarity
    by_kind = {kind: [lookup for lookup in lookups if lookup.source.metadata.kind is kind] for kind in SourceKind}
    regulatory: dict[str, tuple[RegulatoryMatch, ...]] = dict.fromkeys(list_regulator_keys(), ())
    for lookup in by_kind[SourceKind.REGULATOR]:
        regulatory[lookup.source.key] = build_regulatory_matches(query, lookup, params.regulatory_registry_threshold, rarity)
    listings = [lookup for lookup in by_kind[SourceKind.LISTING] if lookup.origin is not None]
    lists = by_kind[SourceKind.SANCTIONS]
    return _ResultsByCheck(
        by_kind=by_kind,
        businesses=answers.businesses,
        regulatory=regulatory,
        sanctions=build_screening_result(query.name, lists, params.sanctions_threshold, rarity)
        if params.sanctions_screening
        else None,
        listings={
            lookup.source.key: build_listing_matches(query, lookup, params.regulatory_registry_threshold, rarity)
            for lookup in listings
        },
        website=answers.website,
    )


def _build_errors(params: SearchParams, found: _ResultsByCheck) -> CheckErrors:
    registers, regulators = found.by_kind[SourceKind.REGISTRY], found.by_kind[SourceKind.REGULATOR]
    # Nobody misses a listing that isn't loaded; one that is loaded and fails leaves the check that it runs with incomplete.
    regulators = [*regulators, *(lookup for lookup in found.by_kind[SourceKind.LISTING] if lookup.error is not None)]
    return CheckErrors(
        business_registry=find_check_error("business register", registers) if params.business_registry else None,
        regulatory_registry=find_check_error("regulator's list", regulators) if params.regulatory_registry else None,
        sanctions_screening=found.sanctions.error if found.sanctions is not None else None,
        website_analysis=found.website.error if found.website is not None else None,
    )


def _determine_status(params: SearchParams, found: _ResultsByCheck, errors: CheckErrors) -> SearchStatus:
    """`error` when every requested check failed as a whole, with errors when some source did."""
    requested = [
        (params.business_registry, SourceKind.REGISTRY),
        (params.regulatory_registry, SourceKind.REGULATOR),
        (params.sanctions_screening, SourceKind.SANCTIONS),
    ]
    if not errors.any():
        return SearchStatus.COMPLETED
    looked = any(wanted and is_any_searched(found.by_kind[kind]) for wanted, kind in requested)
    looked = looked or (found.website is not None and found.website.error is None)
    return SearchStatus.COMPLETED_WITH_ERRORS if looked else SearchStatus.ERROR


def _build_coverage(params: SearchParams, found: _ResultsByCheck, answers: CheckResults) -> tuple[Coverage, ...]:
    """One row for every source there is, asked or not."""
    asked = {lookup.source.key: lookup for lookup in answers.lookups}
    rows = []
    for source in answers.sources:
        lookup = asked.get(source.key)
        if lookup is None:
            rows.append(build_not_requested_row(source, find_exclusion_reason(source, params) or ""))
        else:
            rows.append(build_coverage_row(lookup, found.matches(source), answers.today))
    return tuple(rows)
