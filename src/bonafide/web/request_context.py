"""Facts about the request under way that middleware and endpoints share, kept in the ASGI scope.

It holds facts that one layer learnt for another: the id, who asks, which route it is, headers for the answer. It is not a place
for business data.
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

_SCOPE_KEY = "bonafide.exchange"
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


@dataclass(frozen=True, slots=True)
class KnownRoute:
    """A path template of this service (`/v1/search/{id}`) and the methods that it takes, sorted."""

    template: str
    methods: tuple[str, ...]
    handlers: Mapping[str, Handler] = field(default_factory=dict, compare=False)
    """By method, the operations that are called without asking the framework's router again."""


@dataclass(slots=True)
class RequestContext:
    """One request and its answer. `caller` is who asks, or why that could not be found out."""

    request_id: str
    caller: Principal | Exception = field(default_factory=MissingApiKey)
    route: KnownRoute | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Of its path."""
    headers: dict[str, str] = field(default_factory=dict)
    """Headers of the answer, whatever that will be."""
    error_code: str | None = None
    began_at: float = field(default_factory=monotonic)

    @property
    def age_s(self) -> float:
        """How long ago it arrived, the wait for its turn included."""
        return monotonic() - self.began_at

    @property
    def principal(self) -> Principal:
        """Who asks. Raises what authentication ended with."""
        if isinstance(self.caller, Exception):
            raise self.caller
        return self.caller


def set_request_context(scope: Scope, exchange: RequestContext) -> None:
    """Put a new exchange into the scope."""
    scope[_SCOPE_KEY] = exchange


def get_request_context(scope: Scope) -> RequestContext:
    """The exchange of this scope."""
    return cast("RequestContext", scope[_SCOPE_KEY])
