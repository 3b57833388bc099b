"""The current state of each source: loaded or not, how old, and the last problem."""

from datetime import date

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document, Instant
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadRecord
from bonafide.runtime import Runtime
from bonafide.services.indexing.distribution import read_pulled_state
from bonafide.services.loading.load_history import LoadAttempts, find_last_attempt
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.loading.source_terms import find_acceptance_blocker
from bonafide.services.lookup.live_query import find_live_query_blocker
from bonafide.sources.framework.discovery import Source, discover_sources
from bonafide.sources.framework.metadata import AccessMethod


class SourceState(Document):
    """One row of `bonafide sources`. `state` is loaded, stale, failed, live, not loaded or not available."""

    source: str
    kind: SourceKind
    jurisdiction: Jurisdiction | None
    title: str
    publisher: str
    licence: str
    state: str
    entries: int | None
    rejected: int | None
    as_of: date | None
    retrieved_at: Instant | None
    published: int | None
    """The number of the publication that is in use here; null if each machine has its own index."""
    note: Message | None


def list_known_sources() -> list[Source]:
    """Every source, registers first."""
    return list(discover_sources().values())


def read_source_state(runtime: Runtime, world: World, source: Source, attempts: LoadAttempts) -> SourceState:
    """Return the state of one source in one world."""
    load = get_current_load(runtime, world, source)
    problem = find_source_problem(runtime, world, source, attempts)
    if load is None and problem is None:
        state, note = _describe_unloaded(runtime, world, source)
    else:
        state, note = _describe_loaded(source, load, problem, runtime.clock().date())
    return SourceState(
        source=source.key,
        kind=source.metadata.kind,
        jurisdiction=source.metadata.jurisdiction,
        title=source.metadata.title,
        publisher=source.metadata.publisher.name,
        licence=source.metadata.licence.name,
        state=state,
        entries=load.entries if load is not None else None,
        rejected=load.rejected if load is not None else None,
        as_of=load.as_of if load is not None else None,
        retrieved_at=load.retrieved_at if load is not None else None,
        published=read_pulled_state(runtime, world, source.key).sequence if runtime.index_sync is not None else None,
        note=note,
    )


def find_source_problem(runtime: Runtime, world: World, source: Source, attempts: LoadAttempts) -> Message | None:
    """Return what prevents a source from being used or renewed: its index can't be read, or the last attempt to load it failed."""
    try:
        generation = runtime.generations[world].current(source.key)
    except SegmentCorrupt as error:
        return error.message
    load = generation.manifest if generation is not None else None
    attempt = find_last_attempt(runtime, source.key, attempts, load)
    return attempt.problem if attempt is not None else None


def _describe_unloaded(runtime: Runtime, world: World, source: Source) -> tuple[str, Message | None]:
    """The state of a source without loaded data: it can be queried live, loaded, or neither."""
    refusal = find_live_query_blocker(runtime, world, source)
    if refusal is None:
        return "live", source.metadata.licence.note
    unaccepted = find_acceptance_blocker(runtime, source.key, source.metadata.acceptance)
    if source.metadata.access in {AccessMethod.BULK, AccessMethod.IMPORT}:
        return "not loaded", unaccepted if unaccepted is not None else Message("Run `bonafide sync {source}`.", source=source.key)
    return "not available", refusal if source.live is not None else source.metadata.access_note


def _describe_loaded(source: Source, load: LoadRecord | None, problem: Message | None, today: date) -> tuple[str, Message | None]:
    if problem is not None or load is None:
        return "failed", problem
    stale = load.is_stale(source.metadata.max_age_days, today)
    return ("stale" if stale else "loaded"), source.metadata.licence.note
