"""The list of alerts: why each matters, acknowledged one at a time or together, counted in the navigation, nobody else's."""

import re
from dataclasses import replace
from html import unescape
from uuid import UUID, uuid4

import httpx2
import pytest

from bonafide.console.alerts import labels
from bonafide.console.alerts.pages import PAGE_SIZE
from bonafide.console.frame.navigation_counts import ALERTS
from bonafide.console.lists.definitions import ALERT_LIST
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.events.alerts import ALERT_TYPES
from bonafide.model.events.event import AlertStatus, EventBusiness, EventSeverity, EventType
from bonafide.model.events.event_examples import EVENT_EXAMPLES
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.events import recording
from bonafide.services.overview.open_work import count_open_work
from bonafide.services.records import business_records
from tests.support.console.organization_work import Desk
from tests.support.console.searches import words_of
from tests.support.console.sessions import send, signed_in_client

pytestmark = pytest.mark.anyio
ANN = Author("ann@north.example")
FRENCH = {"Accept-Language": "fr-CA"}
HIT, CLEARED = EventType.SCREENING_HIT_FOUND, EventType.SCREENING_HIT_CLEARED
NOTE = "Another person <b>"


@pytest.fixture
async def runtime(desk: Desk) -> Runtime:
    return desk.runtime


@pytest.fixture
def organization(desk: Desk) -> str:
    return desk.organization


@pytest.fixture
async def organization_id(analyst: httpx2.AsyncClient, runtime: Runtime, organization: str) -> UUID:
    """The organization of the analyst."""
    assert not analyst.is_closed
    return (await find_organization(runtime, organization, World.SANDBOX)).id


async def record(
    runtime: Runtime, organization_id: UUID, *kinds: EventType, severity: EventSeverity = EventSeverity.HIGH
) -> EventBusiness:
    """Record the examples of these types as events of one business record."""
    saved = BusinessUpsert.model_validate({"name": "Acme Bakery", "externalId": "1"})
    business = EventBusiness.from_record((await business_records.upsert(runtime, organization_id, saved, ANN)).record)
    new = [replace(EVENT_EXAMPLES[kind], business=business, severity=severity) for kind in kinds]
    async with runtime.store.write() as connection:
        await recording.record_events(connection, organization_id, new, runtime.clock())
    return business


def ids_in(page: httpx2.Response) -> list[str]:
    """The events that the page can acknowledge, in its order."""
    assert page.status_code == 200, page.text
    return re.findall(r'name="event" value="([0-9a-f-]{36})"', page.text)


def count_of(page: httpx2.Response) -> str | None:
    """The number beside the page's entry of the navigation."""
    badge = r'<span class="badge count" aria-hidden="true">([^<]+)</span>'
    found = re.search(rf'href="/console/alerts"[^>]*>(?:(?!</a>).)*{badge}', page.text, re.DOTALL)
    return found[1] if found is not None else None


async def test_without_alerts_the_page_says_what_will_appear(viewer: httpx2.AsyncClient) -> None:
    page = await viewer.get(ALERTS)
    assert "No open alerts" in words_of(page)
    assert "New and changed sanctions hits" in words_of(page)
    assert count_of(page) is None


async def test_an_alert_says_what_changed_and_why_it_matters(
    analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    business = await record(runtime, organization_id, HIT)
    page = await analyst.get(ALERTS)
    said = words_of(page)
    assert "New hit on a sanctions list" in said
    assert "Northgate Shipping Limited" in said
    assert "Dealing with a listed party may be prohibited." in said
    assert "According to Consolidated Canadian Autonomous Sanctions List" in said
    assert f'href="/console/businesses/{business.id}">Acme Bakery</a>' in page.text
    assert 'href="/console/sanctions/screenings/' in page.text
    assert '<span class="badge warn">High</span>' in page.text
    assert count_of(page) == "1"
    assert count_of(await analyst.get("/console/events")) == "1"


async def test_one_alert_is_acknowledged_with_a_note(analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID) -> None:
    business = await record(runtime, organization_id, HIT, CLEARED)
    newest, oldest = ids_in(await analyst.get(ALERTS))
    answer = await send(analyst, ALERTS, acknowledge=newest, note=NOTE)
    assert answer.status_code == 303
    page = await analyst.get(answer.headers["location"])
    assert "Alerts acknowledged: 1." in words_of(page)
    assert ids_in(page) == [oldest]
    done = await analyst.get(f"{ALERTS}?status=acknowledged")
    assert "Another person &lt;b&gt;" in done.text
    assert "Acknowledged by" in words_of(done)
    assert ids_in(done) == []
    assert "Alert acknowledged" in words_of(await analyst.get(f"/console/businesses/{business.id}/audit"))


async def test_selected_alerts_are_acknowledged_together(
    analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    await record(runtime, organization_id, HIT, HIT, CLEARED)
    first, second, third = ids_in(await analyst.get(ALERTS))
    answer = await send(analyst, ALERTS, acknowledge="selected", event=[first, third, "x", str(uuid4())])
    assert answer.headers["location"] == f"{ALERTS}?done=2"
    assert ids_in(await analyst.get(ALERTS)) == [second]
    again = await send(analyst, ALERTS, acknowledge=first)
    assert "Somebody else has acknowledged these alerts already." in words_of(await analyst.get(again.headers["location"]))


async def test_a_form_without_a_selection_or_with_a_bad_note_changes_nothing(
    analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    await record(runtime, organization_id, HIT)
    (event,) = ids_in(await analyst.get(ALERTS))
    nothing = await send(analyst, ALERTS, acknowledge="selected")
    assert (nothing.status_code, "Select at least one alert." in words_of(nothing)) == (422, True)
    long = await send(analyst, ALERTS, acknowledge=event, note="x" * 100_000)
    assert long.status_code == 422
    assert "Note: " in words_of(long)
    assert (await count_open_work(runtime, organization_id, "")).alerts == 1


async def test_filters_select_and_stay_after_a_form(analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID) -> None:
    await record(runtime, organization_id, HIT, CLEARED)
    await record(runtime, organization_id, CLEARED, severity=EventSeverity.LOW)
    address = f"{ALERTS}?type=screening.hit_cleared&severity=high"
    (event,) = ids_in(await analyst.get(address))
    assert len(ids_in(await analyst.get(f"{ALERTS}?type=business.created&severity=loud"))) == 3
    answer = await send(analyst, ALERTS, address, acknowledge=event)
    assert unescape(answer.headers["location"]) == f"{address}&done=1"
    assert "No matching alerts" in words_of(await analyst.get(answer.headers["location"]))


async def test_older_pages_follow_without_gap_or_repetition(
    analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    await record(runtime, organization_id, *[HIT] * (PAGE_SIZE + 3))
    first = await analyst.get(ALERTS)
    older = re.search(r'rel="next" href="([^"]+)"', first.text)
    assert older is not None
    second = await analyst.get(unescape(older[1]))
    assert (len(ids_in(first)), len(ids_in(second))) == (PAGE_SIZE, 3)
    assert set(ids_in(first)).isdisjoint(ids_in(second))
    assert count_of(second) == str(PAGE_SIZE + 3)


async def test_viewers_read_and_strangers_see_nothing(
    viewer: httpx2.AsyncClient, analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    await record(runtime, organization_id, HIT)
    (event,) = ids_in(await analyst.get(ALERTS))
    seen = await viewer.get(ALERTS)
    assert ids_in(seen) == []
    assert "Northgate Shipping Limited" in seen.text
    assert (await send(viewer, ALERTS, acknowledge=event)).status_code == 403
    async with await signed_in_client(runtime, Role.OWNER, f"n{uuid4().hex}") as stranger:
        page = await stranger.get(ALERTS)
        assert "Northgate" not in page.text
        assert (await send(stranger, ALERTS, acknowledge=event)).headers["location"] == f"{ALERTS}?done=0"
    assert (await count_open_work(runtime, organization_id, "")).alerts == 1


async def test_only_owners_have_a_link_to_a_webhook_endpoint(
    viewer: httpx2.AsyncClient, runtime: Runtime, organization: str, organization_id: UUID
) -> None:
    await record(runtime, organization_id, EventType.WEBHOOK_FAILING)
    seen = await viewer.get(ALERTS)
    assert "Deliveries to a webhook endpoint fail" in words_of(seen)
    assert 'href="/console/webhooks/' not in seen.text
    async with await signed_in_client(runtime, Role.OWNER, organization) as owner:
        assert 'href="/console/webhooks/' in (await owner.get(ALERTS)).text


async def test_the_page_is_french(analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID) -> None:
    await record(runtime, organization_id, HIT)
    said = words_of(await analyst.get(ALERTS, headers=FRENCH))
    assert "Traiter avec une partie inscrite peut être interdit." in said
    assert "Accuser réception de la sélection" in said


def test_every_alert_says_why_it_matters() -> None:
    assert set(labels.REASON) == ALERT_TYPES
    assert set(labels.STATUS) == set(AlertStatus)
    (types,) = (choice for choice in ALERT_LIST.choices if choice.name == "type")
    assert types.values == ALERT_TYPES
