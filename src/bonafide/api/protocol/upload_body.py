"""Read a file that is uploaded: as a part of a form (`multipart/form-data`), or in base64 within JSON.

The limits are those of every body. A file in a form is as large as the body may be; base64 takes a third more.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import cast

from fastapi import Depends, Request
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from bonafide.api.protocol.request_body import create_body_parser, read_body, read_file_body
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.records.documents import DocumentUpload, FileName
from bonafide.web.validation_errors import to_api_error

MULTIPART = "multipart/form-data"
FILE_PART = "file"
"""The name of the part of a form that is the file."""
_parse_json = create_body_parser(DocumentUpload)


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file with its name. `field` is the name of the field that it was sent in, for errors."""

    name: str
    content: bytes
    field: str


class _NamedFile(Document):
    """The name that a form gives to a file."""

    file: FileName


async def _accept_upload(request: Request) -> None:
    """Mark a route."""


UPLOAD_BODY = Depends(_accept_upload)
"""A dependency of routes whose body may be a form with a file."""


async def parse_upload(request: Request) -> UploadedFile:
    """A dependency: the uploaded file.

    Raises `UnsupportedMediaType`, `BodyTooLarge`, `BodyTooSlow`, `InvalidJson` and `ValidationFailed`.
    """
    if is_form(request):
        return await _read_form(request)
    upload = await _parse_json(request)
    return UploadedFile(upload.name, upload.decode(), "content")


async def read_upload(request: Request) -> bytes:
    """What makes two uploads the same request. The boundary of a form differs whenever it is sent; the file doesn't."""
    if not is_form(request):
        return await read_body(request)
    file = await _read_form(request)
    return f"{file.name}\n".encode() + file.content


def is_form(request: Request) -> bool:
    """Whether the body is a form with parts."""
    return request.headers.get("content-type", "").partition(";")[0].strip().casefold() == MULTIPART


async def _read_form(request: Request) -> UploadedFile:
    """The file of the form, cached for later calls."""
    kept = cast("UploadedFile | None", getattr(request.state, "upload", None))
    if kept is None:
        request.state.upload = kept = await _parse_form(request, await read_file_body(request))
    return kept


async def _parse_form(request: Request, body: bytes) -> UploadedFile:
    async def chunks() -> AsyncGenerator[bytes, None]:
        yield body

    try:
        form = await MultiPartParser(request.headers, chunks(), max_files=1, max_fields=0, max_part_size=len(body)).parse()
    except (MultiPartException, ValueError, LookupError, KeyError):
        raise ValidationFailed.of_field(FILE_PART, Message("the form is malformed, or has more than one part")) from None
    try:
        file = form.get(FILE_PART)
        if not isinstance(file, UploadFile) or not file.filename:
            raise ValidationFailed.of_field(FILE_PART, Message("is required, as a part with a file name"))
        try:
            name = _NamedFile(file=file.filename).file
        except ValidationError as error:
            raise to_api_error(error, _NamedFile) from None
        return UploadedFile(name, await file.read(), FILE_PART)
    finally:
        await form.close()
