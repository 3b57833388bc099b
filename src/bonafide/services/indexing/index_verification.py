"""Open every index at start, and verify the files afterwards.

Verifying the checksums of a large index takes seconds, so a starting service checks only headers, sizes and deletions. The rest is
verified in the background: a damaged generation is logged, counted and replaced by the previous one. A generation that is loaded or
fetched later is verified before it is used.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from bonafide.errors import SegmentCorrupt
from bonafide.index import GenerationStore
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import GROUPS
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime

_log = get_logger(__name__)


def open_all_generations(runtime: Runtime) -> None:
    """Open every generation in use, so that searches don't have to within their deadline. A damaged one is logged."""
    for _, key, store in _list_indexes(runtime):
        with suppress(SegmentCorrupt):
            store.open_unverified(key)


@asynccontextmanager
async def verify_indexes(runtime: Runtime) -> AsyncIterator[asyncio.Task[None]]:
    """Verify in the background, while the block runs, what `open_all_generations` opened; the task ends when that is done."""
    task = asyncio.create_task(verify_all_generations(runtime))
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def verify_all_generations(runtime: Runtime) -> None:
    """Verify every index that was opened unverified, one after another."""
    verified = 0
    for world, key, store in _list_indexes(runtime):
        try:
            verified += await asyncio.to_thread(store.verify_opened, key)
        except SegmentCorrupt as error:
            _log.error("index.refused", source=key, world=world, problem=error.message)
            runtime.metrics.count_damaged_index(world, key)
    _log.info("index.verified", indexes=verified)


def _list_indexes(runtime: Runtime) -> Iterator[tuple[World, str, GenerationStore[Any]]]:
    """The indexes of all sources and the combined indexes, with their keys."""
    for world, store in runtime.generations.items():
        yield from ((world, key, store) for key in runtime.sources)
    for world, combined in runtime.combined_indexes.items():
        yield from ((world, group, combined) for group in GROUPS)
