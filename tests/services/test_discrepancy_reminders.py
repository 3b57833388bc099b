"""Reminders of discrepancies: seven days before they are due and when they are overdue, once each, whatever happens."""

import asyncio
import json
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from bonafide.model.ownership.discrepancies import Discrepancy, DiscrepancyChange, DiscrepancyRequest
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.ownership import discrepancy_reminders
from bonafide.services.ownership.discrepancies import DUE, change_discrepancy
from bonafide.services.ownership.discrepancy_reminders import record_due_reminders
from bonafide.services.ownership.reviews import review_ownership
from bonafide.services.records import change_feed
from bonafide.services.records.audit_check import verify_audit_log
from tests.support.services.business_records import send
from tests.support.services.runtimes import ManualClock, principal_of

pytestmark = pytest.mark.anyio
ANN = Author("ann@north.example")


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


@pytest.fixture
async def north(runtime: Runtime) -> UUID:
    return (await principal_of(runtime, "north")).organization_id


async def open_discrepancy(runtime: Runtime, organization_id: UUID, kind: str = "extra_owner", **fields: Any) -> Discrepancy:
    record = (await send(runtime, organization_id, name="Bakery Inc.", jurisdiction="FED")).record
    found: dict[str, Any] = {"kind": kind, "registry": {"name": "Jane Doe"}, "reason": "Seen in the register."}
    if kind == "immaterial":
        found["declared"] = {"name": "J. Doe"}
    request = DiscrepancyRequest.model_validate({"riskRating": "high", "discrepancy": found, **fields})
    return (await review_ownership(runtime, organization_id, record.id, request, ANN)).discrepancies[0]


async def list_reminders(runtime: Runtime, organization_id: UUID, discrepancy: Discrepancy) -> list[bool]:
    """Whether each recorded reminder says that it is overdue, in their order."""
    page = await change_feed.read_audit_log(runtime, organization_id, discrepancy.business_id, 100, 0)
    new = [entry.new for entry in page.entries if entry.field == DUE]
    assert all(isinstance(one, dict) and one["id"] == str(discrepancy.id) for one in new)
    return [bool(one["overdue"]) for one in new if isinstance(one, dict)]


async def test_a_reminder_is_recorded_a_week_before_and_one_when_it_is_overdue(
    runtime: Runtime, north: UUID, clock: ManualClock
) -> None:
    opened = await open_discrepancy(runtime, north)
    for days, recorded, reminders in ((22, 0, []), (1, 1, [False]), (1, 0, [False]), (6, 1, [False, True]), (30, 0, [False, True])):
        clock.advance(days=days, seconds=1)
        assert await record_due_reminders(runtime) == recorded
        assert await list_reminders(runtime, north, opened) == reminders
    assert (await verify_audit_log(runtime, north)).problems == []


async def test_two_workers_at_once_record_it_once(runtime: Runtime, north: UUID, clock: ManualClock) -> None:
    opened = await open_discrepancy(runtime, north)
    clock.advance(days=24)
    assert sum(await asyncio.gather(*(record_due_reminders(runtime) for _ in range(4)))) == 1
    assert await list_reminders(runtime, north, opened) == [False]


async def test_what_is_decided_has_no_reminder_until_it_is_reopened(runtime: Runtime, north: UUID, clock: ManualClock) -> None:
    opened = await open_discrepancy(runtime, north)
    await change(runtime, north, opened, status="resolved")
    clock.advance(days=31)
    assert await record_due_reminders(runtime) == 0
    await change(runtime, north, opened, status="open")
    assert await record_due_reminders(runtime) == 1
    assert await list_reminders(runtime, north, opened) == [True]


async def test_a_change_of_the_class_repeats_no_reminder(runtime: Runtime, north: UUID, clock: ManualClock) -> None:
    opened = await open_discrepancy(runtime, north)
    clock.advance(days=24)
    assert await record_due_reminders(runtime) == 1
    await change(runtime, north, opened, kind="contradicting")
    assert await record_due_reminders(runtime) == 0
    clock.advance(days=7)
    assert await record_due_reminders(runtime) == 1
    await change(runtime, north, opened, kind="extra_owner")
    assert await record_due_reminders(runtime) == 0
    assert await list_reminders(runtime, north, opened) == [False, True]


async def test_a_comparison_that_updates_a_discrepancy_repeats_no_reminder(
    runtime: Runtime, north: UUID, clock: ManualClock
) -> None:
    opened = await compare(runtime, north, "Control in fact")
    clock.advance(days=24)
    assert await record_due_reminders(runtime) == 1
    updated = await compare(runtime, north, "Votes", opened.business_id)
    assert (updated.id, updated.registry is not None and updated.registry.control) == (opened.id, "Votes")
    assert await record_due_reminders(runtime) == 0


async def compare(runtime: Runtime, organization_id: UUID, control: str, business_id: UUID | None = None) -> Discrepancy:
    """The discrepancy of an individual in the register whom nobody has declared."""
    if business_id is None:
        business_id = (await send(runtime, organization_id, name="Bakery Inc.", jurisdiction="FED")).record.id
    entry = {"consultedOn": runtime.clock().date().isoformat(), "individuals": [{"name": "Jane Doe", "control": control}]}
    body = {"riskRating": "high", "comparison": {"declared": [], "registry": entry}}
    request = DiscrepancyRequest.model_validate_json(json.dumps(body))
    return (await review_ownership(runtime, organization_id, business_id, request, ANN)).discrepancies[0]


async def test_what_is_reopened_in_the_last_week_has_the_last_reminder_only(
    runtime: Runtime, north: UUID, clock: ManualClock
) -> None:
    opened = await open_discrepancy(runtime, north)
    clock.advance(days=24)
    assert await record_due_reminders(runtime) == 1
    await change(runtime, north, opened, status="resolved")
    await change(runtime, north, opened, status="open")
    assert await record_due_reminders(runtime) == 0
    clock.advance(days=7)
    assert await record_due_reminders(runtime) == 1
    await change(runtime, north, opened, status="resolved")
    await change(runtime, north, opened, status="open")
    assert await record_due_reminders(runtime) == 0
    assert await list_reminders(runtime, north, opened) == [False, True]


async def change(runtime: Runtime, organization_id: UUID, opened: Discrepancy, **fields: Any) -> None:
    decided = DiscrepancyChange.model_validate({"resolution": "Because.", **fields})
    await change_discrepancy(runtime, organization_id, opened.business_id, opened.id, decided, ANN)


async def test_a_class_without_a_due_date_has_no_reminder(runtime: Runtime, north: UUID, clock: ManualClock) -> None:
    opened = await open_discrepancy(runtime, north, "immaterial")
    assert opened.due_at is None
    clock.advance(days=40)
    assert await record_due_reminders(runtime) == 0


async def test_what_was_found_long_ago_is_overdue_at_once(runtime: Runtime, north: UUID, clock: ManualClock) -> None:
    opened = await open_discrepancy(runtime, north, foundAt=(clock() - timedelta(days=31)).isoformat())
    assert opened.overdue
    assert await record_due_reminders(runtime) == 1
    assert await list_reminders(runtime, north, opened) == [True]


async def test_every_organization_has_its_own_reminders(runtime: Runtime, north: UUID, clock: ManualClock) -> None:
    south = (await principal_of(runtime, "south")).organization_id
    mine, theirs = await open_discrepancy(runtime, north), await open_discrepancy(runtime, south)
    clock.advance(days=24)
    assert await record_due_reminders(runtime) == 2
    assert await list_reminders(runtime, north, mine) == await list_reminders(runtime, south, theirs) == [False]


async def test_more_reminders_than_one_run_records_are_left_for_the_next(runtime: Runtime, north: UUID, clock: ManualClock) -> None:
    first = await open_discrepancy(runtime, north)
    letters = "abcdefghijklmnopqrstuvwxy"
    for first_letter in letters[:4]:
        names = [{"name": f"Person {first_letter}{letter}"} for letter in letters]
        comparison = {"declared": [], "registry": {"consultedOn": clock().date().isoformat(), "individuals": names}}
        request = DiscrepancyRequest.model_validate_json(json.dumps({"riskRating": "high", "comparison": comparison}))
        await review_ownership(runtime, north, first.business_id, request, ANN)
    clock.advance(days=24)
    limit = discrepancy_reminders.REMINDER_LIMIT
    assert [await record_due_reminders(runtime) for _ in range(3)] == [limit, 1, 0]
