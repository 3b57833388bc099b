"""Send mail through an SMTP server. The address guard applies to the server, and its certificate is verified.

TLS is required: from the start (`smtps://`) or by STARTTLS. Only a server that is exempt from the guard may do without.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.policy import SMTPUTF8 as SMTPUTF8_POLICY
from enum import StrEnum
from functools import cache
from typing import Self
from urllib.parse import unquote, urlsplit

import aiosmtplib

from bonafide.errors import MailServerUnavailable
from bonafide.i18n.message import Message
from bonafide.net.address_guard import MAX_TRIED, Resolver, check_addresses, resolve_with_system
from bonafide.net.private_targets import PrivateTargets

SMTPS_PORT = 465
SUBMISSION_PORT = 587
MAX_PROBLEM_CHARACTERS = 200
QUIT_TIMEOUT_S = 2.0
_ACCEPTED = 250
_PERMANENT = 500
"""SMTP codes from here on are permanent failures (RFC 5321, section 4.2.1)."""


class MailResult(StrEnum):
    """The result of an attempt to send a mail."""

    ACCEPTED = "accepted"
    """The server has accepted the mail."""
    DEFERRED = "deferred"
    """A temporary failure."""
    REFUSED = "refused"
    """The recipient or the mail was refused permanently."""


@dataclass(frozen=True, slots=True)
class MailAttempt:
    """One attempt: its result, the SMTP code if the server sent one, and its response or what failed."""

    result: MailResult
    code: int | None
    problem: str


@dataclass(frozen=True, slots=True)
class MailServer:
    """A server that sends mail. `allowed` lists the exemptions from the address guard."""

    host: str
    port: int
    is_tls: bool
    """Whether the connection uses TLS from the start."""
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    allowed: PrivateTargets = field(default_factory=PrivateTargets)
    timeout_s: float = 20.0
    certificates: ssl.SSLContext | None = None
    """The trusted certificates; None for those of the system."""

    @classmethod
    def parse(cls, url: str, allowed: PrivateTargets, timeout_s: float) -> Self:
        """The server of `smtp://user:password@host:587` or `smtps://…`."""
        address = urlsplit(url)
        is_tls = address.scheme == "smtps"
        return cls(
            host=address.hostname or "",
            port=address.port if address.port is not None else SMTPS_PORT if is_tls else SUBMISSION_PORT,
            is_tls=is_tls,
            user=unquote(address.username) if address.username is not None else None,
            password=unquote(address.password) if address.password is not None else None,
            allowed=allowed,
            timeout_s=timeout_s,
        )


class MailConnection:
    """An open connection to a mail server."""

    def __init__(self, client: aiosmtplib.SMTP, timeout_s: float) -> None:
        self._client = client
        self._timeout_s = timeout_s

    @property
    def is_open(self) -> bool:
        """Whether another mail can be sent."""
        return self._client.is_connected

    @property
    def is_encrypted(self) -> bool:
        """Whether the connection uses TLS."""
        return self._client.get_transport_info("sslcontext") is not None

    async def send(self, message: EmailMessage, sender: str, recipient: str) -> MailAttempt:
        """Send a mail to one address. Never raises; after a broken connection `is_open` is false."""
        if not recipient.isprintable():
            return MailAttempt(MailResult.REFUSED, None, "the address has a line break or another control character")
        try:
            envelope = (encode_domain(sender), encode_domain(recipient))
            needs_utf8 = not "".join(envelope).isascii()
            content = message.as_bytes(policy=SMTPUTF8_POLICY if needs_utf8 else SMTP_POLICY)
        except ValueError as error:
            return MailAttempt(MailResult.REFUSED, None, f"the address can't be written ({type(error).__name__})")
        options = ["SMTPUTF8", "BODY=8BITMIME"] if needs_utf8 else []
        try:
            async with asyncio.timeout(self._timeout_s):
                _, response = await self._client.sendmail(envelope[0], [envelope[1]], content, mail_options=options)
        except aiosmtplib.SMTPNotSupported:
            problem = "the server does not support addresses with other characters than ASCII (SMTPUTF8)"
            return MailAttempt(MailResult.REFUSED, None, problem)
        except (aiosmtplib.SMTPException, OSError) as error:  # TimeoutError is an OSError
            if isinstance(error, OSError):
                self._client.close()
            return _classify_failure(error)
        return MailAttempt(MailResult.ACCEPTED, _ACCEPTED, _shorten(response))


@asynccontextmanager
async def open_mail_connection(server: MailServer, resolve: Resolver = resolve_with_system) -> AsyncIterator[MailConnection]:
    """Connect and sign in. Raises `MailServerUnavailable`, and `AddressRefused` for a server on an address that is not public."""
    try:
        async with asyncio.timeout(server.timeout_s):
            client = await _connect(server, resolve)
    except (aiosmtplib.SMTPException, OSError) as error:
        raise MailServerUnavailable(_describe_connection_failure(server, error)) from error
    try:
        yield MailConnection(client, server.timeout_s)
    finally:
        with suppress(aiosmtplib.SMTPException, OSError):
            async with asyncio.timeout(QUIT_TIMEOUT_S):
                await client.quit()
        client.close()


async def _connect(server: MailServer, resolve: Resolver) -> aiosmtplib.SMTP:
    """A client that has signed in. Raises `AddressRefused`, and what `negotiate` raises."""
    sock, is_exempt = await _open_socket(server, resolve)
    return await negotiate(server, sock, is_exempt=is_exempt)


async def negotiate(server: MailServer, sock: socket.socket, *, is_exempt: bool) -> aiosmtplib.SMTP:
    """Negotiate TLS on a connected socket, and sign in. Raises errors of `aiosmtplib` and `OSError`; the socket is then closed.

    A server that is exempt from the guard may do without TLS, but uses it if it can.
    """
    client = aiosmtplib.SMTP(
        hostname=server.host,
        local_hostname=socket.gethostname(),
        sock=sock,
        use_tls=server.is_tls,
        start_tls=False if server.is_tls else None if is_exempt else True,
        tls_context=server.certificates if server.certificates is not None else _create_ssl_context(),
        username=server.user,
        password=server.password,
        timeout=server.timeout_s,
    )
    try:
        await client.connect()
    except BaseException:
        client.close()
        sock.close()
        raise
    return client


async def _open_socket(server: MailServer, resolve: Resolver) -> tuple[socket.socket, bool]:
    """A connected socket, and whether the server is exempt from the guard. Raises `AddressRefused`, `OSError`."""
    addresses = list(dict.fromkeys(await resolve(server.host, server.port)))
    is_host_exempt = server.allowed.has_host(server.host)
    if not is_host_exempt:
        check_addresses(server.host, addresses, server.allowed)
    last_error: OSError = ConnectionError("its name has no address")
    for address in addresses[:MAX_TRIED]:
        sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
        sock.settimeout(0)
        try:
            await asyncio.get_running_loop().sock_connect(sock, (address, server.port))
        except OSError as error:
            last_error = error
            sock.close()
        except BaseException:
            sock.close()
            raise
        else:
            return sock, is_host_exempt or all(server.allowed.has_address(ipaddress.ip_address(one)) for one in addresses)
    raise last_error


def encode_domain(address: str) -> str:
    """The address with its domain in ASCII, as SMTP requires it. Raises `UnicodeError` for an impossible domain."""
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain if domain.isascii() else domain.encode('idna').decode('ascii')}"


def _classify_failure(error: Exception) -> MailAttempt:
    """The attempt that ended with this error of a command, or of the connection."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        error = error.recipients[0]
    if not isinstance(error, aiosmtplib.SMTPResponseException):
        return MailAttempt(MailResult.DEFERRED, None, f"the connection failed ({type(error).__name__})")
    # A refused sender is a matter of configuration, which the operator may correct while the mail is retried.
    is_permanent = error.code >= _PERMANENT and isinstance(error, aiosmtplib.SMTPRecipientRefused | aiosmtplib.SMTPDataError)
    return MailAttempt(MailResult.REFUSED if is_permanent else MailResult.DEFERRED, error.code, _shorten(error.message))


def _describe_connection_failure(server: MailServer, error: Exception) -> Message:
    place = f"{server.host}:{server.port}"
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        return Message("{server} refused the user or the password (SMTP {code}).", server=place, code=error.code)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return Message("{server} refused the connection (SMTP {code}).", server=place, code=error.code)
    cause = error if isinstance(error, ssl.SSLError) else error.__cause__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return Message("The certificate of {server} is not valid: {reason}.", server=place, reason=cause.verify_message)
    if isinstance(error, TimeoutError):
        return Message("{server} did not respond within {seconds:g} s.", server=place, seconds=server.timeout_s)
    if type(error) is aiosmtplib.SMTPException and "STARTTLS" in str(error):
        return Message("{server} doesn’t offer STARTTLS, which is required.", server=place)
    return Message("The mail server {server} can’t be reached ({reason}).", server=place, reason=type(error).__name__)


@cache
def _create_ssl_context() -> ssl.SSLContext:
    """The trusted certificates, loaded once because loading is slow."""
    return ssl.create_default_context()


def _shorten(text: str) -> str:
    """The response of a server in one line without control characters."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(line.split())[:MAX_PROBLEM_CHARACTERS]
