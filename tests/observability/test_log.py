"""Secrets and personal data never reach a log line."""

import json
import subprocess
import sys

import pytest

from bonafide.observability.log import redact

KEY = "bf_live_0123456789abcdefghij"


def test_values_under_secret_and_personal_names_are_masked() -> None:
    event = {
        "event": "x",
        "Authorization": f"Bearer {KEY}",
        "x-api-key": KEY,
        "email": "a@b.example",
        "people": ["A B"],
        "status": 200,
    }
    assert redact(None, "", dict(event)) == {
        "event": "x",
        "Authorization": "***",
        "x-api-key": "***",
        "email": "***",
        "people": "***",
        "status": 200,
    }


def test_a_key_is_masked_wherever_it_stands() -> None:
    masked = redact(None, "", {"event": f"refused {KEY}!", "deep": {"list": [f"key={KEY}", 1], "owner": "a@b.example"}})
    assert masked == {"event": "refused bf_live_***!", "deep": {"list": ["key=bf_live_***", 1], "owner": "***"}}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("wrote to jane.roe+x@north.example twice", "wrote to ***@*** twice"),
        ("GET https://user:hunter2@register.example/x failed", "GET https://***@register.example/x failed"),
        ("postgresql+psycopg://bonafide:p%40ss@db/bonafide", "postgresql+psycopg://***@db/bonafide"),
        ("Authorization: Bearer abcdefgh.ijkl", "Authorization: Bearer ***"),
        ("/console/link?token=Zm9vYmFy&x=1", "/console/link?token=***&x=1"),
        ("/v1/documents/QUJDREVG is gone", "/v1/documents/*** is gone"),
        ("Input [type=x, input_value='Jane Roe', input_type=str]", "Input [type=x, input_value=***, input_type=str]"),
        ("unique\nDETAIL:  Key (name)=(Jane Roe) exists.\nHINT", "unique\nDETAIL: ***\nHINT"),
        ("refused bf_scim_0123456789abcdefghij", "refused bf_scim_***"),
        ("nothing of the kind", "nothing of the kind"),
    ],
)
def test_what_has_the_form_of_a_secret_or_quotes_one_is_masked(text: str, shown: str) -> None:
    assert redact(None, "", {"event": text, "problem": ValueError(text)}) == {"event": shown, "problem": shown}


def test_a_traceback_is_made_of_what_was_raised() -> None:
    error = ValueError("x")
    assert redact(None, "", {"event": "x", "exc_info": error})["exc_info"] is error


@pytest.mark.parametrize("as_json", [True, False])
def test_a_traceback_shows_no_values_of_variables(as_json: bool) -> None:  # noqa: FBT001 - a parameter of the test
    code = f"""
from bonafide.observability import log
log.configure("INFO", as_json={as_json})
def fail(customer):
    raise ValueError("no")
try:
    fail("Jane Roe")
except ValueError:
    log.get_logger("x").exception("failed")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own text
    assert "ValueError: no" in done.stderr
    assert "Jane Roe" not in done.stderr.replace('fail("Jane Roe")', "")


@pytest.mark.slow
def test_the_servers_own_line_about_a_request_carries_its_id() -> None:
    """An exception after the answer has begun is the server's to report."""
    code = """
import asyncio, logging
import httpx2
from bonafide.observability import log
from bonafide.server.http_server import bind_sockets, serve_app
from bonafide.web.request_context import RequestIdMiddleware
async def breaks(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]})
    raise ValueError("in the middle")
async def main():
    sockets = bind_sockets("127.0.0.1", 0)
    async with serve_app(RequestIdMiddleware(breaks), sockets, 1), httpx2.AsyncClient() as client:
        try:
            await client.get(f"http://127.0.0.1:{sockets[0].getsockname()[1]}", headers={"X-Request-Id": "order-66"})
        except httpx2.HTTPError:
            pass
logging.getLogger("uvicorn.error").addHandler(logging.StreamHandler())
log.configure("INFO", as_json=True)
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own text
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    (failed,) = [line for line in lines if "ValueError: in the middle" in line.get("exception", "")]
    assert (failed["level"], failed["request_id"]) == ("error", "order-66")
