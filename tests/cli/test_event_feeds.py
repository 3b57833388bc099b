"""The feed of a service as commands follow it, and the receiver that they forward to: what happens if either fails."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from standardwebhooks import Webhook
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.cli.events.feeds import FeedRefused, FeedUnavailable, follow_events, open_served_feed
from bonafide.cli.events.listener import WebhookForwarder
from bonafide.model.events.event import EventType
from bonafide.model.events.event_types import build_example
from bonafide.model.webhooks import SigningMethod
from bonafide.services.webhooks.signatures import generate_secret
from tests.support.servers.asgi_server import served
from tests.support.servers.ports import refusing_port
from tests.support.waiting import TIMEOUT_S
from tests.support.webhooks.receiver import describe_headers, receiving

pytestmark = pytest.mark.anyio
EVENT = json.loads(build_example(EventType.WEBHOOK_TEST).to_json())
LATER = {**EVENT, "type": "of.a_later_release", "severity": "unheard_of"}
BUSY = JSONResponse({"error": "At capacity.", "code": "SERVER_ERROR"}, 503, {"Retry-After": "0"})


def page(*events: Any, has_more: bool = False) -> JSONResponse:
    return JSONResponse({"events": events, "cursor": {"next": "c"}, "pagination": {"limit": 100, "hasMore": has_more}})


def answering(*responses: Response) -> ASGIApp:
    """A service with these answers in turn."""
    waiting = list(responses)

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            assert Request(scope).headers["Authorization"] == "Bearer bf_test_key"
            await waiting.pop(0)(scope, receive, send)

    return application


async def test_a_feed_is_followed_over_an_outage(capsys: pytest.CaptureFixture[str]) -> None:
    followed = []
    async with (
        served(answering(page(EVENT, has_more=True), BUSY, BUSY, page(LATER))) as address,
        open_served_feed(address, "bf_test_key") as source,
    ):
        async with asyncio.timeout(TIMEOUT_S):
            async for event in follow_events(source, "b"):
                followed.append(event)
                if event == LATER:
                    break
    assert followed == [EVENT, LATER]
    assert capsys.readouterr().err.count("At capacity.") == 1


@pytest.mark.parametrize(
    ("response", "error", "words"),
    [
        (lambda: JSONResponse({"error": "Invalid API key."}, 401), FeedRefused, "401: Invalid API key."),
        (lambda: HTMLResponse("<p>Welcome</p>"), FeedRefused, "no bonafide service"),
        (lambda: JSONResponse({"status": "ok"}), FeedRefused, "no bonafide service"),
        (lambda: HTMLResponse("<p>Bad gateway</p>", 502), FeedUnavailable, "502"),
    ],
    ids=["refused", "page", "other-api", "gateway"],
)
async def test_an_answer_without_events_is_a_sentence(response: Callable[[], Response], error: type[Exception], words: str) -> None:
    async with served(answering(response())) as address, open_served_feed(address, "bf_test_key") as source:
        with pytest.raises(error, match=words):
            await source.find_end()


async def test_a_service_that_is_not_there_is_unavailable() -> None:
    with refusing_port() as port:
        async with open_served_feed(f"http://127.0.0.1:{port}", "bf_test_key") as source:
            with pytest.raises(FeedUnavailable):
                await source.find_end()


async def test_what_is_forwarded_verifies_and_has_the_event_as_the_feed_has_it() -> None:
    secret = str(generate_secret(SigningMethod.HMAC).shared)
    async with (
        served(answering(page(EVENT, LATER))) as address,
        open_served_feed(address, "bf_test_key") as source,
        receiving() as receiver,
        httpx2.AsyncClient() as client,
    ):
        forwarder = WebhookForwarder(client, receiver.address, secret)
        for event in (await source.read_page("b")).events:
            await forwarder.send(event)
    messages = [Webhook(secret).verify(request.body, describe_headers(request)) for request in receiver.received]
    assert messages == [{"type": event["type"], "timestamp": event["occurredAt"], "data": event} for event in (EVENT, LATER)]
    assert receiver.ids == [EVENT["id"], LATER["id"]]


async def test_what_a_receiver_responds_is_shown_and_nothing_is_sent_twice() -> None:
    secret = str(generate_secret(SigningMethod.HMAC).shared)
    async with receiving() as receiver, httpx2.AsyncClient() as client:
        receiver.responses.append(Response(status_code=307, headers={"Location": "/elsewhere"}))
        forwarder = WebhookForwarder(client, f"{receiver.address}/hook", secret)
        lines = [await forwarder.send(EVENT) for _ in range(2)]
        assert [("307" in line, "204" in line) for line in lines] == [(True, False), (False, True)]
        assert [request.path for request in receiver.received] == ["/hook", "/hook"]
        with refusing_port() as port:
            failed = await WebhookForwarder(client, f"http://127.0.0.1:{port}", secret).send(EVENT)
        assert failed.startswith("  [red]")
