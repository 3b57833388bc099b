"""Build the result document of a search: loading, ended by its deadline, or complete. Pure, and the only place that builds one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bonafide.errors import SourceErrorCode
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_formats import find_number_problem
from bonafide.matching.screening.name_warnings import describe_mixed_words, describe_removed_characters
from bonafide.matching.text.confusables import find_mixed_words
from bonafide.model.entry import SourceKind
from bonafide.model.query import SearchParams
from bonafide.model.search.match import BusinessMatch, ListingMatch, RegulatoryMatch
from bonafide.model.search.result import (
    CheckError,
    CheckErrors,
    Coverage,
    SearchMeta,
    SearchResult,
    SearchStatus,
    SearchWarning,
    SelectionStatus,
    Submitted,
)
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.lookup.website_analysis import WebsiteResult
from bonafide.services.results.document_parts import build_coverage_row, find_check_error, is_any_searched
from bonafide.services.results.match_selection import build_initial_selection, find_named_jurisdictions, find_unsearched_registers
from bonafide.services.results.record_comparison import compare_record_with_match, compare_website, select_compared_match
from bonafide.services.screening.party_set import has_new_name_hits
from bonafide.services.screening.subject_screening import ScreeningResult
from bonafide.services.search.preparation import PreparedSearch
from bonafide.sources.framework.discovery import list_regulator_keys

TIMEOUT_ERROR = CheckError(
    code=SourceErrorCode.TIMEOUT,
    message=Message("The search was not completed before its deadline, and no source was checked. Search again."),
    retryable=True,
)


@dataclass(frozen=True, slots=True)
class SearchMatches:
    """The matches of every check of a search. `sanctions` is None where no screening was requested."""

    businesses: tuple[BusinessMatch, ...]
    regulatory: Mapping[str, tuple[RegulatoryMatch, ...]]
    """The matches of each queried regulator, by its key."""
    listings: Mapping[str, tuple[ListingMatch, ...]]
    """The matches of each searched listing, by its key."""
    sanctions: ScreeningResult | None

    @property
    def has_subject_hits(self) -> bool:
        """Whether a further name that was screened has a hit."""
        return self.sanctions is not None and any(subject.matches for subject in self.sanctions.screening.subjects)

    def count_by_source(self) -> Counter[str]:
        """The number of matches of each source."""
        counts = Counter(match.source for match in self.businesses)
        counts.update({key: len(matches) for key, matches in (*self.regulatory.items(), *self.listings.items())})
        if self.sanctions is not None:
            counts.update(match.source for match in self.sanctions.screening.matches)
        return counts


def build_meta(
    search: PreparedSearch, status: SearchStatus, duration_ms: int = 0, coverage: tuple[Coverage, ...] = ()
) -> SearchMeta:
    """The metadata of the result of a search."""
    return SearchMeta(
        search_id=search.search_id,
        searched_at=search.searched_at,
        searched_by=search.searched_by,
        submitted=search.submitted,
        status=status,
        duration=duration_ms,
        coverage=coverage,
        warnings=tuple(find_warnings(search.submitted)),
    )


def build_unfinished_result(meta: SearchMeta) -> SearchResult:
    """The document of a search without results: loading, or with the status `error` after its deadline."""
    return SearchResult(
        meta=meta,
        businesses=None,
        regulatory=dict.fromkeys(list_regulator_keys(), ()),
        sanctions=None,
        errors=CheckErrors(general=TIMEOUT_ERROR) if meta.status is SearchStatus.ERROR else None,
    )


def build_result(
    search: PreparedSearch,
    results: Sequence[SourceResult],
    matches: SearchMatches,
    website: WebsiteResult | None,
    duration_ms: int,
) -> SearchResult:
    """The document of a search from the results of all sources, in the order of its coverage, and their matches."""
    params = search.submitted.params
    errors = _build_errors(params, results, matches, website)
    counts, today = matches.count_by_source(), search.searched_at.date()
    coverage = tuple(build_coverage_row(result, counts[result.source.key], today) for result in results)
    selection = None
    if params.match_selection:
        named = find_named_jurisdictions(params.jurisdictions, params.address.province if params.address is not None else None)
        unsearched = find_unsearched_registers(coverage, named)
        selection = build_initial_selection(search.search_id, matches.businesses, search.selection, unsearched)
        if matches.sanctions is not None and has_new_name_hits(matches.sanctions.screening):
            # A listed business is not selected without a person who has seen its hits.
            selection = selection.model_copy(update={"status": SelectionStatus.NEEDS_REVIEW, "selected_match_id": None})
    compared = select_compared_match(matches.businesses, selection) if params.business_registry else None
    analysis = website.analysis if website is not None else None
    return SearchResult(
        meta=build_meta(search, _determine_status(params, results, website, errors), duration_ms, coverage),
        businesses=matches.businesses if params.business_registry else None,
        regulatory={**dict.fromkeys(list_regulator_keys(), ()), **matches.regulatory},
        sanctions=matches.sanctions.screening if matches.sanctions is not None else None,
        website=compare_website(analysis, compared) if analysis is not None else None,
        errors=errors if errors.any() else None,
        match_selection=selection,
        comparison=compare_record_with_match(search.record, compared)
        if search.record is not None and compared is not None
        else None,
        listings=dict(matches.listings) or None,
    )


def find_warnings(submitted: Submitted) -> Iterator[SearchWarning]:
    """Warnings about the request: a name or a number that looks wrong is still searched for."""
    if submitted.removed_characters:
        yield SearchWarning(path="name", message=describe_removed_characters(submitted.removed_characters))
    mixed = find_mixed_words(submitted.name or "")
    if mixed:
        yield SearchWarning(path="name", message=describe_mixed_words(mixed))
    params = submitted.params
    if params.registration_number is not None:
        doubt = find_number_problem(params.registration_number, params.jurisdictions or ())
        if doubt is not None:
            yield SearchWarning(path="registrationNumber", message=doubt)


def _select_kind(results: Sequence[SourceResult], kind: SourceKind) -> list[SourceResult]:
    """The results of the requested sources of one kind."""
    return [result for result in results if result.requested and result.source.metadata.kind is kind]


def _build_errors(
    params: SearchParams, results: Sequence[SourceResult], matches: SearchMatches, website: WebsiteResult | None
) -> CheckErrors:
    registers, regulators = _select_kind(results, SourceKind.REGISTRY), _select_kind(results, SourceKind.REGULATOR)
    # A listing without loaded data is not an error; a loaded one that fails makes the check of the regulators incomplete.
    regulators += [result for result in _select_kind(results, SourceKind.LISTING) if result.error is not None]
    return CheckErrors(
        business_registry=find_check_error(SourceKind.REGISTRY, registers) if params.business_registry else None,
        regulatory_registry=find_check_error(SourceKind.REGULATOR, regulators) if params.regulatory_registry else None,
        sanctions_screening=matches.sanctions.error if matches.sanctions is not None else None,
        website_analysis=website.error if website is not None else None,
    )


def _determine_status(
    params: SearchParams, results: Sequence[SourceResult], website: WebsiteResult | None, errors: CheckErrors
) -> SearchStatus:
    """`error` if every requested check failed entirely, `completed_with_errors` if some source failed."""
    requested = [
        (params.business_registry, SourceKind.REGISTRY),
        (params.regulatory_registry, SourceKind.REGULATOR),
        (params.sanctions_screening, SourceKind.SANCTIONS),
    ]
    if not errors.any():
        return SearchStatus.COMPLETED
    searched = any(is_requested and is_any_searched(_select_kind(results, kind)) for is_requested, kind in requested)
    searched = searched or (website is not None and website.error is None)
    return SearchStatus.COMPLETED_WITH_ERRORS if searched else SearchStatus.ERROR
