"""Query every source within its deadline and collect the results.

A lookup never raises: a source's failure becomes its `error`, and that is what makes a partial answer honest. Nothing is scored
here; candidates carry only the index's rough order.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from uuid import UUID

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import BonafideError, InvalidInput, SourceError, SourceTimeout, SourceUnavailable, UnknownSourceFailure
from bonafide.index import Generation, IndexHit, IndexQuery, create_address_query, create_business_query
from bonafide.matching.entries.ranking import NumberLink
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import ENTRY_TYPES, AnyEntry, SourceKind
from bonafide.model.loading.combined_index import OTHERS, REGISTERS
from bonafide.model.loading.loads import DataOrigin, LiveOrigin, LoadRecord
from bonafide.model.query import Query
from bonafide.observability.log import get_logger
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.indexing.combined_index import CombinedIndexQuery, get_current_generations, search_combined_indexes
from bonafide.services.indexing.documents import format_address_line
from bonafide.services.lookup import live_cache
from bonafide.services.lookup.live_cache import CachedResponse
from bonafide.services.lookup.live_query import LiveQueryFailed, find_live_query_blocker, query_live_source
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import LiveQuery
from bonafide.sources.framework.simulated_failures import SimulatedFailure

CANDIDATES = 50
"""Of each source, the roughly best."""
MIN_ROUGH_SCORE = 0.4
"""What the index finds less alike than this is not worth reading: with 0.2 the same entries are shown, at twice the cost."""
ROUGH_MARGIN = 0.3
"""By how much the index may find an entry less alike than it is: 2,291 among 1.4 million scored 0.85 and more, none below 0.6."""
MANUAL_LOOKUP_HINT = ". A person can look here: "
"""Between why nobody could look and the source's own page."""
ANSWERED = "answered"
"""The outcome of a lookup without an error, in metrics and spans."""
MAX_NUMBER_HITS = 20
MAX_ADDRESS_HITS = 10
ADDRESS_SHARE = 0.5
"""How much of what an entry's name lacks the same address makes up for, before either is looked at closely."""
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class EntryCandidate:
    """An entry found but not yet scored nor even read; `rough` (0 to 1) is the index's own estimate.

    `join` is the number by which it was found, if that is one of another match of the search.
    """

    source: Source
    rough: float
    read: Callable[[], AnyEntry]
    join: NumberLink | None = None


@dataclass(frozen=True, slots=True)
class SourceResult:
    """What came of asking one source. `origin` is None when nobody could look, and `note` or `error` says why."""

    source: Source
    origin: DataOrigin | None
    candidates: Sequence[EntryCandidate]
    error: SourceError | None
    elapsed_ms: int
    note: str | None = None


OnProgress = Callable[[SourceResult], None]
"""Whoever wants to know what came of each source as soon as something has; called on the event loop."""


class _ProgressReporter:
    """Tells of each lookup once, when it has ended."""

    def __init__(self, told: OnProgress) -> None:
        self._told = told
        self._known: set[str] = set()

    def tell(self, lookups: Iterable[SourceResult]) -> None:
        for lookup in lookups:
            if lookup.source.key not in self._known:
                self._known.add(lookup.source.key)
                self._told(lookup)


def ignore_progress(_: object) -> None:
    """Is told, and wants to know nothing."""


@dataclass(frozen=True, slots=True)
class LookupOptions:
    """On what terms sources are asked.

    `floor` is what entries of others than registers are worth reading from; `asker` the organization that may be given again what a
    live source told it a moment ago, None to ask anew; what has not answered by the `deadline` has failed.
    """

    floor: float = MIN_ROUGH_SCORE
    asker: UUID | None = None
    deadline: Deadline = NO_DEADLINE


NO_CACHE = LookupOptions()


def compute_minimum_rough_score(query: Query, threshold: float) -> float:
    """What an index must find an entry at where only those are wanted that score the threshold; evidence may lift any."""
    if query.address is not None or query.registration_number is not None:
        return MIN_ROUGH_SCORE
    return max(MIN_ROUGH_SCORE, threshold - ROUGH_MARGIN)


async def look_up_all(
    runtime: Runtime,
    world: World,
    query: Query,
    sources: Sequence[Source],
    told: OnProgress = ignore_progress,
    terms: LookupOptions = NO_CACHE,
) -> list[SourceResult]:
    """Ask every source, in the order given: its index if it has one, else live if it may be. Never raises.

    Indexes are asked one after another in one thread: each takes some tenths of a millisecond, less than handing it to a thread of
    its own would. All of them together have the deadline of a lookup, each live source has its own.
    """
    limit_s = terms.deadline.within(runtime.settings.lookup_timeout_s)
    found: dict[str, SourceResult] = {}
    teller = _ProgressReporter(told)
    trouble = runtime.failure_simulator.find_search_failure(query.name) if world is World.SANDBOX else None
    troubled = [source for source in sources if trouble is not None and source.metadata.kind is SourceKind.REGISTRY]
    sound = [source for source in sources if source not in troubled]
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_s):
            await run_cpu_bound(_search_indexes, runtime, world, _build_index_query(query, terms.floor), sound, found)
            teller.tell(lookup for lookup in found.values() if _is_answered(lookup))
            await _simulate_failure(trouble, troubled, found)
    await _query_live_sources(_LiveLookup(runtime, world, query, terms), found, teller)
    lookups = [found[source.key] if source.key in found else _build_timeout(source, limit_s) for source in sources]
    teller.tell(lookups)
    for lookup in lookups:
        if lookup.origin is not None or lookup.error is not None:
            observe_lookup(runtime, lookup)
    return lookups


def observe_lookup(runtime: Runtime, lookup: SourceResult) -> None:
    """Count a lookup that somebody could make."""
    runtime.metrics.observe_lookup(lookup.source.key, lookup.elapsed_ms / 1000)
    runtime.metrics.count_lookup(lookup.source.key, _get_outcome(lookup))


def _get_outcome(lookup: SourceResult) -> str:
    """How it ended, in a word for metrics and spans: the code of its error, or whether anybody could look at all."""
    if lookup.error is not None:
        return lookup.error.code.value
    return ANSWERED if lookup.origin is not None else "not asked"


async def _simulate_failure(trouble: SimulatedFailure | None, sources: Iterable[Source], found: dict[str, SourceResult]) -> None:
    """What the sandbox's registers do to the two names that simulate a register in trouble."""
    if trouble is SimulatedFailure.TIMEOUT:
        await asyncio.Event().wait()
    if trouble is SimulatedFailure.OUTAGE:
        for source in sources:
            found[source.key] = _build_failure(
                source, SourceUnavailable(f"{source.metadata.title} is out of service for this name"), 0
            )


def _is_answered(lookup: SourceResult) -> bool:
    """Whether an index has answered or failed; without one, the source may still be asked live."""
    return lookup.origin is not None or lookup.error is not None


@dataclass(frozen=True, slots=True)
class _LiveLookup:
    """What live sources are asked, for which world, and on what terms."""

    runtime: Runtime
    world: World
    query: Query
    terms: LookupOptions


async def _query_live_sources(asking: _LiveLookup, found: dict[str, SourceResult], teller: _ProgressReporter) -> None:
    """Ask live what no index could answer, all at once; the others get the reason why nobody could look."""
    askable = []
    for lookup in [lookup for lookup in found.values() if not _is_answered(lookup)]:
        reason = find_lookup_blocker(asking.runtime, asking.world, lookup.source)
        if reason is None:
            askable.append(lookup.source)
        else:
            found[lookup.source.key] = replace(lookup, note=reason)
            teller.tell([found[lookup.source.key]])

    async def ask_one(source: Source) -> None:
        with span("lookup", {"bonafide.source": source.key}) as noted:
            found[source.key] = await _query_one_source(asking, source)
            noted.set("bonafide.outcome", _get_outcome(found[source.key]))
        teller.tell([found[source.key]])

    await asyncio.gather(*(ask_one(source) for source in askable))


def find_lookup_blocker(runtime: Runtime, world: World, source: Source) -> str | None:
    """Why a source without an index can't be searched either, and where a person can look; None when it can be asked live."""
    metadata = source.metadata
    reason = find_live_query_blocker(runtime, world, source) if source.live is not None else metadata.access_note
    if reason is None and (source.live is None or source.live.find is None):
        reason = "No data is loaded"
    return f"{reason.rstrip('. ')}{MANUAL_LOOKUP_HINT}{metadata.page}" if reason is not None else None


async def _query_one_source(asking: _LiveLookup, source: Source) -> SourceResult:
    """One live source, asked by name and number; or what it answered the organization a moment ago, dated to when it did."""
    started = perf_counter()
    runtime, sought = asking.runtime, LiveQuery(asking.query.name, asking.query.registration_number)
    asked = live_cache.build_cache_key(runtime, asking.world, asking.terms.asker, source, sought)
    heard = await live_cache.get_response(runtime, asked) if asked is not None else None
    if heard is None:
        try:
            heard = await _fetch_live_response(asking, sought, source)
        except LiveQueryFailed as failure:
            if isinstance(failure.error, InvalidInput):
                # Nothing is wrong with it: it can't be asked this question, so nobody could look.
                note = f"{failure.error.message.rstrip('. ')}{MANUAL_LOOKUP_HINT}{source.metadata.page}"
                return SourceResult(source, None, (), None, _get_elapsed_ms(started), note)
            return _build_failure(source, failure.error, _get_elapsed_ms(started))
        if asked is not None:
            await live_cache.put_response(runtime, asked, heard)
    candidates = [EntryCandidate(source, 1.0, partial(_return_entry, entry)) for entry in heard.entries]
    return SourceResult(source, LiveOrigin(heard.responded_at), candidates, None, _get_elapsed_ms(started))


async def _fetch_live_response(asking: _LiveLookup, sought: LiveQuery, source: Source) -> CachedResponse:
    """What a live source says. Raises `LiveQueryFailed`."""
    find = source.live.find if source.live is not None else None
    assert find is not None  # noqa: S101 - `find_lookup_blocker` has said so
    said = await query_live_source(
        asking.runtime, asking.world, source, lambda context: find(sought, context), asking.terms.deadline
    )
    return CachedResponse(said.value, said.responded_at)


def _return_entry(entry: AnyEntry) -> AnyEntry:
    return entry


def _build_timeout(source: Source, limit_s: float) -> SourceResult:
    error = SourceTimeout(f"{source.metadata.title} did not answer within {limit_s:g} s")
    return _build_failure(source, error, round(limit_s * 1000))


def _build_failure(source: Source, error: SourceError, elapsed_ms: int) -> SourceResult:
    return SourceResult(source, None, (), error, elapsed_ms)


def _search_indexes(
    runtime: Runtime, world: World, sought: "_IndexQuery", sources: Sequence[Source], found: dict[str, SourceResult]
) -> None:
    """Search the names of many sources at once, then ask one index after another for the rest.

    Each answer is in `found` at once, so that a deadline loses only the rest.
    """
    started = perf_counter()
    current = get_current_generations(runtime, world, sources)
    with span("search joint indexes"):
        named = search_combined_indexes(runtime.combined_indexes.get(world), sought.by_name(), sources, current)
    jointly_s = perf_counter() - started
    for source in sources:
        key = source.key
        with span("lookup", {"bonafide.source": key}) as noted:
            started = perf_counter() - (jointly_s if key in named else 0.0)
            opened = partial(runtime.generations[world].current, key) if key not in current else partial(current.get, key)
            found[key] = lookup = _look_up_index(sought, source, opened, named.get(key), started)
            noted.set("bonafide.outcome", _get_outcome(lookup))


def _look_up_index(
    sought: "_IndexQuery",
    source: Source,
    opened: Callable[[], Generation[LoadRecord] | None],
    named: Sequence[IndexHit] | None,
    started: float,
) -> SourceResult:
    """What came of asking one index."""
    try:
        generation = opened()
        candidates = _find_candidates(generation, sought, source, named) if generation is not None else ()
    except BonafideError as error:
        problem: SourceError = SourceUnavailable(f"{source.metadata.title}: {error.message}")
    except Exception:  # noqa: BLE001 - a lookup never raises; the log has the traceback
        _log.exception("lookup failed", source=source.key)
        problem = UnknownSourceFailure(f"{source.metadata.title} could not be looked up because of a fault of this service")
    else:
        return SourceResult(
            source, generation.manifest if generation is not None else None, candidates, None, _get_elapsed_ms(started)
        )
    return _build_failure(source, problem, _get_elapsed_ms(started))


def _get_elapsed_ms(started: float) -> int:
    return round((perf_counter() - started) * 1000)


@dataclass(frozen=True, slots=True)
class _IndexQuery:
    """A query as the indexes are asked it."""

    name: IndexQuery
    address: IndexQuery | None
    number: str | None
    floor: float

    def by_name(self) -> CombinedIndexQuery:
        """What is asked of the joint indexes."""
        return CombinedIndexQuery(self.name, {REGISTERS: MIN_ROUGH_SCORE, OTHERS: self.floor}, alone=self.address is None)

    @property
    def is_by_name_alone(self) -> bool:
        """Whether nothing but the name is known."""
        return self.address is None and self.number is None

    def worth(self, source: Source) -> float:
        """What an entry of a source is worth reading from."""
        return MIN_ROUGH_SCORE if source.metadata.kind is SourceKind.REGISTRY else self.floor


def _build_index_query(query: Query, floor: float) -> _IndexQuery:
    line = format_address_line(query.address) if query.address is not None else ""
    return _IndexQuery(
        create_business_query(query.name), create_address_query(line) if line else None, query.registration_number, floor
    )


def _find_candidates(
    generation: Generation[LoadRecord], sought: _IndexQuery, source: Source, named: Sequence[IndexHit] | None
) -> Sequence[EntryCandidate]:
    """Candidates from a source's generation, by number, name and address; `named` are those by name if they are known already."""
    if named is not None and not named and sought.is_by_name_alone:
        return ()  # as of nearly every source
    index = generation.index
    floor = sought.worth(source)
    if named is None:
        named = index.search(sought.name, CANDIDATES, floor=floor if sought.address is None else 0.0)
    located = index.search(sought.address, MAX_ADDRESS_HITS) if sought.address is not None else []
    numbered = index.lookup(sought.number)[:MAX_NUMBER_HITS] if sought.number is not None else []
    return [
        EntryCandidate(source, score, create_entry_reader(generation, source, document))
        for document, score in _estimate_scores(numbered, named, located).items()
        if score >= floor
    ]


def _estimate_scores(numbered: Iterable[int], named: Iterable[IndexHit], located: Iterable[IndexHit]) -> dict[int, float]:
    """The rough score of each document found: 1 for its number; else its address makes up for some of what its name lacks."""
    rough: dict[int, float] = {}
    for hit in named:
        rough[hit.document] = max(hit.score, rough.get(hit.document, 0.0))
    for hit in located:
        by_name = rough.get(hit.document, 0.0)
        rough[hit.document] = by_name + (1 - by_name) * hit.score * ADDRESS_SHARE
    return {**rough, **dict.fromkeys(numbered, 1.0)}


def create_entry_reader(generation: Generation[LoadRecord], source: Source, document: int) -> Callable[[], AnyEntry]:
    """A function that reads one entry; it holds on to the generation, so that a swap in between changes nothing."""
    return lambda: ENTRY_TYPES[source.metadata.kind].model_validate_json(generation.index.payload(document))
