"""Build the registry, regulatory and listing matches of a search: read candidates, rank them, convert them into matches.

Pure except for reading the entries of candidates.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar
from uuid import UUID, uuid5

from bonafide.matching.entries.query import Query
from bonafide.matching.entries.ranking import RankedEntry, apply_number_link, rank_entries
from bonafide.matching.entries.related_registrations import find_related_registrations
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.matching.scoring.score_parameters import EQUAL_NUMBER_OTHER_NAME
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.model.entry import BusinessEntry, ListingEntry, RegistryEntry, RegulatoryEntry
from bonafide.model.loading import LiveOrigin
from bonafide.model.search.match import Baseline, BusinessMatch, ListingMatch, RegulatoryMatch
from bonafide.services.lookup.source_result import EntryCandidate, SourceResult
from bonafide.services.results.candidate_exclusion import exclude_candidates
from bonafide.services.results.document_parts import (
    ReportAddress,
    build_business_match,
    build_listing_match,
    build_regulatory_match,
)
from bonafide.services.results.match_selection import build_related_matches

REGISTRY_FLOOR = 0.5
"""Lowest score of a match. Below 0.7 the names are different, but such matches are shown to a person as the most similar ones."""
REGULATORY_LIMIT = 10
"""Most matches of one regulator or listing, because a chain may have hundreds of entries."""
SHORTLIST = 60
"""Candidates that are read and scored in full: the best of all registers by estimate."""
EQUAL_AT_LEAST = EQUAL_NUMBER_OTHER_NAME[0]
"""Lowest score of an entry with an equal number of the same type."""
B = TypeVar("B", bound=BusinessEntry)


def build_registry_matches(
    search_id: UUID,
    query: Query,
    results: Sequence[SourceResult],
    rarity: WordRarity = STATIC_RARITY,
    baseline: Baseline = Baseline.QUERY,
    sign_report: Callable[[UUID], ReportAddress] | None = None,
) -> tuple[BusinessMatch, ...]:
    """The matches of all registers, best first, at most `query.limit`; registrations of one business are linked with each other.

    A match id is a function of the search and the entry; `sign_report` returns the address of the business report of a match.
    """
    candidates: list[EntryCandidate] = []
    entries: list[RegistryEntry] = []
    selected: Sequence[EntryCandidate] = select_candidates(results)
    if not any(_is_joint(candidate) for candidate in selected):
        # An entry of a source of many registers is dropped if its own register returned it too, whatever either of them scores.
        selected = exclude_candidates(query, selected, REGISTRY_FLOOR, rarity)
    for candidate in selected:
        entry = candidate.read()
        # A source of many registers is searched for all of them.
        if isinstance(entry, RegistryEntry) and (query.jurisdictions is None or entry.jurisdiction in query.jurisdictions):
            candidates.append(candidate)
            entries.append(entry)
    for place in reversed(_find_duplicates(entries, candidates)):
        del entries[place], candidates[place]
    rough = [candidate.rough for candidate in candidates]
    ranked = rank_entries(query, entries, floor=REGISTRY_FLOOR, limit=query.limit, rarity=rarity, rough=rough)
    # By identity: two registers may give two entries the same id.
    found_by = {id(entry): candidate for entry, candidate in zip(entries, candidates, strict=True)}
    found = [found_by[id(item.entry)] for item in ranked]
    ids = [uuid5(search_id, f"{one.source.key}/{item.entry.entry_id}") for item, one in zip(ranked, found, strict=True)]
    reports = [sign_report(match_id) if sign_report is not None else None for match_id in ids]
    related = [build_related_matches(own, ids) for own in find_related_registrations([item.entry for item in ranked])]
    return tuple(
        build_business_match(match_id, item, candidate, baseline, links, report)
        for match_id, item, candidate, links, report in zip(ids, ranked, found, related, reports, strict=True)
    )


def _find_duplicates(entries: Sequence[RegistryEntry], candidates: Sequence[EntryCandidate]) -> list[int]:
    """The indexes of entries of a source of many registers that their own register has also returned, with more detail."""
    joint = [place for place, candidate in enumerate(candidates) if _is_joint(candidate)]
    if not joint:
        return []
    own = {
        (entry.jurisdiction, key) for place, entry in enumerate(entries) if place not in joint for key in _get_number_keys(entry)
    }
    return [place for place in joint if any((entries[place].jurisdiction, key) in own for key in _get_number_keys(entries[place]))]


def _is_joint(candidate: EntryCandidate) -> bool:
    """Whether the source of the candidate has entries of many registers."""
    return candidate.source.metadata.jurisdiction is None


def _get_number_keys(entry: RegistryEntry) -> frozenset[str]:
    """The keys of an entry's register number, which is its first number."""
    return build_number_keys(entry.registration_numbers[0].value) if entry.registration_numbers else frozenset()


def select_candidates(results: Iterable[SourceResult]) -> list[EntryCandidate]:
    """The best candidates of all indexed sources by estimate, and all candidates of live sources."""
    found = [candidate for result in results for candidate in result.candidates]
    found.sort(key=lambda candidate: -candidate.rough)
    # Live entries are few and have no estimate, so they don't count towards the limit.
    live = sum(isinstance(candidate.origin, LiveOrigin) for candidate in found)
    return found[: SHORTLIST + live]


def build_regulatory_matches(
    query: Query,
    result: SourceResult,
    threshold: float,
    rarity: WordRarity = STATIC_RARITY,
    baseline: Baseline = Baseline.QUERY,
) -> tuple[RegulatoryMatch, ...]:
    """One regulator's matches at or above the threshold, best first, at most `REGULATORY_LIMIT`."""
    origin = result.origin
    if origin is None or not result.candidates:
        return ()
    best = {item.entry.entry_id: item for item in _rank_candidates(query, result, RegulatoryEntry, threshold, rarity)}
    for item in _rank_linked_entries(query, result, threshold, rarity):
        known = best.get(item.entry.entry_id)
        best[item.entry.entry_id] = item if known is None or item.score > known.score else known
    ranked = sorted(best.values(), key=lambda item: -item.score)[:REGULATORY_LIMIT]
    return tuple(build_regulatory_match(item, result.source, origin, baseline) for item in ranked)


def _rank_linked_entries(
    query: Query, result: SourceResult, threshold: float, rarity: WordRarity
) -> Iterator[RankedEntry[RegulatoryEntry]]:
    """The entries with a number of a business that the search has found."""
    for candidate in result.candidates:
        entry = candidate.read() if candidate.link is not None else None
        if candidate.link is not None and isinstance(entry, RegulatoryEntry):
            numbered = replace(query, registration_number=candidate.link.number)
            [item] = rank_entries(numbered, [entry], floor=0.0, limit=1, rarity=rarity)
            lifted = apply_number_link(item, candidate.link)
            if item.score >= EQUAL_AT_LEAST and lifted.score >= threshold:
                yield lifted


def build_listing_matches(
    query: Query,
    result: SourceResult,
    threshold: float,
    rarity: WordRarity = STATIC_RARITY,
    baseline: Baseline = Baseline.QUERY,
) -> tuple[ListingMatch, ...]:
    """One listing's matches at or above the threshold, best first, at most `REGULATORY_LIMIT`."""
    origin = result.origin
    if origin is None:
        return ()
    ranked = _rank_candidates(query, result, ListingEntry, threshold, rarity)
    return tuple(build_listing_match(item, result.source, origin, baseline) for item in ranked)


def _rank_candidates(
    query: Query, result: SourceResult, kind: type[B], threshold: float, rarity: WordRarity
) -> list[RankedEntry[B]]:
    named = [candidate for candidate in select_candidates([result]) if candidate.link is None]
    kept = exclude_candidates(query, named, threshold, rarity)
    read = [(candidate.read(), candidate.rough) for candidate in kept]
    entries = [entry for entry, _ in read if isinstance(entry, kind)]
    rough = [estimate for entry, estimate in read if isinstance(entry, kind)]
    return rank_entries(query, entries, floor=threshold, limit=REGULATORY_LIMIT, rarity=rarity, rough=rough)
