"""The mail catcher of the demo: it keeps what it receives over SMTP, and shows it without running any of it."""

from email.message import EmailMessage

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from bonafide.net.mail_client import MailResult, MailServer, open_mail_connection
from bonafide.net.private_targets import PrivateTargets
from bonafide.server.http_server import bind_sockets
from bonafide_sandbox.mail_catcher import MAX_KEPT, Mailbox, MailPagesApp, catch_mail

pytestmark = pytest.mark.anyio
HOST = "127.0.0.1"


def message(subject: str) -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"], mail["To"] = subject, "ann@demo.example"
    mail.set_content("Élevée & <b>plain</b>")
    mail.add_alternative("<p onclick='x()'>Élevée</p><script>alert(1)</script>", subtype="html")
    return mail


async def test_caught_mail_is_shown(recwarn: pytest.WarningsRecorder) -> None:
    mailbox, sockets = Mailbox(), bind_sockets(HOST, 0)
    server = MailServer.parse(f"smtp://{HOST}:{sockets[0].getsockname()[1]}", PrivateTargets.parse(HOST), 10.0)
    others = Starlette(routes=[Route("/{path:path}", lambda _request: PlainTextResponse("a register"))])
    transport = httpx2.ASGITransport(MailPagesApp(mailbox, others))
    async with catch_mail(mailbox, sockets), httpx2.AsyncClient(transport=transport, base_url="http://sandbox") as client:
        assert "No mail yet" in (await client.get("/mail")).text
        async with open_mail_connection(server) as connection:
            for subject in ("One", "<Two>"):
                sent = await connection.send(message(subject), "alerts@demo.example", "jérôme@demo.example")
                assert sent.result is MailResult.ACCEPTED
        listed = (await client.get("/mail")).text
        assert listed.index("&lt;Two&gt;") < listed.index("One")
        assert "jérôme@demo.example" in listed
        page, part = await client.get("/mail/1"), await client.get("/mail/1/html")
        assert "Élevée &amp; &lt;b&gt;plain&lt;/b&gt;" in page.text
        assert part.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
        assert [(await client.get(path)).status_code for path in ("/mail/3", "/mail/3/html", "/mail/x")] == [404, 404, 404]
        assert (await client.get("/mailing")).text == "a register"
    assert mailbox.mails.maxlen == MAX_KEPT
    assert not recwarn.list
