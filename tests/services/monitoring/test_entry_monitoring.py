"""Monitored records against registers and regulators that change."""

from typing import Any

import pytest

from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import Address, Person, RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry, RegulatoryEntry
from bonafide.model.events.event import Event, EventSeverity, EventType
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.monitoring.evaluations import EvaluationOutcome
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.monitoring import changed_entries
from bonafide.services.monitoring.status import read_record_monitoring
from bonafide.store.monitoring import monitored_records
from bonafide.store.monitoring.monitored_records import MonitoringGap
from tests.support.services.events import list_events
from tests.support.services.loading import put
from tests.support.services.monitoring import SANDBOX, changed, evaluate, monitored
from tests.support.services.runtimes import principal_of
from tests.support.services.sanctions_lists import load_lists

pytestmark = pytest.mark.anyio
REGISTER, REGULATOR = "ns", "agcoCannabis"
NUMBER, NAME = "3301234", "Quiet Harbour Bakery Limited"
OTHER = "Umbra Lantern Works Ltd."
BUSINESS_NUMBER = RegistrationNumber(label="Business Number", value="835752437")


@pytest.fixture
async def principal(empty_runtime: Runtime) -> Principal:
    load_lists(empty_runtime, {})
    return await principal_of(empty_runtime, "north")


def registered(number: str = NUMBER, **said: Any) -> RegistryEntry:
    known: dict[str, Any] = {
        "legal_name": NAME,
        "status": "Active",
        "status_code": StatusCode.ACTIVE,
        "addresses": (Address(street="1 Water Street", city="Halifax", province="NS"),),
        "people": (Person(name="Odalys Fennimore", roles=("Director",)),),
    }
    known["registration_numbers"] = (RegistrationNumber(label="Registry ID", value=number),)
    return RegistryEntry(entry_id=number, jurisdiction=Jurisdiction.NS, **known | said)


def licensed(name: str = NAME, entry_id: str = "L-1", **said: Any) -> RegulatoryEntry:
    known: dict[str, Any] = {"status": "Authorized", "status_code": StatusCode.ACTIVE, "registration_number": entry_id}
    return RegulatoryEntry(entry_id=entry_id, legal_name=name, **known | said)


async def watched(runtime: Runtime, principal: Principal) -> BusinessRecord:
    return await monitored(runtime, principal, NAME, jurisdiction="NS", registrationNumber=NUMBER)


async def load_and_evaluate(runtime: Runtime, source: str, *entries: RegistryEntry | RegulatoryEntry) -> None:
    put(runtime, source, entries, SANDBOX)
    await evaluate(runtime)


async def entry_events(runtime: Runtime, principal: Principal) -> list[Event]:
    found = await list_events(runtime, principal.organization_id)
    return [event for event in found if event.type.value.startswith(("registry.", "licence."))]


def types(events: list[Event]) -> list[EventType]:
    return [event.type for event in events]


@pytest.mark.parametrize(
    ("said", "event_type", "change"),
    [
        (
            {"status": "Dissolved", "status_code": StatusCode.DISSOLVED},
            EventType.REGISTRY_STATUS_CHANGED,
            ("status", "Active", "Dissolved"),
        ),
        ({"legal_name": OTHER}, EventType.REGISTRY_NAME_CHANGED, ("legalName", NAME, OTHER)),
        (
            {"addresses": (Address(street="2 Water Street", city="Halifax", province="NS"),)},
            EventType.REGISTRY_ADDRESS_CHANGED,
            ("addresses", ["1 Water Street, Halifax, NS"], ["2 Water Street, Halifax, NS"]),
        ),
        (
            {"people": (Person(name="Jordan Sample", roles=("Director",)),)},
            EventType.REGISTRY_PEOPLE_CHANGED,
            ("people", ["Odalys Fennimore (Director)"], ["Jordan Sample (Director)"]),
        ),
        (
            {"registration_numbers": (RegistrationNumber(label="Registry ID", value=NUMBER), BUSINESS_NUMBER)},
            EventType.REGISTRY_NAME_CHANGED,
            ("registrationNumbers", [NUMBER], sorted([NUMBER, BUSINESS_NUMBER.value])),
        ),
    ],
    ids=["status", "name", "address", "people", "number"],
)
async def test_a_change_of_the_register_is_reported_once(
    empty_runtime: Runtime, principal: Principal, said: dict[str, Any], event_type: EventType, change: tuple[str, Any, Any]
) -> None:
    put(empty_runtime, REGISTER, [registered(), registered("9999999")], SANDBOX)
    await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    assert await entry_events(empty_runtime, principal) == []
    await load_and_evaluate(empty_runtime, REGISTER, registered(**said), registered("9999999"))
    await evaluate(empty_runtime)
    (event,) = await entry_events(empty_runtime, principal)
    assert event.type is event_type
    assert [(one.field, one.from_, one.to) for one in event.changes] == [change]
    assert event.source is not None
    assert event.source.key == REGISTER


async def test_an_entry_that_is_gone_is_reported(empty_runtime: Runtime, principal: Principal) -> None:
    put(empty_runtime, REGISTER, [registered(), registered("9999999")], SANDBOX)
    await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    await load_and_evaluate(empty_runtime, REGISTER, registered("9999999"))
    await load_and_evaluate(empty_runtime, REGISTER, registered("9999999"), registered())
    assert types(await entry_events(empty_runtime, principal)) == [EventType.REGISTRY_ENTRY_GONE]


async def test_a_register_that_is_loaded_later_is_a_beginning_and_no_change(empty_runtime: Runtime, principal: Principal) -> None:
    record = await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    missing = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    (own,) = (one for one in missing.evaluations if one.kind is MonitoringKind.REGISTRY)
    assert own.outcome is EvaluationOutcome.NOT_EVALUATED
    assert own.reason is not None
    await load_and_evaluate(empty_runtime, REGISTER, registered())
    assert await entry_events(empty_runtime, principal) == []
    await load_and_evaluate(empty_runtime, REGISTER, registered(status="Dissolved", status_code=StatusCode.DISSOLVED))
    assert types(await entry_events(empty_runtime, principal)) == [EventType.REGISTRY_STATUS_CHANGED]
    found = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    (own,) = (one for one in found.evaluations if one.kind is MonitoringKind.REGISTRY)
    assert own.outcome is EvaluationOutcome.CHANGED


async def test_a_register_with_two_entries_of_a_record_is_one_evaluation(empty_runtime: Runtime, principal: Principal) -> None:
    put(empty_runtime, REGISTER, [registered(), registered("3300000")], SANDBOX)
    other = {"label": "Registry ID", "value": "3300000", "jurisdiction": "NS"}
    record = await monitored(empty_runtime, principal, NAME, jurisdiction="NS", registrationNumber=NUMBER, registrations=[other])
    await evaluate(empty_runtime)
    await load_and_evaluate(empty_runtime, REGISTER, registered(legal_name=OTHER), registered("3300000"))
    found = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    (own,) = (one for one in found.evaluations if one.source == REGISTER)
    assert own.outcome is EvaluationOutcome.CHANGED


async def test_a_number_that_partial_data_lacks_does_not_affect_another_one(empty_runtime: Runtime) -> None:
    principal = await principal_of(empty_runtime, "north", World.LIVE)
    put(empty_runtime, REGISTER, [registered()], World.LIVE)
    missing = {"label": "Registry ID", "value": "3300000", "jurisdiction": "NS"}
    await monitored(empty_runtime, principal, NAME, jurisdiction="NS", registrationNumber=NUMBER, registrations=[missing])
    await evaluate(empty_runtime)
    put(empty_runtime, REGISTER, [registered(status="Dissolved", status_code=StatusCode.DISSOLVED)], World.LIVE)
    await evaluate(empty_runtime)
    assert types(await entry_events(empty_runtime, principal)) == [EventType.REGISTRY_STATUS_CHANGED]


@pytest.mark.parametrize("source", [REGISTER, REGULATOR])
async def test_a_record_with_a_gap_is_evaluated_with_the_next_load(
    empty_runtime: Runtime, principal: Principal, source: str
) -> None:
    put(empty_runtime, REGISTER, [registered()], SANDBOX)
    put(empty_runtime, REGULATOR, [licensed(OTHER)], SANDBOX)
    record = await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    gap = MonitoringGap(source, empty_runtime.clock(), Message("The source could not be read."))
    async with empty_runtime.store.write() as connection:
        await monitored_records.replace_gaps(connection, principal.organization_id, record.id, [gap])
    await load_and_evaluate(
        empty_runtime, source, *([registered()] if source == REGISTER else [licensed("Somebody Else Inc.", "L-9")])
    )
    found = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    (own,) = (one for one in found.evaluations if one.source == source)
    assert own.outcome is EvaluationOutcome.NO_CHANGE


async def test_licences_are_granted_changed_and_lapse(empty_runtime: Runtime, principal: Principal) -> None:
    nobody = licensed("Somebody Else Inc.", "L-9")
    put(empty_runtime, REGULATOR, [nobody], SANDBOX)
    await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    await load_and_evaluate(empty_runtime, REGULATOR, nobody, licensed("QUIET HARBOUR BAKERY LTD"))
    suspended = licensed("QUIET HARBOUR BAKERY LTD", status="Suspended", status_code=StatusCode.INACTIVE)
    await load_and_evaluate(empty_runtime, REGULATOR, nobody, suspended)
    await load_and_evaluate(empty_runtime, REGULATOR, nobody)
    await evaluate(empty_runtime)
    found = await entry_events(empty_runtime, principal)
    assert types(found) == [EventType.LICENCE_GRANTED, EventType.LICENCE_CHANGED, EventType.LICENCE_LAPSED]
    assert found[1].severity is EventSeverity.HIGH


async def test_a_licence_with_another_name_is_changed_and_stays_linked(empty_runtime: Runtime, principal: Principal) -> None:
    nobody = licensed("Somebody Else Inc.", "L-9")
    put(empty_runtime, REGULATOR, [nobody, licensed()], SANDBOX)
    await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    await load_and_evaluate(empty_runtime, REGULATOR, nobody, licensed(OTHER))
    suspended = licensed(OTHER, status="Suspended", status_code=StatusCode.INACTIVE)
    await load_and_evaluate(empty_runtime, REGULATOR, nobody, suspended)
    found = await entry_events(empty_runtime, principal)
    assert types(found) == [EventType.LICENCE_CHANGED] * 2
    assert [[(change.field, change.from_, change.to) for change in event.changes] for event in found] == [
        [("legalName", NAME, OTHER)],
        [("status", "Authorized", "Suspended")],
    ]
    await load_and_evaluate(empty_runtime, REGULATOR, nobody)
    assert types(await entry_events(empty_runtime, principal))[2:] == [EventType.LICENCE_LAPSED]


async def test_a_licence_with_another_name_is_not_linked_to_a_record_with_another_name(
    empty_runtime: Runtime, principal: Principal
) -> None:
    nobody = licensed("Somebody Else Inc.", "L-9")
    put(empty_runtime, REGULATOR, [nobody, licensed()], SANDBOX)
    record = await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    await load_and_evaluate(empty_runtime, REGULATOR, nobody, licensed(OTHER))
    await changed(empty_runtime, principal, record, name="Capelin & Cod Ltd.")
    await evaluate(empty_runtime)
    await load_and_evaluate(empty_runtime, REGULATOR, nobody)
    assert types(await entry_events(empty_runtime, principal)) == [EventType.LICENCE_CHANGED]


async def test_of_a_large_list_only_linked_licences_are_compared(
    empty_runtime: Runtime, principal: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changed_entries, "MAX_COMPARED_ENTRIES", 1)
    nobody, suspended = licensed("Somebody Else Inc.", "L-9"), {"status": "Suspended", "status_code": StatusCode.INACTIVE}
    put(empty_runtime, REGULATOR, [nobody, licensed()], SANDBOX)
    await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    await load_and_evaluate(empty_runtime, REGULATOR, nobody, licensed(), licensed(entry_id="L-2"))
    assert await entry_events(empty_runtime, principal) == []
    await load_and_evaluate(empty_runtime, REGULATOR, nobody, licensed(**suspended), licensed(entry_id="L-2"))
    assert types(await entry_events(empty_runtime, principal)) == [EventType.LICENCE_CHANGED, EventType.LICENCE_GRANTED]


@pytest.mark.slow
async def test_a_licence_that_the_record_begins_to_match_is_no_event(empty_runtime: Runtime, principal: Principal) -> None:
    put(empty_runtime, REGULATOR, [licensed(OTHER)], SANDBOX)
    record = await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    await changed(empty_runtime, principal, record, name=OTHER)
    await evaluate(empty_runtime)
    assert await entry_events(empty_runtime, principal) == []
    await load_and_evaluate(empty_runtime, REGULATOR, licensed("Somebody Else Inc.", "L-9"))
    assert types(await entry_events(empty_runtime, principal)) == [EventType.LICENCE_LAPSED]


async def test_an_equal_number_of_a_licence_links_nothing(empty_runtime: Runtime, principal: Principal) -> None:
    put(empty_runtime, REGULATOR, [licensed("Somebody Else Inc.", "L-9")], SANDBOX)
    await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    await load_and_evaluate(empty_runtime, REGULATOR, licensed("Somebody Else Inc.", NUMBER))
    assert await entry_events(empty_runtime, principal) == []


async def test_a_record_that_others_changed_entries_do_not_concern_is_not_evaluated(
    empty_runtime: Runtime, principal: Principal
) -> None:
    put(empty_runtime, REGISTER, [registered(), registered("9999999")], SANDBOX)
    record = await watched(empty_runtime, principal)
    await evaluate(empty_runtime)
    before = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    await load_and_evaluate(empty_runtime, REGISTER, registered(), registered("9999999", status="Dissolved"))
    after = await read_record_monitoring(empty_runtime, principal.organization_id, record.id)
    (old,) = (one for one in before.evaluations if one.kind is MonitoringKind.REGISTRY)
    (new,) = (one for one in after.evaluations if one.kind is MonitoringKind.REGISTRY)
    assert new.outcome is EvaluationOutcome.NO_CHANGE
    assert old.evaluated_at is not None
    assert new.evaluated_at is not None
    assert new.evaluated_at > old.evaluated_at
    sanctions = [[one for one in answer.evaluations if one.kind is MonitoringKind.SANCTIONS] for answer in (before, after)]
    assert sanctions[0] == sanctions[1]
