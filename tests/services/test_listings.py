"""What merely lists names, in a search: a section of its own, weak whatever it scores, never a business nor a regulator's entry."""

import shutil
from datetime import date, timedelta

import pytest

from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import ListingEntry, SourceKind
from bonafide.model.loading import Route
from bonafide.model.search.match import FieldStatus, ListingMatch
from bonafide.model.search.result import Coverage, CoverageStatus, SearchResult, SearchStatus
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.search.execution import read_search
from bonafide.sources.framework.discovery import list_regulator_keys
from tests.support.loaded_sandbox import replace_with_truncated
from tests.support.services.runtimes import completed, search, without

pytestmark = pytest.mark.anyio
KEY, NAME = "odbus", "Sandbox Bakery Inc."


def row_of(result: SearchResult) -> Coverage:
    return next(row for row in result.meta.coverage if row.source == KEY)


async def found(runtime: Runtime, principal: Principal, **request: object) -> tuple[ListingMatch, ...]:
    result = await search(runtime, principal, **request)
    assert result.listings is not None
    return result.listings[KEY]


async def test_a_listed_business_is_found_and_marked_as_weak(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name=NAME)
    assert result.listings is not None
    best = result.listings[KEY][0]
    assert (best.legal_name.name, best.match.score, best.weight) == (NAME, 1.0, "weak")
    assert (best.source, best.route, best.as_of) == (KEY, Route.BULK, date(2022, 5, 1))
    assert (best.details["naicsCode"], best.details["naicsOrigin"]) == ("445110", "source")
    assert best.addresses[0].city == "Toronto"
    assert best.source_url == runtime.sources[KEY].metadata.page


async def test_it_stands_neither_among_the_businesses_nor_under_supervision(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name=NAME)
    assert KEY not in {match.source for match in result.businesses or ()}
    assert tuple(result.regulatory) == list_regulator_keys()


async def test_its_coverage_says_how_many_were_found(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name=NAME)
    assert result.listings is not None
    row = row_of(result)
    assert (row.kind, row.status, row.matches) == (SourceKind.LISTING, CoverageStatus.SEARCHED, len(result.listings[KEY]))


async def test_every_listed_name_is_found_by_itself(runtime: Runtime, north: Principal) -> None:
    generation = runtime.generations[World.SANDBOX].current(KEY)
    assert generation is not None
    for document in range(0, generation.manifest.entries, 20):
        entry = ListingEntry.model_validate_json(generation.index.payload(document))
        matches = await found(runtime, north, name=entry.legal_name)
        assert entry.legal_name in {match.legal_name.name for match in matches if match.match.score == 1.0}


async def test_the_threshold_of_the_regulators_is_its_too(runtime: Runtime, north: Principal) -> None:
    assert await found(runtime, north, name="Sandbox Bakry Services", regulatory_registry_threshold=1.0) == ()
    matches = await found(runtime, north, name="Sandbox Bakry", regulatory_registry_threshold=0.7)
    assert NAME in {match.legal_name.name for match in matches}


async def test_a_number_neither_finds_nor_supports_a_listing(runtime: Runtime, north: Principal) -> None:
    best = (await found(runtime, north, name=NAME, registration_number="1000017"))[0]
    assert best.registration_number is None
    assert {field.field: field.status for field in best.match.fields}["registrationNumber"] is FieldStatus.NOT_PUBLISHED
    assert await found(runtime, north, name="Something Else Entirely", registration_number="1000017") == ()


async def test_it_is_asked_when_the_regulators_are(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name=NAME, regulatory_registry=False)
    assert result.listings is None
    row = row_of(result)
    assert (row.status, row.note) == (CoverageStatus.NOT_REQUESTED, "not requested (`regulatoryRegistry` is false)")


@pytest.mark.parametrize("is_known", [True, False])
async def test_without_data_the_section_is_left_out_and_nobody_misses_it(
    own_runtime: Runtime, north: Principal, *, is_known: bool
) -> None:
    shutil.rmtree(own_runtime.generations[World.SANDBOX].root / KEY)
    runtime = own_runtime if is_known else without(own_runtime, KEY)
    result = await search(runtime, north, name=NAME)
    completed(result)
    assert '"listings"' not in result.to_json()
    assert not is_known or row_of(result).status is CoverageStatus.NOT_AVAILABLE


async def test_what_is_loaded_and_fails_is_an_error_of_the_check_that_it_runs_with(own_runtime: Runtime, north: Principal) -> None:
    for file in (own_runtime.generations[World.SANDBOX].root / KEY / "segments").rglob("*.npy"):
        replace_with_truncated(file)
    result = await search(own_runtime, north, name=NAME)
    assert (result.listings, result.meta.status) == (None, SearchStatus.COMPLETED_WITH_ERRORS)
    assert result.errors is not None
    assert result.errors.regulatory_registry is not None
    assert own_runtime.sources[KEY].metadata.title in result.errors.regulatory_registry.message
    assert row_of(result).status is CoverageStatus.FAILED


async def test_the_stored_document_has_the_section(runtime: Runtime, north: Principal) -> None:
    asked = await search(runtime, north, name=NAME)
    stored = (await read_search(runtime, north.organization_id, asked.meta.search_id)).parse(SearchResult)
    assert stored == asked


async def test_real_data_of_it_is_never_called_fresh(runtime: Runtime) -> None:
    source = runtime.sources[KEY]
    load = get_current_load(runtime, World.SANDBOX, source)
    assert load is not None
    loaded_today = load.model_copy(update={"world": World.LIVE})
    assert loaded_today.is_stale(source.metadata.stale_after_days, runtime.clock().date())
    assert loaded_today.is_stale(source.metadata.stale_after_days, runtime.clock().date() + timedelta(days=3_650))
