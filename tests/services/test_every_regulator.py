"""Every key of `regulatory`: what each list holds is found by the name that the list gives, with its declared details."""

from itertools import islice

import pytest

from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import RegulatoryEntry
from bonafide.model.loading import Route
from bonafide.model.search.result import CoverageStatus
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import list_regulator_keys
from bonafide_sandbox.world.simulated_failures import find_search_failure
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.services.runtimes import search

pytestmark = pytest.mark.anyio
TRIED = 5


def some_of(runtime: Runtime, key: str) -> list[RegulatoryEntry]:
    """The first few entries of a loaded list whose names mean no trouble: a look-up that is never answered would be waited for."""
    generation = runtime.generations[World.SANDBOX].current(key)
    assert generation is not None
    entries = (
        RegulatoryEntry.model_validate_json(generation.index.payload(document)) for document in range(generation.manifest.entries)
    )
    return list(islice((entry for entry in entries if find_search_failure(entry.legal_name) is None), TRIED))


@pytest.mark.slow
@pytest.mark.parametrize("key", list_regulator_keys())
@ON_SQLITE_ONLY
async def test_what_a_list_holds_is_found_by_its_name(runtime: Runtime, north: Principal, key: str) -> None:
    declared = {detail.key for detail in runtime.sources[key].metadata.details}
    for entry in some_of(runtime, key):
        result = await search(runtime, north, name=entry.legal_name, businessRegistry=False)
        found = result.regulatory[key]
        assert entry.legal_name in {match.legal_name.name for match in found}
        assert all(match.match.score >= 0.85 for match in found)
        assert all(match.match.fields and set(match.details) <= declared for match in found)
        row = next(row for row in result.meta.coverage if row.source == key)
        assert (row.status, row.matches) == (CoverageStatus.SEARCHED, len(found))
        assert row.route in {Route.BULK, Route.IMPORT}


@ON_SQLITE_ONLY
async def test_each_key_says_how_old_its_data_is(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name="Sandbox Bakery", businessRegistry=False)
    ages = {row.source: row.as_of for row in result.meta.coverage if row.source in list_regulator_keys()}
    assert set(ages) == set(list_regulator_keys())
