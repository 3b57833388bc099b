"""Entries of a test's own making, put in the place of a source's load; and what is known of the loads of a source."""

from collections.abc import Sequence
from datetime import datetime

from bonafide.model.accounts.organizations import World
from bonafide.model.entry import AnyEntry
from bonafide.model.loading import LoadAttempt, LoadRecord, LoadStorage
from bonafide.runtime import Runtime
from bonafide.services.catalog.source_states import SourceState, read_source_state
from bonafide.services.indexing.index_documents import build_index_document
from bonafide.services.loading.load_history import find_last_attempt, read_load_attempts
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.loading.schedule import compute_next_renewal
from bonafide.sources.framework.discovery import Source

NOTHING_STORED = LoadStorage(added=0, changed=0, removed=0, written=0, segments=1)


def put(runtime: Runtime, key: str, entries: Sequence[AnyEntry], world: World = World.LIVE, *, whole: bool = True) -> None:
    """Make these the entries of a source."""
    draft = runtime.generations[world].begin(key)
    draft.write(lambda: map(build_index_document, entries), whole=whole)
    draft.commit(_record(runtime, key, world, len(entries)).model_dump(mode="json", by_alias=True))


def _record(runtime: Runtime, key: str, world: World, count: int) -> LoadRecord:
    return LoadRecord(
        source=key,
        kind=runtime.sources[key].metadata.kind,
        world=world,
        loaded_at=runtime.clock(),
        retrieved_at=runtime.clock(),
        as_of=None,
        files=(),
        rows=count,
        entries=count,
        merged=0,
        rejected=0,
        reasons={},
        rejections=(),
        unknown_terms={},
        notes=(),
        stored=NOTHING_STORED,
    )


async def last_attempt(runtime: Runtime, world: World, source: Source) -> LoadAttempt | None:
    """How the last attempt to load a source ended."""
    attempts = await read_load_attempts(runtime, world)
    return find_last_attempt(runtime, source.key, attempts, get_current_load(runtime, world, source))


async def source_state(runtime: Runtime, world: World, source: Source) -> SourceState:
    """A row of `bonafide sources`."""
    return read_source_state(runtime, world, source, await read_load_attempts(runtime, world))


async def next_renewal(runtime: Runtime, world: World, source: Source) -> datetime | None:
    """When a source is due."""
    return compute_next_renewal(runtime, world, source, await read_load_attempts(runtime, world))
