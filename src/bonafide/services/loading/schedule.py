"""Compute when each source is due for renewal: its cadence with jitter, and a growing delay after failures.

It is computed from the runs in the database and the loads in use, so that all workers compute the same.
"""

import asyncio
import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadAttempt
from bonafide.runtime import Runtime
from bonafide.services.indexing.distribution import build_exclusively
from bonafide.services.loading.load_history import LoadAttempts, find_last_attempt, read_load_attempts
from bonafide.services.loading.refresh import LoadRequest, get_current_load, load_source
from bonafide.services.loading.source_terms import find_acceptance_blocker
from bonafide.settings import RenewalMode
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import AccessMethod, Cadence

INTERVALS = {
    Cadence.DAILY: timedelta(days=1),
    Cadence.WEEKLY: timedelta(days=7),
    Cadence.MONTHLY: timedelta(days=30),
    Cadence.YEARLY: timedelta(days=30),
    Cadence.IRREGULAR: timedelta(days=1),
}
"""How often a source is checked. The day of yearly data is unknown; irregular data is requested conditionally each day."""
JITTER = 0.1
"""The share of the interval by which renewals vary, so that sources that were loaded together are not always renewed together."""
FIRST_RETRY = timedelta(minutes=15)
MAX_RETRY = timedelta(days=1)
MAX_DOUBLINGS = 7
"""After this many doublings the delay exceeds the maximum."""


async def find_due_sources(runtime: Runtime, world: World) -> list[Source]:
    """Return the sources to renew now, the longest overdue first, one for each publisher. Raises `ServerBusy`."""
    attempts = await read_load_attempts(runtime, world)
    renewals = await asyncio.to_thread(lambda: list(_list_renewals(runtime, world, attempts)))
    now = runtime.clock()
    due = sorted((moment, source.key, source) for source, moment in renewals if moment <= now)
    first: dict[str, Source] = {}
    for _, _, source in due:
        first.setdefault(get_publisher_host(source), source)
    return list(first.values())


async def renew_source(runtime: Runtime, world: World, source: Source) -> bool:
    """Load a source; False if another machine has just loaded it or tried to. Raises `ServerBusy`, and as `load_source` does."""
    async with build_exclusively(runtime, world, source.key):
        attempts = await read_load_attempts(runtime, world)
        moment = await asyncio.to_thread(compute_next_renewal, runtime, world, source, attempts)
        if moment is None or moment > runtime.clock():
            return False
        await load_source(runtime, runtime.fetchers[world], LoadRequest(source, world))
    return True


def compute_next_renewal(runtime: Runtime, world: World, source: Source, attempts: LoadAttempts) -> datetime | None:
    """Return when to renew a source; None if it can't be downloaded, or was never loaded and does not have to be."""
    interval = INTERVALS.get(source.metadata.cadence)
    if interval is None or source.metadata.access is not AccessMethod.BULK or source.fetch is None:
        return None
    if world is World.LIVE and find_acceptance_blocker(runtime, source.key, source.metadata.acceptance) is not None:
        return None
    load = get_current_load(runtime, world, source)
    attempt = find_last_attempt(runtime, source.key, attempts, load)
    if attempt is None:
        # A source that was never loaded is loaded only if the settings say to load all.
        return runtime.clock() if runtime.settings.renew is RenewalMode.ALL else None
    if attempt.problem is not None:
        return attempt.attempted_at + _compute_retry_delay(attempt)
    if load is None:
        return attempt.attempted_at
    return attempt.attempted_at + interval * (1 + JITTER * _compute_jitter(source, attempt))


def get_publisher_host(source: Source) -> str:
    """The host of a source's files: sources of one host are never downloaded concurrently."""
    resources = source.metadata.resources
    return urlsplit(resources[0].url if resources else source.metadata.publisher.url).hostname or source.key


def _list_renewals(runtime: Runtime, world: World, attempts: LoadAttempts) -> Iterator[tuple[Source, datetime]]:
    for source in runtime.sources.values():
        moment = compute_next_renewal(runtime, world, source, attempts)
        if moment is not None:
            yield source, moment


def _compute_retry_delay(attempt: LoadAttempt) -> timedelta:
    """The delay doubles with each failure, up to a day."""
    doublings = min(max(attempt.failures, 1) - 1, MAX_DOUBLINGS)
    wait: timedelta = FIRST_RETRY * 2**doublings
    return min(wait, MAX_RETRY)


def _compute_jitter(source: Source, attempt: LoadAttempt) -> float:
    """A value between -1 and 1 that depends only on the source and the load."""
    seed = f"{source.key} {attempt.attempted_at.isoformat()}".encode()
    return int.from_bytes(hashlib.sha256(seed).digest()[:4], "big") / 2**31 - 1
