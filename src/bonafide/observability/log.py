"""Structured logs as JSON lines, with the request id bound and secrets and personal data masked.

Values under known names are masked, and so is whatever has the form of a key, a password in an address, a link's token or an e-mail
address, in the lines of libraries too. Names of people have no form: callers must not log them, and the tests check that.
"""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

# Names whose values are secrets or a person's data; a log line is no place for either.
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
"""What structlog hands along with an event: of these a traceback is made, which is masked when it is text."""
_SECRET_PATTERNS = (
    (re.compile(r"\bbf_(live|test)_[A-Za-z0-9_-]+"), r"bf_\1_***"),
    (re.compile(r"(?<=://)[^/\s@]*@"), "***@"),
    (re.compile(r"[^\s@<>\"'=:/,;()*]+@[\w-]+(?:\.[\w-]+)+"), "***@***"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}"), r"\1 ***"),
    (re.compile(r"(?<=[?&])(token|code|state)=[^&\s\"']+"), r"\1=***"),
    (re.compile(r"(?<=/documents/)[\w-]+"), "***"),
    # pydantic quotes what it refuses, and PostgreSQL the row that breaks a rule.
    (re.compile(r"input_value=.*?, input_type=", re.DOTALL), "input_value=***, input_type="),
    (re.compile(r"\b(DETAIL|CONTEXT): .*$", re.MULTILINE), r"\1: ***"),
)
_SECRET_HINT = re.compile(r"bf_|@|(?i:bearer|basic)|token=|code=|state=|/documents/|input_value=|DETAIL: |CONTEXT: ")
"""Nearly every text holds none: one look instead of eight."""


REQUEST_ID = "request_id"
"""The field that every line of a request has, and of the work that is done for it later."""


def redact(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Mask secrets and personal data in one log event, wherever they stand."""
    return {name: _mask_field(name, value) for name, value in event.items()}


def _mask_field(name: object, value: object) -> object:
    if name in _UNMASKED_FIELDS:
        return value
    return "***" if str(name).lower().replace("-", "").replace("_", "") in _MASKED_FIELDS else _mask_value(value)


def _mask_value(value: object) -> object:
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, dict):
        return redact(None, "", value)
    if isinstance(value, list | tuple | set | frozenset):
        return [_mask_value(item) for item in value]
    if value is None or isinstance(value, int | float):
        return value
    # Whatever it is, it would be written as its text.
    return mask_secrets(str(value))


def mask_secrets(text: str) -> str:
    """The text with every secret and every address of a person in it masked, as far as they have a form."""
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
    # Not structlog's own traceback: that one prints the values of local variables, and those are names and keys.
    terminal = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    render: structlog.typing.Processor = structlog.processors.JSONRenderer() if as_json else terminal
    finish: list[structlog.typing.Processor] = [structlog.processors.format_exc_info, redact, render]
    # Not by way of the standard library, which would double what a line costs; its own lines, which are few, join below.
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
    # A server that was started by its own command has handlers of its own: its lines pass through ours.
    for server in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(server).handlers = []
        logging.getLogger(server).propagate = True
    # The access log is ours (with request id and without query strings, which may hold names).
    logging.getLogger("uvicorn.access").disabled = True
    for noisy in ("httpx2", "httpcore2", "aiosqlite", "alembic"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def current_request_id() -> str | None:
    """The id of the request that is being served, or whose work is being done."""
    found = structlog.contextvars.get_contextvars().get(REQUEST_ID)
    return found if isinstance(found, str) else None


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger that carries whatever is bound to the current context."""
    logger: structlog.stdlib.BoundLogger = structlog.get_logger(name)
    return logger
