"""Keep the indexes of this process in step with those that are published, and publish what is pending.

Of several processes over one data directory whichever is first takes a generation; the others see the pointer move. When the
database or the storage is away it goes on with what it has. It builds nothing.
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
"""So long a process that starts waits for what is published; then it starts with what it has, and goes on fetching."""
FIRST_PAUSE_S = 10.0
LONGEST_PAUSE_S = 600.0
"""Between tries to take what can't be used: each may fetch gigabytes."""
BUSY_PAUSE_S = 0.5
_Key = tuple[World, str]
_log = get_logger(__name__)


@asynccontextmanager
async def sync_index(runtime: Runtime) -> AsyncIterator[None]:
    """Keep up while the block runs, which begins when this process has what is published, or could not get it."""
    sync = runtime.index_sync
    if sync is None:
        yield
        return
    task = asyncio.create_task(_sync_loop(runtime, sync))
    try:
        with anyio.move_on_after(START_WITHIN_S):
            await sync.settled.wait()
        if not sync.caught_up:
            _log.warning("starts without all that is published", behind=sorted(key for _, key in sync.behind))
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _sync_loop(runtime: Runtime, sync: IndexSyncState) -> None:
    while True:
        try:
            await sync_once(runtime)
        except BonafideError as error:
            _log.warning("can't look for new generations", problem=error.message)
            sync.settled.set()
        except Exception:  # noqa: BLE001 - whatever it is, this process goes on with what it has; the log has the traceback
            _log.exception("can't look for new generations")
            sync.settled.set()
        poll_s = runtime.settings.index_poll_s
        await asyncio.sleep(poll_s if sync.settled.is_set() else min(BUSY_PAUSE_S, poll_s))


async def sync_once(runtime: Runtime) -> None:
    """Take all that is new, then publish what this machine owes. Raises `ServerBusy` when the database is away."""
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


async def _pull_all(runtime: Runtime, sync: IndexSyncState, behind: dict[_Key, PublishedGeneration]) -> bool:
    """Take what can be taken. False when another process of this machine is taking some of it."""
    is_settled = True
    for key, row in behind.items():
        if _is_backed_off(sync, key, row):
            continue
        try:
            is_taken = await pull_generation(runtime, *key, row)
        except ServerBusy as error:
            # Nothing else can be had either.
            _log.warning("generation not fetched", source=key[1], world=key[0], problem=error.message)
            runtime.metrics.count_index_fetch_failure(*key)
            return True
        except (NotFound, SegmentCorrupt, OSError) as error:
            _log.error("generation not fetched; the last one stays", source=key[1], world=key[0], problem=str(error))
            runtime.metrics.count_index_fetch_failure(*key)
            if not is_full_disk(error):  # somebody makes room, and then it comes with the next look
                _back_off(sync, key, row)
            continue
        if is_taken:
            sync.behind -= {key}
            sync.refused.pop(key, None)
        is_settled = is_settled and is_taken
    return is_settled


def _is_backed_off(sync: IndexSyncState, key: _Key, row: PublishedGeneration) -> bool:
    description, until, _ = sync.refused.get(key, ("", 0.0, 0.0))
    return description == row.description and monotonic() < until


def _back_off(sync: IndexSyncState, key: _Key, row: PublishedGeneration) -> None:
    """Let a while pass, twice as long each time."""
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
    """All that this machine may have."""
    found = [(world, key) for world in runtime.generations for key in (*runtime.generations[world].keys(), NAICS)]
    return [*found, *((world, key) for world, store in runtime.combined_indexes.items() for key in store.keys())]  # noqa: SIM118 - no mapping
