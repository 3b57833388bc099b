"""Every log line of the suite, looked through for what must stand in none: keys, tokens, passwords, and what callers submit.

Tests log as the service does: through the product's own chain, masking included, and as JSON. What comes out at its end is looked
at, so that a leak here is a leak there. A line is looked at when it is written, and the test that wrote it fails when it ends. Of
processes that tests start, their standard error is looked at (`check_text`).

What a caller has submitted (names, addresses, dates of birth) has no form by which it could be known: `submitted` is told each
request that a test's client sends, and its words are looked for until the test ends.
"""

import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any, TextIO, cast
from urllib.parse import parse_qsl

import httpx2
import structlog

from bonafide.observability import log

FORBIDDEN = re.compile(
    r"bf_(?:live|test|scim)_[0-9A-Za-z]{8,}"  # an API key or a provisioning token
    r"|\$argon2"  # what is kept of a password
    r"|(?i:bearer|basic)\s+[\w.~+/=-]{16,}"  # credentials
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # an e-mail address
    r"|://[^/\s@\"*]+@"  # the user and password of an address
    r"|[?&](?:token|code|state)=[\w-]{8,}"  # a link's token, a sign-on's
    r"|/documents/[\w-]{20,}"  # a signed address
    r"|input_value='"  # what pydantic quotes
    r"|(?:seventeen quiet otters|lantern gravel tuba)"  # the passwords of the tests' people
)
PERSONAL = frozenset(
    {
        *("name", "legalName", "query", "street", "unit", "dateOfBirth", "email", "notes", "phoneNumber", "reason"),
        *("externalId", "businessExternalId", "password", "old", "csrf", "businessNumber"),
    }
)
"""The fields of requests and forms whose values are somebody's."""
LEAST_CHARACTERS = 8
"""Shorter words stand in log lines by themselves."""
_leaks: list[str] = []
_submitted: set[str] = set()
_chain: list[Any] = []
"""The product's processors, of which the last one makes a line."""


class WatchedStream(io.TextIOBase):
    """Standard error as it is at the moment (a test may have put another in its place), with each line looked at."""

    def write(self, text: str) -> int:
        _look_at(text)
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def watch_logs() -> None:
    """Log as the service does, and look at each line."""
    log.configure("INFO", as_json=True, stream=cast("TextIO", WatchedStream()))
    _chain[:] = structlog.get_config()["processors"]


def seen(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor for tests that keep events instead of writing them: has each looked at as it would have been written."""
    line: Any = dict(event)
    for processor in _chain:
        line = processor(logger, method, line)
    _look_at(line)
    return event


def submitted(content: bytes, query: Iterable[tuple[str, str]] = ()) -> None:
    """Remember the words of a request that are nobody's but the caller's."""
    try:
        body = json.loads(content) if content else None
    except RecursionError:
        return
    except ValueError:
        body = dict(parse_qsl(content.decode("utf-8", "replace")))
    for name, value in (*_named(body), *query):
        if name in PERSONAL and len(value) >= LEAST_CHARACTERS:
            _submitted.add(value)


async def heed(request: httpx2.Request) -> None:
    """A hook of a client: remembers what its requests carry."""
    content = request.content if isinstance(request.stream, httpx2.ByteStream) else b""
    submitted(content, request.url.params.multi_items())


def check_text(text: str) -> None:
    """Fail for what a process has written to its standard error."""
    found = [line for line in text.splitlines() if is_leak(line)]
    assert found == [], f"a log line has what no log may have: {found[0]}"


def check_lines() -> None:
    """Fail if a line since the last call had what none may have; forget what was submitted."""
    found = list(_leaks)
    _leaks.clear()
    _submitted.clear()
    assert found == [], f"a log line has what no log may have: {found[0]}"


def is_leak(line: str) -> bool:
    """Whether the line has what none may have."""
    return FORBIDDEN.search(line) is not None or any(word in line for word in _submitted)


def _look_at(text: str) -> None:
    if is_leak(text):
        _leaks.append(text)


def _named(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The texts in a JSON value with the names that they stand under; those of a list stand under that of the list."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for inner, item in value.items():
            yield from _named(item, inner)
    elif isinstance(value, list):
        for item in value:
            yield from _named(item, name)
