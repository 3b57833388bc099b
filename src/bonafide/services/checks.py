"""The register and regulator checks of a search: candidates read, ranked against the query and folded into matches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from bonafide.matching.rank import rank_entries
from bonafide.matching.rarity import STATIC, Rarity
from bonafide.matching.relations import relations
from bonafide.model.entry import RegistryEntry, RegulatoryEntry
from bonafide.model.load import LoadRecord
from bonafide.model.match import BusinessMatch, RegulatoryMatch
from bonafide.model.query import Query
from bonafide.services.assemble import business_match, regulatory_match
from bonafide.services.lookup import Candidate, Lookup
from bonafide.services.registrations import cross_linked
from bonafide.sources.base import Source

REGISTRY_FLOOR = 0.5
"""Below 0.7 an entry's name is another one; down to here it is shown all the same, for a person to see what comes near."""
REGULATORY_LIMIT = 10
"""Best entries of one regulator: a chain of a hundred stores must not bury the rest."""
SHORTLIST = 60
"""Candidates that are read and scored in full, the roughly best of all registers together."""
ROUGH_FLOOR = 0.4
"""What the index finds less alike than this is not worth reading: with 0.2 the same entries are shown, at twice the cost."""


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where an entry came from."""

    source: Source
    load: LoadRecord


def registry_matches(
    search_id: UUID, query: Query, lookups: Sequence[Lookup], rarity: Rarity = STATIC
) -> tuple[BusinessMatch, ...]:
    """The matches of all registers, best first, at most `query.limit`; registrations of one business are linked with each other."""
    origins: dict[int, _Origin] = {}
    entries: list[RegistryEntry] = []
    rough: list[float] = []
    for candidate, load in shortlist(lookups):
        entry = candidate.read()
        if isinstance(entry, RegistryEntry):
            entries.append(entry)
            rough.append(candidate.rough)
            # By identity: two registers may give two entries the same id, and both are kept alive by the list.
            origins[id(entry)] = _Origin(candidate.source, load)
    ranked = rank_entries(query, entries, floor=REGISTRY_FLOOR, limit=query.limit, rarity=rarity, rough=rough)
    matches = [business_match(search_id, item, origins[id(item.entry)].source, origins[id(item.entry)].load) for item in ranked]
    return cross_linked(matches, relations([item.entry for item in ranked]))


def shortlist(lookups: Iterable[Lookup]) -> list[tuple[Candidate, LoadRecord]]:
    """The roughly best candidates of all sources, with the load each is from."""
    found = [
        (candidate, lookup.load)
        for lookup in lookups
        if lookup.load is not None
        for candidate in lookup.candidates
        if candidate.rough >= ROUGH_FLOOR
    ]
    found.sort(key=lambda pair: -pair[0].rough)
    return found[:SHORTLIST]


def regulatory_matches(query: Query, lookup: Lookup, threshold: float, rarity: Rarity = STATIC) -> tuple[RegulatoryMatch, ...]:
    """One regulator's matches at or above the threshold, best first, at most `REGULATORY_LIMIT`."""
    load = lookup.load
    if load is None:
        return ()
    read = [(candidate.read(), candidate.rough) for candidate, _ in shortlist([lookup])]
    entries = [entry for entry, _ in read if isinstance(entry, RegulatoryEntry)]
    rough = [estimate for entry, estimate in read if isinstance(entry, RegulatoryEntry)]
    ranked = rank_entries(query, entries, floor=threshold, limit=REGULATORY_LIMIT, rarity=rarity, rough=rough)
    return tuple(regulatory_match(item, lookup.source, load) for item in ranked)
