"""`bonafide webhooks`."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import KeyRequest, Scope
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime, open_runtime
from bonafide.services.accounts import api_access
from bonafide.services.records import business_records
from bonafide.settings import Settings
from tests.support.cli_commands import Command
from tests.support.servers.asgi_server import served
from tests.support.waiting import TIMEOUT_S
from tests.support.webhooks.delivering import wait_until
from tests.support.webhooks.receiver import describe_headers, receiving

URL = "https://hooks.example.com/bonafide"
NORTH = ("--organization", "North")


@pytest.fixture
def endpoint(bonafide: Command) -> Any:
    """An endpoint of an organization, with its secret."""
    bonafide("keys", "create", *NORTH)
    return bonafide("webhooks", "add", URL, *NORTH, "--description", "Case [management]", "--json").json()


def read(bonafide: Command) -> Any:
    [found] = bonafide("webhooks", "list", *NORTH, "--json").json()
    return found


def test_an_endpoint_is_listed_without_its_secret(bonafide: Command, endpoint: Any) -> None:
    secret = endpoint.pop("secret")
    listed = bonafide("webhooks", "list", *NORTH, "--json")
    assert (listed.json(), secret in listed.out) == ([endpoint], False)
    table = bonafide("webhooks", "list", *NORTH).out
    assert all(part in table for part in (endpoint["id"], URL, "Case [management]", "active"))


def test_the_secret_is_the_first_line_of_the_output(bonafide: Command, endpoint: Any) -> None:
    del endpoint
    printed = bonafide("webhooks", "add", URL, *NORTH, "--type", "report.ready", "--min-severity", "high").out.splitlines()
    assert printed[0].startswith("whsec_")
    public = bonafide("webhooks", "add", URL, *NORTH, "--signing", "ed25519").out.splitlines()
    assert public[0].startswith("whpk_")
    chat = bonafide("webhooks", "add", URL, *NORTH, "--kind", "slack").out
    assert "wh" not in chat.split(" ")[0]


def test_an_endpoint_is_rotated_paused_resumed_tested_and_removed(bonafide: Command, endpoint: Any) -> None:
    words = (endpoint["id"], *NORTH)
    rotated = bonafide("webhooks", "rotate", *words, "--overlap", "2h", "--json").json()
    assert rotated["secret"] != endpoint["secret"]
    assert rotated["previousExpiresAt"] == read(bonafide)["previousSecretExpiresAt"]
    bonafide("webhooks", "pause", *words)
    assert read(bonafide)["disabledReason"] == "paused"
    refused = bonafide("webhooks", "test", *words)
    assert (refused.status, "disabled" in refused.said) == (1, True)
    bonafide("webhooks", "resume", *words)
    event = bonafide("webhooks", "test", *words, "--json").json()["eventId"]
    assert bonafide("webhooks", "replay", *words, "--event", event, "--json").json() == {"count": 1}
    [delivery] = bonafide("webhooks", "deliveries", *words, "--json").json()
    assert (delivery["eventId"], delivery["status"]) == (event, "pending")
    assert event in bonafide("webhooks", "deliveries", *words, "-n", "5").out
    assert bonafide("webhooks", "deliveries", *words, "--status", "failed", "--json").json() == []
    assert bonafide("webhooks", "replay", *words, "--since", "2026-01-01", "--json").json() == {"count": 1}
    assert bonafide("webhooks", "remove", *words).status == 0
    assert bonafide("webhooks", "list", *NORTH, "--json").json() == []
    assert bonafide("webhooks", "pause", *words).status == 1


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("add", "http://hooks.example.com", *NORTH), 1),
        (("add", URL, *NORTH, "--type", "no.type"), 2),
        (("add", URL, *NORTH, "--business", "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"), 1),
        (("rotate", "{id}", *NORTH, "--overlap", "31d"), 2),
        (("replay", "{id}", *NORTH), 2),
        (("replay", "{id}", *NORTH, "--event", "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11", "--since", "2026-01-01"), 2),
        (("replay", "{id}", *NORTH, "--since", "2026-01-02", "--until", "2026-01-01"), 2),
        (("listen",), 2),
        (("listen", "--url", "http://127.0.0.1:1"), 2),
        (("listen", *NORTH, "--forward", "127.0.0.1:3000"), 2),
        (("listen", *NORTH, "--secret", "whsec_short"), 2),
        (("listen", "--organization", "Nowhere"), 1),
    ],
    ids=[
        *("http", "type", "business", "overlap", "replay-nothing", "replay-both", "replay-backwards"),
        *("no-feed", "no-key", "no-scheme", "secret", "organization"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    bonafide: Command, endpoint: Any, words: tuple[str, ...], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BONAFIDE_API_KEY", raising=False)
    ended = bonafide("webhooks", *(word.format(id=endpoint["id"]) for word in words))
    assert (ended.status, ended.out) == (status, "")
    assert ended.said != ""


# --------------------------------------------------------------------------------------------------------------- listen


async def store_record(runtime: Runtime, key: api_access.CreatedApiKey, name: str) -> None:
    record = BusinessUpsert(external_id=name, name=name)
    await business_records.upsert(runtime, key.key.organization_id, record, Author("cli:test"))


@asynccontextmanager
async def listening(*words: str, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The command in a process of its own, until it is interrupted, which must end it with status 0."""
    command = (sys.executable, "-m", "bonafide", "webhooks", "listen", "--json", *words)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, env={**os.environ, **environment}, stdout=pipe, stderr=pipe)
    try:
        yield process
        async with asyncio.timeout(TIMEOUT_S):
            assert await interrupt(process) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def interrupt(process: asyncio.subprocess.Process) -> int:
    """Press Ctrl+C once; returns the status of the command."""
    process.send_signal(signal.SIGINT)
    return await process.wait()


async def read_line(stream: asyncio.StreamReader | None) -> str:
    assert stream is not None
    async with asyncio.timeout(TIMEOUT_S):
        return (await stream.readline()).decode().strip()


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("feed", ["database", "service"])
async def test_new_events_are_printed_and_forwarded_with_a_signature(feed: str, data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir)
    async with open_runtime(settings) as runtime, receiving() as receiver, served(create_app(runtime)) as address:
        key = await api_access.create_key(runtime, KeyRequest(organization="North", scopes=(Scope.EVENTS_READ,)))
        await store_record(runtime, key, "Before")
        own = {
            "database": (("--organization", "North"), {"BONAFIDE_DATA_DIR": str(data_dir)}),
            "service": (("--url", address), {"BONAFIDE_API_KEY": key.text}),
        }
        words, environment = own[feed]
        async with listening(*words, "--forward", f"{receiver.address}/hook", **environment) as process:
            assert receiver.address in await read_line(process.stderr)
            secret = (await read_line(process.stderr)).split(" ")[-1]
            names = ["Érablière [1]", "Two"]
            for name in names:
                await store_record(runtime, key, name)
            await wait_until(lambda: len(receiver.received) == len(names))
            printed = [json.loads(await read_line(process.stdout)) for _ in names]
            responses = [await read_line(process.stderr) for _ in names]
        messages = [Webhook(secret).verify(request.body, describe_headers(request)) for request in receiver.received]
    assert [event["subject"]["name"] for event in printed] == names
    assert [message["data"] for message in messages] == printed
    assert [(message["type"], message["timestamp"]) for message in messages] == [
        (event["type"], event["occurredAt"]) for event in printed
    ]
    assert receiver.ids == [event["id"] for event in printed]
    assert all("204" in response for response in responses)


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_refused_key_ends_the_command_with_the_sentence_of_the_service(data_dir: Path) -> None:
    async with open_runtime(Settings(data_dir=data_dir)) as runtime, served(create_app(runtime)) as address:
        key = await api_access.create_key(runtime, KeyRequest(organization="North", scopes=(Scope.SEARCH_READ,)))
        command = (sys.executable, "-m", "bonafide", "webhooks", "listen", "--url", address, "--key", key.text)
        process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
        async with asyncio.timeout(TIMEOUT_S):
            _, written = await process.communicate()
    assert process.returncode == 1
    assert "403" in written.decode()
    assert "events:read" in written.decode()
