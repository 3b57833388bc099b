"""Catch the mail of a demo: an SMTP server that delivers nothing, and pages that show what it has received."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as default_policy
from itertools import count
from socket import socket

from aiosmtpd.smtp import SMTP, Envelope, Session
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

MAIL_PATH = "/mail"
MAX_KEPT = 200
MAX_MAIL_BYTES = 2 * 1024 * 1024
# The HTML part of a mail must neither run scripts nor load anything.
_PART_HEADERS = {"Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'"}
_PAGE_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'"}
_PAGE = Markup(
    """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>
:root {{ color-scheme: light dark; }}
body {{ font-family: system-ui, sans-serif; line-height: 1.5; max-width: 60rem; margin: 0 auto; padding: 1rem; }}
table {{ width: 100%; border-collapse: collapse; }}
th, td {{ text-align: left; padding: 0.25rem 0.5rem 0.25rem 0; border-bottom: 1px solid; vertical-align: top; }}
td {{ overflow-wrap: anywhere; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
iframe {{ width: 100%; height: 40rem; border: 1px solid; }}
</style></head><body><h1>{title}</h1>
{content}
</body></html>
"""
)


@dataclass(frozen=True, slots=True)
class CaughtMail:
    """A mail that was received."""

    number: int
    received_at: datetime
    recipients: tuple[str, ...]
    message: EmailMessage

    def get_part(self, kind: str) -> str:
        """The text of the `plain` or `html` part; empty without one."""
        part = self.message.get_body((kind,))
        return str(part.get_content()) if part is not None else ""


@dataclass
class Mailbox:
    """The last mails that were received, newest first."""

    mails: deque[CaughtMail] = field(default_factory=lambda: deque(maxlen=MAX_KEPT))
    numbers: "count[int]" = field(default_factory=lambda: count(1))

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        """Keep a mail."""
        content = envelope.content if isinstance(envelope.content, bytes) else str(envelope.content).encode()
        message = message_from_bytes(content, policy=default_policy)
        caught = CaughtMail(next(self.numbers), datetime.now(UTC), tuple(envelope.rcpt_tos), message)
        self.mails.appendleft(caught)
        return "250 Caught by the sandbox; it is not delivered"

    def find(self, number: int) -> CaughtMail | None:
        """The mail of this number; None if there is none any more."""
        return next((mail for mail in self.mails if mail.number == number), None)


@asynccontextmanager
async def catch_mail(mailbox: Mailbox, sockets: Sequence[socket]) -> AsyncIterator[None]:
    """Receive mail on the sockets while the context is open."""
    loop = asyncio.get_running_loop()
    servers = [
        await loop.create_server(
            lambda: SMTP(mailbox, enable_SMTPUTF8=True, data_size_limit=MAX_MAIL_BYTES, ident="bonafide sandbox", loop=loop),
            sock=one,
        )
        for one in sockets
    ]
    try:
        yield
    finally:
        for server in servers:
            server.close()


class MailPagesApp:
    """Serve the pages of a mailbox below `/mail`, and another application elsewhere."""

    def __init__(self, mailbox: Mailbox, others: ASGIApp) -> None:
        self._pages = _create_pages(mailbox)
        self._others = others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        is_mail = scope["type"] == "http" and f"{scope['path']}/".startswith(f"{MAIL_PATH}/")
        await (self._pages if is_mail else self._others)(scope, receive, send)


def _create_pages(mailbox: Mailbox) -> Starlette:
    async def list_mails(_request: Request) -> Response:
        return _render("Mail of the sandbox", _list_mails(mailbox))

    async def read_mail(request: Request) -> Response:
        mail = mailbox.find(request.path_params["number"])
        return _render(str(mail.message["Subject"]), _describe_mail(mail)) if mail is not None else _create_not_found()

    async def read_html(request: Request) -> Response:
        mail = mailbox.find(request.path_params["number"])
        return HTMLResponse(mail.get_part("html"), headers=_PART_HEADERS) if mail is not None else _create_not_found()

    return Starlette(
        routes=[
            Route(MAIL_PATH, list_mails),
            Route(f"{MAIL_PATH}/{{number:int}}", read_mail),
            Route(f"{MAIL_PATH}/{{number:int}}/html", read_html),
        ]
    )


def _create_not_found() -> Response:
    return PlainTextResponse("The sandbox has no such mail.\n", 404)


def _render(title: str, content: Markup) -> Response:
    return HTMLResponse(_PAGE.format(title=title, content=content), headers=_PAGE_HEADERS)


def _list_mails(mailbox: Mailbox) -> Markup:
    if not mailbox.mails:
        return Markup("<p>No mail yet. The sandbox catches all mail of the demo and delivers none.</p>")
    row = Markup('<tr><td>{at}</td><td>{to}</td><td><a href="{path}/{number}">{subject}</a></td></tr>')
    rows = Markup("\n").join(
        row.format(
            at=f"{mail.received_at:%Y-%m-%d %H:%M:%S} UTC",
            to=", ".join(mail.recipients),
            path=MAIL_PATH,
            number=mail.number,
            subject=str(mail.message["Subject"]),
        )
        for mail in mailbox.mails
    )
    head = Markup('<tr><th scope="col">Received</th><th scope="col">To</th><th scope="col">Subject</th></tr>')
    return Markup("<table><thead>{head}</thead><tbody>{rows}</tbody></table>").format(head=head, rows=rows)


def _describe_mail(mail: CaughtMail) -> Markup:
    row = Markup('<tr><th scope="row">{name}</th><td>{value}</td></tr>')
    rows = Markup("\n").join(row.format(name=name, value=str(value)) for name, value in mail.message.items())
    return Markup(
        '<p><a href="{path}">All mail</a></p><table><tbody>{rows}</tbody></table>'
        '<h2>Text</h2><pre>{text}</pre><h2>HTML</h2><iframe src="{path}/{number}/html" title="HTML part"></iframe>'
    ).format(path=MAIL_PATH, rows=rows, text=mail.get_part("plain"), number=mail.number)
