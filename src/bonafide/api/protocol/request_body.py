"""Read a request body up to a limit, parse it as strict JSON and validate it against its model.

FastAPI's own parsing accepts `"true"` for true, `NaN` and repeated names (ADR 18).
"""

import json
from collections.abc import Awaitable, Callable
from email.message import Message
from typing import NoReturn, TypeVar

from fastapi import Request
from pydantic import ValidationError

from bonafide.errors import BodyTooLarge, InvalidJson, UnsupportedMediaType
from bonafide.model.base import Document
from bonafide.web.validation_errors import to_api_error

D = TypeVar("D", bound=Document)
JSON_TYPE = "application/json"


def create_body_parser(model: type[D]) -> Callable[[Request], Awaitable[D]]:
    """A dependency: the request's body as a `model`.

    Raises `UnsupportedMediaType`, `BodyTooLarge`, `InvalidJson` and `ValidationFailed`.
    """

    async def body(request: Request) -> D:
        content = await read_body(request)
        _check_json_object(content)
        return _validate(model, content)

    return body


async def read_body(request: Request) -> bytes:
    """The bytes of a JSON body, kept for further calls. Raises `BodyTooLarge`, `UnsupportedMediaType`."""
    kept: bytes | None = getattr(request.state, "body", None)
    if kept is None:
        request.state.body = kept = await _read(request, request.app.state.runtime.settings.max_body_bytes)
        if len(kept) > 0:
            _check_content_type(request.headers.get("content-type", ""))
    return kept


async def _read(request: Request, limit: int) -> bytes:
    # int() takes more spellings than HTTP does, but servers refuse those before they come here.
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > limit:
        raise _build_too_large_error(limit)
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > limit:
            raise _build_too_large_error(limit)
    return bytes(content)


def _build_too_large_error(limit: int) -> BodyTooLarge:
    return BodyTooLarge(f"The body is larger than {limit} bytes.")


def _check_content_type(header: str) -> None:
    message = Message()
    message["content-type"] = header
    charset = message.get_param("charset", "utf-8")
    if message.get_content_type() != JSON_TYPE or str(charset).casefold() not in {"utf-8", "utf8"}:
        raise UnsupportedMediaType("The body must be application/json in UTF-8: send that as its Content-Type.")


def _check_json_object(content: bytes) -> None:
    try:
        # Numbers are left to the model: only the form is checked here, and the length of a number is not its form.
        value = json.loads(
            content.decode("utf-8"), parse_int=str, object_pairs_hook=_reject_duplicate_names, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError:
        raise InvalidJson("The body is not UTF-8.") from None
    except RecursionError:
        raise InvalidJson("The body is nested too deeply.") from None
    except ValueError as error:
        raise InvalidJson(f"The body is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise InvalidJson("The body must be a JSON object.")


def _reject_duplicate_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _validate(model: type[D], content: bytes) -> D:
    try:
        return model.model_validate_json(content, strict=True, by_alias=True, by_name=False)
    except ValidationError as error:
        raise to_api_error(error, model) from None
