"""Store a response with its idempotency key, and write it again for a repeated request.

A document is stored in English with its messages, not as it was sent: each repetition has its own language, its own request ID and,
where the document describes a stored file, the representation that its `Accept` prefers.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, get_args
from uuid import UUID

from fastapi import Request
from starlette.responses import Response

from bonafide.api.protocol.dependencies import prefers_pdf
from bonafide.api.protocol.responses import (
    JSON,
    DocumentResponse,
    ErrorBody,
    create_document_response,
    create_file_response,
    create_stored_response,
)
from bonafide.api.protocol.unknown_fields import WARNING
from bonafide.model.base import Document, StoredDocument
from bonafide.model.pdf_documents import PDF
from bonafide.model.verification.results import VerifyResponse
from bonafide.services.reports.report_pdf import read_document
from bonafide.services.verification.completion import translate_summary
from bonafide.store.work.idempotency import StoredResponse
from bonafide.web.request_context import get_request_context

REPLAYED = "Idempotent-Replayed"
Models = Mapping[str, type[Document]]
"""The documents of an operation's responses, by the names of their classes."""


def collect_models(responses: Mapping[int | str, Mapping[str, Any]]) -> Models:
    """The documents of the responses of a route, and that of errors."""
    described = [response.get("model") for response in responses.values()]
    documents = [model for one in described for model in (one, *get_args(one))]
    return {model.__name__: model for model in (*documents, ErrorBody) if isinstance(model, type) and issubclass(model, Document)}


def to_stored_response(response: Response) -> StoredResponse:
    """The response in the form in which it is stored."""
    if not isinstance(response, DocumentResponse):
        headers = {name: value for name, value in response.headers.items() if name != "content-length"}
        return StoredResponse(response.status_code, headers, bytes(response.body))
    origin = response.origin
    document = origin.to_stored()
    return StoredResponse(
        status=response.status_code,
        headers=dict(origin.headers),
        body=document.body.encode(),
        model=origin.model.__name__,
        messages=document.messages,
        file=origin.file,
    )


async def write_again(request: Request, organization_id: UUID, stored: StoredResponse, models: Models) -> Response:
    """The stored response to another request. One that was not written from a document of `models` is sent as it is stored."""
    model = models.get(stored.model) if stored.model is not None else None
    if model is None:
        response = Response(stored.body, stored.status, stored.headers, JSON if stored.model is not None else None)
    elif stored.file is not None and prefers_pdf(",".join(request.headers.getlist("accept"))):
        response = await _send_file(request, organization_id, stored.file, stored.headers)
    else:
        response = _write_document(request, stored, model)
    response.headers[REPLAYED] = "true"
    return response


def _write_document(request: Request, stored: StoredResponse, model: type[Document]) -> Response:
    context, document = get_request_context(request.scope), StoredDocument(stored.body.decode(), stored.messages)
    if model is ErrorBody:
        error = document.parse(ErrorBody).model_copy(update={"request_id": context.request_id})
        context.error_code = error.code
        return create_document_response(error, context.language, stored.status, stored.headers)
    if model is VerifyResponse:
        # Its summary is text in one language, not messages.
        verification = translate_summary(document.parse(VerifyResponse), context.language)
        return create_document_response(verification, context.language, stored.status, stored.headers)
    return create_stored_response(model, document, context.language, stored.status, stored.headers)


async def _send_file(request: Request, organization_id: UUID, file: str, headers: Mapping[str, str]) -> Response:
    content = await read_document(request.app.state.runtime, organization_id, file)
    response = create_file_response(content, PDF, file.rpartition("/")[2], sha256=hashlib.sha256(content).hexdigest())
    if WARNING in headers:
        response.headers[WARNING] = headers[WARNING]
    return response
