"""The pages of webhooks: a secret is shown once; owners create, change, test, pause and delete endpoints, and nobody else does."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest
from structlog.testing import capture_logs

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.events.event import Event
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.model.webhooks import Delivery, DisabledReason, NewWebhookEndpoint, ReplayRequest, WebhookEndpoint
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.events import feed
from bonafide.services.records import business_records
from bonafide.services.webhooks import deliveries, endpoints
from bonafide.store.records import webhook_endpoints
from bonafide.store.records.events import EventFilter
from tests.support.console.installation import installation
from tests.support.console.sessions import send, signed_in_client
from tests.support.loaded_sandbox import LOADED_AT

pytestmark = pytest.mark.anyio
WEBHOOKS = "/console/webhooks"
URL = "https://hooks.example.com/bonafide"
SECRET = re.compile(r"whsec_[0-9A-Za-z+/]{43}=")
AUTHOR = Author("cli:test")


@pytest.fixture
async def runtime(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    async with installation(sqlite_template, tmp_path) as opened:
        yield opened


@pytest.fixture
async def owner(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime) as client:
        yield client


@pytest.fixture
async def organization_id(runtime: Runtime, owner: httpx2.AsyncClient) -> UUID:
    return (await find_organization(runtime, "north", World.SANDBOX)).id


async def created(owner: httpx2.AsyncClient, **form: Any) -> httpx2.Response:
    fields = {"url": URL, "description": "Case management", "allTypes": "true", "enabled": "true", **form}
    answer = await send(owner, WEBHOOKS, **fields)
    assert answer.status_code == 201, answer.text
    return answer


async def listed(runtime: Runtime, organization_id: UUID) -> list[WebhookEndpoint]:
    return list((await endpoints.list_endpoints(runtime, organization_id)).webhook_endpoints)


async def deliveries_of(runtime: Runtime, endpoint: WebhookEndpoint, organization_id: UUID) -> tuple[Delivery, ...]:
    return (await deliveries.list_deliveries(runtime, organization_id, endpoint.id, None, 100)).deliveries


# --------------------------------------------------------------------------------------------------------------- create


async def test_a_secret_is_shown_on_one_page_and_in_no_log(
    runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID
) -> None:
    with capture_logs() as logs:
        page = await created(owner)
    (secret,) = set(SECRET.findall(page.text))
    assert page.headers["Cache-Control"] == "no-store"
    [endpoint] = await listed(runtime, organization_id)
    paths = (WEBHOOKS, f"{WEBHOOKS}/{endpoint.id}", f"{WEBHOOKS}/{endpoint.id}/delete")
    later = [await owner.get(path) for path in paths]
    assert [(answer.status_code, secret in answer.text) for answer in later] == 3 * [(200, False)]
    assert secret not in str(logs)


async def test_an_endpoint_has_what_was_chosen_for_it(runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID) -> None:
    chosen = {"allTypes": "", "types": ["screening.hit_found", "report.ready"], "minSeverity": "medium", "enabled": ""}
    page = await created(owner, signing="ed25519", **chosen)
    [endpoint] = await listed(runtime, organization_id)
    assert (endpoint.url, endpoint.description, endpoint.min_severity) == (URL, "Case management", "medium")
    assert (set(endpoint.types), endpoint.enabled) == ({"screening.hit_found", "report.ready"}, False)
    assert endpoint.public_key is not None
    assert endpoint.public_key in page.text
    assert endpoint.public_key in (await owner.get(f"{WEBHOOKS}/{endpoint.id}")).text


async def test_an_endpoint_for_a_chat_has_no_secret(runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID) -> None:
    answer = await send(owner, WEBHOOKS, url=URL, allTypes="true", kind="slack", enabled="true")
    [endpoint] = await listed(runtime, organization_id)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{WEBHOOKS}/{endpoint.id}")
    assert "/rotate" not in (await owner.get(f"{WEBHOOKS}/{endpoint.id}")).text


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"url": ""}, "url"),
        ({"url": "http://hooks.example.com/"}, "url"),
        ({"url": "https://192.168.0.1/"}, "url"),
        ({"url": URL, "allTypes": ""}, "types"),
    ],
    ids=["none", "http", "private", "no-type"],
)
async def test_a_form_with_mistakes_creates_nothing_and_comes_back_as_it_was(
    runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID, form: dict[str, str], problem: str
) -> None:
    answer = await send(owner, WEBHOOKS, **{"allTypes": "true", "description": "Case management", "minSeverity": "high", **form})
    assert answer.status_code == 422
    assert 'value="Case management"' in answer.text
    assert f'value="{form["url"]}"' in answer.text
    assert re.search(rf'id="(field-)?{problem}-problem"', answer.text)
    assert '<option value="high" selected>' in answer.text
    assert await listed(runtime, organization_id) == []


# --------------------------------------------------------------------------------------------------------------- change


async def test_the_filter_can_be_changed_and_the_business_records_stay(
    runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID
) -> None:
    record = (await business_records.upsert(runtime, organization_id, BusinessUpsert(external_id="crm-1"), AUTHOR)).record
    new = NewWebhookEndpoint(url=URL, business_ids=(record.id,), description="Hits")
    endpoint = await endpoints.create_endpoint(runtime, organization_id, new, AUTHOR)
    page = f"{WEBHOOKS}/{endpoint.id}"
    changed = await send(owner, page, url=f"{URL}/2", types=["report.ready"], minSeverity="low")
    assert (changed.status_code, changed.headers["Location"]) == (303, page)
    [after] = await listed(runtime, organization_id)
    assert (after.url, after.types, after.min_severity, after.description) == (f"{URL}/2", ("report.ready",), "low", None)
    assert (after.business_ids, after.enabled) == ((record.id,), True)
    assert (await send(owner, page, url="nothing", allTypes="true")).status_code == 422
    assert await listed(runtime, organization_id) == [after]


async def test_rotation_shows_a_new_secret_and_when_the_old_one_ends(
    runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID
) -> None:
    (first,) = set(SECRET.findall((await created(owner)).text))
    [endpoint] = await listed(runtime, organization_id)
    page = await send(owner, f"{WEBHOOKS}/{endpoint.id}", f"{WEBHOOKS}/{endpoint.id}/rotate", overlapSeconds=3600)
    (second,) = set(SECRET.findall(page.text))
    assert (page.status_code, first == second) == (200, False)
    [after] = await listed(runtime, organization_id)
    assert after.previous_secret_expires_at is not None
    assert (after.previous_secret_expires_at - LOADED_AT).total_seconds() == pytest.approx(3600, abs=1)
    assert "also signs until" in page.text
    assert "signs until" in (await owner.get(f"{WEBHOOKS}/{endpoint.id}")).text
    at_once = await send(owner, f"{WEBHOOKS}/{endpoint.id}", f"{WEBHOOKS}/{endpoint.id}/rotate", overlapSeconds=0)
    assert "no longer signs" in at_once.text


async def test_an_endpoint_is_paused_resumed_and_deleted(
    runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID
) -> None:
    await created(owner)
    [endpoint] = await listed(runtime, organization_id)
    page = f"{WEBHOOKS}/{endpoint.id}"
    assert (await send(owner, page, f"{page}/pause")).status_code == 303
    [paused] = await listed(runtime, organization_id)
    assert paused.disabled_reason is DisabledReason.PAUSED
    assert "Paused" in (await owner.get(page)).text
    assert (await send(owner, page, f"{page}/test")).status_code == 409
    assert (await send(owner, page, f"{page}/resume")).status_code == 303
    assert await listed(runtime, organization_id) == [endpoint]
    assert "Delete this endpoint?" in (await owner.get(f"{page}/delete")).text
    assert (await send(owner, f"{page}/delete")).status_code == 303
    assert (await owner.get(page)).status_code == 404
    assert await listed(runtime, organization_id) == []


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        ({"enabled": False, "disabled_reason": DisabledReason.GONE}, "returned 410"),
        ({"enabled": False, "disabled_reason": DisabledReason.FAILING}, "Disabled after days of failures"),
        ({"failing_since": LOADED_AT}, "Every attempt has failed since"),
        ({"secret": bytes(60)}, "Secret must be rotated"),
    ],
    ids=["gone", "failed", "failing", "secret"],
)
async def test_the_state_of_an_endpoint_is_shown(
    runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID, columns: dict[str, Any], shown: str
) -> None:
    await created(owner)
    [endpoint] = await listed(runtime, organization_id)
    async with runtime.store.write() as connection:
        await webhook_endpoints.set_values(connection, organization_id, endpoint.id, **columns)
    assert shown in (await owner.get(f"{WEBHOOKS}/{endpoint.id}")).text
    assert (await owner.get(WEBHOOKS)).status_code == 200


# ----------------------------------------------------------------------------------------------------------- deliveries


async def test_the_log_lists_deliveries_newest_first_and_sends_one_again(
    runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID
) -> None:
    await created(owner)
    [endpoint] = await listed(runtime, organization_id)
    page = f"{WEBHOOKS}/{endpoint.id}"
    for _ in range(2):
        assert (await send(owner, page, f"{page}/test")).headers["Location"].startswith(f"{page}?sent=test")
    events = [one.id for one in (await read_events(runtime, organization_id))]
    await deliveries.replay_events(runtime, organization_id, endpoint.id, ReplayRequest(event_ids=tuple(events)), AUTHOR)
    text = (await owner.get(page)).text
    assert text.index("No. 2") < text.index("No. 1")
    assert (await owner.get(f"{page}?status=exhausted")).text.count("No. ") == 0
    again = await send(owner, page, f"{page}/send-again", eventId=str(events[0]))
    assert (again.status_code, again.headers["Location"]) == (303, f"{page}?sent=again#deliveries")
    assert [one.event_id for one in await deliveries_of(runtime, endpoint, organization_id)] == [*events, events[0]]
    unknown = await send(owner, page, f"{page}/send-again", eventId=str(endpoint.id))
    assert unknown.status_code == 400
    assert (await send(owner, page, f"{page}/send-again", eventId="nothing")).status_code == 422


async def read_events(runtime: Runtime, organization_id: UUID) -> tuple[Event, ...]:
    return (await feed.read_events(runtime, organization_id, EventFilter(), 100)).events


async def test_a_long_log_has_pages(runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID) -> None:
    await created(owner)
    [endpoint] = await listed(runtime, organization_id)
    page = f"{WEBHOOKS}/{endpoint.id}"
    await send(owner, page, f"{page}/test")
    (event,) = await read_events(runtime, organization_id)
    for _ in range(26):
        await deliveries.replay_events(runtime, organization_id, endpoint.id, ReplayRequest(event_ids=(event.id,)), AUTHOR)
    first = (await owner.get(page)).text
    assert first.count('data-label="Attempts"') == 25
    older = re.search(r'rel="next" href="([^"]+)"', first)
    assert older is not None
    second = (await owner.get(older[1].replace("&amp;", "&"))).text
    assert second.count('data-label="Attempts"') == 1
    assert "Go to newest" in second


# --------------------------------------------------------------------------------------------------------------- others


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST])
async def test_only_owners_see_and_create_endpoints(
    runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID, role: Role
) -> None:
    await created(owner)
    [endpoint] = await listed(runtime, organization_id)
    await send(owner, WEBHOOKS, f"{WEBHOOKS}/{endpoint.id}/test")
    async with await signed_in_client(runtime, role) as member:
        for path in (WEBHOOKS, f"{WEBHOOKS}/{endpoint.id}", f"{WEBHOOKS}/{endpoint.id}/delete"):
            assert (await member.get(path)).status_code == 403
        for action in (WEBHOOKS, f"{WEBHOOKS}/{endpoint.id}/test", f"{WEBHOOKS}/{endpoint.id}/delete"):
            assert (await send(member, "/console/profile", action, url=URL, allTypes="true")).status_code == 403
        events = (await member.get("/console/events")).text
        assert "Test event sent" in events
        assert WEBHOOKS not in events
    assert f"{WEBHOOKS}/{endpoint.id}" in (await owner.get("/console/events")).text
    assert await listed(runtime, organization_id) == [endpoint]


async def test_another_organization_s_endpoint_is_not_there(
    runtime: Runtime, owner: httpx2.AsyncClient, organization_id: UUID
) -> None:
    await created(owner)
    [endpoint] = await listed(runtime, organization_id)
    async with await signed_in_client(runtime, organization="south") as stranger:
        assert "Case management" not in (await stranger.get(WEBHOOKS)).text
        for path in (f"{WEBHOOKS}/{endpoint.id}", f"{WEBHOOKS}/{endpoint.id}/delete", f"{WEBHOOKS}/nothing"):
            assert (await stranger.get(path)).status_code == 404
        for action in ("", "/rotate", "/pause", "/resume", "/test", "/send-again", "/delete"):
            fields = {"url": URL, "allTypes": "true", "eventId": str(endpoint.id)}
            assert (await send(stranger, WEBHOOKS, f"{WEBHOOKS}/{endpoint.id}{action}", **fields)).status_code == 404
    assert await listed(runtime, organization_id) == [endpoint]
