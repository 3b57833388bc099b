"""Combined indexes of the names of many sources, so that a search queries one index.

A combined index is built from the generations of its sources and records which ones. A source that has changed since is queried
separately until the combined index is rebuilt: it makes searches faster and never changes their results. Its hits are document
numbers of the sources' own indexes, where entries are read.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from bonafide.errors import RefreshRefused, SegmentCorrupt
from bonafide.index import FacetFilter, Facets, Generation, GenerationStore, IndexDocument, IndexHit, IndexQuery
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import ENTRY_TYPES
from bonafide.model.loading import GROUPS, OTHERS, REGISTERS, CombinedIndexRecord, LoadRecord
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.indexing.distribution import build_exclusively
from bonafide.services.indexing.index_documents import is_active
from bonafide.sources.framework.discovery import Source

HITS = {REGISTERS: 100, OTHERS: 200}
"""The maximum number of hits of a group. If further ones may reach the minimum, each source is searched separately."""
CurrentGenerations = Mapping[str, Generation[LoadRecord]]
"""The generation in use of each source, by its key."""
_log = get_logger(__name__)


# ------------------------------------------------------------------------------------------------------------ searching


def get_current_generations(runtime: Runtime, world: World, sources: Iterable[Source]) -> dict[str, Generation[LoadRecord]]:
    """The generations in use of those sources that have one. A generation that can't be read is left out: its lookup fails."""
    found = {}
    for source in sources:
        with suppress(Exception):
            generation = runtime.generations[world].current(source.key)
            if generation is not None:
                found[source.key] = generation
    return found


async def open_indexes(runtime: Runtime, world: World, sources: Sequence[Source]) -> None:
    """Open the indexes of these sources, and the combined ones, as far as this process has not opened them yet.

    Opening reads and verifies files, so it runs in a thread of its own. An index that can't be opened is left to its lookup.
    """
    generations, combined = runtime.generations[world], runtime.combined_indexes.get(world)
    unopened = [source for source in sources if generations.is_unopened(source.key)]
    if unopened:
        await asyncio.to_thread(get_current_generations, runtime, world, unopened)
    if combined is not None and any(combined.is_unopened(group) for group in GROUPS):
        await asyncio.to_thread(_open_combined_indexes, combined)


def _open_combined_indexes(store: GenerationStore[CombinedIndexRecord]) -> None:
    for group in GROUPS:
        get_usable_index(store, group)


def search_combined_indexes(
    store: GenerationStore[CombinedIndexRecord] | None,
    query: IndexQuery,
    minimum: Mapping[str, float],
    sources: Iterable[Source],
    current: CurrentGenerations,
    *,
    name_only: bool = True,
) -> dict[str, list[IndexHit]]:
    """The hits by name in each source that a combined index covers; the others must be searched separately.

    `minimum` is the lowest score of a hit that is read, by group; with other evidence than the name (`name_only` is false) hits
    below it are returned too. Documents are numbered as in the sources' own generations. Hits in registers are the best of all
    registers together; in the others no hit of at least the minimum is missing.
    """
    found: dict[str, list[IndexHit]] = {}
    for group, kinds in GROUPS.items():
        keys = [source.key for source in sources if source.metadata.kind in kinds and source.key in current]
        combined = get_usable_index(store, group)
        if combined is None:
            continue
        known = [key for key in keys if combined.manifest.generations.get(key) == compute_generation_identity(current[key])]
        if len(known) < 2:  # noqa: PLR2004 - a single source is searched separately
            continue
        limit, floor = HITS[group], minimum[group]
        hits = combined.index.search(query, limit, FacetFilter(kinds=frozenset(known)), floor if name_only else 0.0)
        if len(hits) < limit or hits[-1].score < floor or group == REGISTERS:
            found |= _group_hits_by_source(combined, hits, known)
    return found


def get_usable_index(store: GenerationStore[CombinedIndexRecord] | None, group: str) -> Generation[CombinedIndexRecord] | None:
    """The combined index of a group; None if there is none or if it is damaged."""
    try:
        return store.current(group) if store is not None else None
    except SegmentCorrupt:
        return None  # logged where it was found


def _group_hits_by_source(
    combined: Generation[CombinedIndexRecord], hits: Iterable[IndexHit], known: Iterable[str]
) -> dict[str, list[IndexHit]]:
    found: dict[str, list[IndexHit]] = {key: [] for key in known}
    for hit in hits:
        key, document = read_source_document(combined, hit)
        found[key].append(IndexHit(document, hit.score, hit.active))
    return found


def read_source_document(combined: Generation[CombinedIndexRecord], hit: IndexHit) -> tuple[str, int]:
    """The key of the source of a hit, and the number of the document in that source's own index."""
    key, _, document = combined.index.payload(hit.document).decode().rpartition(" ")
    return key, int(document)


def compute_generation_identity(generation: Generation[Any]) -> str:
    """The identity of a generation, which is the same on all machines regardless of the numbers of segments."""
    return " ".join(f"{part.header:x}:{part.dead_crc32:x}" for part in generation.parts)


# ------------------------------------------------------------------------------------------------------------ building


def find_outdated_indexes(runtime: Runtime, world: World) -> dict[str, dict[str, str]]:
    """The generations of each combined index to rebuild, by group. A single source needs none."""
    expected = {
        group: _compute_identities(get_current_generations(runtime, world, _list_members(runtime, group))) for group in GROUPS
    }
    store = runtime.combined_indexes.get(world)
    made = {group: joint.manifest.generations for group in GROUPS if (joint := get_usable_index(store, group)) is not None}
    return {group: theirs for group, theirs in expected.items() if len(theirs) > 1 and theirs != made.get(group)}


async def update_combined_indexes(runtime: Runtime, world: World) -> None:
    """Rebuild outdated combined indexes, and publish them if machines share an index. Raises `ServerBusy`, `OSError`."""
    for group in await asyncio.to_thread(find_outdated_indexes, runtime, world):
        try:
            async with build_exclusively(runtime, world, group):
                # Another machine may have been first.
                if group in await asyncio.to_thread(find_outdated_indexes, runtime, world):
                    await asyncio.to_thread(build_combined_index, runtime, world, group)
        except RefreshRefused as error:
            # Another process builds it, or died while building it; searches work without it.
            _log.warning("combined_index.not_built", group=group, problem=error.message)


def build_combined_index(runtime: Runtime, world: World, group: str) -> None:
    """Rebuild one. Blocks for a minute or two per million names. Raises `RefreshRefused`, and `OSError` for a full disk."""
    current = get_current_generations(runtime, world, _list_members(runtime, group))
    draft = runtime.combined_indexes[world].begin(group)
    try:
        draft.write(lambda: _read_documents(runtime, current))
        draft.commit(
            CombinedIndexRecord(made_at=runtime.clock(), generations=_compute_identities(current)).model_dump(
                mode="json", by_alias=True
            )
        )
    finally:
        draft.discard()


def _list_members(runtime: Runtime, group: str) -> list[Source]:
    return [source for source in runtime.sources.values() if source.metadata.kind in GROUPS[group]]


def _compute_identities(current: CurrentGenerations) -> dict[str, str]:
    return {key: compute_generation_identity(generation) for key, generation in current.items()}


def _read_documents(runtime: Runtime, current: CurrentGenerations) -> Iterator[IndexDocument]:
    for key, generation in current.items():
        read = ENTRY_TYPES[runtime.sources[key].metadata.kind].model_validate_json
        facets = Facets(kind=key)
        for document in generation.index.documents():
            entry = read(generation.index.payload(document))
            names = tuple(entry.list_search_names())
            place = f"{key} {document}"
            yield IndexDocument(key=place, payload=place.encode(), names=names, active=is_active(entry), facets=facets)
