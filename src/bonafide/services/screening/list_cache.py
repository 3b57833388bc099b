"""The sanctions lists in memory: load them, reload a changed one, and find candidate parties.

The official lists are one group. A collection that repeats them is another one, which is loaded only if it is screened.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from bonafide.errors import BonafideError, SourceError, SourceUnavailable, UnknownSourceFailure
from bonafide.i18n.message import Message
from bonafide.index import Generation
from bonafide.index.generations.loaded_lists import LoadedLists, load_lists
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.screening.name_parsing import ListedName, ParsedSubject
from bonafide.matching.screening.party_matching import ParsedListedEntity, UnreadListedEntity
from bonafide.matching.screening.screening_index import PartyCandidate
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import EntityKind, ListedEntity, SourceKind
from bonafide.model.loading import LoadRecord
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.lookup.source_result import EntryCandidate, SourceResult, compute_elapsed_ms
from bonafide.sources.framework.discovery import Source

OFFICIAL, COLLECTION = "official", "opensanctions"
"""The groups; the second is the one source that repeats the parties of the others under its own key."""
MAX_CANDIDATES = 400
"""Most candidates of all lists together, the best by estimate."""
_log = get_logger(__name__)
_ListIndex = LoadedLists[LoadRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningCandidate(EntryCandidate):
    """A candidate party with its kind and parsed names; `likely` are the indexes of the similar ones.

    None are likely if the party was found by a number.
    """

    read: Callable[[], ListedEntity]
    kind: EntityKind
    names: tuple[ListedName, ...]
    likely: tuple[int, ...]

    def to_party(self) -> ParsedListedEntity | UnreadListedEntity:
        """The party, read only if that is necessary."""
        if self.likely:
            return UnreadListedEntity(self.kind, self.names, self.likely, self.read)
        return ParsedListedEntity(self.read(), self.names)


@dataclass(frozen=True, slots=True)
class LoadedScreeningLists:
    """Lists as they are loaded now, thread-safe; `problems` has the errors of lists that could not be read."""

    sources: Sequence[Source]
    screening_indexes: Mapping[str, _ListIndex]
    problems: Mapping[str, SourceError]

    def find_candidates(self, subject: ParsedSubject, floor: float, rarity: WordRarity) -> list[SourceResult]:
        """One result per list, in their order: the parties that may score at least `floor`."""
        started = perf_counter()
        wanted = {source.key: source for source in self.sources}
        best = []
        for index in self.screening_indexes.values():
            for party in index.roll.find(subject, floor, rarity):
                key, place = index.find_list(party.place)
                if key in wanted:
                    best.append((party, index, key, place))
        best.sort(key=lambda item: -item[0].estimate)
        found: dict[str, list[ScreeningCandidate]] = defaultdict(list)
        for party, index, key, place in best[:MAX_CANDIDATES]:
            found[key].append(_build_candidate(wanted[key], index, party, place))
        elapsed_ms = compute_elapsed_ms(started)
        return [self._build_result(source, found[source.key], elapsed_ms) for source in self.sources]

    def _build_result(self, source: Source, candidates: Sequence[ScreeningCandidate], elapsed_ms: int) -> SourceResult:
        held = next((index.lists[source.key] for index in self.screening_indexes.values() if source.key in index.lists), None)
        origin = held.generation.manifest if held is not None else None
        problem = self.problems.get(source.key)
        return SourceResult(source, origin, candidates if problem is None else (), problem, elapsed_ms)


def _build_candidate(source: Source, index: _ListIndex, party: PartyCandidate, place: int) -> ScreeningCandidate:
    held = index.lists[source.key]
    read = partial(_read_entity, held.generation, held.documents[place])
    listed = held.parties[place]
    return ScreeningCandidate(
        source, held.generation.manifest, party.estimate, read=read, kind=listed.kind, names=listed.names, likely=party.likely
    )


def _read_entity(generation: Generation[LoadRecord], document: int) -> ListedEntity:
    return ListedEntity.model_validate_json(generation.index.payload(document))


def open_lists(runtime: Runtime, world: World, sources: Sequence[Source]) -> LoadedScreeningLists:
    """The lists as they are loaded now. Blocks for some seconds the first time, and after a list has changed."""
    problems: dict[str, SourceError] = {}
    lists = [source for source in runtime.sources.values() if source.metadata.kind is SourceKind.SANCTIONS]
    indexes = {}
    for group in {_get_list_group(source) for source in sources}:
        generations = _open_generations(runtime, world, [source for source in lists if _get_list_group(source) == group], problems)
        indexes[group] = _get_list_index(runtime, (world, group), generations)
    return LoadedScreeningLists(sources, indexes, problems)


def preload_lists(runtime: Runtime) -> None:
    """Load the official lists of every world into memory. A list that can't be read is logged."""
    lists = [source for source in runtime.sources.values() if source.metadata.kind is SourceKind.SANCTIONS]
    for world in runtime.generations:
        open_lists(runtime, world, [source for source in lists if _get_list_group(source) == OFFICIAL])


def _get_list_group(source: Source) -> str:
    return COLLECTION if source.key == COLLECTION else OFFICIAL


def _open_generations(
    runtime: Runtime, world: World, sources: Iterable[Source], problems: dict[str, SourceError]
) -> dict[str, Generation[LoadRecord]]:
    """The generation of each loaded list; the errors of unreadable lists are added to `problems`."""
    found = {}
    for source in sources:
        try:
            generation = runtime.generations[world].current(source.key)
        except BonafideError as error:
            problems[source.key] = SourceUnavailable(
                Message("{source}: {reason}", source=source.metadata.title, reason=error.message)
            )
        except Exception:  # noqa: BLE001 - one list must not affect the others; the log has the traceback
            _log.exception("list.unreadable", source=source.key)
            problems[source.key] = UnknownSourceFailure(
                Message("{source} could not be read because of an internal error", source=source.metadata.title)
            )
        else:
            if generation is not None:
                found[source.key] = generation
    return found


def _get_list_index(runtime: Runtime, group: tuple[World, str], generations: Mapping[str, Generation[LoadRecord]]) -> _ListIndex:
    """The screening index of these generations. Only one thread builds it; others wait."""
    known = runtime.screening_indexes.get(group)
    is_held = known is not None and known.is_built_from(generations)
    runtime.metrics.count_cache("screening_roll", hit=is_held)
    if known is not None and is_held:
        return known
    with runtime.screening_indexes_lock:
        known = runtime.screening_indexes.get(group)
        if known is None or not known.is_built_from(generations):
            known = runtime.screening_indexes[group] = load_lists(generations, known)
    return known
