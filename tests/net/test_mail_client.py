"""Mail over real SMTP servers: TLS, signing in, refusals, broken connections, addresses beyond ASCII, and the address guard."""

import socket
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import aiosmtplib
import pytest

from bonafide.errors import AddressRefused, MailServerUnavailable
from bonafide.net.mail_client import MailAttempt, MailResult, MailServer, encode_domain, negotiate, open_mail_connection
from bonafide.net.private_targets import PrivateTargets
from tests.support.servers.mail_server import (
    HOST,
    PASSWORD,
    USER,
    MailReceiver,
    check_password,
    create_certificate,
    running_mail_server,
)

pytestmark = pytest.mark.anyio
LOCAL = PrivateTargets.parse(HOST)


@pytest.fixture
async def receiver() -> AsyncIterator[MailReceiver]:
    async with running_mail_server() as started:
        yield started


def server_of(receiver: MailReceiver, scheme: str = "smtp", credentials: str = "") -> MailServer:
    return MailServer.parse(f"{scheme}://{credentials}{HOST}:{receiver.port}", LOCAL, 10.0)


def message() -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = "Alerte : hausse"
    mail.set_content("Élevée\n")
    return mail


async def attempt(server: MailServer, recipient: str = "ann@north.example") -> MailAttempt:
    async with open_mail_connection(server) as connection:
        return await connection.send(message(), "alerts@service.example", recipient)


def test_an_address_of_a_server_has_a_default_port_and_decoded_credentials() -> None:
    server = MailServer.parse("smtp://relay:a%40b%3Ac@mail.example", LOCAL, 5.0)
    assert (server.host, server.port, server.is_tls, server.user, server.password) == ("mail.example", 587, False, "relay", "a@b:c")
    assert MailServer.parse("smtps://mail.example", LOCAL, 5.0).port == 465
    assert "a@b:c" not in repr(server)


async def test_an_exempt_server_may_do_without_tls(receiver: MailReceiver) -> None:
    async with open_mail_connection(server_of(receiver)) as connection:
        assert not connection.is_encrypted
        sent = await connection.send(message(), "alerts@service.example", "ann@north.example")
    assert (sent.result, sent.code, receiver.recipients) == (MailResult.ACCEPTED, 250, ["ann@north.example"])
    assert (receiver.mails[0]["Subject"], receiver.parts()[0]) == ("Alerte : hausse", "Élevée\n")


async def test_starttls_is_used_where_it_is_offered(tmp_path: Path) -> None:
    tls, trusted = create_certificate(tmp_path)
    async with (
        running_mail_server(tls_context=tls, require_starttls=True) as receiver,
        open_mail_connection(replace(server_of(receiver), certificates=trusted)) as connection,
    ):
        assert connection.is_encrypted
        sent = await connection.send(message(), "alerts@service.example", "ann@north.example")
    assert (sent.result, len(receiver.mails)) == (MailResult.ACCEPTED, 1)


async def test_tls_from_the_start(tmp_path: Path) -> None:
    tls, trusted = create_certificate(tmp_path)
    async with running_mail_server(ssl=tls) as receiver:
        sent = await attempt(replace(server_of(receiver, "smtps"), certificates=trusted))
    assert (sent.result, len(receiver.mails)) == (MailResult.ACCEPTED, 1)


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
async def test_an_untrusted_certificate_is_refused(scheme: str, tmp_path: Path) -> None:
    tls, _ = create_certificate(tmp_path)
    options: dict[str, Any] = {"ssl": tls} if scheme == "smtps" else {"tls_context": tls}
    async with running_mail_server(**options) as receiver:
        with pytest.raises(MailServerUnavailable, match="certificate"):
            await attempt(server_of(receiver, scheme))
    assert receiver.mails == []


async def test_a_server_that_is_not_exempt_must_offer_starttls(receiver: MailReceiver) -> None:
    connected = socket.create_connection((HOST, receiver.port))
    connected.settimeout(0)
    with pytest.raises(aiosmtplib.SMTPException, match="STARTTLS"):
        await negotiate(server_of(receiver), connected, is_exempt=False)


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
async def test_credentials_are_sent_and_a_refusal_is_explained_without_them() -> None:
    required: dict[str, Any] = {"authenticator": check_password, "auth_required": True, "auth_require_tls": False}
    async with running_mail_server(**required) as receiver:
        known = server_of(receiver, credentials=f"{USER}:wooden-kettle%3A9@")
        assert known.password == PASSWORD
        assert (await attempt(known)).result is MailResult.ACCEPTED
        with pytest.raises(MailServerUnavailable, match="535") as refused:
            await attempt(replace(known, password="guess"))
    assert "guess" not in refused.value.message
    assert len(receiver.mails) == 1


@pytest.mark.parametrize(
    ("command", "reply", "result", "code"),
    [
        ("RCPT", "450 Greylisted, try again later", MailResult.DEFERRED, 450),
        ("RCPT", "550 No such user", MailResult.REFUSED, 550),
        ("DATA", "451 Local error", MailResult.DEFERRED, 451),
        ("DATA", "554 Content refused", MailResult.REFUSED, 554),
    ],
)
async def test_refusals_are_temporary_or_permanent(
    receiver: MailReceiver, command: str, reply: str, result: MailResult, code: int
) -> None:
    receiver.replies[command] = [reply]
    async with open_mail_connection(server_of(receiver)) as connection:
        refused = await connection.send(message(), "alerts@service.example", "ann@north.example")
        assert (refused.result, refused.code, refused.problem) == (result, code, reply.partition(" ")[2])
        # The connection serves the next mail.
        again = await connection.send(message(), "alerts@service.example", "ben@north.example")
    assert (again.result, receiver.recipients) == (MailResult.ACCEPTED, ["ben@north.example"])


async def test_no_server_and_no_name_are_explained() -> None:
    with socket.socket() as unused:
        unused.bind((HOST, 0))
        port = unused.getsockname()[1]
        with pytest.raises(MailServerUnavailable, match=f"{HOST}:{port}"):
            await attempt(MailServer.parse(f"smtp://{HOST}:{port}", LOCAL, 10.0))

    async def resolve(_host: str, _port: int) -> Sequence[str]:
        raise OSError("Name or service not known")

    with pytest.raises(MailServerUnavailable, match=r"mail\.example"):
        async with open_mail_connection(MailServer.parse("smtp://mail.example", LOCAL, 10.0), resolve):
            pass


async def test_private_addresses_are_refused_unless_they_are_exempt(receiver: MailReceiver) -> None:
    with pytest.raises(AddressRefused):
        await attempt(replace(server_of(receiver), allowed=PrivateTargets()))

    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return [HOST, "10.1.2.3"]

    # One of two addresses is exempt: the name may be an attack.
    named = replace(server_of(receiver), host="relay.internal")
    with pytest.raises(AddressRefused, match=r"10\.1\.2\.3"):
        async with open_mail_connection(named, resolve):
            pass
    async with open_mail_connection(replace(named, allowed=PrivateTargets.parse("relay.internal")), resolve) as connection:
        assert connection.is_open
    assert receiver.mails == []


async def test_addresses_beyond_ascii(receiver: MailReceiver) -> None:
    assert encode_domain("ann@bücher.example") == "ann@xn--bcher-kva.example"
    assert (await attempt(server_of(receiver), "ann@bücher.example")).result is MailResult.ACCEPTED
    assert (await attempt(server_of(receiver), "jérôme@bücher.example")).result is MailResult.ACCEPTED
    assert receiver.recipients == ["ann@xn--bcher-kva.example", "jérôme@xn--bcher-kva.example"]
    assert ["SMTPUTF8" in options for options in receiver.options] == [False, True]
    async with running_mail_server(enable_SMTPUTF8=False) as older:
        refused = await attempt(server_of(older), "jérôme@bücher.example")
    assert (refused.result, older.mails) == (MailResult.REFUSED, [])


@pytest.mark.parametrize("address", ["ann@north.example\r\nDATA", "ann@north.example>\r\nRCPT TO:<x@y.example"])
async def test_an_address_with_a_line_break_sends_no_command(receiver: MailReceiver, address: str) -> None:
    refused = await attempt(server_of(receiver), address)
    assert (refused.result, receiver.mails, receiver.recipients) == (MailResult.REFUSED, [], [])
