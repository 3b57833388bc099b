"""Perform the checks of a prepared search: query the sources, match their candidates, build the result document."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.i18n.message import Message
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.screening.name_parsing import ParsedSubject, parse_subject
from bonafide.model.entry import SourceKind
from bonafide.model.query import ScreeningSubject, SearchParams
from bonafide.model.search.match import BusinessMatch
from bonafide.model.search.result import SearchResult
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.lookup.index_lookup import add_linked_candidates, collect_links, compute_minimum_rough_score
from bonafide.services.lookup.source_lookup import LookupOptions, query_sources
from bonafide.services.lookup.source_result import SourceResult, compute_elapsed_ms, ignore_progress
from bonafide.services.lookup.website_analysis import WebsiteResult, analyse_website
from bonafide.services.manual_checks.answers import add_manual_results
from bonafide.services.reports.report_pdf import sign_match_report
from bonafide.services.results.document_parts import Dismissals
from bonafide.services.results.match_building import build_listing_matches, build_registry_matches, build_regulatory_matches
from bonafide.services.results.match_selection import determine_selection
from bonafide.services.screening.dismissals import apply_dismissals_to_subjects, load_dismissals
from bonafide.services.screening.list_cache import COLLECTION, LoadedScreeningLists
from bonafide.services.screening.owner_parties import assess_ownership, list_owner_parties
from bonafide.services.screening.party_set import PartyScreener, list_match_parties, list_record_parties
from bonafide.services.screening.subject_screening import (
    NO_DISMISSALS,
    QueriedLists,
    ScreeningResult,
    build_screening_result,
    find_unscreened_lists,
    query_lists,
)
from bonafide.services.search.preparation import PreparedSearch
from bonafide.services.search.result_building import SearchMatches, build_result
from bonafide.sources.framework.discovery import Source

_NOT_REQUESTED = Message("not requested (`{parameter}` is false)")
OnSearchProgress = Callable[[SourceResult | WebsiteResult], None]
"""Called on the event loop with the result of each source, and of the web site, as soon as it is available."""


async def perform_search(
    runtime: Runtime, search: PreparedSearch, on_progress: OnSearchProgress = ignore_progress, deadline: Deadline = NO_DEADLINE
) -> SearchResult:
    """Query the requested sources and build the result document. Never raises for a source.

    A check without a result by the deadline has an error.
    """
    started = perf_counter()
    known = search.query.normal_name
    named = ScreeningSubject(search.query.name, removed_characters=search.submitted.removed_characters)
    subject = parse_subject(named, known)
    with span("search"):
        async with asyncio.TaskGroup() as group:
            website = group.create_task(_check_website(runtime, search, on_progress, deadline))
            queried = await _query_sources(runtime, search, subject, on_progress, deadline)
        rarity = await get_loaded_rarity(runtime, search.world)
        dismissals, business_id = NO_DISMISSALS, search.submitted.business_id
        if any(result.candidates for result in queried.results if result.source.metadata.kind is SourceKind.SANCTIONS):
            dismissals = await load_dismissals(runtime, search.organization_id, subject.subject, business_id, known)

        def match_and_build() -> SearchMatches | SearchResult:
            matches = match_candidates(runtime, search, queried, subject, rarity, dismissals)
            return matches if matches.has_subject_hits else build_document(matches)

        def build_document(matches: SearchMatches) -> SearchResult:
            matches = _assess_ownership(search, queried, matches)
            screened = {one.source.key: one for one in matches.sanctions.results} if matches.sanctions is not None else {}
            results = [screened.get(one.source.key, one) for one in queried.results]
            return build_result(search, results, matches, website.result(), compute_elapsed_ms(started))

        built = await run_cpu_bound(match_and_build)
        if isinstance(built, SearchResult):
            return built
        # Hits of further names are rare; their dismissals are known only now.
        matches = await _apply_subject_dismissals(runtime, search, built)
        return await run_cpu_bound(build_document, matches)


async def _apply_subject_dismissals(runtime: Runtime, search: PreparedSearch, matches: SearchMatches) -> SearchMatches:
    screened = matches.sanctions
    if screened is None:
        return matches
    business_id = search.submitted.business_id
    marked = await apply_dismissals_to_subjects(runtime, search.organization_id, screened.screening, business_id)
    return replace(matches, sanctions=replace(screened, screening=marked))


def _assess_ownership(search: PreparedSearch, queried: QueriedLists, matches: SearchMatches) -> SearchMatches:
    """The matches with the ownership by listed parties, if the record has ownership statements."""
    screened = matches.sanctions
    if screened is None or search.owned is None:
        return matches
    lists = [one for one in queried.results if one.requested and one.source.metadata.kind is SourceKind.SANCTIONS]
    missing = [item.source for item in find_unscreened_lists(lists)]
    assessed = assess_ownership(screened.screening, search.owned, search.searched_at.date(), missing)
    return replace(matches, sanctions=replace(screened, screening=assessed))


async def _query_sources(
    runtime: Runtime, search: PreparedSearch, subject: ParsedSubject, on_progress: OnSearchProgress, deadline: Deadline
) -> QueriedLists:
    """The results of all sources, in their order, and the lists; sources that the request excludes are not queried."""
    params = search.submitted.params
    results: dict[str, SourceResult] = {}
    queried: list[Source] = []
    lists: list[Source] = []
    for source in list_searched_sources(runtime):
        reason = find_exclusion_reason(source, params)
        if reason is not None:
            results[source.key] = SourceResult(source, None, (), None, 0, reason, requested=False)
        else:
            (lists if source.metadata.kind is SourceKind.SANCTIONS else queried).append(source)
    minimum = compute_minimum_rough_score(search.query, params.regulatory_registry_threshold)
    options = LookupOptions(minimum, search.organization_id, deadline)
    with span("check registers and regulators"):
        found = await query_sources(runtime, search.world, search.query, queried, on_progress, options)
    if search.record is not None:
        found = await add_manual_results(runtime, search.organization_id, search.record.id, found)
    with span("check sanctions"):
        listed = await query_lists(runtime, search.world, subject, params.sanctions_threshold, lists, deadline)
    for result in listed.results:
        on_progress(result)
    results |= {result.source.key: result for result in (*found, *listed.results)}
    return QueriedLists(tuple(results[source.key] for source in list_searched_sources(runtime)), listed.lists)


def list_searched_sources(runtime: Runtime) -> list[Source]:
    """The sources that a search may query, in their order. Relationships are read with the ownership of a business instead."""
    return [source for source in runtime.sources.values() if source.metadata.kind is not SourceKind.RELATIONSHIPS]


def find_exclusion_reason(source: Source, params: SearchParams) -> Message | None:
    """Why the request excludes a source; None if it does not."""
    metadata = source.metadata
    if metadata.kind in {SourceKind.REGULATOR, SourceKind.LISTING}:
        return None if params.regulatory_registry else _NOT_REQUESTED.fill(parameter="regulatoryRegistry")
    if source.key == COLLECTION:
        return Message("screened separately (`POST /sanctions`)")
    if metadata.kind is SourceKind.SANCTIONS:
        return None if params.sanctions_screening else _NOT_REQUESTED.fill(parameter="sanctionsScreening")
    if not params.business_registry:
        return _NOT_REQUESTED.fill(parameter="businessRegistry")
    requested, own = params.jurisdictions, metadata.jurisdiction
    if requested is not None and own is not None and own not in requested:
        return Message("not in a requested jurisdiction")
    return None


async def _check_website(
    runtime: Runtime, search: PreparedSearch, on_progress: OnSearchProgress, deadline: Deadline
) -> WebsiteResult | None:
    """The analysis of the web site; None if it is not requested."""
    if not search.submitted.params.website_analysis:
        return None
    with span("check website"):
        analysed = await analyse_website(runtime, search.world, search.submitted.website, deadline)
    on_progress(analysed)
    return analysed


def match_candidates(
    runtime: Runtime,
    search: PreparedSearch,
    queried: QueriedLists,
    subject: ParsedSubject,
    rarity: WordRarity,
    dismissals: Dismissals,
) -> SearchMatches:
    """Score the candidates of all sources. The numbers of the best businesses find further candidates of regulators."""
    params, query, baseline = search.submitted.params, search.query, search.baseline
    requested = [one for one in queried.results if one.requested]
    by_kind = {kind: [one for one in requested if one.source.metadata.kind is kind] for kind in SourceKind}
    sign = partial(sign_match_report, runtime, search.organization_id, search.search_id)
    registers = by_kind[SourceKind.REGISTRY]
    businesses = build_registry_matches(search.search_id, query, registers, rarity, baseline, sign)
    regulators = add_linked_candidates(runtime, search.world, by_kind[SourceKind.REGULATOR], collect_links(businesses))
    threshold = params.regulatory_registry_threshold
    sanctions = None
    if params.sanctions_screening:
        screened = build_screening_result(
            subject, by_kind[SourceKind.SANCTIONS], params.sanctions_threshold, rarity, baseline, dismissals
        )
        sanctions = _screen_parties(search, businesses, subject, screened, queried.lists, rarity)
    return SearchMatches(
        businesses=businesses,
        regulatory={one.source.key: build_regulatory_matches(query, one, threshold, rarity, baseline) for one in regulators},
        listings={
            one.source.key: build_listing_matches(query, one, threshold, rarity, baseline)
            for one in by_kind[SourceKind.LISTING]
            if one.origin is not None
        },
        sanctions=sanctions,
    )


def _screen_parties(
    search: PreparedSearch,
    businesses: Sequence[BusinessMatch],
    subject: ParsedSubject,
    screened: ScreeningResult,
    lists: LoadedScreeningLists | None,
    rarity: WordRarity,
) -> ScreeningResult:
    """The screening with the parties of the match that would be selected automatically, else of the best, and of the record."""
    params = search.submitted.params
    selected = None
    if params.match_selection:
        # Whether the search is complete decides only between “no match” and “needs review”.
        _, selected = determine_selection(businesses, search.selection, is_complete=True)
    match = next((match for match in businesses if selected is None or match.match_id == selected), None)
    parties = [
        *(list_match_parties(match) if match is not None else ()),
        *(list_record_parties(search.record) if search.record is not None else ()),
        *(list_owner_parties(search.owned, search.searched_at.date()) if search.owned is not None else ()),
    ]
    screener = PartyScreener(lists, params.sanctions_threshold, rarity)
    subjects = screener.screen(search.search_id, parties, subject)
    found = {
        "subjects": subjects,
        "match_id": match.match_id if match is not None else None,
        "includes_parties": params.sanctions_include_parties,
    }
    screening = screened.screening.model_copy(update=found).with_open_hits()
    return replace(screened, screening=screening)
