"""What the layers of the API know of the request under way, carried in the ASGI scope.

It holds facts that an outer layer learnt for an inner one, or the other way round. It is not a place for business data.
"""

from dataclasses import dataclass
from typing import cast

from starlette.types import Scope

from bonafide.errors import ApiError, InternalFailure
from bonafide.model.organization import Principal

_SCOPE_KEY = "bonafide.exchange"
UNMATCHED = "unmatched"
"""The route of a request whose path is none of ours; its text would be anybody's in a log or a metric."""


@dataclass(slots=True)
class Exchange:
    """One request and its answer: its id, its method as sent, who asks (or why that is not known), the route's template."""

    request_id: str
    method: str
    caller: Principal | ApiError | None = None
    route: str = UNMATCHED

    @property
    def principal(self) -> Principal:
        """Who asks. Raises the `ApiError` that authentication ended with."""
        if isinstance(self.caller, Principal):
            return self.caller
        raise self.caller if self.caller is not None else InternalFailure


def begin_exchange(scope: Scope, request_id: str) -> Exchange:
    """Put a new exchange into the scope."""
    exchange = Exchange(request_id, scope["method"])
    scope[_SCOPE_KEY] = exchange
    return exchange


def exchange_of(scope: Scope) -> Exchange:
    """The exchange of this scope."""
    return cast("Exchange", scope[_SCOPE_KEY])
