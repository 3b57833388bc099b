"""Find entries of regulators by the registration numbers of the businesses that a search has found.

Only matches that are as good as certain contribute their numbers. `matching/entries/ranking` scores an entry with an equal number.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bonafide.errors import SegmentCorrupt
from bonafide.matching.entries.ranking import NumberLink
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.model.search.match import BusinessMatch
from bonafide.runtime import Runtime
from bonafide.services.lookup.index_lookup import MAX_NUMBER_HITS
from bonafide.services.lookup.source_result import EntryCandidate, SourceResult, create_entry_reader

MIN_DONOR_SCORE = 0.95
"""The lowest score of a match whose numbers are looked up."""
MAX_DONORS = 3
"""Of businesses with equal names the numbers of each are looked up; the reason says whose they are."""


def collect_links(matches: Iterable[BusinessMatch]) -> list[NumberLink]:
    """The numbers of the best matches, each once, with the business that has it."""
    donors = [match for match in matches if match.match.score >= MIN_DONOR_SCORE][:MAX_DONORS]
    found: dict[str, NumberLink] = {}
    for match in donors:
        own = match.registration_numbers[0].value if match.registration_numbers else ""
        whose = f"{match.legal_name.name} ({match.jurisdiction.value} {own})"
        for number in match.registration_numbers:
            found.setdefault(number.value, NumberLink(f"{number.label} {number.value}", whose))
    return list(found.values())


def add_linked_candidates(
    runtime: Runtime, world: World, results: Sequence[SourceResult], links: Sequence[NumberLink]
) -> list[SourceResult]:
    """The results; to those of regulators, entries that have one of the numbers are added as candidates."""
    if not links:
        return list(results)
    return [
        replace(result, candidates=[*result.candidates, *_find_linked_candidates(runtime, world, result, links)])
        if result.source.metadata.kind is SourceKind.REGULATOR and result.origin is not None
        else result
        for result in results
    ]


def _find_linked_candidates(
    runtime: Runtime, world: World, result: SourceResult, links: Iterable[NumberLink]
) -> Iterator[EntryCandidate]:
    source = result.source
    try:
        generation = runtime.generations[world].current(source.key)
    except SegmentCorrupt:
        return  # the result of its lookup says so
    if generation is None:
        return
    for link in links:
        for document in generation.index.lookup(link.number)[:MAX_NUMBER_HITS]:
            read = create_entry_reader(generation, source, document)
            yield EntryCandidate(source, generation.manifest, 1.0, read, link)
