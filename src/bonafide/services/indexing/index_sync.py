"""Pull published generations and push pending ones periodically.

Of several processes with one data directory, the first pulls a generation and the others read the new pointer. While the database
or the storage is unavailable, the current indexes stay in use.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

import anyio

from bonafide.errors import BonafideError, NotFound, SegmentCorrupt, ServerBusy
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import GROUPS
from bonafide.observability.log import get_logger
from bonafide.runtime import IndexSyncState, Runtime
from bonafide.services.indexing.disk_space import is_full_disk
from bonafide.services.indexing.distribution import is_ahead, is_behind, pull_generation, push_unpublished, read_pulled_state
from bonafide.services.indexing.naics_transfer import NAICS
from bonafide.store.records import source_rows
from bonafide.store.records.source_rows import PublishedGeneration

START_WITHIN_S = 120.0
"""How long a starting process waits for published generations before it starts with those that it has."""
FIRST_PAUSE_S = 10.0
LONGEST_PAUSE_S = 600.0
"""The longest pause between attempts to pull an unusable generation; each may fetch gigabytes."""
BUSY_PAUSE_S = 0.5
_Key = tuple[World, str]
_log = get_logger(__name__)


@asynccontextmanager
async def sync_index(runtime: Runtime) -> AsyncIterator[None]:
    """Synchronize while the block runs. The block begins when published generations were pulled or the attempt failed."""
    sync = runtime.index_sync
    if sync is None:
        yield
        return
    task = asyncio.create_task(_sync_loop(runtime, sync))
    try:
        with anyio.move_on_after(START_WITHIN_S):
            await sync.settled.wait()
        if not sync.caught_up:
            _log.warning("index_sync.incomplete_at_start", behind=sorted(key for _, key in sync.behind))
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _sync_loop(runtime: Runtime, sync: IndexSyncState) -> None:
    while True:
        try:
            await sync_once(runtime)
        except BonafideError as error:
            _log.warning("index_sync.failed", problem=error.message)
            sync.settled.set()
        except Exception:  # noqa: BLE001 - the current indexes stay in use; the log has the traceback
            _log.exception("index_sync.failed")
            sync.settled.set()
        poll_s = runtime.settings.index_poll_s
        await asyncio.sleep(poll_s if sync.settled.is_set() else min(BUSY_PAUSE_S, poll_s))


async def sync_once(runtime: Runtime) -> None:
    """Pull all new generations, then push pending ones. Raises `ServerBusy` if the database is unavailable."""
    sync = runtime.index_sync
    if sync is None:
        return
    async with runtime.store.read() as connection:
        rows = await source_rows.list_published(connection)
    behind = {key: row for key, row in rows.items() if _is_known(runtime, key) and is_behind(runtime, *key, row)}
    sync.behind = frozenset(behind)
    is_settled = await _pull_all(runtime, sync, behind)
    sync.caught_up = sync.caught_up or not sync.behind
    if is_settled:
        sync.settled.set()
    _update_gauges(runtime, rows)
    for key in _list_own_keys(runtime):
        if is_ahead(runtime, *key, rows.get(key)):
            await push_unpublished(runtime, *key)


async def pull_published(runtime: Runtime) -> None:
    """Pull all new generations, and wait for those that another process of this machine is pulling.

    Without a shared index, nothing happens. A generation that can't be pulled is logged, and the one in use stays in use. Raises
    `ServerBusy` if the database is unavailable.
    """
    sync = runtime.index_sync
    while sync is not None:
        await sync_once(runtime)
        if sync.settled.is_set():
            return
        await asyncio.sleep(BUSY_PAUSE_S)


async def _pull_all(runtime: Runtime, sync: IndexSyncState, behind: dict[_Key, PublishedGeneration]) -> bool:
    """Pull what can be pulled. False if another process of this machine is pulling a generation."""
    is_settled = True
    for key, row in behind.items():
        if _is_backed_off(sync, key, row):
            continue
        try:
            is_pulled = await pull_generation(runtime, *key, row)
        except ServerBusy as error:
            # The other generations are unavailable too.
            _log.warning("generation.not_pulled", source=key[1], world=key[0], problem=error.message)
            runtime.metrics.count_index_fetch_failure(*key)
            return True
        except (NotFound, SegmentCorrupt, OSError) as error:
            _log.error("generation.not_pulled", source=key[1], world=key[0], problem=str(error))
            runtime.metrics.count_index_fetch_failure(*key)
            if not is_full_disk(error):  # retried at the next poll, when there may be space
                _back_off(sync, key, row)
            continue
        if is_pulled:
            sync.behind -= {key}
            sync.refused.pop(key, None)
        is_settled = is_settled and is_pulled
    return is_settled


def _is_backed_off(sync: IndexSyncState, key: _Key, row: PublishedGeneration) -> bool:
    description, until, _ = sync.refused.get(key, ("", 0.0, 0.0))
    return description == row.description and monotonic() < until


def _back_off(sync: IndexSyncState, key: _Key, row: PublishedGeneration) -> None:
    """Pause the generation, twice as long after each failure."""
    description, _, pause = sync.refused.get(key, ("", 0.0, FIRST_PAUSE_S))
    pause = pause if description == row.description else FIRST_PAUSE_S
    sync.refused[key] = (row.description, monotonic() + pause, min(2 * pause, LONGEST_PAUSE_S))


def _update_gauges(runtime: Runtime, rows: dict[_Key, PublishedGeneration]) -> None:
    for key in rows:
        if _is_known(runtime, key):
            runtime.metrics.set_index_sequence(*key, read_pulled_state(runtime, *key).sequence)


def _is_known(runtime: Runtime, key: _Key) -> bool:
    return key[1] in runtime.sources or key[1] == NAICS or key[1] in GROUPS


def _list_own_keys(runtime: Runtime) -> list[_Key]:
    """The keys of all generations that this machine may have."""
    found = [(world, key) for world in runtime.generations for key in (*runtime.generations[world].keys(), NAICS)]
    return [*found, *((world, key) for world, store in runtime.combined_indexes.items() for key in store.keys())]  # noqa: SIM118 - no mapping
