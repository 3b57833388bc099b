"""Build the registry, regulatory and listing matches of a search: read candidates, rank them, convert them into matches.

What a check as a whole comes to is decided in `documents`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar
from uuid import UUID

from bonafide.matching.entries.ranking import RankedEntry, apply_number_link, rank_entries
from bonafide.matching.entries.related_registrations import find_related_registrations
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.matching.scoring.score_parameters import EQUAL_NUMBER_OTHER_NAME
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.model.entry import BusinessEntry, ListingEntry, RegistryEntry, RegulatoryEntry
from bonafide.model.loading.loads import DataOrigin, LiveOrigin
from bonafide.model.query import Query
from bonafide.model.search.match import BusinessMatch, ListingMatch, RegulatoryMatch
from bonafide.services.lookup.source_lookup import EntryCandidate, SourceResult
from bonafide.services.results.document_parts import build_business_match, build_listing_match, build_regulatory_match
from bonafide.services.results.related_registrations import link_registrations
from bonafide.sources.framework.discovery import Source

REGISTRY_FLOOR = 0.5
"""Below 0.7 an entry's name is another one; down to here it is shown all the same, for a person to see what comes near."""
REGULATORY_LIMIT = 10
"""Best entries of one regulator or listing: a chain of a hundred stores must not bury the rest."""
SHORTLIST = 60
"""Candidates that are read and scored in full, the roughly best of all registers together."""
EQUAL_AT_LEAST = EQUAL_NUMBER_OTHER_NAME[0]
"""What an entry scores at least whose number is equal and of the same kind."""
B = TypeVar("B", bound=BusinessEntry)


def build_registry_matches(
    search_id: UUID, query: Query, lookups: Sequence[SourceResult], rarity: WordRarity = STATIC_RARITY
) -> tuple[BusinessMatch, ...]:
    """The matches of all registers, best first, at most `query.limit`; registrations of one business are linked with each other."""
    origins: dict[int, tuple[Source, DataOrigin]] = {}
    entries: list[RegistryEntry] = []
    rough: list[float] = []
    for candidate, origin in select_candidates(lookups):
        entry = candidate.read()
        # A source of many registers is asked for all of them.
        if isinstance(entry, RegistryEntry) and (query.jurisdictions is None or entry.jurisdiction in query.jurisdictions):
            entries.append(entry)
            rough.append(candidate.rough)
            # By identity: two registers may give two entries the same id, and both are kept alive by the list.
            origins[id(entry)] = (candidate.source, origin)
    for place in reversed(_find_duplicates(entries, origins)):
        del entries[place], rough[place]
    ranked = rank_entries(query, entries, floor=REGISTRY_FLOOR, limit=query.limit, rarity=rarity, rough=rough)
    matches = [build_business_match(search_id, item, *origins[id(item.entry)]) for item in ranked]
    return link_registrations(matches, find_related_registrations([item.entry for item in ranked]))


def _find_duplicates(entries: Sequence[RegistryEntry], origins: Mapping[int, tuple[Source, DataOrigin]]) -> list[int]:
    """The places of entries of a joint register whose own register has told of them too, and knows them better."""
    joint = [place for place, entry in enumerate(entries) if origins[id(entry)][0].metadata.jurisdiction is None]
    if not joint:
        return []
    own = {
        (entry.jurisdiction, key) for place, entry in enumerate(entries) if place not in joint for key in _get_number_keys(entry)
    }
    return [place for place in joint if any((entries[place].jurisdiction, key) in own for key in _get_number_keys(entries[place]))]


def _get_number_keys(entry: RegistryEntry) -> frozenset[str]:
    """The keys of an entry's register number, which stands first."""
    return build_number_keys(entry.registration_numbers[0].value) if entry.registration_numbers else frozenset()


def select_candidates(lookups: Iterable[SourceResult]) -> list[tuple[EntryCandidate, DataOrigin]]:
    """The roughly best candidates of all indexed sources, and all that live ones have sent, each with where it is from."""
    found = [(candidate, lookup.origin) for lookup in lookups if lookup.origin is not None for candidate in lookup.candidates]
    found.sort(key=lambda pair: -pair[0].rough)
    # They are few, and nobody has estimated them: they take no place from those that the indexes have chosen.
    live = sum(isinstance(origin, LiveOrigin) for _, origin in found)
    return found[: SHORTLIST + live]


def build_regulatory_matches(
    query: Query, lookup: SourceResult, threshold: float, rarity: WordRarity = STATIC_RARITY
) -> tuple[RegulatoryMatch, ...]:
    """One regulator's matches at or above the threshold, best first, at most `REGULATORY_LIMIT`."""
    origin = lookup.origin
    if origin is None:
        return ()
    best = {item.entry.entry_id: item for item in _rank_candidates(query, lookup, RegulatoryEntry, threshold, rarity)}
    for item in _rank_linked_entries(query, lookup, threshold, rarity):
        known = best.get(item.entry.entry_id)
        best[item.entry.entry_id] = item if known is None or item.score > known.score else known
    ranked = sorted(best.values(), key=lambda item: -item.score)[:REGULATORY_LIMIT]
    return tuple(build_regulatory_match(item, lookup.source, origin) for item in ranked)


def _rank_linked_entries(
    query: Query, lookup: SourceResult, threshold: float, rarity: WordRarity
) -> Iterator[RankedEntry[RegulatoryEntry]]:
    """The entries that have a number of a business that the search has found."""
    for candidate in lookup.candidates:
        entry = candidate.read() if candidate.join is not None else None
        if candidate.join is not None and isinstance(entry, RegulatoryEntry):
            numbered = replace(query, registration_number=candidate.join.number)
            [item] = rank_entries(numbered, [entry], floor=0.0, limit=1, rarity=rarity)
            lifted = apply_number_link(item, candidate.join)
            if item.score >= EQUAL_AT_LEAST and lifted.score >= threshold:
                yield lifted


def build_listing_matches(
    query: Query, lookup: SourceResult, threshold: float, rarity: WordRarity = STATIC_RARITY
) -> tuple[ListingMatch, ...]:
    """What one listing has at or above the threshold, best first, at most `REGULATORY_LIMIT`."""
    origin = lookup.origin
    if origin is None:
        return ()
    ranked = _rank_candidates(query, lookup, ListingEntry, threshold, rarity)
    return tuple(build_listing_match(item, lookup.source, origin) for item in ranked)


def _rank_candidates(
    query: Query, lookup: SourceResult, kind: type[B], threshold: float, rarity: WordRarity
) -> list[RankedEntry[B]]:
    named = [candidate for candidate, _ in select_candidates([lookup]) if candidate.join is None]
    read = [(candidate.read(), candidate.rough) for candidate in named]
    entries = [entry for entry, _ in read if isinstance(entry, kind)]
    rough = [estimate for entry, estimate in read if isinstance(entry, kind)]
    return rank_entries(query, entries, floor=threshold, limit=REGULATORY_LIMIT, rarity=rarity, rough=rough)
