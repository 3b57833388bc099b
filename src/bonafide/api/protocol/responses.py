"""Build responses: documents, files, and errors as `{error, code, requestId}` with `details`.

An exception that is not an `ApiError` is a bug: it is logged with its traceback under the request id, and the caller receives only
that id.
"""

import base64
from typing import Annotated

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.errors import ApiError, InternalFailure, MethodNotAllowed, NotFound, ValidationFailed
from bonafide.model.base import Document
from bonafide.observability.log import get_logger
from bonafide.web.request_context import get_request_context

NO_STORE = {"Cache-Control": "no-store"}
"""Responses hold an organization's data, so no cache may keep them."""
_RETRY_AFTER_S = 2
"""The `Retry-After` of a 503 that has none of its own."""
_HEADERS_BY_STATUS = {
    401: {"WWW-Authenticate": "Bearer"},
    # The rest of the body is not read, so the connection can't carry another request.
    413: {"Connection": "close"},
    503: {"Retry-After": str(_RETRY_AFTER_S)},
}
_log = get_logger(__name__)


def create_json_response(body: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A response whose body is JSON text already."""
    return Response(body, status, {**NO_STORE, **(headers if headers is not None else {})}, "application/json")


def create_document_response(document: Document) -> Response:
    """A document as JSON."""
    return create_json_response(document.to_json())


def create_file_response(
    content: bytes, media_type: str, name: str, *, sha256: str | None = None, inline: bool = False
) -> Response:
    """A file, with the name to save it under. A browser shows it only if `inline`, and never guesses its type."""
    headers = {
        "Content-Disposition": f'{"inline" if inline else "attachment"}; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox",
    }
    if sha256 is not None:
        headers["Repr-Digest"] = f"sha-256=:{base64.b64encode(bytes.fromhex(sha256)).decode()}:"
    return Response(content, 200, {**NO_STORE, **headers}, media_type)


class ErrorDetail(Document):
    """One refused field: where it stands in the request, and why it was refused."""

    path: Annotated[str, Field(description="`jurisdictions.0`, a query parameter, `id`; empty for the body as a whole")]
    message: str


class ErrorBody(Document):
    """The body of every answer that is not a success."""

    error: Annotated[str, Field(description="What went wrong, for a person")]
    code: Annotated[str, Field(description="What went wrong, for a program")]
    request_id: Annotated[str, Field(description="The id to quote when asking about it; the same as in `X-Request-Id`")]
    details: Annotated[tuple[ErrorDetail, ...] | None, Field(description="Each refused field (`VALIDATION_ERROR` only)")] = None


class ErrorBoundary:
    """ASGI middleware that turns exceptions into error responses."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. Raises only if the response has already started."""
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except ClientDisconnect:
            return
        except Exception as exception:
            if scope["type"] != "http" or started:
                raise
            await build_error_response(exception, scope)(scope, receive, send)


async def handle_http_exception(request: Request, exception: Exception) -> Response:
    """The response to an exception of the framework's router (an unknown path)."""
    return build_error_response(exception, request.scope)


def build_error_response(exception: Exception, scope: Scope) -> Response:
    """The response to a request that ended with this exception."""
    context = get_request_context(scope)
    error = _to_api_error(exception)
    context.error_code = error.code
    body = ErrorBody(error=error.message, code=error.code, request_id=context.request_id, details=_build_details(error))
    headers = {"Cache-Control": "no-store", **_HEADERS_BY_STATUS.get(error.status, {}), **error.headers}
    return Response(body.model_dump_json(by_alias=True, exclude_none=True), error.status, headers, "application/json")


def _to_api_error(exception: Exception) -> ApiError:
    if isinstance(exception, ApiError):
        return exception
    if isinstance(exception, HTTPException) and exception.status_code in {404, 405}:
        kind = NotFound if exception.status_code == NotFound.status else MethodNotAllowed
        return kind(headers=dict(exception.headers or {}))
    _log.error("unhandled exception", exc_info=exception)
    return InternalFailure()


def _build_details(error: ApiError) -> tuple[ErrorDetail, ...] | None:
    if not isinstance(error, ValidationFailed) or len(error.details) == 0:
        return None
    return tuple(ErrorDetail(path=problem.path, message=problem.message) for problem in error.details)
