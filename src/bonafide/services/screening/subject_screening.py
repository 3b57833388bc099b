"""Screen one subject against sanctions lists.

A list that could not be screened is an error in the answer, never an empty match.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.matching.entries.ranking import rank_parties
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.screening.name_parsing import ParsedSubject, parse_subject
from bonafide.matching.screening.party_matching import ParsedListedEntity, parse_listed_entity
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import ListedEntity, SourceKind
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import SanctionsMatch, Screening
from bonafide.model.search.result import CheckError
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.lookup.source_lookup import SourceResult, observe_lookup
from bonafide.services.results.document_parts import build_sanctions_match, to_screened_list
from bonafide.services.screening.gaps import find_incompleteness, find_unscreened_lists
from bonafide.services.screening.list_cache import LoadedScreeningLists, ScreeningCandidate, open_lists
from bonafide.sources.framework.discovery import Source

MAX_MATCHES = 100
"""Of the best that are sent; `totalMatches` counts all that were scored high enough."""


@dataclass(frozen=True, slots=True)
class ScreeningResult:
    """A screening, and why it is incomplete, if it is. `lookups` are the lists that were asked, `counts` all matches of each."""

    screening: Screening
    lookups: tuple[SourceResult, ...]
    error: CheckError | None
    counts: Mapping[str, int] = field(default_factory=dict)


async def screen_subject(
    runtime: Runtime, world: World, subject: ScreeningSubject | str, threshold: float, sources: Sequence[Source] | None = None
) -> ScreeningResult:
    """Screen a subject, or a name of which nothing else is known, against these lists, or all. Never raises for a list that fails.

    The first call after a start, or after a list has changed, reads the lists into memory.
    """
    if sources is None:
        sources = [source for source in runtime.sources.values() if source.metadata.kind is SourceKind.SANCTIONS]
    asked = ScreeningSubject(subject) if isinstance(subject, str) else subject
    with span("check sanctions"):
        lookups = await look_up_lists(runtime, world, asked, threshold, sources)
        done = await run_cpu_bound(build_screening_result, asked, lookups, threshold, await get_loaded_rarity(runtime, world))
    runtime.metrics.count_screening(classify_outcome(done.screening, done.error))
    return done


def classify_outcome(screening: Screening, error: CheckError | None) -> str:
    """What a screening came to, in a word for the metrics."""
    if error is not None:
        return "incomplete"
    return "matches" if screening.total_matches > 0 else "clear"


async def look_up_lists(
    runtime: Runtime, world: World, subject: ScreeningSubject, threshold: float, sources: Sequence[Source]
) -> list[SourceResult]:
    """The first half of a screening, for a search, whose document does the second: the parties that the subject may be."""
    if not sources:
        return []
    rarity = await get_loaded_rarity(runtime, world)
    lists = await asyncio.to_thread(open_lists, runtime, world, sources)
    lookups = await run_cpu_bound(lists.lookups, parse_subject(subject), threshold, rarity)
    _observe_lookups(runtime, lookups)
    return lookups


def _observe_lookups(runtime: Runtime, lookups: Iterable[SourceResult]) -> None:
    for lookup in lookups:
        if lookup.origin is not None or lookup.error is not None:
            observe_lookup(runtime, lookup)


def screen_against(lists: LoadedScreeningLists, subject: ScreeningSubject, threshold: float, rarity: WordRarity) -> ScreeningResult:
    """The same against lists that are open already: pure work for one core, some milliseconds."""
    return build_screening_result(subject, lists.lookups(parse_subject(subject), threshold, rarity), threshold, rarity)


def build_screening_result(
    subject: ScreeningSubject | str, lookups: Sequence[SourceResult], threshold: float, rarity: WordRarity
) -> ScreeningResult:
    """The screening that came of asking the lists; matches best first."""
    asked = ScreeningSubject(subject) if isinstance(subject, str) else subject
    read = parse_subject(asked)
    matches = [match for lookup in lookups for match in _build_matches(read, lookup, threshold, rarity)]
    matches.sort(key=lambda match: -match.legal_name.match_score)
    screening = Screening(
        query=asked.name,
        total_matches=len(matches),
        matches=tuple(matches[:MAX_MATCHES]),
        lists=tuple(item for item in map(to_screened_list, lookups) if item is not None),
        lists_not_screened=find_unscreened_lists(lookups),
    )
    counts = Counter(match.source for match in matches)
    return ScreeningResult(screening, tuple(lookups), find_incompleteness(lookups), counts)


def _build_matches(subject: ParsedSubject, lookup: SourceResult, threshold: float, rarity: WordRarity) -> list[SanctionsMatch]:
    origin = lookup.origin
    if origin is None:
        return []
    ranked = rank_parties(subject, _read_parties(lookup), floor=threshold, rarity=rarity)
    return [build_sanctions_match(item, lookup.source, origin) for item in ranked]


def _read_parties(lookup: SourceResult) -> Iterator[ParsedListedEntity]:
    """The candidates, read; those that come from memory have had their names read already."""
    for candidate in lookup.candidates:
        if isinstance(candidate, ScreeningCandidate):
            party = candidate.entity()
        else:
            entry = candidate.read()
            party = parse_listed_entity(entry) if isinstance(entry, ListedEntity) else None
        if party is not None:
            yield party
