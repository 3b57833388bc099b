"""What looks through the suite's logs sees what it is for, through the product's own chain."""

import json

import pytest

from bonafide.observability.log import get_logger
from tests.support import log_watch

_log = get_logger("test")


@pytest.mark.parametrize(
    "line",
    [
        "key=bf_live_0123456789abcdefghij",
        "jane@north.example",
        "Bearer abcdefghijklmnop.qrst",
        "postgresql://bonafide:hunter2@db/x",
        "/console/link?token=Zm9vYmFyYmF6",
        "/v1/documents/QUJDREVGR0hJSktMTU5PUFFS",
        "$argon2id$v=19$m=8",
        "input_value='Jane Roe'",
    ],
)
def test_a_secret_is_seen_by_its_form(line: str) -> None:
    assert log_watch.is_leak(line)


def test_what_a_caller_submits_is_seen_until_the_test_ends() -> None:
    body = {"name": "Quillwander Holdings", "people": [{"name": "Ida Quillwander", "role": "Director"}], "limit": 3}
    log_watch.submitted(json.dumps(body).encode(), [("query", "Somebody Sought")])
    for line in ("not found: Quillwander Holdings", "who is Ida Quillwander?", "query Somebody Sought"):
        assert log_watch.is_leak(line)
    assert not log_watch.is_leak("Director")
    log_watch.check_lines()
    assert not log_watch.is_leak("not found: Quillwander Holdings")


def test_a_line_with_a_name_fails_the_test_that_wrote_it() -> None:
    log_watch.submitted(b'{"name": "Quillwander Holdings"}')
    _log.warning("could not find Quillwander Holdings")
    with pytest.raises(AssertionError, match="could not find"):
        log_watch.check_lines()


def test_events_that_a_test_keeps_are_looked_at_as_they_would_be_written() -> None:
    log_watch.submitted(b'{"name": "Quillwander Holdings"}')
    for name in ("key", "problem"):
        log_watch.seen(None, "info", {"event": "x", name: "Quillwander Holdings"})
        if name == "key":
            log_watch.check_lines()  # masked by its name
            log_watch.submitted(b'{"name": "Quillwander Holdings"}')
    with pytest.raises(AssertionError, match="Quillwander"):
        log_watch.check_lines()


def test_a_process_s_error_output_is_looked_at_too() -> None:
    log_watch.check_text("all is well\n")
    with pytest.raises(AssertionError, match="jane"):
        log_watch.check_text("all is well\njane@north.example came\n")
