"""Events of the hits of stored screenings: what differs from the previous screening, once for each hit."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.events.event import Event
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.runtime import Runtime
from bonafide.services.events import feed
from bonafide.services.screening import dismissals, history
from bonafide.store.records.events import EventFilter
from tests.support.services.business_records import sent
from tests.support.services.loading import put
from tests.support.services.runtimes import clock_of, principal_of, search
from tests.support.services.sanctions_lists import (
    ANALYST,
    NAME,
    OFAC,
    SEMA,
    UN,
    load,
    load_lists,
    party,
    request_for,
    screened,
)
from tests.support.services.verifications import ordered

pytestmark = pytest.mark.anyio
FOUND, CHANGED, CLEARED = "screening.hit_found", "screening.hit_changed", "screening.hit_cleared"
TypeAndParty = tuple[str, str | None]


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    load_lists(empty_runtime, {SEMA: [party(entry_id="1")]})
    return empty_runtime


@pytest.fixture
async def principal(runtime: Runtime) -> Principal:
    return await principal_of(runtime, "north")


@pytest.fixture
async def record(runtime: Runtime, principal: Principal) -> UUID:
    return (await sent(runtime, principal.organization_id, name=NAME)).id


async def list_events(runtime: Runtime, principal: Principal) -> list[Event]:
    page = await feed.read_events(runtime, principal.organization_id, EventFilter(), 1000)
    return [event for event in page.events if event.type.startswith("screening.")]


async def record_screening(runtime: Runtime, principal: Principal, query: str = NAME, **request: Any) -> list[TypeAndParty]:
    """The types and listed parties of the events of a screening."""
    before = len(await list_events(runtime, principal))
    clock_of(runtime).advance(seconds=1)
    await screened(runtime, principal, query, **request)
    return [(event.type, event.subject.entry_id) for event in (await list_events(runtime, principal))[before:]]


async def repeat_screening(runtime: Runtime, principal: Principal, previous: ScreeningAnswer) -> list[TypeAndParty]:
    """The types and listed parties of the events of a screening that repeats another."""
    before = len(await list_events(runtime, principal))
    clock_of(runtime).advance(seconds=1)
    await history.repeat_screening(runtime, principal, previous.meta.screening_id)
    return [(event.type, event.subject.entry_id) for event in (await list_events(runtime, principal))[before:]]


async def test_a_record_is_compared_with_its_previous_screening(runtime: Runtime, principal: Principal, record: UUID) -> None:
    business = {"businessId": str(record)}
    assert await record_screening(runtime, principal, **business) == [(FOUND, "1")]
    assert await record_screening(runtime, principal, **business) == []
    load(runtime, SEMA, party(entry_id="1", remarks="Amended."), party(entry_id="2"))
    assert sorted(await record_screening(runtime, principal, **business)) == [(CHANGED, "1"), (FOUND, "2")]
    load(runtime, SEMA, party(entry_id="2"))
    assert await record_screening(runtime, principal, **business) == [(CLEARED, "1")]
    events = await list_events(runtime, principal)
    assert {event.business.id for event in events if event.business is not None} == {record}
    found, changed, *_ = events
    assert (found.source is not None and found.source.key, found.subject.source) == (SEMA, SEMA)
    assert [change.field for change in changed.changes] == ["digest"]
    assert changed.changes[0].from_ != changed.changes[0].to


async def test_a_screening_without_a_record_is_compared_with_the_one_that_it_repeats(
    runtime: Runtime, principal: Principal
) -> None:
    first = await screened(runtime, principal)
    assert [event.type for event in await list_events(runtime, principal)] == [FOUND]
    assert await record_screening(runtime, principal) == [(FOUND, "1")], "nothing says that it is the same party"
    assert await repeat_screening(runtime, principal, first) == []
    load(runtime, SEMA, party(entry_id="3"))
    assert sorted(await repeat_screening(runtime, principal, first)) == [(CLEARED, "1"), (FOUND, "3")]


async def test_a_dismissed_hit_is_not_found_again_until_it_is_open(runtime: Runtime, principal: Principal, record: UUID) -> None:
    business = {"businessId": str(record)}
    (match,) = (await screened(runtime, principal, **business)).screening.matches
    dismissal = await dismissals.dismiss(runtime, principal, request_for(match, **business), ANALYST)
    assert await record_screening(runtime, principal, **business) == []
    await dismissals.revoke(runtime, principal.organization_id, dismissal.id, None, ANALYST)
    assert await record_screening(runtime, principal, **business) == [(FOUND, "1")]


async def test_a_hit_of_a_list_that_was_not_screened_again_is_not_cleared(
    runtime: Runtime, principal: Principal, record: UUID
) -> None:
    business = {"businessId": str(record)}
    load(runtime, UN, party(entry_id="7"))
    assert sorted(await record_screening(runtime, principal, **business)) == [(FOUND, "1"), (FOUND, "7")]
    assert await record_screening(runtime, principal, **business, sources=[OFAC]) == []
    assert await record_screening(runtime, principal, **business) == [], "they have been reported already"


async def test_searches_and_verifications_of_a_record_report_what_no_screening_has_reported(
    runtime: Runtime, principal: Principal, record: UUID
) -> None:
    business = {"businessId": str(record)}
    result = await search(runtime, principal, name=NAME, **business, sanctionsScreening=True)
    (found,) = await list_events(runtime, principal)
    assert (found.type, found.data["previousScreeningId"]) == (FOUND, None)
    assert (found.data["screeningId"], found.links.resource) == (str(result.meta.search_id), f"/v1/search/{result.meta.search_id}")
    assert found.business is not None
    assert found.business.id == record
    assert await record_screening(runtime, principal, **business) == []
    load(runtime, SEMA, party(entry_id="1", remarks="Amended."), party(entry_id="2"))
    claim = {"legalName": NAME, "jurisdiction": "ON", "registrationNumber": "1", "sanctionsScreening": True}
    number = RegistrationNumber(label="Ontario Corporation Number", value="1")
    entry = RegistryEntry(entry_id="1", jurisdiction=Jurisdiction.ON, legal_name=NAME, registration_numbers=(number,))
    put(runtime, "on", [entry], World.SANDBOX)
    verification_id = (await ordered(runtime, principal, **claim, **business)).verification_id
    _, *new = await list_events(runtime, principal)
    assert sorted((event.type, event.subject.entry_id) for event in new) == [(CHANGED, "1"), (FOUND, "2")]
    assert {event.links.resource for event in new} == {f"/v1/verify/{verification_id}"}
    assert {event.data["previousScreeningId"] for event in new} == {None, str(result.meta.search_id)}
    load(runtime, SEMA, party(entry_id="2"))
    await search(runtime, principal, name=NAME, **business, sanctionsScreening=True)
    assert (await list_events(runtime, principal))[-1].type == CLEARED


async def test_searches_and_verifications_without_a_record_have_no_events_of_hits(runtime: Runtime, principal: Principal) -> None:
    result = await search(runtime, principal, name=NAME, sanctionsScreening=True)
    assert result.sanctions is not None
    assert result.sanctions.open_hits == 1
    assert await list_events(runtime, principal) == []


async def test_screenings_of_a_record_at_once_report_a_hit_once(runtime: Runtime, principal: Principal, record: UUID) -> None:
    await asyncio.gather(*(screened(runtime, principal, businessId=str(record)) for _ in range(3)))
    assert [event.type for event in await list_events(runtime, principal)] == [FOUND]


async def test_a_hit_below_a_higher_threshold_is_not_cleared(runtime: Runtime, principal: Principal, record: UUID) -> None:
    business = {"businessId": str(record)}
    load(runtime, SEMA, party(name=f"{NAME} Overseas", entry_id="8"))
    answer = await screened(runtime, principal, **business, threshold=0.7)
    (score,) = [match.match.score for match in answer.screening.matches]
    assert 0.7 <= score < 0.99
    assert await record_screening(runtime, principal, **business, threshold=0.99) == []


async def test_the_name_that_was_screened_is_named_with_its_role(runtime: Runtime, principal: Principal) -> None:
    load(runtime, SEMA, party("Jordana Quillfeather", "5"))
    subjects = [{"name": "Jordana Quillfeather", "kind": "organization"}]
    assert await record_screening(runtime, principal, "Nobody At All", subjects=subjects) == [(FOUND, "5")]
    (event,) = await list_events(runtime, principal)
    assert event.data["screened"] == {"name": "Jordana Quillfeather", "role": "submitted"}
    assert event.business is None
