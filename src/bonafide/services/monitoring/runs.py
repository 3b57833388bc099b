"""Runs: evaluate all monitored records of a world against new loads of sources, at a cost that follows the changes.

A run begins when a source has a load that the last run of the source did not have. Its chunks select the records that the changed
entries concern; only those are evaluated. A run is finished when all of them are. Everything is in the database, so any worker
continues a run where another one stopped.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID, uuid4

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import BonafideError
from bonafide.index import Generation
from bonafide.index.generations.entry_changes import find_entry_changes, pack_hashes
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.model.loading import LoadRecord
from bonafide.model.monitoring.evaluations import WatchedParties
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.monitoring.changed_entries import select_by_licences, select_by_registrations
from bonafide.services.monitoring.changed_parties import ChangedParties, ListState
from bonafide.services.records.watching import enqueue_evaluation
from bonafide.services.screening.standalone import get_official_lists
from bonafide.sources.framework.discovery import Source
from bonafide.store.database.engine import Connection
from bonafide.store.monitoring import monitored_records, runs, targets
from bonafide.store.monitoring.runs import MonitoringChunk, MonitoringRun
from bonafide.store.tenants import audit_log

_COMPARED_BY_ENTRY = frozenset({SourceKind.REGISTRY, SourceKind.REGULATOR})
MATCH_JOB = "monitoring.match"
"""Selects the records of chunks. The key is the share of the chunks of the organization."""
CHUNK_SIZE = 5000
"""Records of a chunk."""
BATCH_SIZE = 20
"""Records that are matched at a time in the CPU thread, so that others don't wait long."""
WAIT = timedelta(seconds=10)
"""Before a chunk is tried again on a machine that does not have the run's load yet."""
_log = get_logger(__name__)


class _RunExists(Exception):
    """Another process has begun the run."""


@dataclass(frozen=True, slots=True)
class _NewLoad:
    """A load of a source, and the last run of the source; None before the first one."""

    source: str
    generation: Generation[LoadRecord]
    previous: MonitoringRun | None

    @property
    def number(self) -> int:
        """The number of the next run of the source."""
        return self.previous.number + 1 if self.previous is not None else 1


async def start_runs(runtime: Runtime, world: World) -> UUID | None:
    """Begin a run for the lists of a world that have a new load; None if there is none, or no monitored record."""
    async with runtime.store.read() as connection:
        if not await runs.is_any_monitored(connection, world):
            return None
        latest = await runs.list_latest(connection, world)
    new = await asyncio.to_thread(_find_new_loads, runtime, world, latest)
    return await _start_run(runtime, world, new) if new else None


def _find_new_loads(runtime: Runtime, world: World, latest: dict[str, MonitoringRun]) -> list[_NewLoad]:
    found = []
    for source in list_monitored_sources(runtime):
        generation = open_generation(runtime, world, source.key)
        previous = latest.get(source.key)
        if generation is not None and (previous is None or generation.manifest.loaded_at > previous.loaded_at):
            found.append(_NewLoad(source.key, generation, previous))
    return found


def list_monitored_sources(runtime: Runtime) -> list[Source]:
    """The sources that records are evaluated against when they are loaded: official lists, registers and regulators."""
    others = (source for source in runtime.sources.values() if source.metadata.kind in _COMPARED_BY_ENTRY)
    return [*get_official_lists(runtime), *others]


def open_generation(runtime: Runtime, world: World, source: str) -> Generation[LoadRecord] | None:
    """The load of a source in use on this machine; None if there is none or if it can't be read."""
    try:
        return runtime.generations[world].current(source)
    except BonafideError as error:
        _log.warning("monitoring.source_unreadable", source=source, world=world, problem=error.message)
        return None


async def _start_run(runtime: Runtime, world: World, new: Sequence[_NewLoad]) -> UUID | None:
    run_id = uuid4()
    async with runtime.store.read() as connection:
        earlier = [await runs.get_hashes(connection, world, one.source, one.number - 1) for one in new]
        is_any_gap = await monitored_records.is_any_gap(connection, [one.source for one in new])
    # Before the transaction, which must be short.
    counted = await asyncio.to_thread(list, map(_count_changes, new, earlier))
    changes = sum(found.changes for found in counted)
    chunks: list[MonitoringChunk] = []
    is_matched = changes > 0 or is_any_gap
    if is_matched:
        async with runtime.store.read(at_length=True) as connection:
            chunks = await runs.plan_chunks(connection, world, run_id, CHUNK_SIZE)
    try:
        async with runtime.store.write() as connection:
            now = runtime.clock()
            for one, found in zip(new, counted, strict=True):
                await _add_run(connection, world, _build_run(one, run_id, found.changes, now), found.hashes)
                # The run before this one may not be finished, and compares with the run before it.
                await runs.forget_hashes(connection, world, one.source, one.number - 2)
            if is_matched:
                planned = {chunk.organization_id for chunk in chunks}
                began = [one for one in await monitored_records.list_organizations(connection, world) if one not in planned]
                await runs.add_chunks(connection, [*chunks, *(MonitoringChunk(one, run_id, 0, None, None) for one in began)])
    except _RunExists:
        return None
    _log.info("monitoring.run_started", world=world, run_id=str(run_id), sources=[one.source for one in new], changes=changes)
    return run_id


class _CountedChanges(NamedTuple):
    """The number of changed entries of a load, and the hashes of all; None for a register, whose rows have hashes of their own."""

    changes: int
    hashes: bytes | None


def _count_changes(new: _NewLoad, earlier: bytes | None) -> _CountedChanges:
    load = new.generation.manifest
    if load.kind is SourceKind.REGISTRY:
        # A load may have been skipped, and the counts of this one lack its changes.
        return _CountedChanges(max(load.stored.added + load.stored.changed + load.stored.removed, 1), None)
    hashes = new.generation.index.document_hashes()
    return _CountedChanges(len(find_entry_changes(earlier, hashes)), pack_hashes(hashes))


async def _add_run(connection: Connection, world: World, run: MonitoringRun, hashes: bytes | None) -> None:
    if not await runs.add(connection, world, run, hashes):
        raise _RunExists


def _build_run(new: _NewLoad, run_id: UUID, changes: int, now: datetime) -> MonitoringRun:
    load = new.generation.manifest
    return MonitoringRun(
        source=new.source,
        number=new.number,
        id=run_id,
        generation=load.generation_id,
        loaded_at=load.loaded_at,
        retrieved_at=load.retrieved_at,
        as_of=load.as_of,
        started_at=now,
        finished_at=None,
        changes=changes,
    )


async def finish_runs(runtime: Runtime, world: World) -> int:
    """Finish the runs of a world of which nothing is left; returns how many."""
    async with runtime.store.read() as connection:
        unfinished = await runs.list_unfinished(connection, world)
    finished = 0
    for run_id in unfinished:
        async with runtime.store.write() as connection:
            finished += await runs.finish(connection, run_id, runtime.clock())
    return finished


@dataclass(frozen=True, slots=True)
class ChunkKey:
    """A chunk of an organization: its run and its number."""

    run_id: UUID
    number: int


async def match_chunk(runtime: Runtime, organization_id: UUID, world: World, key: ChunkKey) -> datetime | None:
    """Queue the records of a chunk that the changes of its run concern; returns when to try again if this is not possible yet."""
    async with runtime.store.read() as connection:
        chunk = await runs.get_chunk(connection, organization_id, key.run_id, key.number)
        sources = await runs.list_sources(connection, world, key.run_id)
        earlier = {run.source: await runs.get_hashes(connection, world, run.source, run.number - 1) for run in sources}
    if chunk is None:
        return None
    generations = await asyncio.to_thread(_open_generations, runtime, world, sources)
    if generations is None:
        return runtime.clock() + WAIT
    by_kind = {kind: [one for one in generations if one[1].manifest.kind is kind] for kind in SourceKind}
    lists = tuple((source, ListState(generation, earlier[source])) for source, generation in by_kind[SourceKind.SANCTIONS])
    changed = await asyncio.to_thread(_read_changes, lists)
    found = await _select_by_parties(runtime, world, chunk, changed)
    found |= await _select_with_gap(runtime, chunk, [run.source for run in sources])
    found |= await select_by_registrations(runtime, chunk, by_kind[SourceKind.REGISTRY])
    licences = tuple((source, ListState(generation, earlier[source])) for source, generation in by_kind[SourceKind.REGULATOR])
    found |= await select_by_licences(runtime, chunk, licences)
    async with runtime.store.write() as connection:
        # So that no record ceases to be monitored meanwhile.
        await audit_log.lock_head(connection, organization_id)
        if await runs.remove_chunk(connection, chunk):
            now = runtime.clock()
            await targets.queue(connection, organization_id, found, key.run_id, now)
            if found:
                await enqueue_evaluation(connection, organization_id, now)
    return None


def _open_generations(
    runtime: Runtime, world: World, sources: Sequence[MonitoringRun]
) -> list[tuple[str, Generation[LoadRecord]]] | None:
    """The loads of the sources on this machine; None if one is older than the run's. A newer one has its changes too."""
    found = []
    for run in sources:
        generation = open_generation(runtime, world, run.source)
        if generation is None or generation.manifest.loaded_at < run.loaded_at:
            return None
        found.append((run.source, generation))
    return found


@lru_cache(maxsize=1)
def _read_changes(lists: tuple[tuple[str, ListState], ...]) -> ChangedParties:
    """The changes of a run, kept for its next chunk."""
    return ChangedParties(dict(lists))


async def _select_with_gap(runtime: Runtime, chunk: MonitoringChunk, sources: Sequence[str]) -> set[UUID]:
    """The records of a chunk that could not be evaluated against one of the sources."""
    async with runtime.store.read(at_length=True) as connection:
        return set(
            await monitored_records.list_records_with_gap(connection, chunk.organization_id, chunk.after_id, chunk.last_id, sources)
        )


async def _select_by_parties(runtime: Runtime, world: World, chunk: MonitoringChunk, changed: ChangedParties) -> set[UUID]:
    """The records of a chunk that hit a changed entry of a sanctions list, or hit one before."""
    organization_id, after, last = chunk.organization_id, chunk.after_id, chunk.last_id
    async with runtime.store.read(at_length=True) as connection:
        hits = await monitored_records.list_hits(connection, organization_id, after, last, changed.changes.keys())
        listed = await monitored_records.list_parties(connection, organization_id, after, last) if len(changed) else []
    found = {business_id for business_id, source, entry_hash in hits if changed.has_changed(source, entry_hash)}
    threshold = (await read_settings(runtime, organization_id)).search.sanctions_threshold
    rarity = await get_loaded_rarity(runtime, world)

    def match(batch: Sequence[tuple[UUID, str]]) -> list[UUID]:
        return [
            business_id
            for business_id, parties in batch
            if changed.is_hit_by_any(WatchedParties.model_validate_json(parties).parties, threshold, rarity)
        ]

    waiting = [row for row in listed if row[0] not in found]
    for start in range(0, len(waiting), BATCH_SIZE):
        found.update(await run_cpu_bound(match, waiting[start : start + BATCH_SIZE]))
    return found
