"""What is known of each source at this moment: loaded or not, how old, and what went wrong last."""

from contextlib import suppress
from datetime import date

from bonafide.errors import SegmentCorrupt
from bonafide.model.base import Document, Instant
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.load import LoadRecord
from bonafide.model.organization import World
from bonafide.runtime import Runtime
from bonafide.services.refresh import current_load, last_attempt
from bonafide.sources.base import Source, discover
from bonafide.sources.metadata import Access


class SourceState(Document):
    """One row of `bonafide sources`. `state` is loaded, stale, failed, not loaded or not available."""

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
    note: str | None


def known_sources() -> list[Source]:
    """Every source, registers first."""
    return list(discover().values())


def open_all(runtime: Runtime) -> None:
    """Open every generation that is in use, so that no search has to verify one within its deadline. A damaged one is logged."""
    for world in runtime.generations.values():
        for key in runtime.sources:
            with suppress(SegmentCorrupt):
                world.current(key)


def source_state(runtime: Runtime, world: World, source: Source) -> SourceState:
    """The state of one source in one world."""
    load = current_load(runtime, world, source)
    state, note = _state(source, load, _problem(runtime, world, source), runtime.clock().date())
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
        note=note,
    )


def _problem(runtime: Runtime, world: World, source: Source) -> str | None:
    """What keeps a source from being used or renewed: its index can't be read, or the newest try to load it failed."""
    try:
        runtime.generations[world].current(source.key)
    except SegmentCorrupt as error:
        return error.message
    attempt = last_attempt(runtime, world, source)
    return attempt.problem if attempt is not None else None


def _state(source: Source, load: LoadRecord | None, problem: str | None, today: date) -> tuple[str, str | None]:
    if problem is not None:
        return "failed", problem
    if load is None:
        loadable = source.metadata.access is not Access.NONE
        return ("not loaded", f"bonafide sync {source.key}") if loadable else ("not available", source.metadata.access_note)
    stale = load.is_stale(source.metadata.stale_after_days, today)
    return ("stale" if stale else "loaded"), source.metadata.licence.note
