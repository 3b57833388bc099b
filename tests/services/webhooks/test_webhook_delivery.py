"""Deliveries to a real receiver: signed as Standard Webhooks says, retried, recorded, and ended if an endpoint is gone or fails."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks.webhooks import Webhook
from starlette.responses import Response

from bonafide.console.events.chat_message import compose_chat_message
from bonafide.model.accounts.organizations import Principal
from bonafide.model.events.event import EventType
from bonafide.model.webhooks import (
    DeliveryError,
    DeliveryStatus,
    DisabledReason,
    SecretRotation,
    SecretStatus,
    WebhookEndpointChange,
)
from bonafide.runtime import Runtime
from bonafide.services.events.feed import read_event
from bonafide.services.webhooks.attempts import RETRY_DELAYS
from bonafide.services.webhooks.delivery_loop import UNTRIED_LIMIT, DeliveryLoop
from bonafide.services.webhooks.endpoints import change_endpoint, read_endpoint, rotate_secret, send_test_event
from bonafide.services.webhooks.fan_out import create_deliveries
from bonafide.services.webhooks.webhook_client import WebhookClient
from tests.support.servers.ports import free_port
from tests.support.services.accounts import with_settings
from tests.support.services.events import list_events
from tests.support.services.runtimes import clock_of, principal_of
from tests.support.webhooks.delivering import (
    ANALYST,
    add_endpoint,
    deliver_all,
    delivering,
    read_deliveries,
    record,
    wait_until,
    with_loopback,
)
from tests.support.webhooks.receiver import ReceivedRequest, WebhookReceiver, describe_headers, receiving

pytestmark = pytest.mark.anyio
FAILED, DELIVERED, EXHAUSTED = DeliveryStatus.FAILED, DeliveryStatus.DELIVERED, DeliveryStatus.EXHAUSTED
MOMENT = timedelta(milliseconds=1)


@pytest.fixture
def sender(empty_runtime: Runtime) -> Runtime:
    return with_loopback(empty_runtime)


@pytest.fixture
async def owner(sender: Runtime) -> Principal:
    return await principal_of(sender, "north")


@pytest.fixture
async def receiver() -> AsyncIterator[WebhookReceiver]:
    async with receiving() as opened:
        yield opened


async def test_a_delivery_has_the_event_as_the_api_returns_it_and_verifies(
    sender: Runtime, owner: Principal, receiver: WebhookReceiver
) -> None:
    organization = owner.organization_id
    clock_of(sender).now = datetime.now(UTC)  # verifiers refuse what is older than five minutes
    endpoint = await add_endpoint(sender, organization, receiver.address)
    (event_id,) = await record(sender, organization)

    await deliver_all(sender)

    (request,) = receiver.received
    event = (await list_events(sender, organization))[-1]
    assert endpoint.secret is not None
    document = Webhook(endpoint.secret).verify(request.body, describe_headers(request))
    assert document["type"] == "business.updated"
    assert document["data"] == json.loads((await read_event(sender, organization, event.id)).to_json())
    assert document["timestamp"] == document["data"]["occurredAt"]
    assert request.message_id == event_id == str(event.id)
    assert request.headers["content-type"] == "application/json"


async def test_a_delivery_with_a_key_pair_verifies_with_the_public_key(
    sender: Runtime, owner: Principal, receiver: WebhookReceiver
) -> None:
    endpoint = await add_endpoint(sender, owner.organization_id, receiver.address, signing="ed25519")
    await record(sender, owner.organization_id)

    await deliver_all(sender)

    (request,) = receiver.received
    assert endpoint.secret is None
    assert endpoint.public_key is not None
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(endpoint.public_key.removeprefix("whpk_")))
    version, _, signature = request.headers["webhook-signature"].partition(",")
    content = f"{request.message_id}.{request.headers['webhook-timestamp']}.".encode() + request.body
    assert version == "v1a"
    key.verify(base64.b64decode(signature), content)
    with pytest.raises(InvalidSignature):
        key.verify(base64.b64decode(signature), content + b" ")


async def test_both_secrets_sign_while_they_overlap(sender: Runtime, owner: Principal, receiver: WebhookReceiver) -> None:
    organization = owner.organization_id
    endpoint = await add_endpoint(sender, organization, receiver.address)
    rotated = await rotate_secret(sender, organization, endpoint.id, SecretRotation(overlap_seconds=60), ANALYST)
    await record(sender, organization)
    await deliver_all(sender)
    clock_of(sender).advance(seconds=61)
    await record(sender, organization)
    await deliver_all(sender)

    assert endpoint.secret is not None
    assert rotated.secret is not None
    during, after = receiver.received
    assert verifies(during, endpoint.secret)
    assert verifies(during, rotated.secret)
    assert not verifies(after, endpoint.secret)
    assert verifies(after, rotated.secret)
    assert (await read_endpoint(sender, organization, endpoint.id)).previous_secret_expires_at is None


async def test_a_delivery_is_attempted_ten_times_with_growing_delays(
    sender: Runtime, owner: Principal, receiver: WebhookReceiver
) -> None:
    organization, clock = owner.organization_id, clock_of(sender)
    endpoint = await add_endpoint(sender, organization, receiver.address)
    receiver.default = lambda: Response("out of\n\x00order " + "x" * 5000, status_code=503)
    (event_id,) = await record(sender, organization)
    for delay in RETRY_DELAYS:
        await deliver_all(sender)
        (delivery,) = await read_deliveries(sender, organization, endpoint.id)
        assert delivery.status is FAILED
        assert delivery.next_attempt_at is not None
        ended_at = delivery.attempts[-1].at + timedelta(milliseconds=delivery.attempts[-1].duration_ms)
        assert delay <= delivery.next_attempt_at - ended_at <= delay * 1.1
        clock.now = delivery.next_attempt_at - MOMENT
        await deliver_all(sender)
        assert len(receiver.received) == len(delivery.attempts)
        clock.now = delivery.next_attempt_at
    await deliver_all(sender)
    clock.advance(days=30)
    await deliver_all(sender)

    (delivery,) = await read_deliveries(sender, organization, endpoint.id)
    assert (delivery.status, delivery.next_attempt_at, len(delivery.attempts)) == (EXHAUSTED, None, 10)
    assert receiver.ids == [event_id] * 10
    assert {attempt.status for attempt in delivery.attempts} == {503}
    assert {attempt.error for attempt in delivery.attempts} == {DeliveryError.UNEXPECTED_STATUS}
    assert delivery.attempts[0].response_start == ("out of order " + "x" * 300)[:256]
    assert len({request.headers["webhook-timestamp"] for request in receiver.received}) == 10


async def test_a_success_after_a_failure_ends_the_failure(sender: Runtime, owner: Principal, receiver: WebhookReceiver) -> None:
    organization = owner.organization_id
    endpoint = await add_endpoint(sender, organization, receiver.address)
    receiver.responses.append(Response(status_code=302, headers={"Location": f"{receiver.address}/elsewhere"}))
    await record(sender, organization)
    await deliver_all(sender)
    assert (await read_endpoint(sender, organization, endpoint.id)).failing_since is not None
    clock_of(sender).advance(seconds=6)
    await deliver_all(sender)

    (delivery,) = await read_deliveries(sender, organization, endpoint.id)
    assert delivery.status is DELIVERED
    assert [attempt.status for attempt in delivery.attempts] == [302, 204]
    assert [request.path for request in receiver.received] == ["/", "/"]
    assert (await read_endpoint(sender, organization, endpoint.id)).failing_since is None


async def test_an_endpoint_that_is_gone_is_disabled_until_somebody_enables_it(
    sender: Runtime, owner: Principal, receiver: WebhookReceiver
) -> None:
    organization = owner.organization_id
    endpoint = await add_endpoint(sender, organization, f"{receiver.address}/gone")
    witness = await add_endpoint(sender, organization, f"{receiver.address}/witness", types=["webhook.disabled"])
    receiver.responses.append(Response(status_code=410))
    await record(sender, organization)
    await deliver_all(sender)
    shown = await read_endpoint(sender, organization, endpoint.id)
    assert (shown.enabled, shown.disabled_reason) == (False, DisabledReason.GONE)
    (delivery,) = await read_deliveries(sender, organization, endpoint.id)
    assert (delivery.status, delivery.next_attempt_at) == (FAILED, None)
    clock_of(sender).advance(minutes=1)
    await record(sender, organization)
    await deliver_all(sender)
    assert [request.path for request in receiver.received] == ["/gone", "/witness"]
    disabled = json.loads(receiver.received[1].body)
    assert disabled["type"] == EventType.WEBHOOK_DISABLED
    assert disabled["data"]["data"] == {
        "endpointId": str(endpoint.id),
        "reason": "gone",
        "failingSince": disabled["data"]["data"]["failingSince"],
    }
    assert [one.status for one in await read_deliveries(sender, organization, witness.id)] == [DELIVERED]

    enabled = await change_endpoint(sender, organization, endpoint.id, WebhookEndpointChange(enabled=True), ANALYST)
    (later,) = await record(sender, organization)
    await deliver_all(sender)

    assert (enabled.enabled, enabled.disabled_reason, enabled.failing_since) == (True, None, None)
    assert sorted(receiver.ids[2:]) == sorted([receiver.ids[0], later])


async def test_days_of_failure_are_reported_once_and_then_disable_the_endpoint(
    sender: Runtime, owner: Principal, receiver: WebhookReceiver
) -> None:
    organization, clock = owner.organization_id, clock_of(sender)
    broken = await add_endpoint(sender, organization, f"{receiver.address}/broken")
    await add_endpoint(sender, organization, f"{receiver.address}/other", types=["webhook.failing", "webhook.disabled"])

    def respond() -> Response:
        return Response(status_code=204 if receiver.received[-1].path == "/other" else 500)

    receiver.default = respond
    for _ in range(11):
        await record(sender, organization)
        await deliver_all(sender)
        await deliver_all(sender)
        clock.advance(hours=12)

    shown = await read_endpoint(sender, organization, broken.id)
    reported = [json.loads(one.body)["type"] for one in receiver.received if one.path == "/other"]
    assert (shown.enabled, shown.disabled_reason) == (False, DisabledReason.FAILING)
    assert reported == ["webhook.failing", "webhook.disabled"]
    received = {json.loads(request.body)["type"] for request in receiver.received if request.path == "/broken"}
    assert received == {"business.updated"}
    events = {event.type: event for event in await list_events(sender, organization)}
    failing = events[EventType.WEBHOOK_FAILING].data
    assert (failing["lastError"], failing["lastStatus"]) == ("unexpected_status", 500)


async def test_attempts_that_get_no_response_say_why(sender: Runtime, owner: Principal, receiver: WebhookReceiver) -> None:
    organization = owner.organization_id
    held = await add_endpoint(sender, organization, f"{receiver.address}/held")
    closed = await add_endpoint(sender, organization, f"http://127.0.0.1:{free_port()}/")
    not_tls = await add_endpoint(sender, organization, receiver.address.replace("http:", "https:"))
    await record(sender, organization)
    await create_deliveries(sender)
    async with delivering(sender, timeout_s=0.2) as loop:
        await loop.send_due()

    errors = {endpoint.id: await last_error(sender, organization, endpoint.id) for endpoint in (held, closed, not_tls)}
    assert errors == {
        held.id: DeliveryError.TIMEOUT,
        closed.id: DeliveryError.CONNECTION_FAILED,
        not_tls.id: DeliveryError.TLS_FAILED,
    }


async def test_an_address_that_is_not_public_is_never_connected_to(
    sender: Runtime, owner: Principal, receiver: WebhookReceiver
) -> None:
    """The operator has removed the exemption, and a public name resolves to this machine."""
    organization = owner.organization_id
    literal = await add_endpoint(sender, organization, receiver.address)
    port = urlsplit(receiver.address).port
    named = await add_endpoint(sender, organization, f"https://receiver.example:{port}/")
    await record(sender, organization)
    await create_deliveries(sender)
    strict = with_settings(sender, allow_private_targets="")

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    client = WebhookClient(strict.settings, strict.clock, resolve=resolve)
    await DeliveryLoop(strict, "strict", compose_chat_message, client).send_due()
    await client.close()

    for endpoint in (literal, named):
        assert await last_error(sender, organization, endpoint.id) is DeliveryError.ADDRESS_REFUSED
    assert receiver.received == []


async def test_a_secret_of_another_signing_key_fails_the_attempt_until_it_is_rotated(
    sender: Runtime, owner: Principal, receiver: WebhookReceiver
) -> None:
    organization = owner.organization_id
    endpoint = await add_endpoint(sender, organization, receiver.address)
    moved = replace(sender, signing_key=b"another")
    await record(moved, organization)
    await deliver_all(moved)
    assert await last_error(moved, organization, endpoint.id) is DeliveryError.SECRET_UNREADABLE
    assert (await read_endpoint(moved, organization, endpoint.id)).secret_status is SecretStatus.UNREADABLE

    rotated = await rotate_secret(moved, organization, endpoint.id, SecretRotation(), ANALYST)
    clock_of(sender).advance(seconds=6)
    await deliver_all(moved)

    assert rotated.secret is not None
    assert rotated.previous_expires_at is None
    (request,) = receiver.received
    assert verifies(request, rotated.secret)


async def test_a_test_event_reaches_its_endpoint_only(sender: Runtime, owner: Principal, receiver: WebhookReceiver) -> None:
    organization = owner.organization_id
    tested = await add_endpoint(sender, organization, f"{receiver.address}/tested", types=["report.ready"], min_severity="critical")
    await add_endpoint(sender, organization, f"{receiver.address}/other")
    sent = await send_test_event(sender, organization, tested.id, ANALYST)

    await deliver_all(sender)

    (request,) = receiver.received
    assert (request.path, request.message_id) == ("/tested", str(sent.event_id))
    assert json.loads(request.body)["data"]["data"] == {"endpointId": str(tested.id), "requestedBy": ANALYST.actor}


async def test_a_chat_receives_a_sentence_with_a_link(sender: Runtime, owner: Principal, receiver: WebhookReceiver) -> None:
    organization = owner.organization_id
    endpoint = await add_endpoint(sender, organization, f"{receiver.address}/services/T0/B0", kind="slack")
    await record(sender, organization, business_id=UUID(int=7))

    await deliver_all(sender)

    (request,) = receiver.received
    message = json.loads(request.body)
    assert endpoint.secret is None
    assert "webhook-signature" not in request.headers
    assert "Zoë &amp; Œuvre &lt;Ltd.&gt;" in message["text"]
    assert f"<{sender.settings.base_url}/console/" in message["text"]
    assert message["blocks"][0]["type"] == "section"


async def test_two_workers_send_each_event_once(sender: Runtime, owner: Principal, receiver: WebhookReceiver) -> None:
    organization = owner.organization_id
    for place in range(4):
        await add_endpoint(sender, organization, f"{receiver.address}/{place}")
    expected = await record(sender, organization, 30)
    await asyncio.gather(*(create_deliveries(sender) for _ in range(3)))
    async with delivering(sender, "one") as one, delivering(sender, "two") as two:
        await asyncio.gather(one.send_due(), two.send_due(), one.send_due(), two.send_due())

    for place in range(4):
        received = [request.message_id for request in receiver.received if request.path == f"/{place}"]
        assert sorted(received) == sorted(expected)


async def test_an_endpoint_that_does_not_respond_neither_delays_others_nor_takes_all_connections(
    sender: Runtime, owner: Principal, receiver: WebhookReceiver
) -> None:
    organization = owner.organization_id
    await add_endpoint(sender, organization, f"{receiver.address}/held")
    await add_endpoint(sender, organization, f"{receiver.address}/quick")
    expected = await record(sender, organization, 3 * UNTRIED_LIMIT)
    await create_deliveries(sender)
    async with delivering(sender) as loop:
        running = asyncio.create_task(loop.run())
        await wait_until(lambda: receiver.count("/quick") == len(expected))
        assert receiver.count("/held") == UNTRIED_LIMIT
        receiver.gate.set()
        await wait_until(lambda: receiver.count("/held") == len(expected))
        running.cancel()
        await asyncio.wait([running])

    assert sorted(request.message_id for request in receiver.received if request.path == "/held") == sorted(expected)


async def last_error(runtime: Runtime, organization_id: UUID, endpoint_id: UUID) -> DeliveryError | None:
    (delivery,) = await read_deliveries(runtime, organization_id, endpoint_id)
    return delivery.attempts[-1].error


def verifies(request: ReceivedRequest, secret: str) -> bool:
    """Whether the signature verifies, whatever the time of the attempt."""
    return constant_signature(request, secret) in request.headers["webhook-signature"].split(" ")


def constant_signature(request: ReceivedRequest, secret: str) -> str:
    """The signature as the published verifier computes it."""
    at = datetime.fromtimestamp(int(request.headers["webhook-timestamp"]), UTC)
    return Webhook(secret).sign(request.message_id, at, request.body.decode())
