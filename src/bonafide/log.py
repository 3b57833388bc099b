"""Structured logs: one JSON object a line (or coloured text on a terminal), with the request id bound.

Secrets never reach a log line: values under known names are masked, and anything shaped like an API key is masked wherever it
stands. This module does not decide what is worth logging.
"""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

_API_KEY = re.compile(r"\bbf_(live|test)_[A-Za-z0-9_-]+")
# Names whose values are secrets or a person's data; a log line is no place for either.
_MASKED = frozenset(
    {"authorization", "x_api_key", "api_key", "key", "password", "token", "secret", "email", "owner", "date_of_birth", "people"}
)


REQUEST_ID = "request_id"
"""The field that every line of a request has, and of the work that is done for it later."""


def redact(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Mask secrets and personal data in one log event, wherever they stand."""
    return {name: "***" if name.lower().replace("-", "_") in _MASKED else _masked(value) for name, value in event.items()}


def without_keys(text: str) -> str:
    """The text with every API key in it masked."""
    return _API_KEY.sub(r"bf_\1_***", text)


def _masked(value: object) -> object:
    if isinstance(value, str):
        return without_keys(value)
    if isinstance(value, dict):
        return redact(None, "", value)
    if isinstance(value, list | tuple):
        return [_masked(item) for item in value]
    return value


def configure(level: str = "INFO", *, as_json: bool | None = None) -> None:
    """Send all logs, the standard library's included, to standard error; JSON unless that is a terminal."""
    as_json = not sys.stderr.isatty() if as_json is None else as_json
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        redact,
    ]
    # Not structlog's own traceback: that one prints the values of local variables, and those are names and keys.
    terminal = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    render: structlog.typing.Processor = structlog.processors.JSONRenderer() if as_json else terminal
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=False,
    )
    finish: list[structlog.typing.Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.format_exc_info,
        redact,
        render,
    ]
    formatter = structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=finish)
    handler = logging.StreamHandler(sys.stderr)
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
