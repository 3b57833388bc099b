"""Successful answers. Documents arrive as JSON and leave as they are: nothing is validated or serialised a second time.

Errors are rendered in `errors`.
"""

import base64

from starlette.responses import Response

from bonafide.model.base import Document

PRIVATE = {"Cache-Control": "no-store"}
"""Answers hold an organization's data; no cache between it and us may keep them."""


def json_answer(body: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer that is JSON already."""
    return Response(body, status, {**PRIVATE, **(headers if headers is not None else {})}, "application/json")


def document_answer(document: Document) -> Response:
    """A document as the answer."""
    return json_answer(document.to_json())


def file_answer(content: bytes, media_type: str, name: str, *, sha256: str | None = None, inline: bool = False) -> Response:
    """A file as the answer, under a name for whoever saves it; a browser shows it only `inline`, and never guesses what it is."""
    headers = {
        "Content-Disposition": f'{"inline" if inline else "attachment"}; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox",
    }
    if sha256 is not None:
        headers["Repr-Digest"] = f"sha-256=:{base64.b64encode(bytes.fromhex(sha256)).decode()}:"
    return Response(content, 200, {**PRIVATE, **headers}, media_type)
