"""Successful answers. Documents arrive as JSON and leave as they are: nothing is validated or serialised a second time.

Errors are rendered in `errors`.
"""

from starlette.responses import Response

from bonafide.model.base import Document

# Answers hold an organization's data; no cache between it and us may keep them.
_PRIVATE = {"Cache-Control": "no-store"}


def json_answer(body: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer that is JSON already."""
    return Response(body, status, {**_PRIVATE, **(headers if headers is not None else {})}, "application/json")


def document_answer(document: Document) -> Response:
    """A document as the answer."""
    return json_answer(document.to_json())
