"""Query every source within its deadline and collect the results: local indexes first, then live sources.

A lookup never raises: a failure of a source becomes the error of its result. Nothing is scored here.
"""

import asyncio
from collections.abc import Iterable, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from uuid import UUID

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.concurrency.work_limiter import wait_outside
from bonafide.errors import InvalidInput, SourceUnavailable
from bonafide.i18n.message import Message
from bonafide.matching.entries.query import Query
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import AnyEntry, SourceKind
from bonafide.model.loading import LiveOrigin
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.indexing.combined_index import open_indexes
from bonafide.services.lookup import live_cache
from bonafide.services.lookup.index_lookup import MIN_ROUGH_SCORE, IndexLookup
from bonafide.services.lookup.live_cache import CachedResponse
from bonafide.services.lookup.live_query import LiveQueryFailed, build_timeout_error, find_live_query_blocker, query_live_source
from bonafide.services.lookup.source_result import (
    EntryCandidate,
    OnProgress,
    SourceResult,
    add_manual_lookup,
    build_failed_result,
    compute_elapsed_ms,
    ignore_progress,
    record_metrics,
)
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import LiveQuery
from bonafide.sources.framework.simulated_failures import SimulatedFailure


@dataclass(frozen=True, slots=True)
class LookupOptions:
    """How sources are queried.

    Entries of regulators and listings are read from `minimum_rough_score`. Recent live responses to the organization are reused;
    without an organization each live source is queried. A source without a result by the `deadline` has failed.
    """

    minimum_rough_score: float = MIN_ROUGH_SCORE
    organization_id: UUID | None = None
    deadline: Deadline = NO_DEADLINE


NO_CACHE = LookupOptions()
ATTEMPTS = 3
"""How often a search sends a request that a live source refuses because of its rate limit."""


async def query_sources(
    runtime: Runtime,
    world: World,
    query: Query,
    sources: Sequence[Source],
    on_progress: OnProgress = ignore_progress,
    options: LookupOptions = NO_CACHE,
) -> list[SourceResult]:
    """Query every source, in the order given: its index if it has one, otherwise live if that is possible. Never raises.

    Indexes are searched one after another in one thread: each takes some tenths of a millisecond, less than handing it to another
    thread. All of them together have the timeout of a lookup, each live source has its own. Opening indexes that this process has
    not read yet counts only towards the search's deadline.
    """
    results: dict[str, SourceResult] = {}
    reported: set[str] = set()

    def report(found: Iterable[SourceResult]) -> None:
        for result in found:
            if result.source.key not in reported:
                reported.add(result.source.key)
                on_progress(result)

    limit_s = options.deadline.remaining_s
    with suppress(TimeoutError):
        async with options.deadline.timeout():
            await open_indexes(runtime, world, sources)
        limit_s = options.deadline.within(runtime.settings.lookup_timeout_s)
        async with asyncio.timeout(limit_s):
            failure = runtime.failure_simulator.find_search_failure(query.normal_name) if world is World.SANDBOX else None
            failing = [source for source in sources if failure is not None and source.metadata.kind is SourceKind.REGISTRY]
            lookup = IndexLookup(runtime, world, query, options.minimum_rough_score)
            await run_cpu_bound(lookup.search, [source for source in sources if source not in failing], results)
            report([result for result in results.values() if result.is_conclusive])
            await _simulate_failure(failure, failing, results)
    for source in [result.source for result in list(results.values()) if not result.is_conclusive]:
        reason = find_lookup_blocker(runtime, world, source)
        if reason is not None:
            results[source.key] = replace(results[source.key], note=reason)
            report([results[source.key]])

    async def query_live(source: Source) -> None:
        with span("lookup", {"bonafide.source": source.key}) as noted:
            results[source.key] = result = await _query_live_source(runtime, world, query, source, options)
            noted.set("bonafide.outcome", result.outcome)
        report([result])

    pending = [result.source for result in list(results.values()) if not result.is_conclusive and result.note is None]
    await asyncio.gather(*map(query_live, pending))
    complete = [results.get(source.key) or _build_timeout(source, limit_s) for source in sources]
    report(complete)
    record_metrics(runtime, complete)
    return complete


async def _simulate_failure(
    failure: SimulatedFailure | None, sources: Iterable[Source], results: MutableMapping[str, SourceResult]
) -> None:
    """Simulate the failure of sandbox registers for the two names that request it."""
    if failure is SimulatedFailure.TIMEOUT:
        with wait_outside():
            await asyncio.Event().wait()
    if failure is SimulatedFailure.OUTAGE:
        for source in sources:
            error = SourceUnavailable(Message("{source} is out of service for this name.", source=source.metadata.title))
            results[source.key] = build_failed_result(source, error, 0)


def find_lookup_blocker(runtime: Runtime, world: World, source: Source) -> Message | None:
    """Why a source without an index can't be searched, with the page for a manual search; None if it can be queried live."""
    metadata = source.metadata
    reason = find_live_query_blocker(runtime, world, source) if source.live is not None else metadata.access_note
    if reason is None and (source.live is None or source.live.find is None):
        reason = Message("No data is loaded.")
    return add_manual_lookup(reason, metadata.page) if reason is not None else None


async def _query_live_source(runtime: Runtime, world: World, query: Query, source: Source, options: LookupOptions) -> SourceResult:
    """Query one live source by name and number, or reuse its recent response to the organization, with the date of that."""
    started = perf_counter()
    live_query = LiveQuery(query.name, query.registration_number)
    cache_key = live_cache.build_cache_key(runtime, world, options.organization_id, source, live_query)
    response = await live_cache.get_response(runtime, cache_key) if cache_key is not None else None
    if response is None:
        find = source.live.find if source.live is not None else None
        assert find is not None  # noqa: S101 - `find_lookup_blocker` has excluded the other case
        try:
            live = await query_live_source(
                runtime, world, source, lambda context: find(live_query, context), options.deadline, ATTEMPTS
            )
        except LiveQueryFailed as failure:
            if isinstance(failure.error, InvalidInput):
                # Not a failure: the source does not support this name or number, so it was not searched.
                note = add_manual_lookup(failure.error.message, source.metadata.page)
                return SourceResult(source, None, (), None, compute_elapsed_ms(started), note)
            return build_failed_result(source, failure.error, compute_elapsed_ms(started))
        response = CachedResponse(live.value, live.responded_at)
        if cache_key is not None:
            await live_cache.put_response(runtime, cache_key, response)
    origin = LiveOrigin(response.responded_at)
    candidates = [EntryCandidate(source, origin, 1.0, partial(_return_entry, entry)) for entry in response.entries]
    return SourceResult(source, origin, candidates, None, compute_elapsed_ms(started))


def _return_entry(entry: AnyEntry) -> AnyEntry:
    return entry


def _build_timeout(source: Source, limit_s: float) -> SourceResult:
    return build_failed_result(source, build_timeout_error(source, limit_s), round(limit_s * 1000))
