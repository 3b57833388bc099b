"""Build successful responses from documents and files.

Errors are rendered in `errors`.
"""

import base64

from starlette.responses import Response

from bonafide.model.base import Document

NO_STORE = {"Cache-Control": "no-store"}
"""Answers hold an organization's data; no cache between it and us may keep them."""


def create_json_response(body: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer that is JSON already."""
    return Response(body, status, {**NO_STORE, **(headers if headers is not None else {})}, "application/json")


def create_document_response(document: Document) -> Response:
    """A document as the answer."""
    return create_json_response(document.to_json())


def create_file_response(
    content: bytes, media_type: str, name: str, *, sha256: str | None = None, inline: bool = False
) -> Response:
    """A file as the answer, under a name for whoever saves it; a browser shows it only `inline`, and never guesses what it is."""
    headers = {
        "Content-Disposition": f'{"inline" if inline else "attachment"}; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox",
    }
    if sha256 is not None:
        headers["Repr-Digest"] = f"sha-256=:{base64.b64encode(bytes.fromhex(sha256)).decode()}:"
    return Response(content, 200, {**NO_STORE, **headers}, media_type)
