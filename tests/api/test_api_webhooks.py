"""Webhook endpoints on the wire: secrets are returned once, other organizations see nothing, deliveries are listed and repeated."""

import base64
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest
from sqlalchemy import select

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import Scope
from bonafide.runtime import Runtime
from bonafide.store.database.tables import idempotency_keys
from tests.support.api.clients import ManualClock, NewClient, NewKey
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio
PATH = "/v1/webhook-endpoints"
URL = "https://hooks.example.com/bonafide"
NEW: dict[str, Any] = {"url": URL, "description": "Case management", "minSeverity": "low"}
EVERYTHING = {
    "url": URL,
    "description": "Hits",
    "types": ["screening.hit_found", "business.created"],
    "minSeverity": "medium",
    "businessIds": [],
    "kind": "standard",
    "signing": "ed25519",
    "enabled": False,
}


async def sent(request: Awaitable[httpx2.Response], status: int = 200) -> Any:
    answer = await request
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


async def created(client: httpx2.AsyncClient, **fields: Any) -> Any:
    return await sent(client.post(PATH, json={**NEW, **fields}), 201)


async def recorded(client: httpx2.AsyncClient, count: int) -> list[dict[str, Any]]:
    """The events of so many new business records."""
    known = len((await sent(client.get("/v1/events", params={"limit": 100})))["events"])
    for number in range(count):
        await sent(client.post("/v1/businesses", json={"externalId": f"crm-{known + number}"}), 201)
    events: list[dict[str, Any]] = (await sent(client.get("/v1/events", params={"limit": 100})))["events"]
    return events[known:]


@pytest.fixture
async def endpoint(north: httpx2.AsyncClient) -> str:
    """The path of an endpoint."""
    return f"{PATH}/{(await created(north))['id']}"


# ------------------------------------------------------------------------------------------------------------ endpoints


async def test_a_new_endpoint_has_its_defaults_and_its_secret_is_returned_once(north: httpx2.AsyncClient) -> None:
    endpoint = await created(north)
    secret = endpoint.pop("secret")
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32
    assert endpoint == {
        "id": endpoint["id"],
        "url": URL,
        "description": "Case management",
        "types": [],
        "minSeverity": "low",
        "businessIds": [],
        "kind": "standard",
        "signing": "hmac",
        "enabled": True,
        "disabledReason": None,
        "failingSince": None,
        "secretStatus": "ready",
        "publicKey": None,
        "previousSecretExpiresAt": None,
        "createdAt": endpoint["createdAt"],
    }
    assert await sent(north.get(f"{PATH}/{endpoint['id']}")) == endpoint
    assert await sent(north.get(PATH)) == {"webhookEndpoints": [endpoint]}


async def test_what_was_chosen_is_kept(north: httpx2.AsyncClient) -> None:
    endpoint = await sent(north.post(PATH, json=EVERYTHING), 201)
    assert endpoint.items() >= {**EVERYTHING, "types": ["business.created", "screening.hit_found"]}.items()
    assert (endpoint["disabledReason"], endpoint["secret"]) == ("paused", None)
    assert endpoint["publicKey"].startswith("whpk_")
    chat = await created(north, kind="slack")
    assert (chat["secret"], chat["publicKey"], chat["secretStatus"]) == (None, None, "none")
    refused = await north.post(f"{PATH}/{chat['id']}/rotate-secret", json={})
    assert refused.status_code == 409


async def test_a_request_repeated_with_its_key_creates_one_endpoint_and_no_copy_of_the_secret(
    runtime: Runtime, north: httpx2.AsyncClient
) -> None:
    headers = {"Idempotency-Key": str(uuid4())}
    first, second = [await north.post(PATH, json=NEW, headers=headers) for _ in range(2)]
    assert (first.status_code, second.json()) == (201, first.json())
    assert second.headers["Idempotent-Replayed"] == "true"
    assert len((await sent(north.get(PATH)))["webhookEndpoints"]) == 1
    secret = first.json()["secret"].removeprefix("whsec_")
    async with runtime.store.read() as connection:
        stored = (await connection.execute(select(idempotency_keys.c.body))).scalars().all()
    assert [secret.encode() in body for body in stored] == [False]


async def test_a_stored_secret_can_not_be_read_under_another_signing_key(
    runtime: Runtime, north: httpx2.AsyncClient, new_key: NewKey
) -> None:
    key, headers = await new_key(), {"Idempotency-Key": str(uuid4())}
    moved = create_app(replace(runtime, signing_key=b"another"))
    statuses = []
    for app in (create_app(runtime), moved):
        async with AsyncExitStack() as stack:
            client = await NewClient(app, stack)(key)
            statuses.append((await client.post(PATH, json=NEW, headers=headers)).status_code)
            listed = (await sent(client.get(PATH)))["webhookEndpoints"]
            statuses.append(listed[0]["secretStatus"])
    assert statuses == [201, "ready", 409, "unreadable"]
    assert len((await sent(north.get(PATH)))["webhookEndpoints"]) == 1


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("hooks.example.com", "https://"),
        ("ftp://hooks.example.com/", "https://"),
        ("https:///path", "web address"),
        ("http://hooks.example.com/", "https://"),
        ("https://name:password@hooks.example.com/", "password"),
        ("https://name@hooks.example.com/", "user name"),
        ("https://hooks.example.com/a b", "spaces"),
        ("https://127.0.0.1/", "public"),
        ("https://2130706433/", "public"),
        ("https://[::1]/", "public"),
        ("https://10.0.0.8/", "public"),
        ("https://169.254.169.254/latest/meta-data", "public"),
        ("https://localhost/", "public"),
        ("https://hooks.example.com/" + 2048 * "a", "2048"),
        ("", "1 character"),
    ],
    ids=[
        *("no-scheme", "ftp", "no-host", "http", "password", "user", "space", "loopback", "number", "loopback-6"),
        *("private", "metadata", "localhost", "long", "empty"),
    ],
)
@ON_SQLITE_ONLY
async def test_an_address_that_can_not_be_used_is_refused_with_its_reason(
    north: httpx2.AsyncClient, endpoint: str, url: str, reason: str
) -> None:
    for request in (north.post(PATH, json={"url": url}), north.patch(endpoint, json={"url": url})):
        refused = await sent(request, 400)
        assert (refused["code"], [one["path"] for one in refused["details"]]) == ("VALIDATION_ERROR", ["url"])
        assert reason in refused["details"][0]["message"]


async def test_a_fragment_is_dropped_because_it_is_never_sent(north: httpx2.AsyncClient) -> None:
    assert (await created(north, url=f"{URL}?a=b#part"))["url"] == f"{URL}?a=b"


async def test_only_what_is_sent_is_changed(north: httpx2.AsyncClient, endpoint: str) -> None:
    before = await sent(north.get(endpoint))
    changed = await sent(north.patch(endpoint, json={"types": ["report.ready"], "description": None}))
    assert changed == {**before, "types": ["report.ready"], "description": None}
    paused = await sent(north.patch(endpoint, json={"enabled": False}))
    assert paused == {**changed, "enabled": False, "disabledReason": "paused"}
    assert await sent(north.patch(endpoint, json={"enabled": True})) == changed == await sent(north.get(endpoint))


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"minimumSeverity": "low"}, "minimumSeverity"),
        ({"kind": "slack"}, "kind"),
        ({"secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, "secret"),
        ({"url": None}, "url"),
        ({"types": ["screening.hit"]}, "types.0"),
        ({"minSeverity": "urgent"}, "minSeverity"),
        ({"businessIds": ["crm-1"]}, "businessIds.0"),
        ({"businessIds": ["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"]}, "businessIds"),
    ],
    ids=["unknown", "kind", "secret", "null", "type", "severity", "no-id", "unknown-record"],
)
@ON_SQLITE_ONLY
async def test_a_change_that_makes_no_sense_is_refused(
    north: httpx2.AsyncClient, endpoint: str, body: dict[str, Any], path: str
) -> None:
    before = await sent(north.get(endpoint))
    refused = await sent(north.patch(endpoint, json=body), 400)
    assert [one["path"].replace("[", ".").replace("]", "") for one in refused["details"]] == [path]
    assert await sent(north.get(endpoint)) == before


async def test_a_deleted_endpoint_is_gone(north: httpx2.AsyncClient, endpoint: str) -> None:
    assert await sent(north.delete(endpoint), 204) is None
    assert (await north.get(endpoint)).status_code == (await north.delete(endpoint)).status_code == 404
    assert await sent(north.get(PATH)) == {"webhookEndpoints": []}


async def test_another_organization_sees_and_does_nothing(
    north: httpx2.AsyncClient, south: httpx2.AsyncClient, endpoint: str
) -> None:
    before = await sent(north.get(endpoint))
    (event,) = await recorded(north, 1)
    requests = [
        *(south.get(endpoint), south.patch(endpoint, json={"enabled": False}), south.delete(endpoint)),
        *(south.post(f"{endpoint}/rotate-secret", json={}), south.post(f"{endpoint}/test")),
        *(south.get(f"{endpoint}/deliveries"), south.post(f"{endpoint}/replay", json={"eventIds": [event["id"]]})),
    ]
    assert [(await request).status_code for request in requests] == 7 * [404]
    assert await sent(south.get(PATH)) == {"webhookEndpoints": []}
    assert await sent(north.get(endpoint)) == before
    own = f"{PATH}/{(await created(south))['id']}"
    stolen = await sent(south.post(f"{own}/replay", json={"eventIds": [event["id"]]}), 400)
    assert event["id"] in stolen["error"]


async def test_scopes_are_required(new_client: NewClient, new_key: NewKey, north: httpx2.AsyncClient, endpoint: str) -> None:
    reader = await new_client(await new_key(scopes=[Scope.WEBHOOKS_READ]))
    writer = await new_client(await new_key(scopes=[Scope.WEBHOOKS_WRITE, Scope.EVENTS_READ]))
    blind = await new_client(await new_key(scopes=[Scope.WEBHOOKS_WRITE]))
    for refused in (await sent(blind.post(PATH, json=NEW), 403), await sent(blind.patch(endpoint, json={"url": NEW["url"]}), 403)):
        assert "`events:read`" in refused["error"]
    assert (await blind.patch(endpoint, json={"enabled": False})).status_code == 200
    assert [(await reader.get(path)).status_code for path in (PATH, endpoint, f"{endpoint}/deliveries")] == [200, 200, 200]
    assert (await reader.post(PATH, json=NEW)).status_code == (await writer.get(PATH)).status_code == 403
    business = (await recorded(north, 1))[0]["business"]["id"]
    chosen = {**NEW, "businessIds": [business]}
    refused = await sent(writer.post(PATH, json=chosen), 403)
    assert "`businesses:read`" in refused["error"]
    assert (await writer.patch(endpoint, json={"businessIds": [business]})).status_code == 403
    assert (await writer.post(PATH, json=NEW)).status_code == 201
    both = await new_client(await new_key(scopes=[Scope.WEBHOOKS_WRITE, Scope.EVENTS_READ, Scope.BUSINESSES_READ]))
    assert (await sent(both.post(PATH, json=chosen), 201))["businessIds"] == [business]


# -------------------------------------------------------------------------------------------------------------- secrets


async def test_both_secrets_are_valid_during_the_overlap(north: httpx2.AsyncClient, endpoint: str, clock: ManualClock) -> None:
    headers = {"Idempotency-Key": str(uuid4())}
    rotated = await sent(north.post(f"{endpoint}/rotate-secret", json={"overlapSeconds": 3600}, headers=headers))
    assert await sent(north.post(f"{endpoint}/rotate-secret", json={"overlapSeconds": 3600}, headers=headers)) == rotated
    assert rotated["secret"].startswith("whsec_")
    assert (await sent(north.get(endpoint)))["previousSecretExpiresAt"] == rotated["previousExpiresAt"] is not None
    clock.move(hours=2)
    assert (await sent(north.get(endpoint)))["previousSecretExpiresAt"] is None
    at_once = await sent(north.post(f"{endpoint}/rotate-secret", json={"overlapSeconds": 0}))
    assert at_once["previousExpiresAt"] is None
    assert at_once["secret"] != rotated["secret"]
    assert (await north.post(f"{endpoint}/rotate-secret", json={"overlapSeconds": -1})).status_code == 400


# ----------------------------------------------------------------------------------------------------------- deliveries


async def test_a_test_event_is_recorded_once(north: httpx2.AsyncClient, endpoint: str) -> None:
    headers = {"Idempotency-Key": str(uuid4())}
    answers = [await sent(north.post(f"{endpoint}/test", headers=headers), 202) for _ in range(2)]
    (event,) = (await sent(north.get("/v1/events")))["events"]
    assert answers == 2 * [{"eventId": event["id"]}]
    assert (event["type"], event["subject"]["id"]) == ("webhook.test", endpoint.rpartition("/")[2])
    assert event["links"]["resource"] == endpoint
    await sent(north.patch(endpoint, json={"enabled": False}))
    assert (await north.post(f"{endpoint}/test")).status_code == 409


async def test_deliveries_are_listed_page_by_page(north: httpx2.AsyncClient, endpoint: str) -> None:
    events = await recorded(north, 3)
    headers = {"Idempotency-Key": str(uuid4())}
    body = {"eventIds": [event["id"] for event in events]}
    for _ in range(2):
        assert await sent(north.post(f"{endpoint}/replay", json=body, headers=headers), 202) == {"count": 3}
    first = await sent(north.get(f"{endpoint}/deliveries", params={"limit": 2}))
    assert first["pagination"] == {"limit": 2, "hasMore": True}
    second = await sent(north.get(f"{endpoint}/deliveries", params={"cursor": first["cursor"]["next"]}))
    assert second["pagination"]["hasMore"] is False
    listed = first["deliveries"] + second["deliveries"]
    assert [(one["eventId"], one["sequence"], one["eventType"]) for one in listed] == [
        (event["id"], event["sequence"], event["type"]) for event in events
    ]
    assert {(one["status"], len(one["attempts"])) for one in listed} == {("pending", 0)}
    assert len({UUID(one["id"]) for one in listed}) == 3
    assert all(one["nextAttemptAt"] is not None for one in listed)
    pending = await sent(north.get(f"{endpoint}/deliveries", params={"status": "pending"}))
    failed = await sent(north.get(f"{endpoint}/deliveries", params={"status": "failed"}))
    assert (len(pending["deliveries"]), failed["deliveries"]) == (3, [])
    for query in ({"status": "lost"}, {"cursor": "nonsense"}, {"limit": 0}, {"since": "2026-11-20T00:00:00Z"}):
        assert (await north.get(f"{endpoint}/deliveries", params=query)).status_code == 400


async def test_a_span_of_time_is_replayed_as_the_filter_says(north: httpx2.AsyncClient, clock: ManualClock) -> None:
    endpoint = f"{PATH}/{(await created(north, minSeverity='info', types=['business.created']))['id']}"
    before = clock.now.isoformat()
    clock.move(minutes=1)
    await recorded(north, 2)
    await sent(north.put("/v1/businesses", json={"externalId": "crm-0", "name": "Other"}))
    clock.move(minutes=1)
    after = clock.now.isoformat()
    clock.move(minutes=1)
    await recorded(north, 1)
    spans = [({"since": before}, 3), ({"since": before, "until": after}, 2), ({"since": after}, 1)]
    for body, count in spans:
        assert await sent(north.post(f"{endpoint}/replay", json=body), 202) == {"count": count}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"eventIds": []},
        {"eventIds": ["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"]},
        {"eventIds": ["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"], "since": "2026-11-20T00:00:00Z"},
        {"until": "2026-11-20T00:00:00Z"},
        {"since": "2026-11-21T00:00:00Z", "until": "2026-11-20T00:00:00Z"},
        {"since": "2026-11-21"},
    ],
    ids=["nothing", "no-event", "unknown-event", "both", "until-only", "backwards", "no-time-zone"],
)
async def test_a_replay_of_nothing_is_refused(north: httpx2.AsyncClient, endpoint: str, body: dict[str, Any]) -> None:
    assert (await sent(north.post(f"{endpoint}/replay", json=body), 400))["code"] == "VALIDATION_ERROR"


async def test_errors_are_in_french_too(north: httpx2.AsyncClient) -> None:
    answers = [await sent(north.get(f"{PATH}/{uuid4()}", headers={"Accept-Language": language}), 404) for language in ("en", "fr")]
    assert answers[0]["code"] == answers[1]["code"] == "NOT_FOUND"
