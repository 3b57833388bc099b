"""Structured logs as JSON lines, with the request id bound and secrets and personal data masked.

Values under known names are masked, and so are keys, passwords in addresses, tokens of links and email addresses, which are found
by their form, also in lines of libraries. Names of people have no form: callers must not log them, and tests check that.
"""

import logging
import re
import sys
from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any, TextIO

import structlog

# Names whose values are secrets or personal data.
_MASKED_FIELDS = frozenset(
    [
        "authorization",
        "xapikey",
        "apikey",
        "key",
        "password",
        "passwordhash",
        "token",
        "secret",
        "csrf",
        "cookie",
        "setcookie",
        "dsn",
        "databaseurl",
        "email",
        "owner",
        "dateofbirth",
        "people",
        "name",
        "legalname",
        "address",
        "phone",
    ]
)
_UNMASKED_FIELDS = frozenset({"exc_info", "_record", "_from_structlog", "_logger", "_name"})
"""Fields of structlog from which a traceback is rendered; that is masked as text."""
_SECRET_PATTERNS = (
    (re.compile(r"\bbf_(live|test|scim)_[A-Za-z0-9_-]+"), r"bf_\1_***"),
    (re.compile(r"(?<=://)[^/\s@]*@"), "***@"),
    (re.compile(r"[^\s@<>\"'=:/,;()*]+@[\w-]+(?:\.[\w-]+)+"), "***@***"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}"), r"\1 ***"),
    (re.compile(r"(?<=[?&])(token|code|state)=[^&\s\"']+"), r"\1=***"),
    (re.compile(r"(?<=/documents/)[\w-]+"), "***"),
    # pydantic quotes rejected input, and PostgreSQL the row that violates a constraint.
    (re.compile(r"input_value=.*?, input_type=", re.DOTALL), "input_value=***, input_type="),
    (re.compile(r"\b(DETAIL|CONTEXT): .*$", re.MULTILINE), r"\1: ***"),
)
_SECRET_HINT = re.compile(r"bf_|@|(?i:bearer|basic)|token=|code=|state=|/documents/|input_value=|DETAIL: |CONTEXT: ")
"""Most texts match none of the patterns: one search instead of eight."""


REQUEST_ID = "request_id"
"""The field of every line of a request, and of the work that is done for it later."""


def redact(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Mask secrets and personal data in one log event, at any depth."""
    return {name: _mask_field(name, value) for name, value in event.items()}


def _mask_field(name: object, value: object) -> object:
    if name in _UNMASKED_FIELDS:
        return value
    return "***" if _is_masked(str(name)) else _mask_value(value)


@lru_cache(maxsize=2**10)  # log lines have few distinct field names
def _is_masked(name: str) -> bool:
    return name.lower().replace("-", "").replace("_", "") in _MASKED_FIELDS


def _mask_value(value: object) -> object:
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, dict):
        return redact(None, "", value)
    if isinstance(value, list | tuple | set | frozenset):
        return [_mask_value(item) for item in value]
    if value is None or isinstance(value, int | float):
        return value
    # Any other value is written as its text.
    return mask_secrets(str(value))


def mask_secrets(text: str) -> str:
    """The text with secrets and email addresses masked that can be recognised by their form."""
    if _SECRET_HINT.search(text) is None:
        return text
    for form, mask in _SECRET_PATTERNS:
        text = form.sub(mask, text)
    return text


def configure(level: str = "INFO", *, as_json: bool | None = None, stream: TextIO | None = None) -> None:
    """Send all logs, the standard library's included, to standard error or another stream; JSON unless that is a terminal."""
    stream = sys.stderr if stream is None else stream
    as_json = not stream.isatty() if as_json is None else as_json
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    # structlog's own traceback would print the values of local variables, which include names and keys.
    terminal = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    render: structlog.typing.Processor = structlog.processors.JSONRenderer() if as_json else terminal
    finish: list[structlog.typing.Processor] = [structlog.processors.format_exc_info, redact, render]
    # Not through the standard library, which would double the cost of a line; its few lines are added below.
    structlog.configure(
        processors=[*shared, *finish],
        logger_factory=structlog.WriteLoggerFactory(stream),
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=False,
    )
    processors = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *finish]
    formatter = structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=processors)
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    # A server started by its own command has handlers of its own; their lines are passed to ours.
    for server in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(server).handlers = []
        logging.getLogger(server).propagate = True
    # The access log is ours (with request id and without query strings, which may hold names).
    logging.getLogger("uvicorn.access").disabled = True
    for noisy in ("httpx2", "httpcore2", "aiosqlite", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    # It warns about each malformed form, which is an ordinary 400.
    logging.getLogger("python_multipart").setLevel(logging.ERROR)


def current_request_id() -> str | None:
    """The id of the request that is being served, or whose work is being done."""
    found = structlog.contextvars.get_contextvars().get(REQUEST_ID)
    return found if isinstance(found, str) else None


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger whose lines include the values bound to the current context."""
    logger: structlog.stdlib.BoundLogger = structlog.get_logger(name)
    return logger
