"""Find entries of regulators by the registration numbers of the businesses that a search has found.

Only a match that is as good as certain lends its numbers. What an equal number is worth is decided in `matching/joins`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bonafide.errors import SegmentCorrupt
from bonafide.matching.entries.ranking import NumberLink
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.model.search.match import BusinessMatch
from bonafide.runtime import Runtime
from bonafide.services.lookup.source_lookup import MAX_NUMBER_HITS, EntryCandidate, SourceResult, create_entry_reader

MIN_DONOR_SCORE = 0.95
"""What a match must score for its numbers to be sought."""
MAX_DONORS = 3
"""Of businesses with equal names each has its numbers sought; the reason says whose they are."""


def collect_links(matches: Iterable[BusinessMatch]) -> list[NumberLink]:
    """The numbers of the best matches, each once, with whose they are."""
    lenders = [match for match in matches if match.match.score >= MIN_DONOR_SCORE][:MAX_DONORS]
    found: dict[str, NumberLink] = {}
    for match in lenders:
        own = match.registration_numbers[0].value if match.registration_numbers else ""
        whose = f"{match.legal_name.name} ({match.jurisdiction.value} {own})"
        for number in match.registration_numbers:
            found.setdefault(number.value, NumberLink(f"{number.label} {number.value}", whose))
    return list(found.values())


def add_linked_candidates(
    runtime: Runtime, world: World, lookups: Sequence[SourceResult], joins: Sequence[NumberLink]
) -> list[SourceResult]:
    """The lookups, those of regulators with the entries that have one of the numbers as further candidates."""
    if not joins:
        return list(lookups)
    return [
        replace(lookup, candidates=[*lookup.candidates, *_find_linked_candidates(runtime, world, lookup, joins)])
        if lookup.source.metadata.kind is SourceKind.REGULATOR and lookup.origin is not None
        else lookup
        for lookup in lookups
    ]


def _find_linked_candidates(
    runtime: Runtime, world: World, lookup: SourceResult, joins: Iterable[NumberLink]
) -> Iterator[EntryCandidate]:
    try:
        generation = runtime.generations[world].current(lookup.source.key)
    except SegmentCorrupt:
        return  # its lookup has told
    if generation is None:
        return
    for join in joins:
        for document in generation.index.lookup(join.number)[:MAX_NUMBER_HITS]:
            yield EntryCandidate(lookup.source, 1.0, create_entry_reader(generation, lookup.source, document), join)
