"""The one place where an exception becomes an answer: `{error, code, requestId}`, and `details` where fields were refused.

Whatever is not an `ApiError` is a bug: it is logged with its traceback under the request id, and the caller learns only that id.
It does not decide which error a situation is; whoever raises it does.
"""

from http import HTTPStatus
from typing import Annotated

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.api.exchange import exchange_of
from bonafide.api.routes import allowed_methods
from bonafide.errors import ApiError, InternalFailure, MethodNotAllowed, NotFound, ServerBusy, ValidationFailed
from bonafide.log import get_logger
from bonafide.model.base import Document

RETRY_AFTER_S = 2
"""How soon to try again when the service was too busy and could not say when it will not be."""
_log = get_logger(__name__)


class ErrorDetail(Document):
    """One refused field: where it stands in the request, and why it was refused."""

    path: Annotated[str, Field(description="`address.city`, `jurisdictions.0`, a query parameter, `id`; empty for the body as a whole")]
    message: str


class ErrorBody(Document):
    """The body of every answer that is not a success."""

    error: Annotated[str, Field(description="What went wrong, for a person")]
    code: Annotated[str, Field(description="What went wrong, for a program")]
    request_id: Annotated[str, Field(description="The id to quote when asking about it; the same as in `X-Request-Id`")]
    details: Annotated[tuple[ErrorDetail, ...] | None, Field(description="Each refused field (`VALIDATION_ERROR` only)")] = None


class ErrorBoundary:
    """ASGI middleware that turns everything raised further in into the answer that belongs to it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; nothing but a failure in mid-answer is raised any further."""
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception as exception:
            if scope["type"] != "http" or started:
                raise
            await answer_for(exception, scope)(scope, receive, send)


async def render_error(request: Request, exception: Exception) -> Response:
    """The same for what is raised inside a route, where the framework asks for it."""
    return answer_for(exception, request.scope)


def answer_for(exception: Exception, scope: Scope) -> Response:
    """The answer to a request that ended with this exception."""
    error = _as_api_error(exception, scope)
    details = tuple(ErrorDetail(path=problem.path, message=problem.message) for problem in _problems(error))
    body = ErrorBody(
        error=error.message, code=error.code, request_id=exchange_of(scope).request_id, details=details if len(details) > 0 else None
    )
    content = body.model_dump_json(by_alias=True, exclude_none=True)
    return Response(content, error.status, {**_standing_headers(error), **error.headers}, media_type="application/json")
