"""What a page lets a person save, never shown in the browser. Who may have it is the handler's business."""

from starlette.responses import Response


def saved_as(name: str) -> dict[str, str]:
    """The header that lets a browser save an answer under this name, which is plain ASCII."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def download(content: bytes, media_type: str, name: str) -> Response:
    """An answer that is saved under this name."""
    return Response(content, headers=saved_as(name), media_type=media_type)
