"""Alerts on the wire: listed by their state, acknowledged once, by whoever may, in the audit log."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from bonafide.model.accounts.organizations import Scope, World
from bonafide.model.events.event import EventBusiness, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import ReportReadyData
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.events.recording import record_events
from tests.support.api.clients import NewClient, NewKey

pytestmark = pytest.mark.anyio
PATH = "/v1/events"
NOTE = "Another person: the date of birth differs."


@pytest.fixture
async def business(north: httpx2.AsyncClient) -> str:
    """The id of a business record."""
    return str((await north.post("/v1/businesses", json={"externalId": "crm-1", "name": "Acme"})).json()["business"]["id"])


async def record_hit(runtime: Runtime, business: str | None) -> None:
    """Record an event of the type of an alert; its data does not matter here."""
    organization = await find_organization(runtime, "North", World.LIVE)
    reference = EventBusiness(id=UUID(business), external_id=None, name="Acme") if business is not None else None
    subject = EventSubject(kind=EventSubjectKind.LISTED_PARTY, name="Listed Party")
    hit = NewEvent(EventType.SCREENING_HIT_FOUND, subject, ReportReadyData(report_id=uuid4()), business=reference)
    async with runtime.store.write() as connection:
        await record_events(connection, organization.id, [hit], runtime.clock())


async def listed(client: httpx2.AsyncClient, status: str) -> list[dict[str, Any]]:
    answer = await client.get(PATH, params={"alert": status})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["events"]
    return found


async def acknowledge(client: httpx2.AsyncClient, event: str, **headers: str) -> httpx2.Response:
    return await client.post(f"{PATH}/{event}/acknowledge", json={"note": NOTE}, headers=headers)


async def test_an_acknowledged_alert_is_no_longer_open(runtime: Runtime, north: httpx2.AsyncClient, business: str) -> None:
    await record_hit(runtime, business)
    (event,) = await listed(north, "open")
    assert event["alert"] == {"status": "open", "acknowledgedAt": None, "acknowledgedBy": None, "note": None}
    answer = await acknowledge(north, event["id"])
    assert answer.status_code == 200, answer.text
    done = answer.json()
    assert (done["eventId"], done["note"]) == (event["id"], NOTE)
    assert await listed(north, "open") == []
    (seen,) = await listed(north, "acknowledged")
    assert seen["alert"] == {
        "status": "acknowledged",
        "acknowledgedAt": done["acknowledgedAt"],
        "acknowledgedBy": done["acknowledgedBy"],
        "note": NOTE,
    }
    assert seen == (await north.get(f"{PATH}/{event['id']}")).json()
    entry = (await north.get(f"/v1/businesses/{business}/audit")).json()["entries"][-1]
    assert (entry["field"], entry["new"]) == (
        "alert.acknowledged",
        {"eventId": event["id"], "type": "screening.hit_found", "note": NOTE},
    )


async def test_an_alert_without_a_business_has_a_trail_of_its_own(runtime: Runtime, north: httpx2.AsyncClient) -> None:
    await record_hit(runtime, None)
    (event,) = await listed(north, "open")
    assert (await acknowledge(north, event["id"])).status_code == 200
    assert await listed(north, "open") == []


async def test_of_two_people_the_second_reads_who_was_first(runtime: Runtime, north: httpx2.AsyncClient, business: str) -> None:
    await record_hit(runtime, business)
    (event,) = await listed(north, "open")
    answers = await asyncio.gather(*(acknowledge(north, event["id"]) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    (refused, _) = (answer.json() for answer in answers if answer.status_code == 409)
    (done,) = (answer.json() for answer in answers if answer.status_code == 200)
    assert refused["code"] == "CONFLICT"
    assert done["acknowledgedBy"] in refused["error"]
    assert done["acknowledgedAt"] in refused["error"]


async def test_a_repeated_request_is_answered_as_the_first_one(runtime: Runtime, north: httpx2.AsyncClient, business: str) -> None:
    await record_hit(runtime, business)
    (event,) = await listed(north, "open")
    first, second = [await acknowledge(north, event["id"], **{"Idempotency-Key": "acknowledge-1"}) for _ in range(2)]
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json() == second.json()
    assert second.headers["Idempotent-Replayed"] == "true"


async def test_an_event_of_another_type_is_no_alert(north: httpx2.AsyncClient, business: str) -> None:
    (created,) = (await north.get(PATH, params={"businessId": business})).json()["events"]
    assert created["alert"] is None
    answer = await acknowledge(north, created["id"])
    assert (answer.status_code, answer.json()["code"]) == (409, "CONFLICT")


async def test_nobody_elses_alert_is_acknowledged(
    runtime: Runtime, north: httpx2.AsyncClient, south: httpx2.AsyncClient, business: str
) -> None:
    await record_hit(runtime, business)
    (event,) = await listed(north, "open")
    assert (await acknowledge(south, event["id"])).status_code == 404
    assert (await acknowledge(north, str(uuid4()))).status_code == 404
    assert len(await listed(north, "open")) == 1


async def test_it_takes_the_scope_to_change_records(
    runtime: Runtime, north: httpx2.AsyncClient, new_client: NewClient, new_key: NewKey, business: str
) -> None:
    await record_hit(runtime, business)
    (event,) = await listed(north, "open")
    reader = await new_client(await new_key(scopes=(Scope.EVENTS_READ, Scope.BUSINESSES_READ)))
    assert (await acknowledge(reader, event["id"])).status_code == 403
    assert len(await listed(reader, "open")) == 1


@pytest.mark.parametrize("body", ['{"note": ""}', '{"note": 1}', '{"other": "x"}', "[]"])
async def test_a_bad_body_changes_nothing(runtime: Runtime, north: httpx2.AsyncClient, business: str, body: str) -> None:
    await record_hit(runtime, business)
    (event,) = await listed(north, "open")
    answer = await north.post(f"{PATH}/{event['id']}/acknowledge", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text
    assert len(await listed(north, "open")) == 1


async def test_an_unknown_state_is_refused(north: httpx2.AsyncClient) -> None:
    answer = await north.get(PATH, params={"alert": "closed"})
    assert answer.status_code == 400
    assert answer.json()["details"][0]["path"] == "alert"
