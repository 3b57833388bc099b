"""Read the API key of a request and require the scope that an endpoint needs.

`rate_limit_middleware` authenticates once, because it counts by key; endpoints read the outcome. `services.accounts` checks keys.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import Headers

from bonafide.errors import InvalidApiKey, MissingApiKey, ScopeMissing
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.web.request_context import get_request_context


def extract_api_key(headers: Headers) -> str:
    """The one key that the headers carry, as `Authorization: Bearer` or `X-API-Key`.

    Raises `MissingApiKey` when there is none, `InvalidApiKey` when there are two; an `Authorization` of another scheme, or without
    a token, counts as an empty key, so that two credentials are never ambiguous.
    """
    bearer = [_parse_bearer_token(value) for value in headers.getlist("authorization")]
    keys = {*bearer, *(key.strip() for key in headers.getlist("x-api-key"))}
    if keys <= {""}:
        raise MissingApiKey
    if len(keys) > 1:
        raise InvalidApiKey("The request carries two different API keys.")
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
            raise ScopeMissing(f"This API key does not have the scope {scope}, which the request needs.")

    return check
