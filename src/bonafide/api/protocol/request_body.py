"""Read a request body within its limits, parse it as strict JSON and validate it against its model.

FastAPI's own parsing accepts `"true"` for true, `NaN` and repeated names (ADR 18).
"""

import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from email.message import Message as Header
from functools import lru_cache, partial
from typing import Generic, NamedTuple, TypeVar

from fastapi import Request
from pydantic import ValidationError

from bonafide.api.protocol.unknown_fields import WARNING, format_warning, list_unknown_fields
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import BodyTooLarge, FieldProblem, InvalidJson, UnsupportedMediaType
from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.runtime import Runtime
from bonafide.strict_json import parse_request_json
from bonafide.web.body_stream import BodyLimits, receive_body
from bonafide.web.request_context import get_request_context
from bonafide.web.validation_errors import to_api_error

D = TypeVar("D", bound=Document)
JSON_TYPE = "application/json"
IDENTITY = "identity"
"""The `Content-Encoding` of a body that is not compressed."""
MAX_VALUES = 20_000
"""The largest valid body, a record with all its people, has less than a tenth of it. Parsing a million bytes of short values would
hold the interpreter, and with it every other request, for most of a tenth of a second."""
MAX_FILE_VALUES = 100_000
"""The same for a file. The largest sheet of owners has half of it."""
_MAX_INLINE_BYTES = 16 * 1024
"""Larger bodies are parsed in the CPU thread, where they take turns with the work of other organizations."""


class _ParsedBody(NamedTuple, Generic[D]):
    """A body, and the JSON paths of its fields that were ignored."""

    document: D
    ignored: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class FileBody:
    """A body that is a file of a media type other than JSON."""

    media_type: str
    content: bytes


def create_body_parser(model: type[D]) -> Callable[[Request], Awaitable[D]]:
    """A dependency: the request's body as a `model`.

    Unknown fields are refused, or ignored if the API key is lenient: then a `Warning` header names them, whatever the response.
    Raises `UnsupportedMediaType`, `BodyTooLarge`, `BodyTooSlow`, `InvalidJson` and `ValidationFailed`.
    """

    async def body(request: Request) -> D:
        return await _parse_body(request, model)

    return body


def create_file_body_parser(model: type[D], media_types: Collection[str]) -> Callable[[Request], Awaitable[D | FileBody]]:
    """A dependency: the request's body as a `model`, or as a file if it is of one of the other media types.

    A file is not parsed, but one of too many values is refused. Raises as `create_body_parser`.
    """

    async def body(request: Request) -> D | FileBody:
        media_type, is_utf8 = _parse_content_type(request.headers.get("content-type", ""))
        if media_type not in media_types:
            return await _parse_body(request, model)
        if not is_utf8:
            raise UnsupportedMediaType.of_header("Content-Type", Message("The file must be in UTF-8."))
        check_content_encoding(request.headers.getlist("content-encoding"))
        content = await _read(request)
        _check_value_count(content, MAX_FILE_VALUES)
        return FileBody(media_type, content)

    return body


async def _parse_body(request: Request, model: type[D]) -> D:
    content = await read_body(request)
    context = get_request_context(request.scope)
    parse = partial(_parse, model, content, lenient=context.principal.lenient)
    if len(content) <= _MAX_INLINE_BYTES:
        parsed = parse()
    else:
        runtime: Runtime = request.app.state.runtime
        with runtime.compute_for(context.principal.organization_id):
            parsed = await run_cpu_bound(parse)
    if parsed.ignored:
        context.headers[WARNING] = format_warning(parsed.ignored)
    return parsed.document


def _parse(model: type[D], content: bytes, *, lenient: bool) -> _ParsedBody[D]:
    _check_json_object(content)
    return _validate(model, content, lenient=lenient)


async def read_body(request: Request) -> bytes:
    """The bytes of a JSON body, cached for later calls. Raises `BodyTooLarge`, `BodyTooSlow`, `UnsupportedMediaType`."""
    kept: bytes | None = getattr(request.state, "body", None)
    if kept is None:
        check_content_encoding(request.headers.getlist("content-encoding"))
        request.state.body = kept = await _read(request)
        if len(kept) > 0:
            _check_content_type(request.headers.get("content-type", ""))
        _check_value_count(kept, MAX_VALUES)
    return kept


async def read_file_body(request: Request) -> bytes:
    """The bytes of a body of any type. Raises `BodyTooLarge`, `BodyTooSlow`, `UnsupportedMediaType` for a compressed one."""
    check_content_encoding(request.headers.getlist("content-encoding"))
    return await _read(request)


async def _read(request: Request) -> bytes:
    settings = request.app.state.runtime.settings
    limits = BodyLimits(settings.max_body_bytes, settings.body_timeout_s, settings.min_body_rate)
    async with receive_body(request, limits, [get_request_context(request.scope).sender]) as chunks:
        return b"".join([chunk async for chunk in chunks])


def _check_value_count(content: bytes, limit: int) -> None:
    """Refuse a body of too many values before it is parsed. Commas within texts count too: no valid body has that many."""
    if content.count(b",") >= limit:
        message = Message("The body has more than {limit} values, counted by its commas.", limit=limit)
        raise BodyTooLarge(message, details=[FieldProblem("", message)])


@lru_cache(maxsize=2**7)
def _parse_content_type(header: str) -> tuple[str, bool]:
    """The media type, and whether its charset is UTF-8 or not given."""
    parsed = Header()
    parsed["content-type"] = header
    charset = parsed.get_param("charset", "utf-8")
    return parsed.get_content_type(), str(charset).casefold() in {"utf-8", "utf8"}


def _check_content_type(header: str) -> None:
    if _parse_content_type(header) != (JSON_TYPE, True):
        raise UnsupportedMediaType.of_header(
            "Content-Type", Message("The body must be JSON in UTF-8. Send `Content-Type: application/json`.")
        )


def check_content_encoding(headers: list[str]) -> None:
    """Compressed bodies are refused: a small one can expand to any size."""
    if any(coding.strip().casefold() not in {"", IDENTITY} for header in headers for coding in header.split(",")):
        raise UnsupportedMediaType.of_header(
            "Content-Encoding",
            Message("The body must not be compressed. Send it without `Content-Encoding`."),
            {"Accept-Encoding": IDENTITY},
        )


def _check_json_object(content: bytes) -> None:
    try:
        # The model validates numbers. Here only the syntax is checked, which does not limit their length.
        value = parse_request_json(content.decode("utf-8"), parse_int=str)
    except UnicodeDecodeError:
        raise InvalidJson(Message("The body is not valid UTF-8.")) from None
    except RecursionError:
        raise InvalidJson(Message("The body is nested too deeply.")) from None
    except json.JSONDecodeError as error:
        message = Message("The body is not valid JSON (line {line}, column {column}).", line=error.lineno, column=error.colno)
        raise InvalidJson(message) from None
    if not isinstance(value, dict):
        raise InvalidJson(Message("The body must be a JSON object."))


def _validate(model: type[D], content: bytes, *, lenient: bool) -> _ParsedBody[D]:
    try:
        return _ParsedBody(model.model_validate_json(content, strict=True, by_alias=True, by_name=False))
    except ValidationError as error:
        unknown = list_unknown_fields(error) if lenient else []
        if len(unknown) == 0:
            raise to_api_error(error, model) from None
    try:
        document = model.model_validate_json(content, strict=True, by_alias=True, by_name=False, extra="ignore")
    except ValidationError as error:
        refusal = to_api_error(error, model)
        refusal.headers[WARNING] = format_warning(unknown)
        raise refusal from None
    return _ParsedBody(document, unknown)
