"""`bonafide mail`: a test mail through a real SMTP server, and the list of what was sent."""

import json
import threading
from collections.abc import Iterator

import anyio
import pytest

from tests.support.cli_commands import Command
from tests.support.servers.mail_server import HOST, MailReceiver, running_mail_server


@pytest.fixture
def receiver() -> Iterator[MailReceiver]:
    """A mail server in a thread of its own, because a command has its own event loop."""
    started, stop, receiver = threading.Event(), threading.Event(), MailReceiver()

    async def serve() -> None:
        async with running_mail_server(receiver):
            started.set()
            while not stop.is_set():  # noqa: ASYNC110 - the event belongs to another thread
                await anyio.sleep(0.02)

    thread = threading.Thread(target=anyio.run, args=(serve,))
    thread.start()
    assert started.wait(timeout=30)
    yield receiver
    stop.set()
    thread.join()


@pytest.fixture
def configured(receiver: MailReceiver, monkeypatch: pytest.MonkeyPatch) -> MailReceiver:
    monkeypatch.setenv("BONAFIDE_SMTP_URL", f"smtp://{HOST}:{receiver.port}")
    monkeypatch.setenv("BONAFIDE_MAIL_FROM", "Alerts <alerts@service.example>")
    monkeypatch.setenv("BONAFIDE_ALLOW_PRIVATE_TARGETS", HOST)
    return receiver


def test_a_test_mail_is_sent_and_its_fate_is_printed(bonafide: Command, configured: MailReceiver) -> None:
    printed = bonafide("mail", "test", "ann@north.example").out
    assert "The mail server accepted the mail." in printed
    assert "The connection was not encrypted." in printed
    assert configured.recipients == ["ann@north.example"]
    configured.replies["RCPT"] = ["550 No such user"]
    refused = bonafide("mail", "test", "ben@north.example", "--json")
    assert refused.status == 1
    assert json.loads(refused.out) == {"result": "refused", "code": 550, "response": "No such user", "encrypted": False}


def test_what_can_not_be_sent_is_explained(bonafide: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "BONAFIDE_SMTP_URL" in bonafide("mail", "test", "ann@north.example").err
    assert "not an email address" in bonafide("mail", "test", "ann").err
    monkeypatch.setenv("BONAFIDE_SMTP_URL", f"smtp://{HOST}:25")
    monkeypatch.setenv("BONAFIDE_MAIL_FROM", "alerts@service.example")
    assert "not a public address" in bonafide("mail", "test", "ann@north.example").err


def test_an_organization_without_mail_has_an_empty_list(bonafide: Command) -> None:
    bonafide("keys", "create", "--organization", "North")
    assert bonafide("mail", "list", "--organization", "North", "--json").out == ""
    assert "Recipient" in bonafide("mail", "list", "--organization", "North").out
