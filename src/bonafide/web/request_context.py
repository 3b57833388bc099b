"""What middleware and endpoints share about a request, kept in its ASGI scope: id, caller, route, response headers.

It is not a place for business data.
"""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from bonafide.errors import MissingApiKey
from bonafide.model.accounts.organizations import Principal

_SCOPE_KEY = "bonafide.request_context"
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


@dataclass(frozen=True, slots=True)
class KnownRoute:
    """A path template of this service (`/v1/search/{id}`) and the methods that its routes take, sorted."""

    template: str
    methods: tuple[str, ...]
    handlers: Mapping[str, Handler] = field(default_factory=dict, compare=False)
    """The handlers of `DirectRoute`s, by method."""


@dataclass(slots=True)
class RequestContext:
    """One request and its response. `caller` is the authenticated caller, or the error that authentication ended with."""

    request_id: str
    caller: Principal | Exception = field(default_factory=MissingApiKey)
    route: KnownRoute | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Path parameters."""
    headers: dict[str, str] = field(default_factory=dict)
    """Added to the response, whatever its status."""
    error_code: str | None = None
    began_at: float = field(default_factory=monotonic)

    @property
    def age_s(self) -> float:
        """Seconds since the request arrived, including the wait for a slot."""
        return monotonic() - self.began_at

    @property
    def principal(self) -> Principal:
        """The authenticated caller. Raises the error that authentication ended with."""
        if isinstance(self.caller, Exception):
            raise self.caller
        return self.caller


def set_request_context(scope: Scope, context: RequestContext) -> None:
    """Store the context of a new request in its scope."""
    scope[_SCOPE_KEY] = context


def get_request_context(scope: Scope) -> RequestContext:
    """The context of the request. Raises `KeyError` outside `RequestIdMiddleware`."""
    return cast("RequestContext", scope[_SCOPE_KEY])
