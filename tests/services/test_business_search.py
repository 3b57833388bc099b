"""A search by reference: filled in from the stored record, compared with it, and told to it."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from bonafide.app import worker
from bonafide.errors import NotFound, ValidationFailed
from bonafide.model.accounts.organizations import Principal
from bonafide.model.query import SearchRequest
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.search.match import Baseline, FieldStatus
from bonafide.model.search.result import Comparison, SearchResult, SelectionStatus
from bonafide.model.search.selection import MatchChoice
from bonafide.runtime import Runtime
from bonafide.services.records import change_feed
from bonafide.services.records.business_records import find_record
from bonafide.services.search.execution import create_search, read_search
from bonafide.services.search.history import choose_match
from bonafide.store.records.businesses import FeedFilter
from tests.support.services.business_records import AUTHOR, send, sent
from tests.support.services.runtimes import ManualClock, principal_of, search

pytestmark = pytest.mark.anyio
TWINS = "Sandbox Twin Holdings Inc."


async def bakery(runtime: Runtime, north: Principal, **changes: Any) -> BusinessRecord:
    known = {"externalId": "crm-1", "name": "Sandbox Bakery", "jurisdiction": "ON", "registrationNumber": "1000017"}
    return await sent(runtime, north.organization_id, **known | changes)


async def twins(runtime: Runtime, north: Principal) -> BusinessRecord:
    return await sent(runtime, north.organization_id, externalId="twin", name=TWINS, jurisdiction="AB")


async def current(runtime: Runtime, north: Principal, record: BusinessRecord) -> BusinessRecord:
    return await find_record(runtime, north.organization_id, business_id=record.id)


def statuses(comparison: Comparison | None) -> dict[str, FieldStatus]:
    assert comparison is not None
    return {field.field: field.status for field in comparison.fields}


class TestHydration:
    @pytest.mark.parametrize("by", ["business_id", "business_external_id"])
    async def test_what_the_request_does_not_say_is_from_the_record(self, runtime: Runtime, north: Principal, by: str) -> None:
        record = await bakery(runtime, north, city="Toronto", street="1 King St", website="https://bakery.sandbox.example")
        reference = {"business_id": record.id, "business_external_id": "crm-1"}[by]
        submitted = (await search(runtime, north, **{by: reference})).meta.submitted
        assert (submitted.name, submitted.website) == ("Sandbox Bakery", "https://bakery.sandbox.example")
        assert (submitted.business_id, submitted.params.registration_number) == (record.id, "1000017")
        assert submitted.params.address is not None
        assert (submitted.params.address.city, submitted.params.address.street) == ("Toronto", "1 King St")
        assert submitted.params.jurisdictions is None, "the record's register would hide what the others have"

    async def test_what_the_request_says_counts_for_that_request_only(self, runtime: Runtime, north: Principal) -> None:
        record = await bakery(runtime, north, city="Toronto")
        overrides = {"name": "Sandbox Boulangerie Ltée", "registration_number": "1160000017", "address": {"city": "Montréal"}}
        submitted = (await search(runtime, north, business_id=record.id, **overrides)).meta.submitted
        assert (submitted.name, submitted.params.registration_number) == ("Sandbox Boulangerie Ltée", "1160000017")
        assert submitted.params.address is not None
        assert submitted.params.address.city == "Montréal"
        after = await current(runtime, north, record)
        assert (after.name, after.registration_number, after.address) == (record.name, "1000017", record.address)

    async def test_a_record_without_an_address_gives_none(self, runtime: Runtime, north: Principal) -> None:
        record = await bakery(runtime, north)
        assert (await search(runtime, north, business_id=record.id)).meta.submitted.params.address is None

    async def test_a_name_in_use_stands_in_for_a_missing_one(self, runtime: Runtime, north: Principal) -> None:
        record = await sent(runtime, north.organization_id, externalId="crm-2", operatingNames=["Sandbox Bakery"])
        assert (await search(runtime, north, business_id=record.id)).meta.submitted.name == "Sandbox Bakery"

    async def test_without_any_name_the_search_is_refused(self, runtime: Runtime, north: Principal) -> None:
        record = await sent(runtime, north.organization_id, externalId="crm-2")
        with pytest.raises(ValidationFailed) as refused:
            await search(runtime, north, business_id=record.id)
        assert refused.value.details[0].path == "name"
        assert (await search(runtime, north, business_id=record.id, name="Sandbox Bakery")).businesses

    async def test_unknown_and_foreign_records_are_not_found(self, runtime: Runtime, north: Principal, south: Principal) -> None:
        record = await bakery(runtime, north)
        for reference in ({"business_id": uuid4()}, {"business_external_id": "crm-9"}, {"name": "x", "business_id": uuid4()}):
            with pytest.raises(NotFound):
                await search(runtime, north, **reference)
        for reference in ({"business_id": record.id}, {"business_external_id": "crm-1"}):
            with pytest.raises(NotFound):
                await search(runtime, south, **reference)

    async def test_references_to_two_records_are_refused(self, runtime: Runtime, north: Principal) -> None:
        record = await bakery(runtime, north)
        await sent(runtime, north.organization_id, externalId="crm-2", name="Acme")
        with pytest.raises(ValidationFailed):
            await search(runtime, north, business_id=record.id, business_external_id="crm-2")
        both = await search(runtime, north, business_id=record.id, business_external_id="crm-1")
        assert both.meta.submitted.business_id == record.id


class TestComparison:
    async def test_a_search_without_a_reference_has_none(self, runtime: Runtime, north: Principal) -> None:
        result = await search(runtime, north, name="Sandbox Bakery Inc.")
        assert result.comparison is None
        assert '"comparison"' not in result.to_json()
        assert {match.match.baseline for match in result.businesses or ()} == {Baseline.QUERY}

    async def test_every_match_says_that_a_record_is_linked(self, runtime: Runtime, north: Principal) -> None:
        record = await sent(runtime, north.organization_id, externalId="c", name="Sandbox Cannabis Co.")
        result = await search(runtime, north, business_id=record.id, sanctions_screening=True)
        explained = [match.match for match in result.businesses or ()]
        explained += [match.match for match in result.regulatory["agcoCannabis"]]
        assert len(result.regulatory["agcoCannabis"]) > 0
        assert {explanation.baseline for explanation in explained} == {Baseline.RECORD}

    async def test_the_best_match_is_compared_with_the_record_field_by_field(self, runtime: Runtime, north: Principal) -> None:
        record = await bakery(runtime, north, entityType="Partnership", incorporationYear=1999)
        result = await search(runtime, north, business_id=record.id)
        best = (result.businesses or ())[0]
        comparison = result.comparison
        assert comparison is not None
        assert (comparison.match_id, comparison.baseline) == (best.match_id, Baseline.RECORD)
        found = statuses(comparison)
        assert {name: found[name] for name in ("legalName", "registrationNumber", "jurisdiction")} == dict.fromkeys(
            ("legalName", "registrationNumber", "jurisdiction"), FieldStatus.MATCHED
        )
        assert (found["incorporationDate"], found["entityType"]) == (FieldStatus.MISMATCHED, FieldStatus.MISMATCHED)
        assert (found["address"], found["people"]) == (FieldStatus.NOT_PROVIDED, FieldStatus.NOT_PROVIDED)
        counted = (comparison.matched_count, comparison.discrepancy_count, comparison.not_checked_count)
        assert counted == (3, 2, len(comparison.fields) - 5)

    async def test_it_compares_the_record_and_not_what_the_request_said_instead(self, runtime: Runtime, north: Principal) -> None:
        record = await bakery(runtime, north, name="Quite Another Company")
        result = await search(runtime, north, business_id=record.id, name="Sandbox Bakery Inc.")
        assert result.comparison is not None
        name = result.comparison.fields[0]
        assert (name.submitted, name.found, name.status) == ("Quite Another Company", "Sandbox Bakery Inc.", FieldStatus.MISMATCHED)

    async def test_where_nothing_is_found_there_is_nothing_to_compare_with(self, runtime: Runtime, north: Principal) -> None:
        record = await sent(runtime, north.organization_id, externalId="z", name="Zzyzx Quorum Vexillology")
        assert (await search(runtime, north, business_id=record.id)).comparison is None


class TestWhatTheRecordLearns:
    async def test_when_and_by_which_search_it_was_searched(self, runtime: Runtime, north: Principal, clock: ManualClock) -> None:
        record = await bakery(runtime, north)
        clock.advance(minutes=1)
        result = await search(runtime, north, business_id=record.id)
        after = await current(runtime, north, record)
        assert (after.last_searched_at, after.last_search_job_id) == (result.meta.searched_at, result.meta.search_id)
        assert after.last_screened_at is None
        assert after.updated_at > record.updated_at
        entries = (await change_feed.read_audit_log(runtime, north.organization_id, record.id, 100, 0)).entries
        assert {entry.actor for entry in entries if entry.field.startswith("lastSearch")} == {"system:search"}
        assert {entry.actor for entry in entries if entry.field == "name"} == {AUTHOR.actor}

    async def test_when_it_was_screened(self, runtime: Runtime, north: Principal) -> None:
        record = await bakery(runtime, north)
        result = await search(runtime, north, business_id=record.id, sanctions_screening=True)
        assert (await current(runtime, north, record)).last_screened_at == result.meta.searched_at

    @pytest.mark.parametrize(("name", "expected"), [("Sandbox Bakery Inc.", False), ("Sandbox Bakery Holdings", True)])
    async def test_whether_something_differs(self, runtime: Runtime, north: Principal, name: str, expected: bool) -> None:  # noqa: FBT001
        record = await bakery(runtime, north, name=name)
        await search(runtime, north, business_id=record.id)
        assert (await current(runtime, north, record)).has_unresolved_discrepancies is expected

    async def test_what_its_selected_registration_is(self, runtime: Runtime, north: Principal) -> None:
        record = await bakery(runtime, north)
        result = await search(runtime, north, business_id=record.id, match_selection=True)
        best = (result.businesses or ())[0]
        after = await current(runtime, north, record)
        assert result.match_selection is not None
        assert result.match_selection.status is SelectionStatus.AUTO_SELECTED
        assert (after.source_entity_type, after.source_urls) == (best.entity_type, (best.source_url,))

    async def test_a_search_that_runs_later_tells_it_too(self, runtime: Runtime, north: Principal) -> None:
        record = await bakery(runtime, north)
        answer = await create_search(runtime, north, SearchRequest(business_external_id="crm-1"), respond_async=True)
        assert (await current(runtime, north, record)).last_searched_at is None
        assert await worker.work_once(runtime, "worker")
        document = (await read_search(runtime, north.organization_id, answer.search_id)).parse(SearchResult)
        assert document.comparison is not None
        assert (await current(runtime, north, record)).last_search_job_id == answer.search_id


class TestSelection:
    async def chosen(self, runtime: Runtime, north: Principal, search_id: UUID, **choice: Any) -> SearchResult:
        await choose_match(runtime, north.organization_id, search_id, MatchChoice.model_validate(choice))
        return (await read_search(runtime, north.organization_id, search_id)).parse(SearchResult)

    async def test_the_comparison_is_made_again_with_the_match_that_is_chosen(self, runtime: Runtime, north: Principal) -> None:
        record = await twins(runtime, north)
        result = await search(runtime, north, business_id=record.id, match_selection=True)
        by_register = {match.jurisdiction.value: match.match_id for match in result.businesses or ()}
        for register, expected in (("ON", FieldStatus.MISMATCHED), ("AB", FieldStatus.MATCHED), ("ON", FieldStatus.MISMATCHED)):
            after = await self.chosen(runtime, north, result.meta.search_id, matchId=str(by_register[register]))
            assert after.comparison is not None
            assert after.comparison.match_id == by_register[register]
            assert statuses(after.comparison)["jurisdiction"] is expected
            assert after.comparison.discrepancy_count == int(expected is FieldStatus.MISMATCHED)
            told = await current(runtime, north, record)
            assert told.has_unresolved_discrepancies is (register == "ON")

    async def test_without_a_choice_it_is_made_with_the_best_match_again(self, runtime: Runtime, north: Principal) -> None:
        record = await twins(runtime, north)
        result = await search(runtime, north, business_id=record.id, match_selection=True)
        other = (result.businesses or ())[1].match_id
        await self.chosen(runtime, north, result.meta.search_id, matchId=str(other))
        after = await self.chosen(runtime, north, result.meta.search_id, status="no_selection")
        assert after.comparison == result.comparison
        assert (await current(runtime, north, record)).source_urls == ()

    async def test_it_is_made_with_the_record_as_it_is_now(self, runtime: Runtime, north: Principal) -> None:
        record = await twins(runtime, north)
        result = await search(runtime, north, business_id=record.id, match_selection=True)
        await sent(runtime, north.organization_id, externalId="twin", name="Renamed Ltd.")
        best = (result.businesses or ())[0].match_id
        after = await self.chosen(runtime, north, result.meta.search_id, matchId=str(best))
        assert statuses(after.comparison)["legalName"] is FieldStatus.MISMATCHED

    async def test_a_choice_in_an_older_search_is_not_told_to_the_record(
        self, runtime: Runtime, north: Principal, clock: ManualClock
    ) -> None:
        record = await twins(runtime, north)
        older = await search(runtime, north, business_id=record.id, match_selection=True)
        clock.advance(seconds=1)
        newer = await search(runtime, north, business_id=record.id, match_selection=True)
        before = await current(runtime, north, record)
        chosen = (older.businesses or ())[1].match_id
        assert (await self.chosen(runtime, north, older.meta.search_id, matchId=str(chosen))).comparison is not None
        assert await current(runtime, north, record) == before
        assert before.last_search_job_id == newer.meta.search_id

    async def test_the_trail_names_the_selection(self, runtime: Runtime, north: Principal) -> None:
        record = await twins(runtime, north)
        result = await search(runtime, north, business_id=record.id, match_selection=True)
        await self.chosen(runtime, north, result.meta.search_id, matchId=str((result.businesses or ())[1].match_id))
        entries = (await change_feed.read_audit_log(runtime, north.organization_id, record.id, 100, 0)).entries
        assert {entry.field for entry in entries if entry.actor == "system:selection"} >= {"sourceUrls"}


async def test_an_archived_record_can_be_searched_like_any_other(runtime: Runtime, north: Principal) -> None:
    record = (await send(runtime, north.organization_id, name="Sandbox Bakery Inc.", externalId="old", isArchived=True)).record
    assert (await search(runtime, north, business_id=record.id)).comparison is not None


async def test_a_record_of_another_organization_of_that_name_stays_as_it_is(
    runtime: Runtime, north: Principal, south: Principal
) -> None:
    theirs = await sent(runtime, south.organization_id, externalId="crm-1", name="Sandbox Bakery Inc.")
    mine = await bakery(runtime, north)
    await search(runtime, north, business_id=mine.id)
    assert await find_record(runtime, south.organization_id, business_id=theirs.id) == theirs
    nobody = await principal_of(runtime, "nobody")
    assert (await change_feed.read_feed(runtime, nobody.organization_id, FeedFilter(), change_feed.START, 10)).businesses == ()
