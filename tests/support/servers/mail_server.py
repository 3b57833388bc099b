"""A real SMTP server that keeps what it receives, and refuses what a test wants refused."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as default_policy
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pydantic import SecretStr

HOST = "127.0.0.1"
USER, PASSWORD = "relay", "wooden-kettle:9"
SENDER = "Alerts <alerts@service.example>"


@dataclass
class MailReceiver:
    """What was received. `replies` are the answers to the next commands `RCPT` and `DATA`, each used once."""

    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    replies: dict[str, list[str]] = field(default_factory=dict)
    options: list[list[str]] = field(default_factory=list)
    hold: asyncio.Event | None = None
    """Set: the answer to DATA waits until the event is set; the mail has been kept by then."""
    received: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0

    async def handle_RCPT(self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]) -> str:  # noqa: N802 - aiosmtpd's name
        refusals = self.replies.get("RCPT", [])
        if refusals:
            return refusals.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - as above
        refusals = self.replies.get("DATA", [])
        if refusals:
            return refusals.pop(0)
        assert isinstance(envelope.content, bytes)
        self.mails.append(message_from_bytes(envelope.content, policy=default_policy))
        self.recipients += envelope.rcpt_tos
        self.options.append(envelope.mail_options)
        self.received.set()
        if self.hold is not None:
            await self.hold.wait()
        return "250 Queued"

    def settings(self) -> dict[str, Any]:
        """The settings of a service that sends its mail here."""
        url = SecretStr(f"smtp://{HOST}:{self.port}")
        return {"smtp_url": url, "mail_from": SENDER, "allow_private_targets": HOST, "smtp_timeout_s": 10.0}

    def parts(self, index: int = -1) -> tuple[str, str]:
        """The text and the HTML part of a mail."""
        found = [self.mails[index].get_body((kind,)) for kind in ("plain", "html")]
        plain, html = (part.get_content().replace("\r\n", "\n") if part is not None else "" for part in found)
        return plain, html


def check_password(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    """Accept the user of the tests."""
    is_known = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=is_known, handled=False)


@asynccontextmanager
async def running_mail_server(receiver: MailReceiver | None = None, **options: Any) -> AsyncIterator[MailReceiver]:
    """Receive mail on a free port while the context is open. `options` are those of aiosmtpd; `ssl` for TLS from the start."""
    kept, loop = receiver if receiver is not None else MailReceiver(), asyncio.get_running_loop()
    tls = options.pop("ssl", None)
    settings = {"enable_SMTPUTF8": True, **options}
    connections = list[SMTP]()

    def connect() -> SMTP:
        connections.append(SMTP(kept, loop=loop, **settings))
        return connections[-1]

    server = await loop.create_server(connect, HOST, 0, ssl=tls)
    kept.port = server.sockets[0].getsockname()[1]
    try:
        yield kept
    finally:
        server.close()
        for connection in connections:
            if connection.transport is not None:
                connection.transport.close()
        # Let both sides of the connections end before the loop does.
        await asyncio.sleep(0.01)


def create_certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """The TLS context of a server on this machine, and that of a client that trusts its certificate."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail server of a test")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    encoded = certificate.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "server.pem").write_bytes(secret + encoded)
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(folder / "server.pem")
    return server, ssl.create_default_context(cadata=encoded.decode())
