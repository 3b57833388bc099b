"""Prepare a process for searches, so that its first search is as quick as the next.

Without it the first search opens indexes, counts words and loads lists itself, within its own deadline.
"""

import asyncio

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.matching.entries.query import Query
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.indexing.index_verification import open_all_generations
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.lookup.index_lookup import MIN_ROUGH_SCORE, IndexLookup
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.screening.list_cache import preload_lists

SAMPLE_NAME = "Northern Lights Bakery Inc."
"""A name of common words: searching for it reads the parts of an index that most searches need."""


async def warm_up(runtime: Runtime) -> None:
    """Open every index, count the words of the registers, load the official lists, and search every index once.

    It takes seconds to minutes and blocks no event loop. Indexes and lists that can't be read are logged.
    """
    await asyncio.to_thread(open_all_generations, runtime)
    await asyncio.to_thread(preload_lists, runtime)
    for world in runtime.generations:
        await get_loaded_rarity(runtime, world)
        await run_cpu_bound(_search_once, runtime, world)


def _search_once(runtime: Runtime, world: World) -> None:
    results: dict[str, SourceResult] = {}
    IndexLookup(runtime, world, Query(SAMPLE_NAME), MIN_ROUGH_SCORE).search(list(runtime.sources.values()), results)
