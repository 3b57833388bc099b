"""A record is rated again without a check: after a dismissal, a change of ownership, and a change that monitoring finds."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from bonafide.model.accounts.organizations import Principal
from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry, RegulatoryEntry
from bonafide.model.events.event import EventType
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.model.risk.rules import RiskRulesInput
from bonafide.model.verification.acceptance import AcceptanceRequest, AcceptanceRevocation
from bonafide.runtime import Runtime
from bonafide.services.ownership.statements import replace_statement
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.records.business_records import find_record
from bonafide.services.records.rating_queue import RATING_JOB
from bonafide.services.risk.rule_versions import activate, save_draft
from bonafide.services.screening.dismissal_expiry import record_expired_dismissals
from bonafide.services.screening.dismissals import dismiss, revoke
from bonafide.services.screening.rating_refresh import refresh_rating
from bonafide.services.verification.acceptances import accept_discrepancy, revoke_acceptance
from bonafide.store.work import jobs
from tests.support.services.business_records import sent
from tests.support.services.events import list_events
from tests.support.services.loading import put
from tests.support.services.manual_checks import add_record, create, record_seen, verify
from tests.support.services.monitoring import SANDBOX, evaluate, monitored, work_all
from tests.support.services.runtimes import ManualClock, clock_of, principal_of, search
from tests.support.services.sanctions_lists import ANALYST, NAME, load_two_lists, request_for, screened

pytestmark = pytest.mark.anyio
ANN = Author("ann@north.example")
RULES = (
    ("hit", "sanctions.openHits > 0", 100),
    ("dismissed", "sanctions.dismissedHits > 0", 5),
    ("declared", "ownership.declared", 25),
    ("inactive", "!registry.active", 30),
    ("gone", "!registry.found", 80),
    ("differs", "verification.openDiscrepancies > 0", 30),
    ("unlicensed", "size(licences.held) == 0", 30),
)
SHOP, NUMBER = "Quiet Harbour Bakery Limited", "3301234"


@pytest.fixture
async def north(empty_runtime: Runtime) -> Principal:
    load_two_lists(empty_runtime)
    north = await principal_of(empty_runtime, "north")
    rules = [
        {"id": name, "title": name, "when": when, "points": points, "reason": name, "unknownPoints": 0}
        for name, when, points in RULES
    ]
    bands = [{"name": "low", "from": 0}, {"name": "medium", "from": 20}, {"name": "high", "from": 60}]
    sent_rules = RiskRulesInput.model_validate({"rules": rules, "bands": bands})
    draft = await save_draft(empty_runtime, north.organization_id, sent_rules, ANN)
    await activate(empty_runtime, north.organization_id, draft.version, ANN)
    return north


async def current(runtime: Runtime, north: Principal, record: BusinessRecord) -> BusinessRecord:
    return await find_record(runtime, north.organization_id, business_id=record.id)


async def worked(runtime: Runtime) -> None:
    """Let a worker do everything, when what was queued is due."""
    clock_of(runtime).advance(seconds=1)
    await work_all(runtime)


async def rated_by(runtime: Runtime, north: Principal, record: BusinessRecord) -> set[str]:
    """The rules that are true for a record, after everything that was queued."""
    await worked(runtime)
    risk = (await current(runtime, north, record)).risk
    assert risk is not None
    return {one.rule_id for one in risk.contributions}


async def bands(runtime: Runtime, north: Principal) -> list[tuple[Any, Any]]:
    events = await list_events(runtime, north.organization_id)
    return [(one.data["previousBand"], one.data["band"]) for one in events if one.type is EventType.RISK_BAND_CHANGED]


@pytest.mark.parametrize("is_limited", [True, False], ids=["of-the-record", "of-all-records"])
async def test_a_record_is_rated_again_when_a_dismissal_begins_ends_and_expires(
    empty_runtime: Runtime, north: Principal, clock: ManualClock, *, is_limited: bool
) -> None:
    record = await sent(empty_runtime, north.organization_id, name=NAME)
    (match,) = (await screened(empty_runtime, north, NAME, businessId=str(record.id))).screening.matches
    assert await rated_by(empty_runtime, north, record) == {"hit"}
    said = {"businessId": str(record.id)} if is_limited else {}
    made = await dismiss(empty_runtime, north, request_for(match, NAME, **said), ANALYST)
    assert await rated_by(empty_runtime, north, record) == {"dismissed"}
    await revoke(empty_runtime, north.organization_id, made.id, "It was them.", ANALYST)
    assert await rated_by(empty_runtime, north, record) == {"hit"}
    until = clock.now + timedelta(days=1)
    await dismiss(empty_runtime, north, request_for(match, NAME, until=until.isoformat(), **said), ANALYST)
    assert await rated_by(empty_runtime, north, record) == {"dismissed"}
    clock.advance(days=2)
    await record_expired_dismissals(empty_runtime)
    assert await rated_by(empty_runtime, north, record) == {"hit"}
    assert await bands(empty_runtime, north) == [
        (None, "high"), ("high", "low"), ("low", "high"), ("high", "low"), ("low", "high"),
    ]  # fmt: skip
    assert (await verify_audit_log(empty_runtime, north.organization_id)).is_whole


async def test_the_screening_of_a_search_is_compared_with_dismissals_too(empty_runtime: Runtime, north: Principal) -> None:
    record = await sent(empty_runtime, north.organization_id, name=NAME)
    result = await search(empty_runtime, north, business_id=record.id, sanctions_screening=True)
    assert result.sanctions is not None
    assert "hit" in await rated_by(empty_runtime, north, record)
    await dismiss(empty_runtime, north, request_for(result.sanctions.matches[0], NAME), ANALYST)
    assert {"hit", "dismissed"} & await rated_by(empty_runtime, north, record) == {"dismissed"}


async def test_a_record_is_rated_again_when_its_owners_are_declared(empty_runtime: Runtime, north: Principal) -> None:
    record = await sent(empty_runtime, north.organization_id, name="Plain Trading Ltd.")
    await screened(empty_runtime, north, "Plain Trading Ltd.", businessId=str(record.id))
    assert "declared" not in await rated_by(empty_runtime, north, record)
    business = {"id": "self", "kind": "business", "name": "Plain Trading Ltd.", "businessId": str(record.id)}
    owner = {"id": "ada", "kind": "person", "name": "Ada Example"}
    interest = {"id": "1", "owner": "ada", "owned": "self", "kind": "shares", "share": {"exact": 1.0}}
    said = {"claimedBy": "declared", "asOf": "2026-11-01", "parties": [business, owner], "interests": [interest]}
    await replace_statement(empty_runtime, north.organization_id, record.id, OwnershipStatement.model_validate(said), ANN)
    assert "declared" in await rated_by(empty_runtime, north, record)


async def test_a_record_is_rated_again_when_a_discrepancy_is_accepted_and_when_that_is_revoked(
    empty_runtime: Runtime, north: Principal
) -> None:
    record = await add_record(empty_runtime, north.organization_id)
    check = await create(empty_runtime, north, businessId=str(record.id))
    await record_seen(empty_runtime, north.organization_id, check.id, name="Wholly Different Fisheries Inc.")
    found = await verify(empty_runtime, north, businessId=str(record.id))
    assert "differs" in await rated_by(empty_runtime, north, record)
    accepted = AcceptanceRequest(reason_code="discrepancy_explained", note="Changed last week.")
    await accept_discrepancy(empty_runtime, north.organization_id, found, "legalName", accepted, ANN)
    assert "differs" not in await rated_by(empty_runtime, north, record)
    revoked = AcceptanceRevocation(note="It has not.")
    await revoke_acceptance(empty_runtime, north.organization_id, found, "legalName", revoked, ANN)
    assert "differs" in await rated_by(empty_runtime, north, record)
    assert await bands(empty_runtime, north) == [(None, "medium"), ("medium", "low"), ("low", "medium")]


async def test_a_second_run_of_a_job_changes_nothing(empty_runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    record = await sent(empty_runtime, north.organization_id, name=NAME)
    (match,) = (await screened(empty_runtime, north, NAME, businessId=str(record.id))).screening.matches
    await dismiss(empty_runtime, north, request_for(match, NAME, businessId=str(record.id)), ANALYST)
    await worked(empty_runtime)
    before, clock.now = await current(empty_runtime, north, record), clock.now + timedelta(days=1)
    await refresh_rating(empty_runtime, north.organization_id, record.id)
    assert await current(empty_runtime, north, record) == before
    assert len(await bands(empty_runtime, north)) == 2


async def test_nothing_is_queued_without_rules_and_nothing_rated_that_never_was(empty_runtime: Runtime, north: Principal) -> None:
    south = await principal_of(empty_runtime, "south")
    for principal, queued in ((south, 0), (north, 1)):
        (match,) = (await screened(empty_runtime, principal)).screening.matches
        await dismiss(empty_runtime, principal, request_for(match), ANALYST)
        assert await jobs.count_live(empty_runtime.store, principal.organization_id, RATING_JOB, 10) == queued
    record = await sent(empty_runtime, north.organization_id, name="Plain Trading Ltd.")
    await refresh_rating(empty_runtime, north.organization_id, record.id)
    await refresh_rating(empty_runtime, north.organization_id, UUID(int=7))
    assert (await current(empty_runtime, north, record)).risk is None


def registered(status: StatusCode) -> RegistryEntry:
    number = RegistrationNumber(label="Registry ID", value=NUMBER)
    known: dict[str, Any] = {"status": status.value, "status_code": status, "registration_numbers": (number,)}
    return RegistryEntry(entry_id=NUMBER, jurisdiction=Jurisdiction.NS, legal_name=SHOP, **known)


def licensed(status: StatusCode) -> RegulatoryEntry:
    return RegulatoryEntry(entry_id="L-1", legal_name=SHOP, registration_number="L-1", status=status.value, status_code=status)


async def test_a_record_is_rated_again_when_monitoring_finds_a_change(empty_runtime: Runtime, north: Principal) -> None:
    put(empty_runtime, "ns", [registered(StatusCode.ACTIVE)], SANDBOX)
    put(empty_runtime, "agcoCannabis", [licensed(StatusCode.ACTIVE)], SANDBOX)
    record = await monitored(empty_runtime, north, SHOP, jurisdiction="NS", registrationNumber=NUMBER)
    await evaluate(empty_runtime)
    await search(empty_runtime, north, business_id=record.id, regulatory_registry=True)
    assert await rated_by(empty_runtime, north, record) == set()
    put(empty_runtime, "ns", [registered(StatusCode.DISSOLVED)], SANDBOX)
    await evaluate(empty_runtime)
    assert await rated_by(empty_runtime, north, record) == {"inactive"}
    put(empty_runtime, "agcoCannabis", [licensed(StatusCode.CANCELLED)], SANDBOX)
    await evaluate(empty_runtime)
    assert await rated_by(empty_runtime, north, record) == {"inactive", "unlicensed"}
    put(empty_runtime, "ns", [], SANDBOX)
    await evaluate(empty_runtime)
    assert await rated_by(empty_runtime, north, record) == {"unlicensed", "gone"}
    assert await bands(empty_runtime, north) == [("low", "medium"), ("medium", "high")]
