"""Build responses: documents, files, and errors as `{error, code, requestId}` with `details`.

Messages are written in the language of the request (`Accept-Language`). An exception that is not an `ApiError` is a bug: it is
logged with its traceback under the request ID, and the caller receives only that ID.
"""

import base64
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bonafide.api.protocol.scim_errors import SCIM_MEDIA_TYPE, get_scim_status, is_scim_request, write_scim_error
from bonafide.errors import ApiError, FieldProblem, InternalFailure, MethodNotAllowed, NotFound, ValidationFailed
from bonafide.i18n.catalog import get_translator
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message as Sentence
from bonafide.model.base import Document, StoredDocument
from bonafide.model.packs.pack import PackFile
from bonafide.observability.log import get_logger
from bonafide.web.request_context import get_request_context

JSON = "application/json"
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
NO_STORE = {"Cache-Control": "no-store"}
"""Responses hold an organization's data, so no cache may keep them."""
_RETRY_AFTER_S = 2
"""The `Retry-After` of a 503 that has none of its own."""
_HEADERS_BY_STATUS = {
    401: {"WWW-Authenticate": "Bearer"},
    503: {"Retry-After": str(_RETRY_AFTER_S)},
}
_log = get_logger(__name__)


def create_json_response(body: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A response whose body is JSON text already."""
    return Response(body, status, {**NO_STORE, **(headers if headers is not None else {})}, JSON)


@dataclass(frozen=True, slots=True)
class ResponseOrigin:
    """What a response was written from, so that it can be written again: in another language, or as the other representation."""

    document: Document | StoredDocument
    model: type[Document]
    headers: Mapping[str, str]
    """The headers besides those that follow from the language and the representation."""
    file: str | None = None
    """The name of the stored file that the document describes, if `Accept` chooses between the two."""

    def to_stored(self) -> StoredDocument:
        """The document in the form in which it is stored."""
        return self.document if isinstance(self.document, StoredDocument) else self.document.to_stored()


class DocumentResponse(Response):
    """A response that was written from a document."""

    def __init__(
        self, content: str | bytes, status: int, headers: Mapping[str, str], media_type: str, origin: ResponseOrigin
    ) -> None:
        super().__init__(content, status, headers, media_type)
        self.origin = origin


def create_document_response(
    document: Document, language: Language, status: int = 200, headers: Mapping[str, str] = NO_HEADERS, *, file: str | None = None
) -> Response:
    """A document as JSON, with its messages in the language. `file` names the stored file that it describes."""
    origin = ResponseOrigin(document, type(document), headers, file)
    return _write_response(document.to_json(get_translator(language)), language, status, origin)


def create_stored_response(
    kind: type[Document], document: StoredDocument, language: Language, status: int = 200, headers: Mapping[str, str] = NO_HEADERS
) -> Response:
    """A stored document of this kind as JSON. In English that is the stored text; only other languages parse it."""
    origin = ResponseOrigin(document, kind, headers)
    return _write_response(document.write(kind, get_translator(language)), language, status, origin)


def _write_response(body: str, language: Language, status: int, origin: ResponseOrigin) -> Response:
    headers = {**NO_STORE, **describe_language(language), **origin.headers}
    return DocumentResponse(body, status, headers, JSON, origin)


def create_written_response(body: str, language: Language) -> Response:
    """A response whose body is JSON text with messages in the language."""
    return create_json_response(body, 200, describe_language(language))


def describe_language(language: Language) -> dict[str, str]:
    """The headers of a response that is written in the language."""
    return {"Content-Language": language.value, "Vary": "Accept-Language"}


def create_file_response(
    content: bytes,
    media_type: str,
    name: str,
    *,
    sha256: str | None = None,
    inline: bool = False,
    origin: ResponseOrigin | None = None,
) -> Response:
    """A file, with the name to save it under. A browser displays it only if `inline`, and never guesses its type.

    `origin` has the document that describes the file.
    """
    headers = {
        "Content-Disposition": f'{"inline" if inline else "attachment"}; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox",
    }
    if sha256 is not None:
        headers["Repr-Digest"] = _format_digest(sha256)
    headers.update(NO_STORE)
    if origin is not None:
        return DocumentResponse(content, 200, headers, media_type, origin)
    return Response(content, 200, headers, media_type)


def create_stream_response(parts: AsyncIterator[bytes], media_type: str, file: PackFile) -> Response:
    """A file that is sent a part at a time, for a browser to save under its name."""
    headers = {
        "Content-Disposition": f'attachment; filename="{file.name}"',
        "Content-Length": str(file.size),
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox",
        "Repr-Digest": _format_digest(file.sha256),
        **NO_STORE,
    }
    return StreamingResponse(parts, 200, headers, media_type)


def create_unsized_stream_response(parts: AsyncIterator[bytes], media_type: str, name: str) -> Response:
    """A file that is written while it is sent, for a browser to save under its name."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox",
        **NO_STORE,
    }
    return StreamingResponse(parts, 200, headers, media_type)


def _format_digest(sha256: str) -> str:
    """The value of `Repr-Digest` (RFC 9530) for a digest in hexadecimal."""
    return f"sha-256=:{base64.b64encode(bytes.fromhex(sha256)).decode()}:"


class ErrorDetail(Document):
    """One refused field of a request."""

    path: Annotated[str, Field(examples=["sanctionScreening"])]
    """The field's path in the request (`jurisdictions.0`), a query parameter, a header or `id`; empty for the whole request."""
    message: Sentence
    """Why the field was refused, in the language of the response."""


class ErrorBody(Document):
    """The body of every response that is not a success."""

    error: Sentence
    """What went wrong, as a sentence in the language of the response. Wording may change."""
    code: str
    """What went wrong, as a stable code for programs."""
    request_id: str
    """The request's ID, the same as in `X-Request-Id`. Quote it when you report a problem."""
    details: tuple[ErrorDetail, ...] | None = None
    """What was refused; always and only with `VALIDATION_ERROR`."""

    def _dump(self, context: dict[str, Any] | None) -> str:
        return self.model_dump_json(by_alias=True, exclude_none=True, context=context)


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
    if is_scim_request(scope):
        return _write_scim_response(error, context.language)
    body = ErrorBody(error=error.message, code=error.code, request_id=context.request_id, details=_build_details(error))
    headers = {**_HEADERS_BY_STATUS.get(error.status, {}), **error.headers}
    return create_document_response(body, context.language, error.status, headers)


def _write_scim_response(error: ApiError, language: Language) -> Response:
    status = get_scim_status(error)
    headers = {**_HEADERS_BY_STATUS.get(status, {}), **NO_STORE, **describe_language(language), **error.headers}
    return Response(write_scim_error(error, language), status, headers, SCIM_MEDIA_TYPE)


def _to_api_error(exception: Exception) -> ApiError:
    if isinstance(exception, ApiError):
        return exception
    if isinstance(exception, HTTPException) and exception.status_code in {404, 405}:
        kind = NotFound if exception.status_code == NotFound.status else MethodNotAllowed
        return kind(headers=dict(exception.headers or {}))
    _log.error("request.failed", exc_info=exception)
    return InternalFailure()


def _build_details(error: ApiError) -> tuple[ErrorDetail, ...] | None:
    if not isinstance(error, ValidationFailed):
        return None
    problems = error.details if len(error.details) > 0 else [FieldProblem("", error.message)]
    return tuple(ErrorDetail(path=problem.path, message=problem.message) for problem in problems)
