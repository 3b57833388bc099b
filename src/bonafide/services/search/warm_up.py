"""Prepare a process for searches, so that its first search is as fast as later ones.

A first search would otherwise wait for indexes and lists that are not open, for modules and tables that are loaded when they are
first used, and for pages of the indexes that are not in memory.
"""

import asyncio
from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import chain, islice
from uuid import UUID, uuid4

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.matching.entries.query import Query
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.model.accounts.account_settings import MatchSelectionSettings
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import RegistryEntry, SourceKind
from bonafide.model.query import ScreeningSubject, SearchParams
from bonafide.model.search.result import Submitted
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.indexing.combined_index import get_current_generations
from bonafide.services.indexing.index_verification import open_all_generations
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.lookup.index_lookup import IndexLookup, compute_minimum_rough_score
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.screening.list_cache import COLLECTION, open_lists, preload_lists
from bonafide.services.screening.subject_screening import NO_DISMISSALS, QueriedLists
from bonafide.services.search.checks import list_searched_sources, match_candidates
from bonafide.services.search.preparation import PreparedSearch
from bonafide.services.search.result_building import build_result
from bonafide.store.records import searches

SAMPLE_NAMES = ("Northern Lights Bakery Inc.", "Norhtern Lihgts Bakeyr Ltd.", "1234567 Ontario Inc. o/a Maple Groupe ltée")
"""Names of common words, of misspelt ones, and of several parts: searching for them uses the parts of indexes and tables that most
searches use."""
NOBODY = UUID(int=0)
"""The organization of searches that are not stored."""
_MAX_READ = 100
"""Entries of a register that are read to find one with a number."""
_log = get_logger(__name__)


async def warm_up(runtime: Runtime, worlds: Iterable[World] | None = None) -> None:
    """Open every index, count the words of the registers, load the official lists, and search these worlds for a few names.

    The searches query no live source and are neither stored nor counted. It takes seconds to minutes and does not block the event
    loop. Indexes, lists and entries that can't be read are logged, and don't prevent the start.
    """
    await asyncio.to_thread(open_all_generations, runtime)
    await asyncio.to_thread(preload_lists, runtime)
    # Reads nothing: SQLAlchemy compiles the statement when it is first executed.
    await searches.get_document(runtime.store, NOBODY, NOBODY)
    for world in worlds if worlds is not None else runtime.generations:
        rarity = await get_loaded_rarity(runtime, world)
        await run_cpu_bound(_search_samples, runtime, world, rarity)


def _search_samples(runtime: Runtime, world: World, rarity: WordRarity) -> None:
    try:
        for query in chain(map(Query, SAMPLE_NAMES), _list_loaded_samples(runtime, world)):
            _search_once(runtime, world, rarity, query)
    except Exception:  # noqa: BLE001 - the service starts all the same; a search that fails reports its own error
        _log.exception("warm_up.failed", world=world.value)


def _list_loaded_samples(runtime: Runtime, world: World) -> Iterator[Query]:
    """Queries for a loaded business with a number: by its name alone, which finds it, and with its number and address."""
    registers = runtime.list_registers()
    for generation in get_current_generations(runtime, world, registers).values():
        for document in islice(generation.index.documents(), _MAX_READ):
            entry = RegistryEntry.model_validate_json(generation.index.payload(document))
            if entry.registration_numbers:
                yield Query(entry.legal_name)
                yield Query(entry.legal_name, entry.registration_numbers[0].value, next(iter(entry.addresses), None))
                return


def _search_once(runtime: Runtime, world: World, rarity: WordRarity, query: Query) -> None:
    """Search the indexes and lists and build the document, as `perform_search` does."""
    search = _prepare_sample(runtime, world, query)
    params, sources = search.submitted.params, list_searched_sources(runtime)
    subject = parse_subject(ScreeningSubject(query.name), query.normal_name)
    results: dict[str, SourceResult] = {}
    minimum = compute_minimum_rough_score(query, params.regulatory_registry_threshold)
    lookup = IndexLookup(runtime, world, query, minimum)
    lookup.search([source for source in sources if source.metadata.kind is not SourceKind.SANCTIONS], results)
    official = [source for source in sources if source.metadata.kind is SourceKind.SANCTIONS and source.key != COLLECTION]
    lists = open_lists(runtime, world, official)
    results |= {result.source.key: result for result in lists.find_candidates(subject, params.sanctions_threshold, rarity)}
    queried = [results[source.key] for source in sources if source.key in results]
    matches = match_candidates(runtime, search, QueriedLists(tuple(queried), lists), subject, rarity, NO_DISMISSALS)
    build_result(search, queried, matches, None, 0).to_stored()


def _prepare_sample(runtime: Runtime, world: World, query: Query) -> PreparedSearch:
    now = runtime.clock()
    return PreparedSearch(
        search_id=uuid4(),
        organization_id=NOBODY,
        world=world,
        searched_at=now,
        searched_by="system:warm-up",
        deadline_at=now + timedelta(seconds=runtime.settings.search_deadline_s),
        submitted=Submitted(name=query.name, website=None, params=SearchParams(sanctions_screening=True, match_selection=True)),
        query=query,
        selection=MatchSelectionSettings(enabled=True),
    )
