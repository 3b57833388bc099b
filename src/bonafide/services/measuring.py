"""Brings up to date what is measured only when somebody collects it: the sources in use, the queue, the pools, the build.

It neither waits for a database that is away nor opens an index for it: what this process does not read, it does not tell of.
"""

import asyncio
from datetime import timedelta

from bonafide import __version__
from bonafide.errors import ServerBusy
from bonafide.observability.gauges import IndexState
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.kept_imports import FORGET_JOB
from bonafide.services.load_attempts import last_attempt
from bonafide.services.refresh import current_load
from bonafide.services.search import SEARCH_JOB
from bonafide.services.verification import VERIFY_JOB
from bonafide.sources.framework.discovery import Source
from bonafide.store.work import jobs
from bonafide.store.database.schema_migration import fetch_revision
from bonafide.store.database.tables import JobState

KINDS = (SEARCH_JOB, VERIFY_JOB, FORGET_JOB)
OTHER = "other"
"""A kind of job of another version, which may put jobs into the same database."""
DEAD_LATELY = timedelta(minutes=15)
DATABASE_TIMEOUT_S = 2
_LIVE = (JobState.QUEUED, JobState.RUNNING)


async def measure(runtime: Runtime) -> None:
    """Look at everything that is only looked at."""
    gauges = runtime.metrics.gauges
    for pool, (in_use, size) in runtime.store.pools().items():
        gauges.set_pool(pool, in_use, size)
    gauges.set_spans_dropped(runtime.tracer.dropped)
    await asyncio.to_thread(_measure_sources, runtime)
    try:
        async with asyncio.timeout(DATABASE_TIMEOUT_S):
            await _measure_database(runtime)
    except (TimeoutError, ServerBusy):
        gauges.set_database_unavailable()


async def _measure_database(runtime: Runtime) -> None:
    now = runtime.clock()
    async with runtime.store.read() as connection:
        schema = await fetch_revision(connection)
        queue = await jobs.get_queue_status(connection, now, now - DEAD_LATELY)
    counts = {(kind, state.value): 0 for kind in (*KINDS, OTHER) for state in _LIVE}
    for (kind, state), count in queue.counts.items():
        counts[kind if kind in KINDS else OTHER, state.value] += count
    waiting_s = (now - queue.due_since).total_seconds() if queue.due_since is not None else 0.0
    runtime.metrics.gauges.set_queue(counts, waiting_s, queue.dead)
    runtime.metrics.gauges.set_build(__version__, schema if schema is not None else "none")


def _measure_sources(runtime: Runtime) -> None:
    for world in World:
        for source in runtime.sources.values():
            _measure_source(runtime, world, source)


def _measure_source(runtime: Runtime, world: World, source: Source) -> None:
    """Age and failures of a source that was ever loaded, and the size of the index that this process reads of it."""
    attempt = last_attempt(runtime, world, source)
    load = current_load(runtime, world, source) if runtime.generations[world].is_open(source.key) else None
    if load is not None:
        generation = runtime.generations[world].current(source.key)
        assert generation is not None  # noqa: S101 - the load is its manifest
        size = sum(live.segment.size for live in generation.index.segments)
        is_stale = load.is_stale(source.metadata.max_age_days, runtime.clock().date())
        state = IndexState(int(generation.id), load.entries, len(generation.index.segments), size, is_stale)
        runtime.metrics.gauges.set_index(world, source.key, state)
    if attempt is not None or load is not None:
        age_s = (runtime.clock() - load.retrieved_at).total_seconds() if load is not None else None
        runtime.metrics.set_source(world, source.key, age_s, attempt.failures if attempt is not None else 0)
