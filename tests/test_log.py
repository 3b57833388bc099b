"""Secrets and personal data never reach a log line."""

import subprocess
import sys

import pytest

from bonafide.log import redact

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
from bonafide import log
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
