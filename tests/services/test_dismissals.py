"""A dismissed hit stays visible as dismissed, for its organization and subject alone, until it ends or the listed party changes."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bonafide.errors import NotFound, StaleWrite, ValidationFailed
from bonafide.model.accounts.organizations import Principal
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.model.screening.dismissals import DismissalStatus
from bonafide.runtime import Runtime
from bonafide.services.records import business_records
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.screening.dismissal_expiry import record_expired_dismissals
from bonafide.services.screening.dismissals import dismiss, list_dismissals, read_dismissal, read_dismissal_audit_log, revoke
from bonafide.store.records.dismissals import DismissalFilter
from tests.support.services.events import list_events
from tests.support.services.runtimes import ManualClock, principal_of, search
from tests.support.services.sanctions_lists import (
    ANALYST,
    NAME,
    PERSON,
    SEMA,
    UN,
    dismissed,
    hit,
    load,
    load_two_lists,
    party,
    request_for,
    screened,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    """Lists with one organization and one person."""
    load_two_lists(empty_runtime)
    return empty_runtime


async def test_the_hit_is_still_there_with_who_decided_when_why_and_until_when(
    runtime: Runtime, north: Principal, clock: ManualClock
) -> None:
    until = clock.now + timedelta(days=90)
    made = await dismissed(runtime, north, until=until.isoformat())
    clock.advance(days=1)
    shown = (await hit(runtime, north)).dismissed
    assert shown is not None
    assert (shown.dismissal_id, shown.by, shown.reason, shown.until) == (made.id, ANALYST.actor, "Somebody else.", until)
    assert shown.at == made.dismissed_at
    assert made.status is DismissalStatus.ACTIVE


async def test_a_search_shows_it_too(runtime: Runtime, north: Principal) -> None:
    await dismissed(runtime, north)
    result = await search(runtime, north, name=NAME, sanctions_screening=True)
    assert result.sanctions is not None
    assert [match.dismissed is not None for match in result.sanctions.matches] == [True]
    assert result.sanctions.total_matches == 1


async def test_another_spelling_of_the_name_is_the_same_subject(runtime: Runtime, north: Principal) -> None:
    await dismissed(runtime, north, NAME)
    assert (await hit(runtime, north, "  ZEPHYRINE  marlowe-trading ")).dismissed is not None
    assert (await hit(runtime, north, NAME, threshold=0.7, typoTolerance=2)).dismissed is not None


async def test_another_organization_sees_nothing_of_it(runtime: Runtime, north: Principal, south: Principal) -> None:
    made = await dismissed(runtime, north)
    assert (await hit(runtime, south)).dismissed is None
    everything = DismissalFilter(None, None, runtime.clock())
    assert (await list_dismissals(runtime, south.organization_id, everything, 10, 0)).pagination.total == 0
    with pytest.raises(NotFound):
        await read_dismissal(runtime, south.organization_id, made.id)
    with pytest.raises(NotFound):
        await read_dismissal_audit_log(runtime, south.organization_id, made.id, 10, 0)
    with pytest.raises(NotFound):
        await revoke(runtime, south.organization_id, made.id, None, ANALYST)
    assert (await hit(runtime, north)).dismissed is not None


async def test_the_hits_of_another_name_are_open(runtime: Runtime, north: Principal) -> None:
    await dismissed(runtime, north)
    assert (await hit(runtime, north, "Zephyrine Marlow Trading")).dismissed is None


@pytest.mark.parametrize("known", [{"dateOfBirth": "1961"}, {"countries": ["CA"]}, {"entityType": "person"}])
async def test_of_whom_something_else_is_known_is_another_subject(
    runtime: Runtime, north: Principal, known: dict[str, Any]
) -> None:
    await dismissed(runtime, north, PERSON)
    assert (await hit(runtime, north, PERSON, threshold=0.7, **known)).dismissed is None
    assert (await hit(runtime, north, PERSON)).dismissed is not None


async def test_what_was_known_is_part_of_the_subject(runtime: Runtime, north: Principal) -> None:
    await dismissed(runtime, north, PERSON, dateOfBirth="1961-03", countries=["CA", "FR"])
    assert (await hit(runtime, north, PERSON, dateOfBirth="1961-03", countries=["FR", "CA"])).dismissed is not None
    assert (await hit(runtime, north, PERSON)).dismissed is None


async def test_it_ends_when_it_was_said_to(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    made = await dismissed(runtime, north, until=(clock.now + timedelta(hours=1)).isoformat())
    clock.advance(minutes=59)
    assert (await hit(runtime, north)).dismissed is not None
    clock.advance(minutes=1)
    assert (await hit(runtime, north)).dismissed is None
    assert (await read_dismissal(runtime, north.organization_id, made.id)).status is DismissalStatus.EXPIRED


@pytest.mark.parametrize(
    "change",
    [{"aliases": ("Zephyrine Group",)}, {"programs": ("Other Regulations",)}, {"countries": ("IR",)}, {"remarks": "Now of Tehran"}],
)
async def test_it_is_open_again_once_the_listed_party_changes(runtime: Runtime, north: Principal, change: dict[str, Any]) -> None:
    await dismissed(runtime, north)
    load(runtime, SEMA, party().model_copy(update=change))
    assert (await hit(runtime, north)).dismissed is None


async def test_a_new_load_that_says_the_same_changes_nothing(runtime: Runtime, north: Principal) -> None:
    load(runtime, SEMA, party(aliases=("Zephyrine A", "Zephyrine B")))
    await dismissed(runtime, north)
    load(runtime, SEMA, party(aliases=("Zephyrine B", "Zephyrine A"), source_url="https://list.example/moved"), party("Other", "2"))
    assert (await hit(runtime, north)).dismissed is not None


async def test_a_party_of_another_list_is_open_though_it_has_the_same_name(runtime: Runtime, north: Principal) -> None:
    await dismissed(runtime, north)
    load(runtime, UN, party())
    matches = (await screened(runtime, north)).screening.matches
    assert {match.source: match.dismissed is not None for match in matches} == {SEMA: True, UN: False}


async def test_a_revoked_one_is_open_again_and_is_kept(runtime: Runtime, north: Principal) -> None:
    made = await dismissed(runtime, north)
    other = Author("lead@north.example", "request-2")
    ended = await revoke(runtime, north.organization_id, made.id, "It was them", other)
    assert (await hit(runtime, north)).dismissed is None
    assert ended.status is DismissalStatus.REVOKED
    assert ended.revoked is not None
    assert (ended.revoked.by, ended.revoked.reason, ended.reason) == ("lead@north.example", "It was them", "Somebody else.")
    assert await revoke(runtime, north.organization_id, made.id, "again", ANALYST) == ended
    assert await read_dismissal(runtime, north.organization_id, made.id) == ended


async def test_a_later_one_takes_the_place_of_an_earlier_one(runtime: Runtime, north: Principal) -> None:
    first = await dismissed(runtime, north)
    second = await dismissed(runtime, north, reason="Checked again.")
    shown = (await hit(runtime, north)).dismissed
    assert shown is not None
    assert (shown.dismissal_id, shown.reason) == (second.id, "Checked again.")
    before = await read_dismissal(runtime, north.organization_id, first.id)
    assert before.revoked is not None
    assert before.revoked.reason == "replaced by a later dismissal"
    await revoke(runtime, north.organization_id, second.id, None, ANALYST)
    assert (await hit(runtime, north)).dismissed is None


async def test_every_decision_stands_in_the_trail(runtime: Runtime, north: Principal) -> None:
    made = await dismissed(runtime, north)
    await revoke(runtime, north.organization_id, made.id, "It was them", Author("lead@north.example", "request-2"))
    trail = await read_dismissal_audit_log(runtime, north.organization_id, made.id, 10, 0)
    assert [(entry.field, entry.actor, entry.request_id) for entry in trail.entries] == [
        ("dismissal", ANALYST.actor, "request-1"),
        ("revoked", "lead@north.example", "request-2"),
    ]
    new = trail.entries[0].new
    assert isinstance(new, dict)
    assert (new["reason"], new["id"]) == ("Somebody else.", str(made.id))
    assert (await verify_audit_log(runtime, north.organization_id)).is_whole


async def test_one_for_a_stored_business_holds_for_searches_of_that_business(runtime: Runtime, north: Principal) -> None:
    sent = BusinessUpsert.model_validate({"name": NAME, "externalId": "crm-1"})
    business = (await business_records.upsert(runtime, north.organization_id, sent, ANALYST)).record
    await dismissed(runtime, north, businessId=str(business.id))
    linked = await search(runtime, north, business_id=business.id, sanctions_screening=True)
    alone = await search(runtime, north, name=NAME, sanctions_screening=True)
    assert [result.sanctions.matches[0].dismissed is not None for result in (linked, alone) if result.sanctions] == [True, False]


async def test_a_dismissal_for_somebody_elses_business_is_refused(runtime: Runtime, north: Principal, south: Principal) -> None:
    sent = BusinessUpsert.model_validate({"name": NAME})
    theirs = (await business_records.upsert(runtime, south.organization_id, sent, ANALYST)).record
    with pytest.raises(NotFound):
        await dismissed(runtime, north, businessId=str(theirs.id))


async def test_what_has_changed_since_it_was_seen_is_not_dismissed_unseen(runtime: Runtime, north: Principal) -> None:
    seen = request_for(await hit(runtime, north))
    load(runtime, SEMA, party(remarks="Now of Tehran"))
    with pytest.raises(StaleWrite):
        await dismiss(runtime, north, seen, ANALYST)


async def test_what_is_no_hit_of_the_subject_is_not_dismissed(runtime: Runtime, north: Principal) -> None:
    match = await hit(runtime, north)
    for wrong in (request_for(match, "Nobody At All"), request_for(match.model_copy(update={"entry_id": "2"}))):
        with pytest.raises(NotFound):
            await dismiss(runtime, north, wrong, ANALYST)


async def test_an_end_that_has_passed_is_refused(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await dismissed(runtime, north, until=clock.now.isoformat())
    assert [problem.path for problem in refused.value.details] == ["until"]


async def test_dismissals_are_listed_newest_first(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    first = await dismissed(runtime, north)
    clock.advance(seconds=1)
    second = await dismissed(runtime, north, PERSON)
    await revoke(runtime, north.organization_id, first.id, None, ANALYST)

    async def ids(*, active: bool | None = None, source: str | None = None) -> list[object]:
        chosen = DismissalFilter(active, source, runtime.clock())
        return [one.id for one in (await list_dismissals(runtime, north.organization_id, chosen, 10, 0)).dismissals]

    assert await ids() == [second.id, first.id]
    assert (await ids(active=True), await ids(active=False)) == ([second.id], [first.id])
    assert await ids(source=SEMA) == [first.id]


async def test_other_keys_of_the_organization_see_it(runtime: Runtime, north: Principal) -> None:
    await dismissed(runtime, north)
    assert (await hit(runtime, await principal_of(runtime, "north"))).dismissed is not None


async def test_an_expiry_is_recorded_once_and_the_hit_is_reported_again(
    runtime: Runtime, north: Principal, clock: ManualClock
) -> None:
    made = await dismissed(runtime, north, until=(clock.now + timedelta(days=1)).isoformat())
    assert await record_expired_dismissals(runtime) == 0
    clock.advance(days=1)
    assert sum(await asyncio.gather(*(record_expired_dismissals(runtime) for _ in range(3)))) == 1
    clock.advance(days=1)
    assert await record_expired_dismissals(runtime) == 0
    event = (await list_events(runtime, north.organization_id))[-1]
    assert (event.type, event.data["dismissalId"]) == ("dismissal.expired", str(made.id))
    assert (event.subject.source, event.subject.entry_id) == (made.hit.source, made.hit.entry_id)


async def test_what_is_revoked_or_has_no_end_does_not_expire(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    await dismissed(runtime, north)
    made = await dismissed(runtime, north, PERSON, until=(clock.now + timedelta(days=1)).isoformat())
    await revoke(runtime, north.organization_id, made.id, None, ANALYST)
    clock.advance(days=2)
    assert await record_expired_dismissals(runtime) == 0
