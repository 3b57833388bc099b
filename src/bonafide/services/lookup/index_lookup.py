"""Search the local indexes of sources for one query: by name, by registration number and by address.

Candidates have only the index's rough score; matching scores them. The numbers of nearly certain matches are looked up in the
indexes of regulators; `matching/entries/ranking` scores an entry with an equal number.
"""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

from bonafide.errors import BonafideError, SegmentCorrupt, SourceError, SourceUnavailable, UnknownSourceFailure
from bonafide.i18n.message import Message
from bonafide.index import Generation, IndexHit, IndexQuery, NameIndex, create_address_query, create_parsed_name_query
from bonafide.matching.entries.query import Query
from bonafide.matching.entries.ranking import NumberLink
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.model.loading import OTHERS, REGISTERS, LoadRecord
from bonafide.model.search.match import BusinessMatch
from bonafide.observability.log import get_logger
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.indexing.combined_index import get_current_generations, search_combined_indexes
from bonafide.services.indexing.index_documents import format_address_line
from bonafide.services.lookup.source_result import (
    EntryCandidate,
    SourceResult,
    build_failed_result,
    compute_elapsed_ms,
    create_entry_reader,
)
from bonafide.sources.framework.discovery import Source

CANDIDATES = 50
"""The maximum number of candidates of each source."""
MIN_ROUGH_SCORE = 0.4
"""Entries with a lower rough score are not read: with 0.2 the same entries are shown, at twice the cost."""
ROUGH_MARGIN = 0.3
"""How far a rough score may be below the score: of 2,291 among 1.4 million that scored 0.85 and more, none was below 0.6."""
MAX_NUMBER_HITS = 20
MAX_ADDRESS_HITS = 10
ADDRESS_SHARE = 0.5
"""The share of the missing rough score of a name that an equal address adds."""
_log = get_logger(__name__)
MIN_DONOR_SCORE = 0.95
"""The lowest score of a match whose numbers are looked up."""
MAX_DONORS = 3
"""How many matches have their numbers looked up: several businesses may have equal names. The reason names the business."""


def compute_minimum_rough_score(query: Query, threshold: float) -> float:
    """The rough score below which no entry can reach the threshold. With other evidence than a name any entry may."""
    if query.address is not None or query.registration_number is not None:
        return MIN_ROUGH_SCORE
    return max(MIN_ROUGH_SCORE, threshold - ROUGH_MARGIN)


@dataclass(frozen=True, slots=True)
class IndexQueries:
    """What is searched for in an index: a name, and an address and a number if they are known."""

    name: IndexQuery
    address: IndexQuery | None
    number: str | None

    @classmethod
    def create(cls, query: Query) -> "IndexQueries":
        """The queries of a search."""
        line = format_address_line(query.address) if query.address is not None else ""
        address = create_address_query(line) if line else None
        return cls(create_parsed_name_query(query.parsed_names), address, query.registration_number)

    @property
    def is_name_only(self) -> bool:
        """Whether nothing but a name is searched for."""
        return self.address is None and self.number is None

    def estimate_scores(self, index: NameIndex, minimum: float, named: Iterable[IndexHit] | None = None) -> dict[int, float]:
        """The rough score of each document found: 1 by its number; else its address adds a share of what its name lacks.

        Of a name without an address, documents below `minimum` need not be found. `named` has the hits by name if they are known
        already.
        """
        if named is None:
            named = index.search(self.name, CANDIDATES, floor=minimum if self.address is None else 0.0)
        rough: dict[int, float] = {}
        for hit in named:
            rough[hit.document] = max(hit.score, rough.get(hit.document, 0.0))
        for hit in index.search(self.address, MAX_ADDRESS_HITS) if self.address is not None else ():
            by_name = rough.get(hit.document, 0.0)
            rough[hit.document] = by_name + (1 - by_name) * hit.score * ADDRESS_SHARE
        numbered = index.lookup(self.number)[:MAX_NUMBER_HITS] if self.number is not None else ()
        return {**rough, **dict.fromkeys(numbered, 1.0)}


class IndexLookup:
    """Searches the indexes of sources for one query.

    `minimum_rough_score` does not apply to registers, whose best entries are shown at any score.
    """

    def __init__(self, runtime: Runtime, world: World, query: Query, minimum_rough_score: float) -> None:
        self._runtime = runtime
        self._world = world
        self._queries = IndexQueries.create(query)
        self._minimum = {REGISTERS: MIN_ROUGH_SCORE, OTHERS: minimum_rough_score}

    def search(self, sources: Sequence[Source], results: MutableMapping[str, SourceResult]) -> None:
        """Search the names of all sources together, then the index of each source for the rest.

        Each result is stored in `results` immediately, so that a deadline loses only the others. The result of a source without an
        index is not conclusive.
        """
        started = perf_counter()
        current = get_current_generations(self._runtime, self._world, sources)
        with span("search joint indexes"):
            combined = self._runtime.combined_indexes.get(self._world)
            name_only = self._queries.address is None
            named = search_combined_indexes(combined, self._queries.name, self._minimum, sources, current, name_only=name_only)
        combined_s = perf_counter() - started
        for source in sources:
            with span("lookup", {"bonafide.source": source.key}) as noted:
                started = perf_counter() - (combined_s if source.key in named else 0.0)
                results[source.key] = result = self._search_source(source, current, named.get(source.key), started)
                noted.set("bonafide.outcome", result.outcome)

    def _search_source(
        self, source: Source, current: Mapping[str, Generation[LoadRecord]], named: Sequence[IndexHit] | None, started: float
    ) -> SourceResult:
        """The result of one source; `named` has the hits by name if they are known already."""
        title = source.metadata.title
        try:
            generation = current.get(source.key) or self._runtime.generations[self._world].current(source.key)
            if generation is None:
                return SourceResult(source, None, (), None, compute_elapsed_ms(started))
            candidates = self._find_candidates(source, generation, named)
        except BonafideError as error:
            problem: SourceError = SourceUnavailable(Message("{source}: {problem}", source=title, problem=error.message))
        except Exception:  # noqa: BLE001 - a lookup never raises; the log has the traceback
            _log.exception("lookup.failed", source=source.key)
            problem = UnknownSourceFailure(Message("The lookup in {source} failed because of an internal error.", source=title))
        else:
            return SourceResult(source, generation.manifest, candidates, None, compute_elapsed_ms(started))
        return build_failed_result(source, problem, compute_elapsed_ms(started))

    def _find_candidates(
        self, source: Source, generation: Generation[LoadRecord], named: Sequence[IndexHit] | None
    ) -> Sequence[EntryCandidate]:
        if named is not None and not named and self._queries.is_name_only:
            return ()  # the case of nearly every source
        minimum = self._minimum[REGISTERS if source.metadata.kind is SourceKind.REGISTRY else OTHERS]
        rough_scores = self._queries.estimate_scores(generation.index, minimum, named)
        return [
            EntryCandidate(
                source,
                generation.manifest,
                rough,
                create_entry_reader(generation, source, document),
                read_stored=partial(generation.index.payload, document),
            )
            for document, rough in rough_scores.items()
            if rough >= minimum
        ]


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
