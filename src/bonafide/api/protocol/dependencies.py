"""Parameters of endpoints besides body and query: the caller, the runtime, the ID in the path, preferences of the caller.

`rate_limit` authenticates once, because it counts by key; endpoints read the result. `services.accounts` checks keys.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends, Request
from starlette.datastructures import Headers

from bonafide.errors import InvalidApiKey, MissingApiKey, ScopeMissing, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.pdf_documents import PDF
from bonafide.runtime import Runtime
from bonafide.web.request_context import get_request_context

RESPOND_ASYNC = "respond-async"
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


async def _get_runtime(request: Request) -> Runtime:
    return cast("Runtime", request.app.state.runtime)


def create_path_id_parser(name: str) -> Callable[[Request], Awaitable[UUID]]:
    """A dependency: the parameter of the path with this name. Raises `ValidationFailed` for anything but a UUID."""

    async def parse(request: Request) -> UUID:
        text = request.path_params[name]
        if _UUID.fullmatch(text) is None:
            raise ValidationFailed.of_field(name, Message("must be a UUID"))
        return UUID(text)

    return parse


async def _read_respond_async(request: Request) -> bool:
    return prefers_async(request.headers)


async def _get_language(request: Request) -> Language:
    return get_request_context(request.scope).language


async def _get_clock(request: Request) -> Callable[[], float]:
    context = get_request_context(request.scope)
    return lambda: context.age_s


def prefers_async(headers: Headers) -> bool:
    """Whether these headers prefer a response before the work is done."""
    preferences = ",".join(headers.getlist("prefer")).split(",")
    return any(preference.partition(";")[0].strip().casefold() == RESPOND_ASYNC for preference in preferences)


ServedRuntime = Annotated[Runtime, Depends(_get_runtime)]
PathId = Annotated[UUID, Depends(create_path_id_parser("id"))]
"""The `{id}` of the path. Raises `ValidationFailed` for anything but a UUID."""
RespondAsync = Annotated[bool, Depends(_read_respond_async)]
"""Whether the caller prefers a response before the work is done (RFC 7240, `Prefer: respond-async`)."""
ResponseLanguage = Annotated[Language, Depends(_get_language)]
"""A parameter: the language of the response's messages, by `Accept-Language`; English without a preference."""
ElapsedSeconds = Annotated[Callable[[], float], Depends(_get_clock)]
"""A function that returns how many seconds ago the request had arrived, its body included."""


JSON_MEDIA_TYPE = "application/json"
_MEDIA_RANGE = re.compile(r"\s*([\w.+*-]+/[\w.+*-]+)\s*(?:;[^,]*?)??(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?", re.ASCII)


def prefers_pdf(header: str) -> bool:
    """Whether the header names PDF and prefers nothing to it. `*/*`, which browsers send, means JSON."""
    weights = {
        found[1].lower(): float(found[2] if found[2] is not None else 1)
        for found in map(_MEDIA_RANGE.fullmatch, header.split(","))
        if found
    }
    weight = weights.get(PDF, 0.0)
    return weight > 0 and weight >= weights.get(JSON_MEDIA_TYPE, 0.0)


async def _read_prefers_pdf(request: Request) -> bool:
    return prefers_pdf(",".join(request.headers.getlist("accept")))


PrefersPdf = Annotated[bool, Depends(_read_prefers_pdf)]
"""A parameter: whether the response is the file itself."""


def extract_api_key(headers: Headers) -> str:
    """The API key in the headers, as `Authorization: Bearer` or `X-API-Key`.

    Raises `MissingApiKey` when there is none, `InvalidApiKey` when there are two; an `Authorization` of another scheme, or without
    a token, counts as an empty key, so that two credentials are never ambiguous.
    """
    bearer = [_parse_bearer_token(value) for value in headers.getlist("authorization")]
    keys = {*bearer, *(key.strip() for key in headers.getlist("x-api-key"))}
    if keys <= {""}:
        raise MissingApiKey
    if len(keys) > 1:
        raise InvalidApiKey(Message("The request carries two different API keys."))
    return keys.pop()


def _parse_bearer_token(authorization: str) -> str:
    scheme, _, token = authorization.strip().partition(" ")
    return token.strip() if scheme.casefold() == "bearer" else ""


async def _get_principal(request: Request) -> Principal:
    return get_request_context(request.scope).principal


Caller = Annotated[Principal, Depends(_get_principal)]
"""A parameter: the authenticated caller. Raises the error that authentication ended with, one of the four 401s."""


def require_scope(scope: Scope) -> Callable[[Request], Awaitable[None]]:
    """A dependency that raises `ScopeMissing` unless the caller's key has this scope."""

    async def check(request: Request) -> None:
        if scope not in get_request_context(request.scope).principal.scopes:
            raise ScopeMissing(Message("This API key lacks the scope `{scope}`, which the request requires.", scope=scope.value))

    return check
