"""Opening an index takes none of a lookup's time, and a warmed-up process has nothing left to open."""

from dataclasses import replace
from functools import partial
from time import sleep
from typing import Any

import pytest

from bonafide.concurrency.deadline import Deadline
from bonafide.errors import SourceErrorCode
from bonafide.index import GenerationStore
from bonafide.matching.entries.query import Query
from bonafide.model.accounts.organizations import World
from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadRecord
from bonafide.runtime import Runtime
from bonafide.services.lookup.source_lookup import LookupOptions, query_sources
from bonafide.services.search.history import list_search_history
from bonafide.services.search.warm_up import NOBODY, warm_up
from bonafide.store.records.searches import HistoryFilter
from tests.support.services.loading import put

pytestmark = pytest.mark.anyio

REGISTER = "on"
ENTRY = RegistryEntry(
    entry_id="1",
    jurisdiction=Jurisdiction.ON,
    legal_name="Zephyrine Bakery Inc.",
    registration_numbers=(RegistrationNumber(label="Corporation number", value="1"),),
    status_code=StatusCode.ACTIVE,
)
QUERY = Query("Zephyrine Bakery")


def parse_slowly(seconds: float, document: dict[str, Any]) -> LoadRecord:
    sleep(seconds)
    return LoadRecord.from_manifest(document)


def reopened(runtime: Runtime, opening_s: float, lookup_timeout_s: float) -> Runtime:
    """The same installation in a new process, where opening the register's index takes this long."""
    put(runtime, REGISTER, [ENTRY])
    root = runtime.generations[World.LIVE].root
    return replace(
        runtime,
        settings=runtime.settings.model_copy(update={"lookup_timeout_s": lookup_timeout_s}),
        generations={World.LIVE: GenerationStore(root, partial(parse_slowly, opening_s))},
    )


@pytest.mark.slow
async def test_opening_an_index_does_not_count_towards_the_timeout_of_a_lookup(empty_runtime: Runtime) -> None:
    cold = reopened(empty_runtime, opening_s=3.0, lookup_timeout_s=2.0)
    (result,) = await query_sources(cold, World.LIVE, QUERY, [cold.sources[REGISTER]])
    assert result.error is None
    assert [candidate.read() for candidate in result.candidates] == [ENTRY]


async def test_an_index_that_is_not_open_by_the_deadline_is_a_timeout(empty_runtime: Runtime) -> None:
    cold = reopened(empty_runtime, opening_s=2.0, lookup_timeout_s=60.0)
    options = LookupOptions(deadline=Deadline.after(0.1))
    (result,) = await query_sources(cold, World.LIVE, QUERY, [cold.sources[REGISTER]], options=options)
    assert result.error is not None
    assert result.error.code is SourceErrorCode.TIMEOUT
    assert result.elapsed_ms <= 2000


@pytest.mark.slow
async def test_a_process_that_is_warmed_up_has_nothing_left_to_open(own_runtime: Runtime) -> None:
    generations = own_runtime.generations[World.SANDBOX]
    unopened = [key for key in own_runtime.sources if generations.is_unopened(key)]
    assert REGISTER in unopened
    await warm_up(own_runtime)
    assert not any(generations.is_unopened(key) for key in unopened)
    assert set(own_runtime.word_rarities) == set(World)
    assert {world for world, _ in own_runtime.screening_indexes} == set(World)
    assert (await list_search_history(own_runtime, NOBODY, HistoryFilter(), 1, 0)).pagination.total == 0


@pytest.mark.parametrize("file", ["*.npy", "payload.bin"])
async def test_a_register_with_a_damaged_index_does_not_prevent_the_start(empty_runtime: Runtime, file: str) -> None:
    cold = reopened(empty_runtime, opening_s=0.0, lookup_timeout_s=2.0)
    segments = cold.generations[World.LIVE].root / REGISTER / "segments"
    damaged = list(segments.rglob(file))
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:-1])
    await warm_up(cold)
    (result,) = await query_sources(cold, World.LIVE, QUERY, [cold.sources[REGISTER]])
    assert result.error is not None


async def test_a_register_with_an_unreadable_entry_does_not_prevent_the_start(empty_runtime: Runtime) -> None:
    """The checksums of files are verified only after the start."""
    cold = reopened(empty_runtime, opening_s=0.0, lookup_timeout_s=2.0)
    (payload,) = (cold.generations[World.LIVE].root / REGISTER / "segments").rglob("payload.bin")
    payload.write_bytes(b"\0" * len(payload.read_bytes()))
    await warm_up(cold)
    assert cold.generations[World.LIVE].is_open(REGISTER)
