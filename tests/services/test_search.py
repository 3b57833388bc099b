"""A search from request to stored document: what is found, what is said of what could not be looked at, and whose it is."""

import asyncio
import json
import shutil
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from bonafide.app import worker
from bonafide.errors import NotFound, SourceErrorCode
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import AddressInput, SearchRequest
from bonafide.model.search.match import FieldStatus
from bonafide.model.search.result import CoverageStatus, SearchResult, SearchStatus, SelectionStatus
from bonafide.runtime import Runtime
from bonafide.services.search.execution import create_search, expire_overdue, read_search
from bonafide.sources.framework.discovery import list_regulator_keys
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.loaded_sandbox import replace_with_truncated
from tests.support.services.runtimes import ManualClock, completed, principal_of, search

pytestmark = pytest.mark.anyio
IMPATIENT_S = 2.0

FIXED = [
    ("Sandbox Bakery Inc.", {("ON", "1000017")}),
    ("Sandbox Boulangerie Ltée", {("QC", "1160000017")}),
    ("Sandbox Twin Holdings Inc.", {("ON", "1000025"), ("AB", "2010000025")}),
    ("Sandbox Slow Registry Inc.", {("BC", "BC1000033")}),
    ("Sandbox Failing Registry Inc.", {("AB", "2010000041")}),
    ("Sandbox Dissolved Corp.", {("FED", "1000058")}),
    ("Sandbox Money Services Inc.", {("FED", "1000066")}),
    ("Sandbox Cannabis Co.", {("ON", "1000074")}),
    ("Sandbox Sanctioned Trading Ltd.", {("FED", "1000082")}),
]


@pytest.mark.parametrize(("name", "expected"), FIXED)
@ON_SQLITE_ONLY
async def test_the_fixed_businesses_come_first_with_a_score_of_one(
    served_runtime: Runtime, north: Principal, name: str, expected: set[tuple[str, str]]
) -> None:
    result = await search(served_runtime, north, name=name)
    best = [match for match in result.businesses or () if match.match.score == 1.0]
    assert {(match.jurisdiction.value, match.registration_numbers[0].value) for match in best} == expected
    assert list(result.businesses or ())[: len(best)] == best


@pytest.mark.parametrize(
    "typed", ["sandbox bakry", "SANDBOX BAKERY", "Bakery Sandbox Inc", "Sandbox Bakery Incorporated", "sand box bakery"]
)
@ON_SQLITE_ONLY
async def test_a_name_is_found_as_people_type_it(runtime: Runtime, north: Principal, typed: str) -> None:
    result = await search(runtime, north, name=typed)
    assert result.businesses is not None
    assert result.businesses[0].registration_numbers[0].value == "1000017"
    assert result.businesses[0].match.score >= 0.9


async def test_what_only_comes_near_is_shown_and_is_no_match(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name="Sandbox Bkary Services", match_selection=True, jurisdictions=[Jurisdiction.ON])
    shown = {match.legal_name.name: match.match for match in result.businesses or ()}
    near = shown["Sandbox Bakery Inc."]
    assert 0.5 <= near.score < 0.7
    assert near.fields[0].status is FieldStatus.MISMATCHED
    assert result.match_selection is not None
    assert result.match_selection.status is SelectionStatus.NO_MATCH_FOUND


async def test_a_match_says_where_it_is_from_and_why_it_scores_as_it_does(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name="Sandbox Bakry")
    best = (result.businesses or ())[0]
    assert (best.source, best.retrieved_at, best.jurisdiction_label) == ("on", completed(result).searched_at, "Ontario")
    fields = {field.field: field for field in best.match.fields}
    assert fields["legalName"].submitted == "Sandbox Bakry"
    assert fields["legalName"].found == "Sandbox Bakery Inc."
    assert "bakery" in fields["legalName"].reason.casefold()
    assert fields["registrationNumber"].status is FieldStatus.NOT_PROVIDED


async def test_the_bakery_has_its_directors_and_its_former_name(runtime: Runtime, north: Principal) -> None:
    best = ((await search(runtime, north, name="Sandbox Bakery Inc.")).businesses or ())[0]
    assert len(best.people) == 2
    assert best.business_report is not None
    assert len(best.business_report.details.name_history) == 1


async def test_a_registration_number_finds_a_business_under_another_name(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name="Something Else Entirely", registration_number="100 0017")
    best = (result.businesses or ())[0]
    assert best.legal_name.name == "Sandbox Bakery Inc."
    assert {field.field: field.status for field in best.match.fields}["registrationNumber"] is FieldStatus.MATCHED


async def test_regulators_and_sanctions_are_searched_when_asked(runtime: Runtime, north: Principal) -> None:
    cannabis = await search(runtime, north, name="Sandbox Cannabis Co.")
    stores = cannabis.regulatory["agcoCannabis"]
    assert stores[0].legal_name.match_score == 1.0
    assert min(entry.match.score for entry in stores) >= 0.85
    assert cannabis.sanctions is None
    listed = await search(runtime, north, name="Sandbox Sanctioned Trading Ltd.", sanctions_screening=True)
    assert listed.sanctions is not None
    assert listed.sanctions.matches[0].details.source == "ca-sanctions-autonomous"
    lists = {key for key, source in runtime.sources.items() if source.metadata.kind is SourceKind.SANCTIONS}
    assert {item.source for item in listed.sanctions.lists} == lists - {"opensanctions"}


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("Sandbox Money Services Inc.", {"fintracMsb", "bankOfCanadaRps"}),
        ("Sandbox Cannabis Co.", {"healthCanadaCannabis", "agcoCannabis"}),
    ],
)
async def test_the_fixed_businesses_stand_in_the_lists_that_are_promised(
    runtime: Runtime, north: Principal, name: str, keys: set[str]
) -> None:
    result = await search(runtime, north, name=name)
    assert {key for key, entries in result.regulatory.items() if any(entry.match.score == 1.0 for entry in entries)} == keys


async def test_every_source_has_one_row_of_coverage(runtime: Runtime, north: Principal) -> None:
    meta = completed(await search(runtime, north, name="Sandbox Bakery"))
    searched = [key for key, source in runtime.sources.items() if source.metadata.kind is not SourceKind.RELATIONSHIPS]
    assert [row.source for row in meta.coverage] == searched
    by_source = {row.source: row for row in meta.coverage}
    assert by_source["on"].status is CoverageStatus.SEARCHED
    assert by_source["cbr"].status is CoverageStatus.NOT_AVAILABLE
    assert by_source["cbr"].note is not None
    assert by_source["ca-sanctions-autonomous"].status is CoverageStatus.NOT_REQUESTED


async def test_narrowing_to_a_jurisdiction_says_what_was_not_asked(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name="Sandbox Twin Holdings Inc.", jurisdictions=[Jurisdiction.AB])
    assert {match.jurisdiction for match in result.businesses or ()} == {Jurisdiction.AB}
    assert {row.source: row.status for row in completed(result).coverage}["on"] is CoverageStatus.NOT_REQUESTED


async def test_checks_that_did_not_run_are_null_or_empty(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name="Sandbox Bakery", business_registry=False, regulatory_registry=False)
    assert result.businesses is None
    assert result.sanctions is None
    assert result.errors is None
    assert result.regulatory == dict.fromkeys(list_regulator_keys(), ())
    assert {row.status for row in completed(result).coverage} == {CoverageStatus.NOT_REQUESTED}


@pytest.mark.parametrize(
    ("name", "code"), [("Sandbox Timeout Ltd.", SourceErrorCode.TIMEOUT), ("Sandbox Outage Ltd.", SourceErrorCode.UNAVAILABLE)]
)
async def test_registers_in_trouble_leave_the_other_sections_filled(
    runtime: Runtime, north: Principal, name: str, code: SourceErrorCode
) -> None:
    impatient = replace(runtime, settings=runtime.settings.model_copy(update={"lookup_timeout_s": IMPATIENT_S}))
    result = await search(impatient, north, name=name, sanctions_screening=True)
    assert result.errors is not None
    assert result.errors.business_registry is not None
    assert (result.errors.business_registry.code, result.errors.business_registry.retryable) == (code, True)
    assert (result.errors.regulatory_registry, result.errors.sanctions_screening) == (None, None)
    assert result.meta.status is SearchStatus.COMPLETED_WITH_ERRORS
    status = {row.source: row.status for row in result.meta.coverage}
    assert (status["on"], status["agcoCannabis"]) == (CoverageStatus.FAILED, CoverageStatus.SEARCHED)


async def test_a_damaged_index_fails_its_own_source_only(own_runtime: Runtime, north: Principal) -> None:
    root = own_runtime.generations[World.SANDBOX].root / "on" / "segments"
    for file in root.rglob("*.npy"):
        replace_with_truncated(file)
    result = await search(own_runtime, north, name="Sandbox Twin Holdings Inc.")
    assert [match.jurisdiction for match in result.businesses or ()] == [Jurisdiction.AB]
    assert result.errors is not None
    assert result.errors.business_registry is not None
    assert {row.source: row.status for row in result.meta.coverage}["on"] is CoverageStatus.FAILED


async def test_a_source_without_data_is_not_available_and_no_error_while_others_are_searched(
    own_runtime: Runtime, north: Principal
) -> None:
    shutil.rmtree(own_runtime.generations[World.SANDBOX].root / "on")
    result = await search(own_runtime, north, name="Sandbox Twin Holdings Inc.")
    row = next(row for row in result.meta.coverage if row.source == "on")
    assert (row.status, result.errors) == (CoverageStatus.NOT_AVAILABLE, None)


async def test_when_nobody_could_look_it_is_an_error_and_never_an_empty_answer(empty_runtime: Runtime, north: Principal) -> None:
    result = await search(empty_runtime, north, name="Sandbox Bakery", sanctions_screening=True)
    assert result.meta.status is SearchStatus.ERROR
    assert result.errors is not None
    found = (result.errors.business_registry, result.errors.regulatory_registry, result.errors.sanctions_screening)
    assert {error.code for error in found if error is not None} == {SourceErrorCode.UNAVAILABLE}
    assert None not in found


async def test_a_fresh_made_up_canada_is_nowhere_stale(runtime: Runtime, north: Principal) -> None:
    rows = completed(await search(runtime, north, name="Sandbox Bakery")).coverage
    assert CoverageStatus.STALE not in {row.status for row in rows}


async def test_old_data_is_called_stale(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    clock.advance(days=4000)
    rows = completed(await search(runtime, north, name="Sandbox Bakery")).coverage
    assert CoverageStatus.STALE in {row.status for row in rows}


async def test_what_is_stored_is_byte_for_byte_what_was_answered(runtime: Runtime, north: Principal) -> None:
    answer = await create_search(runtime, north, SearchRequest(name="Sandbox Bakery"), respond_async=False)
    assert await read_search(runtime, north.organization_id, answer.search_id) == answer.document


async def test_a_search_belongs_to_its_organization(runtime: Runtime, north: Principal, south: Principal) -> None:
    answer = await create_search(runtime, north, SearchRequest(name="Sandbox Bakery"), respond_async=False)
    with pytest.raises(NotFound):
        await read_search(runtime, south.organization_id, answer.search_id)


@pytest.mark.parametrize("reference", [{"business_id": UUID(int=1)}, {"business_external_id": "crm-1"}])
async def test_an_unknown_business_reference_is_not_found(runtime: Runtime, north: Principal, reference: dict[str, object]) -> None:
    with pytest.raises(NotFound):
        await create_search(runtime, north, SearchRequest.model_validate(reference), respond_async=False)


async def test_a_live_organization_does_not_see_the_sandbox(runtime: Runtime) -> None:
    live = await principal_of(runtime, "north", World.LIVE)
    assert (await search(runtime, live, name="Sandbox Bakery Inc.")).businesses == ()


class TestSelection:
    async def test_it_is_omitted_unless_asked_for(self, runtime: Runtime, north: Principal) -> None:
        answer = await create_search(runtime, north, SearchRequest(name="Sandbox Bakery"), respond_async=False)
        assert "matchSelection" not in json.loads(answer.document.body)

    @pytest.mark.parametrize(
        ("request_fields", "status"),
        [
            ({"name": "Sandbox Bakery Inc."}, SelectionStatus.AUTO_SELECTED),
            ({"name": "Sandbox Twin Holdings Inc."}, SelectionStatus.NEEDS_REVIEW),
            ({"name": "Sandbox Twin Holdings Inc.", "registration_number": "2010000025"}, SelectionStatus.AUTO_SELECTED),
            ({"name": "Qwzx Vbnm Unheard", "jurisdictions": [Jurisdiction.ON]}, SelectionStatus.NO_MATCH_FOUND),
        ],
    )
    async def test_the_outcome_of_a_search(
        self, runtime: Runtime, north: Principal, request_fields: dict[str, object], status: SelectionStatus
    ) -> None:
        selection = (await search(runtime, north, match_selection=True, **request_fields)).match_selection
        assert selection is not None
        assert selection.status is status

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("request_fields", "status", "is_named"),
        [
            ({"name": "Sandbox Outage Ltd.", "jurisdictions": [Jurisdiction.ON]}, SelectionStatus.NEEDS_REVIEW, True),
            ({"name": "Qwzx Vbnm Unheard", "jurisdictions": [Jurisdiction.AB]}, SelectionStatus.NO_MATCH_FOUND, False),
            ({"name": "Qwzx Vbnm Unheard"}, SelectionStatus.NO_MATCH_FOUND, False),
            (
                {"name": "Qwzx Vbnm Unheard", "jurisdictions": [Jurisdiction.AB, Jurisdiction.SK]},
                SelectionStatus.NEEDS_REVIEW,
                True,
            ),
            ({"name": "Qwzx Vbnm Unheard", "address": AddressInput(province="Saskatchewan")}, SelectionStatus.NEEDS_REVIEW, True),
            ({"name": "Sandbox Twin Holdings Inc."}, SelectionStatus.NEEDS_REVIEW, False),
            ({"name": "Sandbox Bakery Inc.", "registration_number": "1000017"}, SelectionStatus.AUTO_SELECTED, False),
        ],
    )
    @ON_SQLITE_ONLY
    async def test_no_match_is_found_only_where_the_registers_that_matter_were_searched(
        self, own_runtime: Runtime, north: Principal, request_fields: dict[str, object], status: SelectionStatus, *, is_named: bool
    ) -> None:
        shutil.rmtree(own_runtime.generations[World.SANDBOX].root / "sk")
        selection = (await search(own_runtime, north, match_selection=True, **request_fields)).match_selection
        assert selection is not None
        assert (selection.status, selection.reason is not None) == (status, is_named)
        if request_fields["name"] == "Qwzx Vbnm Unheard" and selection.reason is not None:
            assert Jurisdiction.SK.label in selection.reason


class TestAsynchronous:
    async def queue(self, runtime: Runtime, north: Principal) -> UUID:
        answer = await create_search(runtime, north, SearchRequest(name="Sandbox Bakery"), respond_async=True)
        assert answer.loading
        assert answer.document.parse(SearchResult).meta.status is SearchStatus.LOADING
        return answer.search_id

    async def status(self, runtime: Runtime, north: Principal, search_id: UUID) -> SearchStatus:
        return (await read_search(runtime, north.organization_id, search_id)).parse(SearchResult).meta.status

    async def test_a_worker_finishes_it(self, runtime: Runtime, north: Principal) -> None:
        search_id = await self.queue(runtime, north)
        assert await self.status(runtime, north, search_id) is SearchStatus.LOADING
        assert await worker.work_once(runtime, "w1")
        assert await self.status(runtime, north, search_id) is SearchStatus.COMPLETED
        assert not await worker.work_once(runtime, "w1")

    async def test_a_worker_that_stops_gives_it_back(self, runtime: Runtime, north: Principal) -> None:
        search_id = await self.queue(runtime, north)
        working = asyncio.create_task(worker.work_once(runtime, "w1"))
        await asyncio.sleep(0)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        while await worker.work_once(runtime, "w2"):
            pass
        assert await self.status(runtime, north, search_id) is SearchStatus.COMPLETED

    async def test_past_its_deadline_it_is_an_error_even_before_anyone_sweeps(
        self, runtime: Runtime, north: Principal, clock: ManualClock
    ) -> None:
        search_id = await self.queue(runtime, north)
        clock.advance(seconds=runtime.settings.search_deadline_s + 1)
        assert await self.status(runtime, north, search_id) is SearchStatus.ERROR
        assert await expire_overdue(runtime) == 1
        await worker.work_once(runtime, "late")
        document = (await read_search(runtime, north.organization_id, search_id)).parse(SearchResult)
        assert document.errors is not None
        assert document.errors.general is not None
        assert document.errors.general.code is SourceErrorCode.TIMEOUT

    async def test_an_unknown_id_is_not_found(self, runtime: Runtime, north: Principal) -> None:
        with pytest.raises(NotFound):
            await read_search(runtime, north.organization_id, uuid4())
