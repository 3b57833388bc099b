"""`bonafide webhooks listen`: print new events, and forward them to a developer's machine as webhooks."""

import base64
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Annotated
from urllib.parse import urlsplit

import httpx2
import typer
from rich.markup import escape

from bonafide.cli.command_runtime import open_command_runtime, run_until_interrupted
from bonafide.cli.events.feeds import EventDocument, EventFeed, StoredEventFeed, follow_events, format_event, open_served_feed
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import err, out
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.events.event import EventType
from bonafide.model.webhooks import SigningMethod
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.webhooks.signatures import SHARED_PREFIX, build_signed_headers, generate_secret
from bonafide.services.webhooks.webhook_client import TIMEOUT_S

_MIN_SECRET_BYTES, _MAX_SECRET_BYTES = 24, 64
"""As Standard Webhooks defines."""


def listen(
    forward: Annotated[
        str | None, typer.Option(metavar="URL", help=Message("Send each event to this address, such as http://127.0.0.1:3000."))
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL", envvar="BONAFIDE_URL", help=Message("Follow the events of a service at this address, with an API key.")
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(envvar="BONAFIDE_API_KEY", show_envvar=True, help=Message("The API key for --url; it needs events:read.")),
    ] = None,
    organization: Annotated[
        str | None, typer.Option(help=Message("The organization, in the local database. Not needed with --url."))
    ] = None,
    test: Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))] = False,
    types: Annotated[
        list[EventType] | None, typer.Option("--type", help=Message("Only events of this type. Can be repeated."))
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option(envvar="BONAFIDE_WEBHOOK_SECRET", help=Message("The secret that signs requests; a new one by default.")),
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Print new events, and with --forward send each to a receiver on your machine, signed as a webhook.

    No endpoint is created, so the receiver needs no public address. Each event is sent once, in order: a request that fails is
    printed and not repeated.
    """
    if forward is not None:
        _check_address("--forward", forward)
    if secret is not None:
        _check_secret(secret)

    async def follow() -> None:
        chosen = secret if secret is not None else str(generate_secret(SigningMethod.HMAC).shared)
        async with _open_feed(url, key, organization, World.SANDBOX if test else World.LIVE, types, data_dir) as source:
            cursor = await source.find_end()
            async with httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client:
                forwarder = WebhookForwarder(client, forward, chosen) if forward is not None else None
                _print_start(forwarder)
                async for event in follow_events(source, cursor):
                    if as_json:
                        print_json(event)
                    else:
                        out.print(f"{format_event(event)}  [dim]{event['id']}[/]", highlight=False, soft_wrap=True)
                    if forwarder is not None:
                        err.print(await forwarder.send(event), highlight=False, soft_wrap=True)

    run_until_interrupted(follow())


class WebhookForwarder:
    """Sends events to one address, as the service delivers them."""

    def __init__(self, client: httpx2.AsyncClient, address: str, secret: str) -> None:
        self._client = client
        self.address = address
        self.secret = secret

    async def send(self, event: EventDocument) -> str:
        """Send an event once; returns a line of rich's markup with the status of the response, or the error."""
        message = {"type": event["type"], "timestamp": event["occurredAt"], "data": event}
        body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        headers = build_signed_headers(event["id"], int(time.time()), body, [self.secret])
        started = monotonic()
        try:
            response = await self._client.post(self.address, content=body, headers={"Content-Type": "application/json", **headers})
        except httpx2.HTTPError as error:
            return f"  [red]→ {escape(self.address)}: {escape(str(error) or type(error).__name__)}[/]"
        milliseconds = round((monotonic() - started) * 1000)
        colour = "green" if response.is_success else "red"
        return f"  [{colour}]→ {response.status_code}[/] {escape(self.address)} ({milliseconds} ms)"


@asynccontextmanager
async def _open_feed(
    url: str | None,
    key: str | None,
    organization: str | None,
    world: World,
    types: list[EventType] | None,
    data_dir: Path | None,
) -> AsyncIterator[EventFeed]:
    """The feed of a service or, without a URL, of the local database."""
    if url is not None:
        _check_address("--url", url)
        if not key:
            raise typer.BadParameter(localize(Message("--url needs an API key: --key, or the variable BONAFIDE_API_KEY.")))
        async with open_served_feed(url, key, types) as source:
            yield source
        return
    if organization is None:
        raise typer.BadParameter(localize(Message("Give --organization, or --url and --key.")))
    async with open_command_runtime(data_dir) as runtime:
        yield StoredEventFeed(runtime, (await find_organization(runtime, organization, world)).id, types)


def _check_address(option: str, address: str) -> None:
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise typer.BadParameter(
            localize(Message("{option} must be an address that begins with http:// or https://.", option=option))
        )


def _check_secret(secret: str) -> None:
    try:
        size = len(base64.b64decode(secret.removeprefix(SHARED_PREFIX), validate=True))
    except ValueError:
        size = 0
    if not secret.startswith(SHARED_PREFIX) or not _MIN_SECRET_BYTES <= size <= _MAX_SECRET_BYTES:
        raise typer.BadParameter(localize(Message("--secret must be whsec_ and the base64 of 24 to 64 bytes.")))


def _print_start(forwarder: WebhookForwarder | None) -> None:
    """What is needed to verify what follows, on standard error, so that standard output has only events."""
    if forwarder is None:
        err.print(escape(localize(Message("Waiting for events. Press Ctrl+C to end."))), highlight=False)
        return
    notice = Message("Forwarding events to {address}. Press Ctrl+C to end.", address=forwarder.address)
    err.print(escape(localize(notice)), highlight=False, soft_wrap=True)
    secret = Message("The secret that verifies them: {secret}", secret=forwarder.secret)
    err.print(escape(localize(secret)), highlight=False, soft_wrap=True)
