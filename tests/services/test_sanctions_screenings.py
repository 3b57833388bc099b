"""A screening by itself: what it echoes, which lists it names, and never a list that is silently missing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bonafide.errors import SourceErrorCode, ValidationFailed
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import EntityKind
from bonafide.model.screening.requests import SOURCE_COUNTS, ScreeningAnswer, ScreeningSource
from bonafide.model.search.result import SearchStatus
from bonafide.runtime import Runtime, build_generation_stores
from bonafide.services.screening.standalone import get_official_lists
from bonafide.store.database.engine import Store
from tests.support.loaded_sandbox import copy_sandbox
from tests.support.services.runtimes import ManualClock, runtime_over
from tests.support.services.sanctions_lists import COLLECTION, NAME, OFAC, SEMA, UN, load, load_lists, party, screened

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def loaded_lists(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All official lists with a few parties: a folder to copy."""
    folder = tmp_path_factory.mktemp("lists")
    runtime = runtime_over(Store.open(f"sqlite:///{folder / 'none.sqlite3'}"), folder, ManualClock())
    load_lists(runtime, {SEMA: [party()], OFAC: [party(), party("Zephyrine Marlowe Trade", "2")]})
    return folder / "index"


@pytest.fixture
def runtime(empty_runtime: Runtime, loaded_lists: Path, tmp_path: Path) -> Runtime:
    copy_sandbox(loaded_lists, tmp_path / "index")
    return empty_runtime


@pytest.fixture
def bare_runtime(runtime: Runtime, tmp_path: Path) -> Runtime:
    """No list loaded."""
    return replace(runtime, generations=build_generation_stores(tmp_path / "bare"), screening_indexes={})


def error_of(answer: ScreeningAnswer) -> Any:
    assert answer.errors is not None
    assert answer.errors.sanctions_screening is not None
    return answer.errors.sanctions_screening


async def test_the_lists_of_the_contract_are_the_official_ones(runtime: Runtime) -> None:
    assert {source.key for source in get_official_lists(runtime)} == set(SOURCE_COUNTS)


async def test_a_complete_screening_names_each_list_with_its_day_and_entries(runtime: Runtime, north: Principal) -> None:
    answer = await screened(runtime, north, "Nobody At All")
    assert (answer.meta.status, answer.errors, answer.screening.total_matches) == (SearchStatus.COMPLETED, None, 0)
    assert {item.source: item.entries for item in answer.lists} == dict.fromkeys(SOURCE_COUNTS, 1) | {OFAC: 2}
    assert answer.lists == answer.screening.lists
    assert answer.screening.lists_not_screened == ()


async def test_defaults_are_echoed(runtime: Runtime, north: Principal) -> None:
    submitted = (await screened(runtime, north)).meta.submitted
    assert submitted.model_dump(by_alias=True) == {
        "query": NAME,
        "threshold": 0.85,
        "source": "official",
        "entityType": None,
        "countries": None,
        "sources": None,
        "dateOfBirth": None,
        "typoTolerance": 1,
        "nameVariants": True,
    }


@pytest.mark.parametrize("source", ScreeningSource)
async def test_what_was_sent_is_echoed_whatever_the_source(runtime: Runtime, north: Principal, source: ScreeningSource) -> None:
    sent = {
        "threshold": 0.7,
        "source": source,
        "entityType": EntityKind.PERSON,
        "countries": ("CA", "IR"),
        "sources": (SEMA, UN),
        "dateOfBirth": "1961-03",
        "typoTolerance": 0,
        "nameVariants": False,
    }
    submitted = (await screened(runtime, north, **sent)).meta.submitted
    assert submitted.model_dump(by_alias=True) == {"query": NAME, **sent}


async def test_the_matches_of_each_list_are_counted_under_the_contracts_keys(runtime: Runtime, north: Principal) -> None:
    answer = await screened(runtime, north, threshold=0.7)
    counts = dict.fromkeys(SOURCE_COUNTS.values(), 0) | {"caAutonomousSanctions": 1, "ofacSdn": 2}
    assert answer.source_counts == counts
    assert {match.details.source for match in answer.screening.matches} == {SEMA, OFAC}
    assert all(match.source == match.details.source for match in answer.screening.matches)


async def test_only_the_lists_that_are_named_are_screened(runtime: Runtime, north: Principal) -> None:
    answer = await screened(runtime, north, sources=(OFAC, UN))
    assert {item.source for item in answer.lists} == {OFAC, UN}
    assert {match.source for match in answer.screening.matches} == {OFAC}
    assert (answer.meta.status, set(answer.source_counts)) == (SearchStatus.COMPLETED, set(SOURCE_COUNTS.values()))


@pytest.mark.parametrize(
    ("sent", "path", "said"),
    [
        ({"sources": (SEMA, "un-sanctions-consolidate")}, "sources.1", "did you mean “un-sanctions-consolidated”?"),
        ({"sources": ("opensanctions",)}, "sources.0", "“opensanctions” is not an official list"),
        ({"countries": ("CA", "ZZ")}, "countries.1", "must be an ISO 3166-1 alpha-2 country code"),
    ],
)
async def test_lists_and_countries_that_are_none_are_refused(
    runtime: Runtime, north: Principal, sent: dict[str, Any], path: str, said: str
) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await screened(runtime, north, **sent)
    (problem,) = refused.value.details
    assert problem.path == path
    assert said in problem.message


async def test_a_list_that_is_not_loaded_is_an_error_and_the_others_are_screened(bare_runtime: Runtime, north: Principal) -> None:
    load(bare_runtime, SEMA, party())
    answer = await screened(bare_runtime, north)
    error = error_of(answer)
    assert answer.meta.status is SearchStatus.COMPLETED_WITH_ERRORS
    assert (error.code, error.retryable) == (SourceErrorCode.UNAVAILABLE, True)
    missing = set(SOURCE_COUNTS) - {SEMA}
    assert all(key in error.message for key in missing)
    assert {item.source for item in answer.screening.lists_not_screened} == missing
    assert [item.source for item in answer.lists] == [SEMA]
    assert answer.screening.total_matches == 1


async def test_a_list_that_nobody_asked_for_is_not_missed(bare_runtime: Runtime, north: Principal) -> None:
    load(bare_runtime, SEMA, party())
    answer = await screened(bare_runtime, north, sources=(SEMA,))
    assert (answer.meta.status, answer.errors) == (SearchStatus.COMPLETED, None)


async def test_a_damaged_list_is_an_error_and_never_an_empty_match(runtime: Runtime, north: Principal, tmp_path: Path) -> None:
    for folder in (tmp_path / "index" / World.SANDBOX.value / UN).glob("*/*"):
        for file in (file for file in folder.rglob("*") if file.is_file()):
            file.write_bytes(b"damaged")
    answer = await screened(replace(runtime, generations=build_generation_stores(tmp_path), screening_indexes={}), north)
    assert answer.meta.status is SearchStatus.COMPLETED_WITH_ERRORS
    assert [item.source for item in answer.screening.lists_not_screened] == [UN]
    assert UN in error_of(answer).message
    assert UN not in {item.source for item in answer.lists}


async def test_when_nothing_is_loaded_the_screening_is_an_error(bare_runtime: Runtime, north: Principal) -> None:
    answer = await screened(bare_runtime, north)
    assert (answer.meta.status, answer.lists, answer.screening.matches) == (SearchStatus.ERROR, (), ())
    assert error_of(answer).message.startswith("No sanctions list could be screened")


async def test_a_collection_that_is_not_set_up_is_an_error(runtime: Runtime, north: Principal) -> None:
    answer = await screened(runtime, north, source="opensanctions")
    error = error_of(answer)
    assert (answer.meta.status, answer.lists, answer.screening.matches) == (SearchStatus.ERROR, (), ())
    assert (error.code, error.retryable) == (SourceErrorCode.UNAVAILABLE, True)
    assert "until you accept the licence" in error.message


async def test_a_collection_that_is_set_up_is_screened_alone(runtime: Runtime, north: Principal) -> None:
    load(runtime, COLLECTION, party())
    answer = await screened(runtime, north, source="opensanctions")
    assert (answer.meta.status, [item.source for item in answer.lists]) == (SearchStatus.COMPLETED, [COLLECTION])
    assert [match.source for match in answer.screening.matches] == [COLLECTION]
    assert answer.source_counts == dict.fromkeys(SOURCE_COUNTS.values(), 0) | {COLLECTION: 1}
    official = await screened(runtime, north)
    assert COLLECTION not in {match.source for match in official.screening.matches}


async def test_naming_lists_beside_the_collection_is_warned_of(runtime: Runtime, north: Principal) -> None:
    load(runtime, COLLECTION, party())
    answer = await screened(runtime, north, source="opensanctions", sources=(SEMA,))
    assert [warning.path for warning in answer.meta.warnings] == ["sources"]


async def test_the_kind_that_is_asked_for_decides_between_namesakes(runtime: Runtime, north: Principal) -> None:
    load(runtime, SEMA, party(), party(entry_id="2", entity_type=EntityKind.VESSEL))
    answer = await screened(runtime, north, entityType="vessel", sources=(SEMA,))
    assert [match.entity_type for match in answer.screening.matches] == [EntityKind.VESSEL]


async def test_each_screening_has_an_id_of_its_own(runtime: Runtime, north: Principal) -> None:
    first, second = await screened(runtime, north), await screened(runtime, north)
    assert first.meta.screening_id != second.meta.screening_id
    assert first.meta.screened_at == runtime.clock()
