"""What middleware and endpoints share about a request, kept in its ASGI scope: id, caller, route, response headers.

The id is the one the caller sent, or a new UUID; a caller may send the same id twice. It is not a place for business data.
"""

import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, cast
from uuid import uuid4

import structlog
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.concurrency.request_admission import RequestAdmission
from bonafide.errors import MissingApiKey
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import Principal
from bonafide.web.accept_language import parse_accept_language

_SCOPE_KEY = "bonafide.request_context"
Handler = Callable[[Request], Coroutine[Any, Any, Response]]
REQUEST_ID = "X-Request-Id"
_USABLE = re.compile(r"[\x20-\x7e]{1,128}")


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
    language: Language = Language.ENGLISH
    """The language of the response, by `Accept-Language`."""
    began_at: float = field(default_factory=monotonic)
    """When the request arrived; with a body, when that was complete."""
    sender: str = ""
    """Whose requests and bodies are limited together: the organization of the API key, or else the client's address."""
    is_flood: bool = False
    """Whether the caller continues far beyond its rate limit."""
    admission: RequestAdmission | None = None
    """Counts the request; None outside the limits, such as for probes."""

    @property
    def age_s(self) -> float:
        """Seconds since the request and its body had arrived, including the wait for a slot."""
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


class RequestIdMiddleware:
    """ASGI middleware that creates the request's context and adds the context's headers to the response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request under its id."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        preferred = parse_accept_language(",".join(headers.getlist("accept-language")))
        context = RequestContext(_choose_request_id(headers), language=preferred if preferred is not None else Language.ENGLISH)
        context.headers[REQUEST_ID] = context.request_id
        set_request_context(scope, context)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in context.headers.items()]
                names = {name for name, _ in own}
                message["headers"] = [*(header for header in message["headers"] if header[0].lower() not in names), *own]
            await send(message)

        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=context.request_id)
        await self.app(scope, receive, send_with_headers)
        # Not after an exception: the server's log line about it carries the id too, and the next request clears the context.
        structlog.contextvars.clear_contextvars()


def _choose_request_id(headers: Headers) -> str:
    given = headers.getlist(REQUEST_ID)
    if len(given) == 1 and _USABLE.fullmatch(given[0]) is not None:
        return given[0]
    return str(uuid4())
