"""Update the gauges that are measured when metrics are collected: sources, job queue, pools, build.

It does not wait for an unavailable database and opens no index.
"""

import asyncio
from collections.abc import Mapping
from datetime import timedelta

from bonafide import __version__
from bonafide.errors import ServerBusy
from bonafide.model.accounts.organizations import World
from bonafide.observability.gauges import IndexState
from bonafide.runtime import Runtime
from bonafide.services.lists.bulk_actions import BULK_JOB
from bonafide.services.loading.load_history import LoadAttempts, find_last_attempt, read_load_attempts
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.monitoring.runs import MATCH_JOB
from bonafide.services.packs.requests import PACK_JOB
from bonafide.services.records.pending_imports import FORGET_JOB
from bonafide.services.records.rating_queue import RATING_JOB
from bonafide.services.records.watching import EVALUATION_JOB
from bonafide.services.retention.erasure_jobs import ERASURE_JOB
from bonafide.services.search.execution import SEARCH_JOB
from bonafide.services.verification.lifecycle import VERIFY_JOB
from bonafide.sources.framework.discovery import Source
from bonafide.store.database.schema_migration import fetch_revision
from bonafide.store.database.tables import JobState
from bonafide.store.monitoring import monitored_records, queries
from bonafide.store.work import jobs, mail_outbox, webhook_deliveries

JOB_KINDS = (SEARCH_JOB, VERIFY_JOB, FORGET_JOB, MATCH_JOB, EVALUATION_JOB, BULK_JOB, RATING_JOB, ERASURE_JOB, PACK_JOB)
OTHER_JOB_KIND = "other"
"""The label of kinds of jobs that only another version has."""
RECENTLY_DEAD = timedelta(minutes=15)
DATABASE_TIMEOUT_S = 2
_LIVE = (JobState.QUEUED, JobState.RUNNING)


async def collect_gauges(runtime: Runtime) -> None:
    """Update every measured gauge."""
    gauges = runtime.metrics.gauges
    for pool, (in_use, size) in runtime.store.pools().items():
        gauges.set_pool(pool, in_use, size)
    gauges.set_spans_dropped(runtime.tracer.dropped)
    attempts: dict[World, LoadAttempts] = {}
    try:
        async with asyncio.timeout(DATABASE_TIMEOUT_S):
            await _collect_database_gauges(runtime)
            attempts = {world: await read_load_attempts(runtime, world) for world in World}
    except (TimeoutError, ServerBusy):
        gauges.set_database_unavailable()
    await asyncio.to_thread(_collect_all_source_gauges, runtime, attempts)


async def _collect_database_gauges(runtime: Runtime) -> None:
    now = runtime.clock()
    async with runtime.store.read() as connection:
        schema = await fetch_revision(connection)
        queue = await jobs.get_queue_status(connection, now, now - RECENTLY_DEAD)
        oldest_mail = await mail_outbox.find_oldest_pending(connection)
        deliveries = await webhook_deliveries.get_queue_status(connection)
        never_evaluated = await monitored_records.count_never_evaluated(connection)
        repeated = await queries.count_queue(connection, now)
    counts = {(kind, state.value): 0 for kind in (*JOB_KINDS, OTHER_JOB_KIND) for state in _LIVE}
    for (kind, state), count in queue.counts.items():
        counts[kind if kind in JOB_KINDS else OTHER_JOB_KIND, state.value] += count
    waiting_s = (now - queue.due_since).total_seconds() if queue.due_since is not None else 0.0
    runtime.metrics.gauges.set_queue(counts, waiting_s, queue.dead)
    pending_s = (now - deliveries.pending_since).total_seconds() if deliveries.pending_since is not None else 0.0
    runtime.metrics.gauges.set_webhooks(pending_s, deliveries.disabled_endpoints)
    runtime.metrics.gauges.set_monitoring(never_evaluated, repeated.due, repeated.overdue)
    runtime.metrics.gauges.set_oldest_mail((now - oldest_mail).total_seconds() if oldest_mail is not None else 0.0)
    runtime.metrics.gauges.set_build(__version__, schema if schema is not None else "none")


def _collect_all_source_gauges(runtime: Runtime, attempts: Mapping[World, LoadAttempts]) -> None:
    for world in World:
        for source in runtime.sources.values():
            _collect_source_gauges(runtime, world, source, attempts.get(world))


def _collect_source_gauges(runtime: Runtime, world: World, source: Source, attempts: LoadAttempts | None) -> None:
    """Set age and failures of a source that was ever loaded, and the size of its index if this process has it open.

    While the database is unavailable (`attempts` is None), the number of failures stays as it was last collected.
    """
    load = get_current_load(runtime, world, source) if runtime.generations[world].is_open(source.key) else None
    if load is not None:
        generation = runtime.generations[world].current(source.key)
        assert generation is not None  # noqa: S101 - the load is its manifest
        size = sum(live.segment.size for live in generation.index.segments)
        is_stale = load.is_stale(source.metadata.max_age_days, runtime.clock().date())
        state = IndexState(int(generation.id), load.entries, len(generation.index.segments), size, is_stale)
        runtime.metrics.gauges.set_index(world, source.key, state)
        runtime.metrics.set_source_age(world, source.key, (runtime.clock() - load.retrieved_at).total_seconds())
    if attempts is not None:
        attempt = find_last_attempt(runtime, source.key, attempts, load)
        if attempt is not None:
            runtime.metrics.set_source_failures(world, source.key, attempt.failures)
