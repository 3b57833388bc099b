"""One source asked once: which sources a query goes to, how long each may take, and what came of it.

A lookup never raises: a source's failure becomes its `error`, and that is what makes a partial answer honest. Nothing is scored
here; candidates carry only the index's rough order.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

from bonafide.errors import BonafideError, SourceError, SourceTimeout, SourceUnavailable, UnknownSourceFailure
from bonafide.index import Generation
from bonafide.log import get_logger
from bonafide.matching.names import NormalName, normalise
from bonafide.model.entry import ENTRY_TYPES, AnyEntry, SourceKind
from bonafide.model.load import LoadRecord
from bonafide.model.organization import World
from bonafide.model.query import Query
from bonafide.runtime import Runtime
from bonafide.sandbox.faults import Trouble, simulated_trouble
from bonafide.sources.base import Source

CANDIDATES_PER_SOURCE = 50
MAX_NUMBER_HITS = 20
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry found but not yet scored nor even read; `rough` (0 to 1) is the index's own estimate."""

    source: Source
    rough: float
    read: Callable[[], AnyEntry]


@dataclass(frozen=True, slots=True)
class Lookup:
    """What came of asking one source. `load` is None when nothing is loaded; `error` is None when it could be asked."""

    source: Source
    load: LoadRecord | None
    candidates: Sequence[Candidate]
    error: SourceError | None
    elapsed_ms: int


async def look_up_all(runtime: Runtime, world: World, query: Query, sources: Iterable[Source]) -> list[Lookup]:
    """Ask every source at once, each with its own deadline. Never raises."""
    limit = asyncio.Semaphore(runtime.settings.max_concurrent_lookups)
    name = normalise(query.name)

    async def bounded(source: Source) -> Lookup:
        async with limit:
            return await look_up(runtime, world, query, name, source)

    return list(await asyncio.gather(*(bounded(source) for source in sources)))


async def look_up(runtime: Runtime, world: World, query: Query, name: NormalName, source: Source) -> Lookup:
    """Ask one source within its deadline. Never raises."""
    started = perf_counter()
    load: LoadRecord | None = None
    candidates: Sequence[Candidate] = ()
    error: SourceError | None = None
    try:
        async with asyncio.timeout(runtime.settings.lookup_timeout_s):
            if world is World.SANDBOX and source.metadata.kind is SourceKind.REGISTRY:
                await _suffer(simulated_trouble(query.name))
            found = await asyncio.to_thread(_search_index, runtime, world, query, name, source)
        if found is not None:
            load, candidates = found
    except TimeoutError:
        error = SourceTimeout(f"{source.metadata.title} did not answer within {runtime.settings.lookup_timeout_s:g} s")
    except SourceError as known:
        error = known
    except BonafideError as known:
        error = SourceUnavailable(f"{source.metadata.title}: {known.message}")
    except Exception:  # noqa: BLE001 - a lookup never raises; the log has the traceback
        _log.exception("lookup failed", source=source.key)
        error = UnknownSourceFailure(f"{source.metadata.title} could not be looked up because of a fault of this service")
    return Lookup(source, load, candidates, error, round((perf_counter() - started) * 1000))


async def _suffer(trouble: Trouble | None) -> None:
    """What the sandbox's registers do to the two names that simulate a register in trouble."""
    if trouble is Trouble.TIMEOUT:
        await asyncio.Event().wait()
    if trouble is Trouble.OUTAGE:
        raise SourceUnavailable("the sandbox's registers are out of service for this name")


def _search_index(
    runtime: Runtime, world: World, query: Query, name: NormalName, source: Source
) -> tuple[LoadRecord, list[Candidate]] | None:
    """Candidates from a source's current generation, numbers first; None when none is loaded."""
    generation = runtime.generations[world].current(source.key)
    if generation is None:
        return None
    load = LoadRecord.model_validate(generation.manifest)
    rough: dict[int, float] = {}
    if query.registration_number is not None:
        rough.update(dict.fromkeys(generation.segment.lookup(query.registration_number)[:MAX_NUMBER_HITS], 1.0))
    for hit in generation.segment.search(name, CANDIDATES_PER_SOURCE):
        rough.setdefault(hit.document, hit.score)
    return load, [Candidate(source, score, _reader(generation, source, document)) for document, score in rough.items()]


def _reader(generation: Generation, source: Source, document: int) -> Callable[[], AnyEntry]:
    """A function that reads one entry; it holds on to the generation, so that a swap in between changes nothing."""
    return lambda: ENTRY_TYPES[source.metadata.kind].model_validate_json(generation.segment.payload(document))
