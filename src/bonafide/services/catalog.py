"""What is known of each source at this moment: loaded or not, how old, and what went wrong last."""

from contextlib import suppress
from datetime import date

from bonafide.errors import SegmentCorrupt
from bonafide.model.base import Document, Instant
from bonafide.model.entry import SourceKind
from bonafide.model.loading.combined_index import GROUPS
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading.loads import LoadRecord
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.asking import why_not_askable
from bonafide.services.index_sharing import taken_of
from bonafide.services.load_attempts import last_attempt
from bonafide.services.refresh import current_load
from bonafide.services.terms import why_not_accepted
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
    """The number of the publication that is in use here; null where each machine has its own index."""
    note: str | None


def known_sources() -> list[Source]:
    """Every source, registers first."""
    return list(discover_sources().values())


def open_all(runtime: Runtime) -> None:
    """Open every generation that is in use, so that no search has to verify one within its deadline. A damaged one is logged."""
    for world in runtime.generations.values():
        for key in runtime.sources:
            with suppress(SegmentCorrupt):
                world.current(key)
    for store in runtime.joints.values():
        for group in GROUPS:
            with suppress(SegmentCorrupt):
                store.current(group)


def source_state(runtime: Runtime, world: World, source: Source) -> SourceState:
    """The state of one source in one world."""
    load = current_load(runtime, world, source)
    problem = problem_of(runtime, world, source)
    if load is None and problem is None:
        state, note = _unloaded(runtime, world, source)
    else:
        state, note = _loaded(source, load, problem, runtime.clock().date())
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
        published=taken_of(runtime, world, source.key).sequence if runtime.index_sync is not None else None,
        note=note,
    )


def problem_of(runtime: Runtime, world: World, source: Source) -> str | None:
    """What keeps a source from being used or renewed: its index can't be read, or the newest try to load it failed."""
    try:
        runtime.generations[world].current(source.key)
    except SegmentCorrupt as error:
        return error.message
    attempt = last_attempt(runtime, world, source)
    return attempt.problem if attempt is not None else None


def _unloaded(runtime: Runtime, world: World, source: Source) -> tuple[str, str | None]:
    """The state of a source of which nothing is loaded: it can be asked, loaded, or neither."""
    refusal = why_not_askable(runtime, world, source)
    if refusal is None:
        return "live", source.metadata.licence.note
    unaccepted = why_not_accepted(runtime, source.key, source.metadata.acceptance)
    if source.metadata.access in {AccessMethod.BULK, AccessMethod.IMPORT}:
        return "not loaded", unaccepted if unaccepted is not None else f"bonafide sync {source.key}"
    return "not available", refusal if source.live is not None else source.metadata.access_note


def _loaded(source: Source, load: LoadRecord | None, problem: str | None, today: date) -> tuple[str, str | None]:
    if problem is not None or load is None:
        return "failed", problem
    stale = load.is_stale(source.metadata.max_age_days, today)
    return ("stale" if stale else "loaded"), source.metadata.licence.note
