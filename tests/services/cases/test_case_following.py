"""Cases follow the events: each open fact is one item of the case of its business, and is settled with its cause."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.errors import Conflict
from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.organizations import Principal
from bonafide.model.cases.case import CaseItemStatus, CaseOutcome, CaseStatus
from bonafide.model.cases.policy import CaseItemKind, CasePriority
from bonafide.model.cases.requests import CaseChange
from bonafide.model.events.event import EventBusiness, EventType
from bonafide.model.ownership.discrepancies import DiscrepancyChange
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings
from bonafide.services.cases.acknowledgement import acknowledge_alert
from bonafide.services.cases.following import BATCH, update_cases
from bonafide.services.cases.handling import change_case
from bonafide.services.cases.reading import read_case
from bonafide.services.ownership.discrepancies import change_discrepancy
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.records.change_feed import START
from bonafide.services.screening.dismissal_expiry import record_expired_dismissals
from bonafide.services.screening.dismissals import dismiss, revoke
from bonafide.store.cases import cases
from bonafide.store.cases.cases import CaseFilter
from bonafide.store.database.engine import Store
from tests.support.services.business_records import sent
from tests.support.services.cases import (
    ANN,
    BOB,
    add_member,
    count_open,
    decide,
    follow,
    list_all,
    open_discrepancy,
    read_only_case,
    record_overdue,
)
from tests.support.services.events import list_events
from tests.support.services.runtimes import ManualClock
from tests.support.services.sanctions_lists import NAME, load_two_lists, request_for, screened

pytestmark = pytest.mark.anyio


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    load_two_lists(empty_runtime)
    return empty_runtime


@pytest.fixture
def organization(north: Principal) -> UUID:
    return north.organization_id


async def resolve(runtime: Runtime, organization: UUID, business: UUID, discrepancy: UUID) -> None:
    change = DiscrepancyChange.model_validate({"status": "resolved", "resolution": "Corrected."})
    await change_discrepancy(runtime, organization, business, discrepancy, change, ANN)


async def test_a_discrepancy_opens_a_case_and_its_resolution_ends_it(
    runtime: Runtime, organization: UUID, clock: ManualClock
) -> None:
    found = await open_discrepancy(runtime, organization)
    case = await read_only_case(runtime, organization)
    assert (case.number, case.status, case.priority, case.assignee) == (1, CaseStatus.OPEN, CasePriority.HIGH, None)
    assert case.business is not None
    assert case.business.id == found.business_id
    assert case.due_at == case.items[0].opened_at + timedelta(days=30)
    (item,) = case.items
    assert (item.kind, item.status) == (CaseItemKind.OWNERSHIP_DISCREPANCY, CaseItemStatus.OPEN)
    assert item.ref == f"/v1/businesses/{found.business_id}/discrepancies/{found.id}"
    assert item.summary == "The register has an owner of “Bakery Inc.” who is not declared."
    clock.advance(hours=1)
    await resolve(runtime, organization, found.business_id, found.id)
    ended = await read_only_case(runtime, organization)
    assert (ended.status, ended.outcome, count_open(ended)) == (CaseStatus.DECIDED, CaseOutcome.SETTLED, {})
    assert (ended.items[0].status, ended.items[0].settled_by) == (CaseItemStatus.SETTLED, ANN.actor)
    assert [event.type for event in await list_events(runtime, organization) if event.type.startswith("case.")] == [
        EventType.CASE_OPENED,
        EventType.CASE_DECIDED,
    ]
    assert (await verify_audit_log(runtime, organization)).problems == []


async def test_a_case_gathers_everything_of_one_business(runtime: Runtime, organization: UUID) -> None:
    first = await open_discrepancy(runtime, organization, "Jane Doe")
    await open_discrepancy(runtime, organization, "John Roe")
    await open_discrepancy(runtime, organization, "Jane Doe", name="Other Inc.")
    listed = await list_all(runtime, organization)
    assert {(case.number, count_open(case)[CaseItemKind.OWNERSHIP_DISCREPANCY]) for case in listed} == {(1, 2), (2, 1)}
    of_first = await list_all(runtime, organization, business_id=first.business_id)
    assert [case.number for case in of_first] == [1]


async def test_following_again_and_several_workers_change_nothing(runtime: Runtime, organization: UUID) -> None:
    for owner in ("Jane Doe", "John Roe", "Joan Poe"):
        await open_discrepancy(runtime, organization, owner)
    await asyncio.gather(*(update_cases(runtime) for _ in range(4)))
    case = await read_only_case(runtime, organization)
    assert len(case.items) == 3
    await follow(runtime)
    assert await read_only_case(runtime, organization) == case
    assert not await update_cases(runtime)


async def test_a_case_that_somebody_has_taken_waits_for_the_decision(runtime: Runtime, organization: UUID) -> None:
    await add_member(runtime, organization, ANN.actor)
    found = await open_discrepancy(runtime, organization)
    case = await read_only_case(runtime, organization)
    await change_case(runtime, organization, case.id, CaseChange(assignee=ANN.actor), ANN)
    await resolve(runtime, organization, found.business_id, found.id)
    kept = await read_only_case(runtime, organization)
    assert (kept.status, kept.assignee, count_open(kept)) == (CaseStatus.OPEN, ANN.actor, {})


async def test_after_the_end_of_a_case_a_new_fact_opens_another(runtime: Runtime, organization: UUID) -> None:
    found = await open_discrepancy(runtime, organization)
    await follow(runtime)
    await resolve(runtime, organization, found.business_id, found.id)
    await follow(runtime)
    await open_discrepancy(runtime, organization, "John Roe")
    listed = await list_all(runtime, organization)
    assert [(case.number, case.status) for case in listed] == [(1, CaseStatus.DECIDED), (2, CaseStatus.OPEN)]


async def test_a_hit_is_settled_by_its_dismissal_under_another_spelling_only(
    runtime: Runtime, north: Principal, organization: UUID
) -> None:
    record = await sent(runtime, organization, name=NAME)
    answer = await screened(runtime, north, NAME, businessId=str(record.id))
    case = await read_only_case(runtime, organization)
    (item,) = [item for item in case.items if item.kind is CaseItemKind.SANCTIONS_HIT]
    assert item.ref == f"/v1/sanctions/{answer.meta.screening_id}"
    (match,) = answer.screening.matches
    # The same name, of somebody of whom more is known, is another subject.
    await dismiss(runtime, north, request_for(match, NAME, countries=["BY"]), ANN)
    assert (await read_only_case(runtime, organization)).status is CaseStatus.OPEN
    await dismiss(runtime, north, request_for(match, "  ZEPHYRINE marlowe-trading "), ANN)
    settled = await read_only_case(runtime, organization)
    assert (settled.status, settled.items[0].settled_by) == (CaseStatus.DECIDED, ANN.actor)


async def test_a_hit_that_is_found_and_dismissed_before_a_worker_looks_is_settled(
    runtime: Runtime, north: Principal, organization: UUID
) -> None:
    record = await sent(runtime, organization, name=NAME)
    (match,) = (await screened(runtime, north, NAME, businessId=str(record.id))).screening.matches
    await dismiss(runtime, north, request_for(match, NAME), ANN)
    assert (await read_only_case(runtime, organization)).outcome is CaseOutcome.SETTLED


async def test_a_revoked_dismissal_opens_its_hit_again(
    runtime: Runtime, north: Principal, organization: UUID, clock: ManualClock
) -> None:
    record = await sent(runtime, organization, name=NAME)
    other = await sent(runtime, organization, name=f"{NAME} Two")
    (match,) = (await screened(runtime, north, NAME, businessId=str(record.id))).screening.matches
    await screened(runtime, north, NAME, businessId=str(other.id))
    replaced = await dismiss(runtime, north, request_for(match, NAME, reason="First."), ANN)
    await follow(runtime)
    dismissal = await dismiss(runtime, north, request_for(match, NAME, reason="Better."), ANN)
    assert {case.outcome for case in await list_all(runtime, organization)} == {CaseOutcome.SETTLED}
    assert replaced.id != dismissal.id
    # A screening while the hit is dismissed no longer has it among the open ones.
    clock.advance(hours=1)
    await screened(runtime, north, NAME, businessId=str(record.id))
    await revoke(runtime, organization, dismissal.id, "Wrong.", BOB)
    reopened = [case for case in await list_all(runtime, organization) if case.outcome is None]
    assert {case.business.id for case in reopened if case.business is not None} == {record.id, other.id}
    for case in reopened:
        assert count_open(case) == {CaseItemKind.SANCTIONS_HIT: 1}
        with pytest.raises(Conflict, match="open hits"):
            await decide(runtime, organization, case.id, "approve")
    (event,) = [event for event in await list_events(runtime, organization) if event.type is EventType.DISMISSAL_REVOKED]
    assert (event.data["dismissedBy"], event.data["revokedBy"]) == (ANN.actor, BOB.actor)
    await follow(runtime)
    assert len(await list_all(runtime, organization)) == 4
    await dismiss(runtime, north, request_for(match, NAME), BOB)
    assert {case.outcome for case in await list_all(runtime, organization)} == {CaseOutcome.SETTLED}


async def test_an_expired_dismissal_is_an_item_until_its_alert_is_acknowledged(
    runtime: Runtime, north: Principal, organization: UUID, clock: ManualClock
) -> None:
    record = await sent(runtime, organization, name=NAME)
    (match,) = (await screened(runtime, north, NAME, businessId=str(record.id))).screening.matches
    until = (clock.now + timedelta(days=2)).isoformat()
    await dismiss(runtime, north, request_for(match, NAME, businessId=str(record.id), until=until), ANN)
    await follow(runtime)
    clock.advance(days=3)
    assert await record_expired_dismissals(runtime) == 1
    _, case = await list_all(runtime, organization)
    assert count_open(case) == {CaseItemKind.EXPIRY: 1}
    (event,) = [event for event in await list_events(runtime, organization) if event.type is EventType.DISMISSAL_EXPIRED]
    await acknowledge_alert(runtime, organization, event.id, None, ANN)
    assert (await read_case(runtime, organization, case.id)).outcome is CaseOutcome.SETTLED


@pytest.mark.parametrize("order", ["followed first", "acknowledged first"])
async def test_an_acknowledged_alert_is_no_item(runtime: Runtime, organization: UUID, order: str) -> None:
    is_followed = order == "followed first"
    record = await sent(runtime, organization, name="Bakery Inc.")
    await record_overdue(runtime, organization, EventBusiness.from_record(record))
    if is_followed:
        assert count_open(await read_only_case(runtime, organization)) == {CaseItemKind.ALERT: 1}
    (event,) = [event for event in await list_events(runtime, organization) if event.alert is not None]
    await acknowledge_alert(runtime, organization, event.id, "Seen.", ANN)
    listed = await list_all(runtime, organization)
    assert [case.outcome for case in listed] == ([CaseOutcome.SETTLED] if is_followed else [])
    assert (await verify_audit_log(runtime, organization)).problems == []


class DyingStore(Store):
    """A store whose process is killed before a transaction is committed."""

    is_dying = False

    @asynccontextmanager
    async def write(self, *, is_effect: bool = True, durable: bool = True) -> AsyncIterator[AsyncConnection]:
        """A transaction that is rolled back if the process is dying."""
        async with super().write(is_effect=is_effect, durable=durable) as connection:
            yield connection
            if self.is_dying:
                raise ConnectionAbortedError


async def test_a_worker_that_is_killed_loses_and_doubles_nothing(runtime: Runtime, organization: UUID, database_url: str) -> None:
    await open_discrepancy(runtime, organization, "Jane Doe")
    await open_discrepancy(runtime, organization, "John Roe")
    dying = DyingStore.open(database_url)
    dying.is_dying = True
    with pytest.raises(ConnectionAbortedError):
        await update_cases(replace(runtime, store=dying))
    await dying.close()
    async with runtime.store.read() as connection:
        assert await cases.list_changes(connection, organization, CaseFilter(), START, 10) == []
    case = await read_only_case(runtime, organization)
    assert (case.number, len(case.items)) == (1, 2)
    assert [event.type for event in await list_events(runtime, organization)].count(EventType.CASE_OPENED) == 1


async def test_more_events_than_a_batch_lose_none(runtime: Runtime, organization: UUID) -> None:
    record = await sent(runtime, organization, name="Bakery Inc.")
    await record_overdue(runtime, organization, *[EventBusiness.from_record(record)] * (BATCH + 5))
    case = await read_only_case(runtime, organization)
    assert count_open(case) == {CaseItemKind.ALERT: BATCH + 5}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({"enabled": False}, []),
        ({"items": {"ownershipDiscrepancy": {"enabled": False}}}, []),
        ({"items": {"ownershipDiscrepancy": {"priority": "urgent", "dueDays": None}}}, [(CasePriority.URGENT, None)]),
        ({"items": {"ownershipDiscrepancy": {"dueDays": 3}}}, [(CasePriority.HIGH, 3)]),
    ],
    ids=["off", "kind off", "no due date", "due"],
)
async def test_the_policy_decides_what_opens_a_case_and_when_it_is_due(
    runtime: Runtime, organization: UUID, policy: dict[str, Any], expected: list[tuple[CasePriority, int | None]]
) -> None:
    await change_settings(runtime, organization, AccountSettings.model_validate({"cases": policy}), ANN)
    await open_discrepancy(runtime, organization)
    await follow(runtime)
    found = []
    for listed in await list_all(runtime, organization):
        case = await read_case(runtime, organization, listed.id)
        found.append((case.priority, (case.due_at - case.items[0].opened_at).days if case.due_at is not None else None))
    assert found == expected


async def test_another_organization_has_none_of_it(runtime: Runtime, organization: UUID, south: Principal) -> None:
    await open_discrepancy(runtime, organization)
    await open_discrepancy(runtime, south.organization_id)
    mine, theirs = await read_only_case(runtime, organization), await read_only_case(runtime, south.organization_id)
    assert (mine.number, theirs.number) == (1, 1)
    assert mine.id != theirs.id
    assert await list_all(runtime, organization, business_id=theirs.business.id if theirs.business is not None else None) == []
