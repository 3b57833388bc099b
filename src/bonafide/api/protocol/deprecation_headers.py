"""Headers of requests that use something deprecated: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to the changelog."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time
from email.utils import format_datetime

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.api.description.deprecations import Deprecation
from bonafide.web.request_context import get_request_context

CHANGELOG_LINK = '</changelog>; rel="deprecation"; type="text/html"'


class DeprecationHeaders:
    """ASGI middleware that adds the headers to every response to a request that uses something deprecated."""

    def __init__(self, app: ASGIApp, deprecations: Iterable[Deprecation]) -> None:
        self._app = app
        self._deprecations: dict[tuple[str, str], list[Deprecation]] = {}
        for deprecation in deprecations:
            self._deprecations.setdefault((deprecation.method, deprecation.path), []).append(deprecation)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application. When it responds, it has read as much of the body as it needs."""

        async def add_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                context = get_request_context(scope)
                if context.route is not None:
                    announced = self._deprecations.get((scope["method"], context.route.template), ())
                    context.headers.update(format_deprecation_headers(_select_used(Request(scope), announced)))
            await send(message)

        await self._app(scope, receive, add_headers if scope["type"] == "http" else send)


def format_deprecation_headers(deprecations: Sequence[Deprecation]) -> dict[str, str]:
    """The headers for these deprecations, with the earliest dates; no header without any."""
    if not deprecations:
        return {}
    headers = {
        "Deprecation": f"@{_to_instant(min(one.deprecated_on for one in deprecations)).timestamp():.0f}",
        "Link": CHANGELOG_LINK,
    }
    sunsets = [one.sunset_on for one in deprecations if one.sunset_on is not None]
    if sunsets:
        headers["Sunset"] = format_datetime(_to_instant(min(sunsets)), usegmt=True)
    return headers


def _to_instant(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _select_used(request: Request, announced: Sequence[Deprecation]) -> list[Deprecation]:
    """The deprecations that concern a request: of the whole operation, and of the parameters that it has."""
    if all(one.parameter is None for one in announced):
        return list(announced)
    given = {*request.query_params, *_list_fields(request)}
    return [one for one in announced if one.parameter is None or one.parameter in given]


def _list_fields(request: Request) -> Iterable[str]:
    """The names in the JSON object that was read as the request's body; none if there is none."""
    content: bytes = getattr(request.state, "body", b"")
    try:
        body = json.loads(content)
    except ValueError:
        return ()
    return body if isinstance(body, dict) else ()
