"""Build successful responses from documents and files.

Errors are rendered in `error_responses`.
"""

import base64

from starlette.responses import Response

from bonafide.model.base import Document

NO_STORE = {"Cache-Control": "no-store"}
"""Responses hold an organization's data, so no cache may keep them."""


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
