"""What is verified: from the request, a stored record and the account's settings; and what that leaves on the record."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from starlette.types import Receive, Scope, Send

from bonafide.app import worker
from bonafide.errors import NotFound, ValidationFailed
from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord, VerificationStatus
from bonafide.model.verification.results import CheckStatus, ResultStatus, VerifyResponse
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.accounts import organizations
from bonafide.services.records import business_records
from bonafide.services.verification.lifecycle import fail_overdue
from bonafide_sandbox.generator.businesses import create_businesses as invented
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.slow_registers import SlowRegisters
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from tests.support.servers.asgi_server import served
from tests.support.services.runtimes import ManualClock
from tests.support.services.verifications import BAKERY, document, ordered, pending, stands, state, worked, worked_until_over
from tests.support.store.throttle_states import clear_throttle_states

pytestmark = pytest.mark.anyio
WORLD = tuple(invented(DEFAULT_SEED, 0, 1000))
AUTHOR = Author("test@north.example")
FAILING = {"legalName": "Sandbox Failing Registry Inc.", "jurisdiction": "AB", "registrationNumber": "2010000041"}
DISSOLVED = {"legalName": "Sandbox Dissolved Corporation", "jurisdiction": "FED", "registrationNumber": "100005-8"}
SLOW = {"legalName": "Sandbox Slow Registry Inc.", "jurisdiction": "BC", "registrationNumber": "BC1000033"}


async def at_once(runtime: Runtime, principal: Principal, **changes: Any) -> VerifyResponse:
    """The answer of one that is answered with 200."""
    answer = await ordered(runtime, principal, **{**BAKERY, **changes})
    assert not answer.pending
    assert isinstance(answer.document, VerifyResponse)
    return answer.document


async def kept(runtime: Runtime, principal: Principal, **fields: Any) -> BusinessRecord:
    """A stored record."""
    request = BusinessUpsert.model_validate(
        {"name": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017", **fields}
    )
    return (await business_records.upsert(runtime, principal.organization_id, request, AUTHOR)).record


async def by_reference(runtime: Runtime, principal: Principal, business_id: UUID, **fields: Any) -> VerifyResponse:
    nothing = {"legalName": None, "jurisdiction": None, "registrationNumber": None}
    return await at_once(runtime, principal, **{**nothing, "businessId": business_id, **fields})


# ------------------------------------------------------------------------------------------------------------ the claim


async def test_the_answer_tells_what_was_asked_for_whom_and_how_strictly(runtime: Runtime, north: Principal) -> None:
    answer = await at_once(runtime, north, externalId="case 7", maxAge=48, matching={"legalName": {"threshold": 0.8}})
    meta = answer.meta
    assert (meta.external_id, meta.verified_by, meta.verified_at) == ("case 7", north.identity, runtime.clock())
    assert (meta.submitted.legal_name, meta.submitted.jurisdiction_label, meta.submitted.max_age) == (
        "Sandbox Bakery Inc.",
        "Ontario",
        48,
    )
    assert meta.thresholds.model_dump() == {"legal_name": 0.8, "registration_number": 1.0, "address": 0.95, "people": 0.95}
    assert answer.registry_data is not None
    assert answer.registry_data.route is Route.IMPORT
    assert answer.registry_data.business_report.report_url is not None


async def test_account_settings_apply_and_the_request_overrides_them(runtime: Runtime, north: Principal, south: Principal) -> None:
    wanted = {"verification": {"legalName": {"threshold": 1.0}, "people": {"enabled": False}, "address": {"threshold": 0.7}}}
    await organizations.change_settings(runtime, north.organization_id, AccountSettings.model_validate(wanted), AUTHOR)
    people = [{"name": "Nobody At All"}]
    mine = await at_once(runtime, north, people=people)
    assert mine.meta.thresholds.model_dump() == {"legal_name": 1.0, "registration_number": 1.0, "address": 0.7, "people": None}
    assert mine.results.people == ()
    asked = await at_once(runtime, north, people=people, matching={"people": {"enabled": True}, "legalName": {"threshold": 0.5}})
    assert (asked.meta.thresholds.people, asked.meta.thresholds.legal_name) == (0.95, 0.5)
    claimed = [person for person in asked.results.people if person.provided is not None]
    assert [person.status for person in claimed] == [CheckStatus.MISMATCHED]
    assert (await at_once(runtime, south)).meta.thresholds.legal_name == 0.95


async def test_a_switched_off_comparison_is_no_discrepancy(runtime: Runtime, north: Principal) -> None:
    wrong = {"people": [{"name": "Nobody At All"}], "address": {"city": "Moncton"}}
    assert (await at_once(runtime, north, **wrong)).results.discrepancy_count == 2
    off = {"people": {"enabled": False}, "address": {"enabled": False}}
    answer = await at_once(runtime, north, **wrong, matching=off)
    assert (answer.results.status, answer.results.fields.address, answer.results.people) == (ResultStatus.VERIFIED, None, ())


@pytest.mark.parametrize("number", ["---", ". / ."])
async def test_a_number_without_any_digit_or_letter_is_refused(runtime: Runtime, north: Principal, number: str) -> None:
    with pytest.raises(ValidationFailed) as caught:
        await ordered(runtime, north, **{**BAKERY, "registrationNumber": number})
    assert [problem.path for problem in caught.value.details] == ["registrationNumber"]


# ------------------------------------------------------------------------------------------------------------ by reference


async def test_what_is_not_sent_is_taken_from_the_record(runtime: Runtime, north: Principal) -> None:
    people = [{"name": "Luc Beauvallon", "role": "Director"}]
    record = await kept(runtime, north, street="100 King Street West", unit="200", city="Toronto", people=people)
    answer = await by_reference(runtime, north, record.id)
    submitted = answer.meta.submitted
    assert (submitted.legal_name, submitted.jurisdiction, submitted.registration_number) == ("Sandbox Bakery Inc.", "ON", "1000017")
    assert submitted.address is not None
    assert (submitted.address.street, submitted.address.unit, submitted.address.city) == ("100 King Street West", "200", "Toronto")
    assert [(person.name, person.roles) for person in submitted.people] == [("Luc Beauvallon", ("Director",))]
    assert (answer.results.status, answer.meta.business_id) == (ResultStatus.VERIFIED, record.id)


async def test_what_is_sent_counts_more_than_the_record_and_never_changes_it(runtime: Runtime, north: Principal) -> None:
    record = await kept(runtime, north, externalId="mine", city="Toronto", people=[{"name": "Luc Beauvallon"}])
    sent = {"legalName": "Entirely Other Words Ltd.", "address": {"city": "Moncton"}, "people": []}
    answer = await by_reference(runtime, north, record.id, businessExternalId="mine", **sent)
    assert (answer.meta.submitted.legal_name, answer.meta.submitted.people) == ("Entirely Other Words Ltd.", ())
    assert answer.results.discrepancy_count == 2
    after = await business_records.find_record(runtime, north.organization_id, business_id=record.id)
    assert (after.name, after.address.city, after.people) == (record.name, "Toronto", record.people)


async def test_a_further_address_stands_in_for_the_one_that_is_missing(runtime: Runtime, north: Principal) -> None:
    record = await kept(runtime, north, addresses=[{"type": "mailing", "city": "Toronto"}])
    submitted = (await by_reference(runtime, north, record.id)).meta.submitted
    assert submitted.address is not None
    assert submitted.address.city == "Toronto"


async def test_a_record_that_does_not_say_whom_to_verify_is_refused_with_all_that_is_missing(
    runtime: Runtime, north: Principal
) -> None:
    record = await kept(runtime, north, jurisdiction=None, registrationNumber=None)
    with pytest.raises(ValidationFailed) as caught:
        await by_reference(runtime, north, record.id)
    assert [problem.path for problem in caught.value.details] == ["jurisdiction", "registrationNumber"]
    assert {str(problem.message) for problem in caught.value.details} == {
        "is required, because the business record does not have it"
    }


async def test_an_unknown_or_foreign_record_is_not_found_and_none_is_created(
    runtime: Runtime, north: Principal, south: Principal
) -> None:
    record = await kept(runtime, north, externalId="mine")
    for principal, reference in (
        (north, {"businessId": uuid4()}),
        (north, {"businessExternalId": "other"}),
        (south, {"businessId": record.id}),
        (south, {"businessExternalId": "mine"}),
    ):
        with pytest.raises(NotFound):
            await ordered(runtime, principal, **BAKERY, **reference)


async def test_references_to_two_records_are_refused(runtime: Runtime, north: Principal) -> None:
    one = await kept(runtime, north)
    await kept(runtime, north, jurisdiction="AB", externalId="other")
    with pytest.raises(ValidationFailed):
        await ordered(runtime, north, **BAKERY, businessId=one.id, businessExternalId="other")


# ------------------------------------------------------------------------------------------------------------ the record


@pytest.mark.parametrize(
    ("claim", "status", "unresolved"),
    [
        ({}, VerificationStatus.VERIFIED, False),
        ({"legalName": "Entirely Other Words Ltd."}, VerificationStatus.DISCREPANCIES, True),
        (DISSOLVED, VerificationStatus.DISCREPANCIES, True),
    ],
    ids=["verified", "discrepancies", "inactive"],
)
async def test_a_verification_is_noted_on_its_record(
    runtime: Runtime, north: Principal, clock: ManualClock, claim: dict[str, str], status: VerificationStatus, *, unresolved: bool
) -> None:
    record = await kept(runtime, north)
    clock.advance(minutes=1)
    answer = await by_reference(runtime, north, record.id, **claim)
    after = await business_records.find_record(runtime, north.organization_id, business_id=record.id)
    assert (after.verification_status, after.has_unresolved_discrepancies) == (status, unresolved)
    assert (after.latest_verification_id, after.last_verified_at) == (answer.meta.verification_id, answer.meta.verified_at)
    assert after.updated_at > record.updated_at
    assert after.model_copy(update={"name": None}).registration_number == record.registration_number


async def test_a_verification_that_fails_is_noted_once_and_says_nothing_of_discrepancies(
    runtime: Runtime, north: Principal, clock: ManualClock
) -> None:
    record = await kept(runtime, north, name="Any", jurisdiction="AB", registrationNumber="2010000041")
    one = await pending(runtime, north, **{**FAILING, "businessId": record.id})
    clock.advance(seconds=1)
    await worked(runtime)
    after = await business_records.find_record(runtime, north.organization_id, business_id=record.id)
    assert after.verification_status is VerificationStatus.FAILED
    assert (after.latest_verification_id, after.last_verified_at, after.has_unresolved_discrepancies) == (one, None, False)
    clock.advance(hours=1)
    assert await fail_overdue(runtime) == 0
    assert await business_records.find_record(runtime, north.organization_id, business_id=record.id) == after


async def test_one_that_runs_past_its_deadline_is_noted_too(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    record = await kept(runtime, north, name="Any", jurisdiction="AB", registrationNumber="2010000041")
    await pending(runtime, north, **{**FAILING, "businessId": record.id})
    clock.advance(hours=1)
    assert await fail_overdue(runtime) == 1
    after = await business_records.find_record(runtime, north.organization_id, business_id=record.id)
    assert after.verification_status is VerificationStatus.FAILED


# ------------------------------------------------------------------------------------------------------------ the sandbox


@pytest.fixture
def asked() -> list[str]:
    """The paths that the served sandbox was asked for."""
    return []


@pytest.fixture
async def served_runtime(runtime: Runtime, live_world: Path, asked: list[str]) -> AsyncIterator[Runtime]:
    """Everything loaded that is loaded, and the live registers served, slow ones included."""
    sandbox = create_sandbox_app(live_world, {}, None, BusinessDirectory(live_world, DEFAULT_SEED), SlowRegisters())

    async def counted(scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(scope.get("path", ""))
        await sandbox(scope, receive, send)

    async with served(counted) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        yield replace(runtime, fetchers={World.SANDBOX: fetcher})
        await fetcher.close()


async def test_the_bakery_is_verified_at_once(served_runtime: Runtime, north: Principal) -> None:
    answer = await at_once(served_runtime, north, people=[{"name": "Okafor-Lindqvist, Margaret", "role": "President"}])
    assert (answer.results.status, answer.results.discrepancy_count) == (ResultStatus.VERIFIED, 0)


async def test_the_dissolved_one_is_inactive_when_everything_matches(served_runtime: Runtime, north: Principal) -> None:
    answer = await at_once(served_runtime, north, **DISSOLVED)
    assert (answer.results.status, answer.results.discrepancy_count) == (ResultStatus.INACTIVE, 0)
    wrong = await at_once(served_runtime, north, **{**DISSOLVED, "legalName": "Entirely Other Words"})
    assert wrong.results.status is ResultStatus.DISCREPANCIES


async def test_the_failing_register_fails(served_runtime: Runtime, north: Principal) -> None:
    for _ in range(2):
        one = await pending(served_runtime, north, **FAILING)
        await worked(served_runtime)
        failed = await stands(served_runtime, north, one)
        assert failed["status"] == "failed"
        assert failed["error"].startswith("The register of Alberta refuses queries for this number")


async def test_the_slow_register_makes_every_verification_wait(
    served_runtime: Runtime, north: Principal, clock: ManualClock
) -> None:
    for _ in range(2):
        # The pace of a source is kept by the machine's clock, the jobs by the test's.
        await clear_throttle_states(served_runtime)
        one = await pending(served_runtime, north, **SLOW)
        await worked(served_runtime)
        assert await state(served_runtime, north, one) == "waiting_for_registry"
        await clear_throttle_states(served_runtime)
        clock.advance(seconds=1)
        await worked(served_runtime)
        answer = await document(served_runtime, north, one)
        assert (answer.results.status, answer.meta.duration) == (ResultStatus.VERIFIED, 1000)
        clock.advance(seconds=1)


async def test_ten_concurrent_callers_cause_one_look_up_at_the_sandbox_s_register(
    served_runtime: Runtime, north: Principal, clock: ManualClock, asked: list[str]
) -> None:
    claim = {**SLOW, "registrationNumber": next(one.number for one in WORLD if one.register is Jurisdiction.BC)}
    ids = await asyncio.gather(*(pending(served_runtime, north, **claim) for _ in range(10)))
    await asyncio.gather(*(worker.work_once(served_runtime, f"w{number}") for number in range(10)))
    await worked_until_over(served_runtime, north, ids, clock)
    assert {await state(served_runtime, north, one) for one in ids} == {"completed"}
    # OrgBook's report takes two questions.
    assert [path.rpartition("/")[2] for path in asked] == ["topic", "credential-set"]


async def test_what_the_register_never_publishes_is_no_discrepancy(
    served_runtime: Runtime, north: Principal, clock: ManualClock
) -> None:
    claim = {**SLOW, "people": [{"name": "Basil Tortoyse", "role": "Director"}], "address": {"city": "Vancouver"}}
    one = await pending(served_runtime, north, **claim)
    for _ in range(2):
        await worked(served_runtime)
        await clear_throttle_states(served_runtime)
        clock.advance(seconds=1)
    results = (await document(served_runtime, north, one)).results
    assert results.fields.address is not None
    assert results.fields.address.status is CheckStatus.NOT_PUBLISHED
    assert [person.status for person in results.people] == [CheckStatus.NOT_PUBLISHED]
    assert (results.status, results.discrepancy_count) == (ResultStatus.VERIFIED, 0)
