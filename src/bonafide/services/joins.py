"""Numbers of the businesses that a search has found, sought in the lists of regulators: a list may know a business by another name.

Only a match that is as good as certain lends its numbers. What an equal number is worth is decided in `matching/joins`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bonafide.errors import SegmentCorrupt
from bonafide.matching.entries.ranking import NumberLink
from bonafide.model.entry import SourceKind
from bonafide.model.search.match import BusinessMatch
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.lookup import MAX_NUMBER_HITS, Candidate, Lookup, reader_of

LENDING_SCORE = 0.95
"""What a match must score for its numbers to be sought."""
MAX_LENDERS = 3
"""Of businesses with equal names each has its numbers sought; the reason says whose they are."""


def joins_of(matches: Iterable[BusinessMatch]) -> list[NumberLink]:
    """The numbers of the best matches, each once, with whose they are."""
    lenders = [match for match in matches if match.match.score >= LENDING_SCORE][:MAX_LENDERS]
    found: dict[str, NumberLink] = {}
    for match in lenders:
        own = match.registration_numbers[0].value if match.registration_numbers else ""
        whose = f"{match.legal_name.name} ({match.jurisdiction.value} {own})"
        for number in match.registration_numbers:
            found.setdefault(number.value, NumberLink(f"{number.label} {number.value}", whose))
    return list(found.values())


def with_joined(runtime: Runtime, world: World, lookups: Sequence[Lookup], joins: Sequence[NumberLink]) -> list[Lookup]:
    """The lookups, those of regulators with the entries that have one of the numbers as further candidates."""
    if not joins:
        return list(lookups)
    return [
        replace(lookup, candidates=[*lookup.candidates, *_joined(runtime, world, lookup, joins)])
        if lookup.source.metadata.kind is SourceKind.REGULATOR and lookup.origin is not None
        else lookup
        for lookup in lookups
    ]


def _joined(runtime: Runtime, world: World, lookup: Lookup, joins: Iterable[NumberLink]) -> Iterator[Candidate]:
    try:
        generation = runtime.generations[world].current(lookup.source.key)
    except SegmentCorrupt:
        return  # its lookup has told
    if generation is None:
        return
    for join in joins:
        for document in generation.index.lookup(join.number)[:MAX_NUMBER_HITS]:
            yield Candidate(lookup.source, 1.0, reader_of(generation, lookup.source, document), join)
